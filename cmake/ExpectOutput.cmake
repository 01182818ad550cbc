# Runs a program and demands exit code 0 and exactly the given output (PASS_REGULAR_EXPRESSION of
# ctest does not look at the exit code).
#   cmake -DPROGRAM=... -DEXPECTED=... -P ExpectOutput.cmake
# SPDX-License-Identifier: MIT
foreach(name IN ITEMS PROGRAM EXPECTED)
  if(NOT DEFINED ${name})
    message(FATAL_ERROR "ExpectOutput.cmake: -D${name}=... is missing")
  endif()
endforeach()
execute_process(COMMAND ${PROGRAM} RESULT_VARIABLE result OUTPUT_VARIABLE output
                ERROR_VARIABLE errors)
string(STRIP "${output}" output)
if(NOT result EQUAL 0)
  message(FATAL_ERROR "${PROGRAM} ended with ${result}, not 0\nstdout:\n${output}\nstderr:\n${errors}")
endif()
if(NOT output STREQUAL EXPECTED)
  message(FATAL_ERROR "${PROGRAM} printed\n${output}\nand not\n${EXPECTED}\nstderr:\n${errors}")
endif()
message(STATUS "${PROGRAM}: as expected")
