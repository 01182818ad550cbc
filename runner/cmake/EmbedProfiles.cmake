# Writes a C++ file that holds the seccomp policies as string literals.
# SPDX-License-Identifier: MIT
#
# cmake -DDIRECTORY=seccomp-profiles -DNAMES=default,strict -DOUTPUT=file.cpp -P EmbedProfiles.cmake
cmake_minimum_required(VERSION 3.25)

set(piece_size 8000)  # compilers only promise to take short literals; neighbours are joined
string(REPLACE "," ";" names "${NAMES}")
set(definitions "")
set(entries "")
foreach(name IN LISTS names)
  file(READ "${DIRECTORY}/${name}.json" text)
  if(text MATCHES "[^\t\n -~]")
    message(FATAL_ERROR "${DIRECTORY}/${name}.json: keep to ASCII, so that no piece splits a character")
  endif()
  string(LENGTH "${text}" length)
  string(APPEND definitions "constexpr std::string_view k_${name} =\n")
  set(offset 0)
  while(offset LESS length)
    string(SUBSTRING "${text}" ${offset} ${piece_size} piece)
    string(APPEND definitions "    R\"json(${piece})json\"\n")
    math(EXPR offset "${offset} + ${piece_size}")
  endwhile()
  string(APPEND definitions "    \"\";\n")
  string(APPEND entries "    {\"${name}\", k_${name}},\n")
endforeach()

file(WRITE "${OUTPUT}" "// Generated from the seccomp policies; do not edit.
#include \"seccomp_builtin.hpp\"

namespace sandbox::runner {
namespace {
${definitions}
constexpr BuiltinProfile kProfiles[] = {
${entries}};
}  // namespace

std::span<const BuiltinProfile> builtin_profiles() { return kProfiles; }

}  // namespace sandbox::runner
")
