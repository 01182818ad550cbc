# Installs the build tree to a place of its own and uses it from there.
#   cmake -DSTEP=install|find_package|pkg_config -DBUILD=... -DSTAGE=... -DCXX=... -DFLAGS=... -P run.cmake
# SPDX-License-Identifier: MIT
set(prefix ${STAGE}/prefix)
set(EXPECTED "stdout:\ninstalled: 42")

function(run)
  execute_process(COMMAND ${ARGN} COMMAND_ECHO STDOUT COMMAND_ERROR_IS_FATAL ANY)
endfunction()

if(STEP STREQUAL "install")
  file(REMOVE_RECURSE ${STAGE})
  run(${CMAKE_COMMAND} --install ${BUILD} --prefix ${STAGE}/first)
  # The package must not know where it was installed.
  file(RENAME ${STAGE}/first ${prefix})

elseif(STEP STREQUAL "find_package")
  run(${CMAKE_COMMAND} -G Ninja -S ${CMAKE_CURRENT_LIST_DIR}/project -B ${STAGE}/find_package
      -DCMAKE_BUILD_TYPE=Release -DCMAKE_CXX_COMPILER=${CXX} -DCMAKE_CXX_FLAGS=${FLAGS}
      -DCMAKE_PREFIX_PATH=${prefix} -DCMAKE_FIND_PACKAGE_NO_PACKAGE_REGISTRY=ON)
  run(${CMAKE_COMMAND} --build ${STAGE}/find_package)
  set(PROGRAM ${STAGE}/find_package/consumer)
  include(${EXPECT})

elseif(STEP STREQUAL "pkg_config")
  file(GLOB_RECURSE pc ${prefix}/*/libsandbox.pc)
  cmake_path(GET pc PARENT_PATH pc_dir)
  set(ENV{PKG_CONFIG_PATH} ${pc_dir})
  foreach(what IN ITEMS cflags libs)
    execute_process(COMMAND pkg-config --${what} libsandbox OUTPUT_VARIABLE ${what}
                    OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
    separate_arguments(${what} UNIX_COMMAND "${${what}}")
  endforeach()
  separate_arguments(FLAGS UNIX_COMMAND "${FLAGS}")
  set(PROGRAM ${STAGE}/pkg_config)
  run(${CXX} -std=c++20 ${FLAGS} ${CMAKE_CURRENT_LIST_DIR}/project/main.cpp ${cflags} ${libs} -o ${PROGRAM})
  include(${EXPECT})

else()
  message(FATAL_ERROR "run.cmake: no step '${STEP}'")
endif()
