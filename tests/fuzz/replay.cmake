# One small program with all targets in it, run over each corpus.
# SPDX-License-Identifier: MIT
add_executable(fuzz_replay replay.cpp ${target_sources} ${judges})
target_link_libraries(fuzz_replay PRIVATE fuzz_headers sandbox::runner)

add_executable(fuzz_make_seeds
  make_seeds.cpp
  ${root}/runner/launcher/validate.cpp
  ${root}/tests/unit/runner/host/request_support.cpp)
target_include_directories(fuzz_make_seeds PRIVATE ${root}/tests/unit/runner/host)
target_link_libraries(fuzz_make_seeds PRIVATE fuzz_headers sandbox::runner)
add_custom_target(fuzz_seeds
  COMMAND fuzz_make_seeds ${corpus}
  COMMENT "Writing the binary seeds"
  VERBATIM)

add_test(NAME fuzz.seeds COMMAND fuzz_make_seeds --check ${corpus})
set_tests_properties(fuzz.seeds PROPERTIES LABELS unit TIMEOUT 60)
foreach(target IN LISTS targets)
  sandbox_fuzz_inputs(${target} inputs)
  add_test(NAME fuzz.replay.${target} COMMAND fuzz_replay ${target} ${inputs})
  set_tests_properties(fuzz.replay.${target} PROPERTIES LABELS unit TIMEOUT 60)
endforeach()
