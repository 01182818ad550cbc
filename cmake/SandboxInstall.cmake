# Install rules: headers and archives, the CMake package, the pkg-config file, the command and its
# AppArmor profile.
# SPDX-License-Identifier: MIT
include(CMakePackageConfigHelpers)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/libsandbox)

install(TARGETS sandbox_core sandbox_runner sandbox_codeact sandbox_testing
        EXPORT libsandboxTargets
        ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
        LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
        FILE_SET HEADERS DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(EXPORT libsandboxTargets NAMESPACE sandbox:: DESTINATION ${package_dir})
configure_package_config_file(
  ${CMAKE_CURRENT_LIST_DIR}/libsandboxConfig.cmake.in
  ${CMAKE_CURRENT_BINARY_DIR}/libsandboxConfig.cmake
  INSTALL_DESTINATION ${package_dir})
# Before 1.0 a minor release may break callers.
write_basic_package_version_file(
  ${CMAKE_CURRENT_BINARY_DIR}/libsandboxConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES
  ${CMAKE_CURRENT_BINARY_DIR}/libsandboxConfig.cmake
  ${CMAKE_CURRENT_BINARY_DIR}/libsandboxConfigVersion.cmake
  DESTINATION ${package_dir})

# pkg-config: paths relative to the file itself, so that the installed tree can be moved.
set(pkgconfig_dir ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
cmake_path(IS_ABSOLUTE CMAKE_INSTALL_LIBDIR libdir_is_absolute)
if(libdir_is_absolute)
  set(SANDBOX_PC_PREFIX ${CMAKE_INSTALL_PREFIX})
  set(SANDBOX_PC_LIBDIR ${CMAKE_INSTALL_LIBDIR})
else()
  cmake_path(RELATIVE_PATH CMAKE_INSTALL_PREFIX
             BASE_DIRECTORY ${CMAKE_INSTALL_PREFIX}/${pkgconfig_dir} OUTPUT_VARIABLE up)
  set(SANDBOX_PC_PREFIX "\${pcfiledir}/${up}")
  set(SANDBOX_PC_LIBDIR "\${prefix}/${CMAKE_INSTALL_LIBDIR}")
endif()
cmake_path(IS_ABSOLUTE CMAKE_INSTALL_INCLUDEDIR includedir_is_absolute)
if(includedir_is_absolute)
  set(SANDBOX_PC_INCLUDEDIR ${CMAKE_INSTALL_INCLUDEDIR})
else()
  set(SANDBOX_PC_INCLUDEDIR "\${prefix}/${CMAKE_INSTALL_INCLUDEDIR}")
endif()
# Boost ships no pkg-config file; name its places only when the compiler does not look there.
set(SANDBOX_PC_BOOST_CFLAGS "")
set(SANDBOX_PC_BOOST_LIBS "-lboost_json -lboost_container")
foreach(dir IN LISTS Boost_INCLUDE_DIRS)
  if(NOT dir IN_LIST CMAKE_CXX_IMPLICIT_INCLUDE_DIRECTORIES)
    string(APPEND SANDBOX_PC_BOOST_CFLAGS " -I${dir}")
  endif()
endforeach()
foreach(dir IN LISTS Boost_LIBRARY_DIRS)
  cmake_path(NORMAL_PATH dir)
  if(NOT dir IN_LIST CMAKE_CXX_IMPLICIT_LINK_DIRECTORIES)
    string(PREPEND SANDBOX_PC_BOOST_LIBS "-L${dir} ")
  endif()
endforeach()
# Archives carry no list of what they need, so a plain `pkg-config --libs` must name it.
get_target_property(core_type sandbox_core TYPE)
if(core_type STREQUAL "STATIC_LIBRARY")
  set(SANDBOX_PC_PRIVATE "")
else()
  set(SANDBOX_PC_PRIVATE ".private")
endif()
configure_file(${CMAKE_CURRENT_LIST_DIR}/libsandbox.pc.in
               ${CMAKE_CURRENT_BINARY_DIR}/libsandbox.pc @ONLY)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/libsandbox.pc DESTINATION ${pkgconfig_dir})

if(TARGET sandboxctl)
  install(TARGETS sandboxctl RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()
# Not into /etc: only hosts that restrict user namespaces need it, and others cannot load it.
install(FILES packaging/apparmor/sandboxctl packaging/apparmor/README.md
        DESTINATION ${CMAKE_INSTALL_DATADIR}/libsandbox/apparmor)
install(FILES LICENSE README.md CHANGELOG.md SECURITY.md DESTINATION ${CMAKE_INSTALL_DOCDIR})
