# The adversarial corpus and what runs it. The attempts are carried along as they stand.
# SPDX-License-Identifier: MIT
set(_selftest ${CMAKE_CURRENT_LIST_DIR}/selftest)
file(GLOB _attempts CONFIGURE_DEPENDS RELATIVE ${_selftest}/attempts ${_selftest}/attempts/*.py)
list(SORT _attempts)

# Read by corpus.cpp: for each file the lengths of its name and its text, then both.
set(_records "")
foreach(_file IN ITEMS ../prelude.py LISTS _attempts)
  cmake_path(GET _file FILENAME _name)
  string(APPEND _records
    "    .4byte 2f-1f, 3f-2f\n1:  .ascii \"${_name}\"\n2:  .incbin \"${_selftest}/attempts/${_file}\"\n3:\n")
endforeach()
set(_corpus ${CMAKE_CURRENT_BINARY_DIR}/selftest_corpus.S)
file(CONFIGURE OUTPUT ${_corpus} @ONLY CONTENT "/* Generated from the attempts; do not edit. */
    .section .rodata
    .global sandbox_selftest_begin
    .global sandbox_selftest_end
sandbox_selftest_begin:
@_records@sandbox_selftest_end:
    .byte 0
    .section .note.GNU-stack, \"\", %progbits
")
list(TRANSFORM _attempts PREPEND ${_selftest}/attempts/ OUTPUT_VARIABLE _attempt_paths)
set_source_files_properties(${_corpus} PROPERTIES
  OBJECT_DEPENDS "${_selftest}/prelude.py;${_attempt_paths}")

target_sources(sandbox_runner PRIVATE
  selftest/attempt_parse.cpp
  selftest/attempt_values.cpp
  selftest/corpus.cpp
  selftest/host_state.cpp
  selftest/run_attempt.cpp
  selftest/selftest.cpp
  selftest/verdict.cpp
  ${_corpus})
