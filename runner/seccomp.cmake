# The seccomp part of sandbox_runner: sources, embedded policies, libseccomp.
# SPDX-License-Identifier: MIT
set(_seccomp_profiles default strict loopback)
set(_seccomp_profile_dir ${CMAKE_CURRENT_LIST_DIR}/../seccomp-profiles)
set(_seccomp_builtin ${CMAKE_CURRENT_BINARY_DIR}/seccomp_builtin.cpp)
list(TRANSFORM _seccomp_profiles PREPEND ${_seccomp_profile_dir}/ OUTPUT_VARIABLE _seccomp_json)
list(TRANSFORM _seccomp_json APPEND .json)
list(JOIN _seccomp_profiles "," _seccomp_names)

add_custom_command(
  OUTPUT ${_seccomp_builtin}
  COMMAND ${CMAKE_COMMAND} -DDIRECTORY=${_seccomp_profile_dir} -DNAMES=${_seccomp_names}
          -DOUTPUT=${_seccomp_builtin} -P ${CMAKE_CURRENT_LIST_DIR}/cmake/EmbedProfiles.cmake
  DEPENDS ${_seccomp_json} ${CMAKE_CURRENT_LIST_DIR}/cmake/EmbedProfiles.cmake
  COMMENT "Embedding the seccomp policies"
  VERBATIM)

target_sources(sandbox_runner PRIVATE
  ${CMAKE_CURRENT_LIST_DIR}/src/bpf_arguments.cpp
  ${CMAKE_CURRENT_LIST_DIR}/src/bpf_link.cpp
  ${CMAKE_CURRENT_LIST_DIR}/src/seccomp_parse.cpp
  ${CMAKE_CURRENT_LIST_DIR}/src/seccomp_profile.cpp
  ${_seccomp_builtin})
target_include_directories(sandbox_runner PRIVATE ${CMAKE_CURRENT_LIST_DIR}/src)
target_link_libraries(sandbox_runner PRIVATE PkgConfig::Seccomp)
