// An exec request: what it carries, what it refuses.
// SPDX-License-Identifier: MIT
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <vector>

#include "sandbox/error.hpp"
#include "sandbox/exec.hpp"

namespace sandbox {
namespace {

using namespace std::chrono_literals;
using namespace std::string_literals;
using testing::HasSubstr;

ExecRequest good() { return ExecRequest({"python3", "/work/program.py"}); }

// SB-20
TEST(ExecRequest, ShellIsShWithTheTextAsOneArgument) {
  EXPECT_EQ(ExecRequest::shell("exit 7; echo 'a b'").argv(),
            (std::vector<std::string>{"sh", "-c", "exit 7; echo 'a b'"}));
}

TEST(ExecRequest, CarriesWhatWasSet) {
  ExecRequest request = good();
  EXPECT_FALSE(request.working_directory());
  EXPECT_FALSE(request.timeout());
  EXPECT_TRUE(request.standard_input().empty());
  EXPECT_FALSE(request.on_output());
  int chunks = 0;
  request.working_directory("/work")
      .timeout(5s)
      .limits(Limits().processes(3))
      .environment({{"A", "b=c"}})
      .standard_input("x\0y"s)
      .on_output([&chunks](OutputChunk) { ++chunks; });
  EXPECT_EQ(request.working_directory(), "/work");
  EXPECT_EQ(request.timeout(), 5s);
  EXPECT_EQ(request.limits(), Limits().processes(3));
  EXPECT_EQ(request.environment().at("A"), "b=c");
  EXPECT_EQ(request.standard_input(), "x\0y"s);
  request.on_output()(OutputChunk{Stream::standard_output, "z"});
  EXPECT_EQ(chunks, 1);
  EXPECT_NO_THROW(request.validate()) << "a NUL on stdin and '=' in a value are data";
}

struct BadRequest {
  ExecRequest request;
  std::string says;
};

// SB-28, SB-7
TEST(ExecRequest, RefusesWhatMakesNoSense) {
  const std::vector<BadRequest> cases{
      {ExecRequest(std::vector<std::string>{}), "argv is empty"},
      {ExecRequest({"python3", "a\0b"s}), "argument 1"},
      {ExecRequest({"py\0thon3"s}), "argument 0"},
      {good().working_directory("/work\0/x"s), "working directory"},
      {good().environment({{"", "x"}}), "variable name"},
      {good().environment({{"A=B", "x"}}), "variable name"},
      {good().environment({{"A\0"s, "x"}}), "NUL"},
      {good().environment({{"A", "x\0y"s}}), "variable \"A\""},
      {good().timeout(0ms), "0 ms"},
      {good().timeout(-2s), "timeout"},
      {good().limits(Limits().processes(0)), "processes"},
  };
  for (const BadRequest& row : cases) {
    SCOPED_TRACE(row.says);
    try {
      row.request.validate();
      ADD_FAILURE() << "accepted";
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), errc::invalid_argument);
      EXPECT_THAT(error.what(), HasSubstr(row.says));
    }
  }
}

TEST(ExecRequest, DoesNotRepeatASecretValueInItsError) {
  try {
    good().environment({{"TOKEN", "hunter2\0"s}}).validate();
    ADD_FAILURE() << "accepted";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("TOKEN"));
    EXPECT_THAT(error.what(), testing::Not(HasSubstr("hunter2")));
  }
}

TEST(ExecRequest, AcceptsAnEmptyArgumentAndAnEmptyValue) {
  EXPECT_NO_THROW(ExecRequest({"printf", ""}).environment({{"A", ""}}).validate());
}

}  // namespace
}  // namespace sandbox
