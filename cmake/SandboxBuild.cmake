# How our own code is compiled: link sandbox_build PRIVATE behind $<BUILD_INTERFACE:>.
# SPDX-License-Identifier: MIT
add_library(sandbox_build INTERFACE)
target_compile_features(sandbox_build INTERFACE cxx_std_20)
target_compile_options(sandbox_build INTERFACE
  -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Wnon-virtual-dtor -Woverloaded-virtual
  $<$<BOOL:${SANDBOX_WERROR}>:-Werror>
  -fstack-protector-strong)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  # False alarms of g++ 12 in optimised code: the frames of coroutines, and "..." + std::string (GCC
  # bug 105651).
  target_compile_options(sandbox_build INTERFACE -Wno-mismatched-new-delete -Wno-restrict)
endif()
target_compile_definitions(sandbox_build INTERFACE _GLIBCXX_ASSERTIONS)
target_link_options(sandbox_build INTERFACE LINKER:-z,relro LINKER:-z,now)

if(SANDBOX_SANITIZE)
  # UBSan's function check cannot be combined with coroutines in clang ("Cannot represent a
  # difference across sections").
  target_compile_options(sandbox_build INTERFACE
    -fsanitize=${SANDBOX_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer
    $<$<CXX_COMPILER_ID:Clang>:-fno-sanitize=function>)
  target_link_options(sandbox_build INTERFACE
    -fsanitize=${SANDBOX_SANITIZE} $<$<CXX_COMPILER_ID:Clang>:-fno-sanitize=function>)
else()
  # The sanitizers check more than the fortified functions do, and the two do not mix.
  target_compile_options(sandbox_build INTERFACE
    $<$<CONFIG:Release,RelWithDebInfo>:-U_FORTIFY_SOURCE>
    $<$<CONFIG:Release,RelWithDebInfo>:-D_FORTIFY_SOURCE=2>)
endif()

if(PROJECT_IS_TOP_LEVEL)
  set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
  find_program(SANDBOX_CCACHE ccache)
  if(SANDBOX_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
    set(CMAKE_CXX_COMPILER_LAUNCHER ${SANDBOX_CCACHE})
  endif()
  # Colours survive ninja's pipe.
  set(CMAKE_COLOR_DIAGNOSTICS ON)
endif()

# A target all_verify_interface_header_sets that compiles each public header alone; a lint runs it.
set(CMAKE_VERIFY_INTERFACE_HEADER_SETS ${SANDBOX_BUILD_TESTS})
