// The OCI reader: what it takes, what it refuses, and that it says where.
// SPDX-License-Identifier: MIT
#include "seccomp_parse.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cerrno>
#include <string>

#include "sandbox/error.hpp"

namespace sandbox::runner::test {
namespace {

using testing::HasSubstr;

// A policy with `rules` as its list of system calls.
std::string policy_with(const std::string& rules) {
  return R"({"defaultAction": "SCMP_ACT_ERRNO", "architectures": ["SCMP_ARCH_X86_64"],
"syscalls": [)" +
         rules + "]}";
}

std::string ioctl_rule(const std::string& args) {
  return policy_with(R"({"names": ["ioctl"], "action": "SCMP_ACT_ALLOW", "args": [)" + args + "]}");
}

// Expects a config_error whose text has all parts.
void expect_refused(const std::string& json, const std::vector<std::string>& parts) {
  try {
    (void)parse_policy("mine", json);
    ADD_FAILURE() << "taken: " << json;
  } catch (const Error& error) {
    EXPECT_EQ(error.sandbox_code(), errc::config_error);
    EXPECT_THAT(error.what(), HasSubstr("seccomp profile \"mine\": "));
    for (const std::string& part : parts) EXPECT_THAT(error.what(), HasSubstr(part));
  }
}

TEST(SeccompParse, ReadsTheWholeForm) {
  const SeccompPolicy policy = parse_policy("mine", R"({
    "comment": "c", "defaultAction": "SCMP_ACT_ERRNO", "defaultErrnoRet": 38,
    "architectures": ["SCMP_ARCH_X86_64", "SCMP_ARCH_AARCH64"],
    "syscalls": [
      {"comment": "c", "names": ["read", "fcntl"], "action": "SCMP_ACT_ERRNO"},
      {"names": ["fcntl"], "action": "SCMP_ACT_ALLOW", "args": [
        {"index": 1, "value": 4294967295, "valueTwo": 3, "op": "SCMP_CMP_MASKED_EQ"},
        {"index": 2, "value": 18446744073709551615, "op": "SCMP_CMP_LE"}]},
      {"names": ["write"], "action": "SCMP_ACT_KILL_PROCESS", "args": []}
    ]})");
  EXPECT_EQ(policy.default_action, (FilterAction{FilterVerdict::refuse, ENOSYS}));
  EXPECT_EQ(policy.architectures.size(), 2U);
  ASSERT_EQ(policy.syscalls.size(), 3U);
  EXPECT_EQ(policy.syscalls[0].otherwise, (FilterAction{FilterVerdict::refuse, EPERM}));
  const SyscallRule& fcntl = policy.syscalls[1];
  EXPECT_EQ(fcntl.name, "fcntl");
  EXPECT_EQ(fcntl.where, "syscalls[0].names[1]");
  ASSERT_EQ(fcntl.by_arguments.size(), 1U);
  const std::vector<ArgumentTest> tests = {{1, ArgumentOperator::masked_equal, 3, 0xffffffffU},
                                           {2, ArgumentOperator::less_equal, 0xffffffffffffffffU}};
  EXPECT_EQ(fcntl.by_arguments[0].tests, tests);
  EXPECT_EQ(policy.syscalls[2].otherwise, (FilterAction{FilterVerdict::kill_process, 0}));
}

TEST(SeccompParse, SaysWhereTheJsonEnds) {
  expect_refused("{\n  \"a\": 1,\n  oops}", {"line 3, column 3", "not valid JSON"});
  expect_refused("", {"line 1, column 1"});
  expect_refused(R"({"a": 1} x)", {"line 1, column 10"});
  expect_refused("[]", {"document: write an object"});
}

TEST(SeccompParse, RefusesAPolicyThatAllowsByDefault) {
  expect_refused(R"({"defaultAction": "SCMP_ACT_ALLOW", "architectures": [], "syscalls": []})",
                 {"defaultAction", "no boundary"});
  expect_refused(R"({"architectures": [], "syscalls": []})", {"defaultAction: missing"});
}

TEST(SeccompParse, RefusesKeysThatItWouldHaveToIgnore) {
  expect_refused(R"({"defaultAction": "SCMP_ACT_ERRNO", "flags": [], "syscalls": []})",
                 {"document", "\"flags\"", "known: "});
  expect_refused(policy_with(R"({"names": ["read"], "action": "SCMP_ACT_ALLOW", "includes": {}})"),
                 {"syscalls[0]", "\"includes\""});
  expect_refused(ioctl_rule(R"({"index": 1, "value": 1, "op": "SCMP_CMP_EQ", "mask": 3})"),
                 {"syscalls[0].args[0]", "\"mask\""});
}

TEST(SeccompParse, RefusesActionsThatLetCallsThroughByAnotherName) {
  for (const char* action : {"SCMP_ACT_LOG", "SCMP_ACT_TRACE", "SCMP_ACT_NOTIFY", "SCMP_ACT_TRAP",
                             "SCMP_ACT_KILL", "ALLOW"}) {
    expect_refused(policy_with(R"({"names": ["read"], "action": ")" + std::string(action) + "\"}"),
                   {"syscalls[0].action", action, "SCMP_ACT_KILL_PROCESS"});
  }
  expect_refused(policy_with(R"({"names": ["read"], "action": "SCMP_ACT_ALLOW", "errnoRet": 1})"),
                 {"syscalls[0].errnoRet"});
}

