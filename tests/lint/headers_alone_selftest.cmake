# Shows that all_verify_interface_header_sets fails for a header that needs another one first, and
# passes once that header is mended.
# SPDX-License-Identifier: MIT
execute_process(COMMAND mktemp -d --tmpdir sandbox-headers-XXXXXX OUTPUT_VARIABLE dir
                OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)

file(WRITE ${dir}/CMakeLists.txt [[
cmake_minimum_required(VERSION 3.25)
project(headers LANGUAGES CXX)
set(CMAKE_VERIFY_INTERFACE_HEADER_SETS ON)
add_library(headers INTERFACE)
target_sources(headers INTERFACE FILE_SET HEADERS FILES sub.hpp)
]])

function(try_header text outcome)
  file(WRITE ${dir}/sub.hpp "${text}")
  execute_process(COMMAND ${CMAKE_COMMAND} --build ${dir}/build
                          --target all_verify_interface_header_sets
                  RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output)
  set(${outcome} ${result} PARENT_SCOPE)
  set(output "${output}" PARENT_SCOPE)
endfunction()

file(WRITE ${dir}/sub.hpp "")
execute_process(COMMAND ${CMAKE_COMMAND} -G Ninja -S ${dir} -B ${dir}/build -DCMAKE_CXX_COMPILER=${CXX}
                OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
try_header("#pragma once\n#include <string>\nstd::string name();\n" good)
set(good_output "${output}")
try_header("#pragma once\nstd::string name();\n" bad)
file(REMOVE_RECURSE ${dir})
if(NOT good EQUAL 0)
  message(FATAL_ERROR "a header that stands alone was refused:\n${good_output}")
endif()
if(bad EQUAL 0)
  message(FATAL_ERROR "a header that does not stand alone was accepted")
endif()
message(STATUS "headers that do not stand alone are seen")
