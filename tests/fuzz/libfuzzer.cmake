# One libFuzzer program for each target, of nothing but the sources that it looks at.
# SPDX-License-Identifier: MIT
if(NOT CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
  message(FATAL_ERROR "libFuzzer comes with clang; use the preset fuzz")
endif()

set(subjects digest error exec exit_status format limits path receipt utf8)
list(TRANSFORM subjects REPLACE "(.+)" "${root}/libsandbox/src/\\1.cpp")
set(runner_subjects
  bpf_arguments bpf_link cgroup_home cgroup_search denied_calls fd image_manifest image_manifest_parse outside_identity output_capture
  protection seccomp_parse seccomp_profile)
list(TRANSFORM runner_subjects REPLACE "(.+)" "${root}/runner/src/\\1.cpp")
set(selftest_subjects attempt_parse attempt_values verdict)
list(TRANSFORM selftest_subjects REPLACE "(.+)" "${root}/runner/selftest/\\1.cpp")

# An archive: each target takes of it what it needs.
add_library(fuzz_subjects STATIC EXCLUDE_FROM_ALL
  ${subjects} ${runner_subjects} ${selftest_subjects} ${judges} not_reached.cpp)
target_include_directories(fuzz_subjects PUBLIC
  ${root}/libsandbox/include ${root}/libsandbox/src ${root}/runner/include)
target_compile_options(fuzz_subjects PUBLIC -fsanitize=fuzzer-no-link)
target_link_libraries(fuzz_subjects PUBLIC
  fuzz_headers Boost::headers Boost::json OpenSSL::Crypto Threads::Threads)

# 20000 runs each, but for those that are much quicker or slower.
set(runs_request 200000)
set(runs_verdict 100000)
set(runs_receipt 7000)
set(runs_reply 5000)

add_custom_target(fuzz)
foreach(target IN LISTS targets)
  add_executable(fuzz_${target} EXCLUDE_FROM_ALL entry.cpp targets/${target}.cpp)
  target_compile_definitions(fuzz_${target} PRIVATE SANDBOX_FUZZ_TARGET=${target})
  target_link_libraries(fuzz_${target} PRIVATE fuzz_subjects)
  target_link_options(fuzz_${target} PRIVATE -fsanitize=fuzzer)
  add_dependencies(fuzz fuzz_${target})

  sandbox_fuzz_inputs(${target} inputs)
  list(JOIN inputs "," seeds)
  set(options "")
  if(EXISTS ${CMAKE_CURRENT_SOURCE_DIR}/dictionaries/${target}.dict)
    set(options -dict=${CMAKE_CURRENT_SOURCE_DIR}/dictionaries/${target}.dict)
  endif()
  # The same runs each time: a red lane is a change of ours. What is new is found by long runs.
  if(DEFINED runs_${target})
    set(runs ${runs_${target}})
  else()
    set(runs 20000)
  endif()
  add_test(NAME fuzz.${target}
           COMMAND fuzz_${target} -seed=1 -runs=${runs} -max_total_time=10 -timeout=10
                   -rss_limit_mb=2048 -max_len=16384 -print_final_stats=1
                   -artifact_prefix=${CMAKE_CURRENT_BINARY_DIR}/found-${target}-
                   -seed_inputs=${seeds} ${options})
  set_tests_properties(fuzz.${target} PROPERTIES LABELS fuzz TIMEOUT 120)
endforeach()