TEST(SeccompParse, RefusesErrorNumbersOutOfRange) {
  for (const char* number : {"4096", "-1", "1.5", "\"1\"", "18446744073709551616"}) {
    expect_refused(policy_with(R"({"names": ["read"], "action": "SCMP_ACT_ERRNO", "errnoRet": )" +
                               std::string(number) + "}"),
                   {"syscalls[0].errnoRet", "0 to 4095"});
  }
}

TEST(SeccompParse, RefusesOtherArchitectures) {
  for (const char* arch : {"SCMP_ARCH_X86", "SCMP_ARCH_X32", "x86_64"}) {
    expect_refused(
        R"({"defaultAction": "SCMP_ACT_ERRNO", "architectures": ["SCMP_ARCH_X86_64", ")" +
            std::string(arch) + R"("], "syscalls": []})",
        {"architectures[1]", arch});
  }
  expect_refused(R"({"defaultAction": "SCMP_ACT_ERRNO", "architectures": [], "syscalls": []})",
                 {"architectures: empty"});
  expect_refused(R"({"defaultAction": "SCMP_ACT_ERRNO", "syscalls": []})",
                 {"architectures: write an array"});
}

TEST(SeccompParse, RefusesArgumentsThatCannotMean) {
  expect_refused(ioctl_rule(R"({"index": 6, "value": 1, "op": "SCMP_CMP_EQ"})"),
                 {"syscalls[0].args[0].index", "0 to 5"});
  expect_refused(ioctl_rule(R"({"value": 1, "op": "SCMP_CMP_EQ"})"), {"args[0].index: missing"});
  expect_refused(ioctl_rule(R"({"index": 1, "op": "SCMP_CMP_EQ"})"), {"args[0].value: missing"});
  expect_refused(ioctl_rule(R"({"index": 1, "value": 1})"), {"args[0].op: missing"});
  expect_refused(ioctl_rule(R"({"index": 1, "value": 1, "op": "=="})"),
                 {"args[0].op", "SCMP_CMP_MASKED_EQ"});
  expect_refused(ioctl_rule(R"({"index": 1, "value": 1, "op": "SCMP_CMP_MASKED_EQ"})"),
                 {"args[0].valueTwo: missing"});
  expect_refused(
      ioctl_rule(R"({"index": 1, "value": 0, "valueTwo": 0, "op": "SCMP_CMP_MASKED_EQ"})"),
      {"args[0].value", "matches always"});
  expect_refused(
      ioctl_rule(R"({"index": 1, "value": 6, "valueTwo": 1, "op": "SCMP_CMP_MASKED_EQ"})"),
      {"args[0].valueTwo", "never match"});
  expect_refused(ioctl_rule(R"({"index": 1, "value": 6, "valueTwo": 1, "op": "SCMP_CMP_EQ"})"),
                 {"args[0].valueTwo", "only SCMP_CMP_MASKED_EQ"});
  expect_refused(ioctl_rule(R"({"index": 1, "value": 6, "op": "SCMP_CMP_GE"},
                               {"index": 1, "value": 9, "op": "SCMP_CMP_LE"})"),
                 {"args[1].index", "twice"});
  expect_refused(policy_with(R"({"names": ["read"], "action": "SCMP_ACT_ALLOW", "args": 7})"),
                 {"syscalls[0].args: write an array"});
}

TEST(SeccompParse, RefusesASecondAnswerForTheSameCase) {
  expect_refused(policy_with(R"({"names": ["read"], "action": "SCMP_ACT_ALLOW"},
                                {"names": ["write", "read"], "action": "SCMP_ACT_ERRNO"})"),
                 {"syscalls[1].names[1]", "\"read\"", "syscalls[0].names[0]"});
  const std::string rule = R"({"names": ["ioctl"], "action": "SCMP_ACT_ALLOW",
      "args": [{"index": 1, "value": 1, "op": "SCMP_CMP_EQ"}]})";
  expect_refused(policy_with(rule + ',' + rule), {"syscalls[1].names[0]", "same args"});
}

TEST(SeccompParse, RefusesRulesWithoutNames) {
  expect_refused(policy_with(R"({"action": "SCMP_ACT_ALLOW"})"), {"syscalls[0].names"});
  expect_refused(policy_with(R"({"names": [], "action": "SCMP_ACT_ALLOW"})"),
                 {"syscalls[0].names: empty"});
  expect_refused(policy_with(R"({"names": ["read", ""], "action": "SCMP_ACT_ALLOW"})"),
                 {"syscalls[0].names[1]"});
  expect_refused(policy_with("7"), {"syscalls[0]: write an object"});
}

}  // namespace
}  // namespace sandbox::runner::test
