// Which files go in, and what they are called inside.
// SPDX-License-Identifier: MIT
#include "inputs.hpp"

#include <gmock/gmock.h>

#include <string>

#include "host_file.hpp"
#include "sandbox/error.hpp"
#include "scratch_directory.hpp"

namespace sandbox::ctl {
namespace {

using testing::HasSubstr;

template <class Action>
errc code_of(Action action) {
  try {
    action();
  } catch (const Error& error) {
    return error.sandbox_code();
  }
  ADD_FAILURE() << "nothing was thrown";
  return errc::internal;
}

TEST(InputOptions, KeepTheLastPartOfThePathWithoutAName) {
  const InputOption input = parse_input("/some/where/data.csv");
  EXPECT_EQ(input.host_path(), "/some/where/data.csv");
  EXPECT_EQ(input.name(), "data.csv");
}

TEST(InputOptions, PartAtTheLastColon) {
  const InputOption input = parse_input("/some/a:b/data.csv:sub/in.csv");
  EXPECT_EQ(input.host_path(), "/some/a:b/data.csv");
  EXPECT_EQ(input.name(), "sub/in.csv");
}

TEST(InputOptions, AnExistingFileWithAColonIsOneFile) {
  const ScratchDirectory scratch;
  scratch.write("12:30.log", "x");
  EXPECT_EQ(parse_input(scratch.path("12:30.log")).name(), "12:30.log");
  const InputOption named = parse_input(scratch.path("12:30.log") + ":noon.log");
  EXPECT_EQ(named.host_path(), scratch.path("12:30.log"));
  EXPECT_EQ(named.name(), "noon.log");
}

TEST(InputOptions, RefusesNamesThatAreNoPlainRelativePath) {
  for (const char* name : {"", "/abs", "..", ".", "../x", "a/../b", "a/./b", "a//b", "a/", "a\\b",
                           "\xff", "./a", "a/.."}) {
    EXPECT_EQ(code_of([name] { (void)parse_input(std::string("/nowhere/file:") + name); }),
              errc::path_not_confined)
        << name;
  }
  EXPECT_EQ(code_of([] { (void)parse_input(std::string("/nowhere/file:a\0b", 17)); }),
            errc::path_not_confined);
}

TEST(InputOptions, RefusesAnEmptyHostPath) {
  for (const char* text : {"", ":name"}) {
    EXPECT_EQ(code_of([text] { (void)parse_input(text); }), errc::invalid_argument) << text;
  }
}

TEST(InputOptions, RefusesTwoOfOneNameAndTheProgramsOwn) {
  const std::vector<InputOption> twice = {InputOption("/a/x", "x"), InputOption("/b/x", "x")};
  EXPECT_EQ(code_of([&] { check_inputs(twice, ""); }), errc::invalid_argument);
  const std::vector<InputOption> program = {InputOption("/a/x", "program.py")};
  EXPECT_EQ(code_of([&] { check_inputs(program, "program.py"); }), errc::invalid_argument);
  check_inputs(program, "");
}

TEST(HostFiles, AreReadWhole) {
  const ScratchDirectory scratch;
  const std::string content = std::string("a\0b\xff", 4) + std::string(300000, 'x');
  scratch.write("in", content);
  EXPECT_EQ(read_host_file(scratch.path("in"), "the input"), content);
}

TEST(HostFiles, SayWhyTheyCannotBeRead) {
  const ScratchDirectory scratch;
  EXPECT_EQ(code_of([&] { (void)read_host_file(scratch.path("none"), "the input"); }),
            errc::not_found);
  EXPECT_EQ(code_of([&] { (void)read_host_file(scratch.path(), "the input"); }),
            errc::is_a_directory);
  scratch.write("big", "");
  std::filesystem::resize_file(scratch.path("big"), kMostFileBytes + 1);
  EXPECT_EQ(code_of([&] { (void)read_host_file(scratch.path("big"), "the input"); }),
            errc::too_large);
}

TEST(HostFiles, AnEndlessDeviceIsTooLarge) {
  EXPECT_EQ(code_of([] { (void)read_host_file("/dev/zero", "the input"); }), errc::too_large);
}

}  // namespace
}  // namespace sandbox::ctl
