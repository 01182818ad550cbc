// The observed form of each policy that ships: it asks the observer exactly where the policy
// refuses, and is the policy everywhere else.
// SPDX-License-Identifier: MIT
#include <gmock/gmock.h>
#include <linux/audit.h>

#include <cerrno>
#include <string>
#include <vector>

#include "bpf_emulator.hpp"
#include "policy_support.hpp"

namespace sandbox::runner::test {
namespace {

constexpr std::uint32_t kNoSuchCall = SECCOMP_RET_ERRNO | ENOSYS;

struct Compiled {
  std::string label;
  FilterArch arch;
  const FilterProgram* program;
};

std::vector<Compiled> all_programs() {
  std::vector<Compiled> list;
  for (const std::string& name : builtin_profile_names()) {
    for (const FilterArch arch : kBothArchs) {
      list.push_back(
          {name + " on " + std::string(arch_name(arch)), arch, &builtin_program(name, arch)});
    }
  }
  return list;
}

// What the observed form answers where the policy answers `verdict`.
std::uint32_t observed_answer(std::uint32_t verdict, bool is_quiet) {
  const bool is_refusal =
      (verdict & SECCOMP_RET_ACTION_FULL) == SECCOMP_RET_ERRNO && (verdict & SECCOMP_RET_DATA) != 0;
  return is_refusal && !is_quiet ? SECCOMP_RET_USER_NOTIF : verdict;
}

TEST(SeccompObserved, AsksTheObserverWhereThePolicyRefusesAndNowhereElse) {
  const std::vector<Arguments> spread = spread_of_arguments();
  for (const Compiled& compiled : all_programs()) {
    SCOPED_TRACE(compiled.label);
    const auto known = known_calls(compiled.arch);
    int asked = 0;
    for (const std::uint32_t number : all_numbers()) {
      const auto name = known.find(number);
      const bool is_quiet = name == known.end() || name->second == "clone3";
      for (const Arguments& arguments : spread) {
        const seccomp_data call = call_of(compiled.arch, number, arguments);
        const std::uint32_t verdict = run_filter(compiled.program->instructions, call);
        const std::uint32_t got = run_filter(compiled.program->observed, call);
        ASSERT_EQ(got, observed_answer(verdict, is_quiet))
            << number << " with " << std::hex << arguments[0] << ' ' << arguments[1];
        asked += got == SECCOMP_RET_USER_NOTIF ? 1 : 0;
      }
    }
    EXPECT_GT(asked, 1000);
  }
}

// What every program tries and does without takes no way through another process.
TEST(SeccompObserved, UnknownNumbersAndClone3AreAnsweredByTheKernel) {
  for (const Compiled& compiled : all_programs()) {
    SCOPED_TRACE(compiled.label);
    const auto answer_to = [&](std::uint32_t number) {
      return run_filter(compiled.program->observed, call_of(compiled.arch, number));
    };
    EXPECT_EQ(answer_to(number_of(compiled.arch, "clone3").value()), kNoSuchCall);
    const auto known = known_calls(compiled.arch);
    for (std::uint32_t number = 0; number < 1024; ++number) {
      if (known.contains(number)) continue;
      EXPECT_EQ(answer_to(number), kNoSuchCall) << number;
    }
    for (const std::uint32_t number : {9999U, 0x3fffffffU, 0x80000000U, 0xffffffffU}) {
      EXPECT_EQ(answer_to(number), kNoSuchCall) << number;
    }
    const std::uint32_t x32 =
        compiled.arch == FilterArch::x86_64 ? SECCOMP_RET_KILL_PROCESS : kNoSuchCall;
    for (const std::uint32_t number : {0x40000000U, 0x40000001U, 0x400003ffU}) {
      EXPECT_EQ(answer_to(number), x32) << std::hex << number;
    }
  }
}

TEST(SeccompObserved, ForeignArchitecturesAreStillKilled) {
  for (const Compiled& compiled : all_programs()) {
    for (const std::uint32_t arch : {static_cast<std::uint32_t>(AUDIT_ARCH_I386),
                                     static_cast<std::uint32_t>(AUDIT_ARCH_ARM), 0U}) {
      for (const std::uint32_t number : {0U, 20U, 435U, 9999U, 0xffffffffU}) {
        seccomp_data call = call_of(compiled.arch, number);
        call.arch = arch;
        EXPECT_EQ(run_filter(compiled.program->observed, call), SECCOMP_RET_KILL_PROCESS)
            << std::hex << arch << ' ' << number << ' ' << compiled.label;
      }
    }
  }
}

TEST(SeccompObserved, IsAProgramThatTheKernelTakes) {
  for (const Compiled& compiled : all_programs()) {
    EXPECT_NO_THROW(check_program(compiled.program->observed)) << compiled.label;
    EXPECT_LT(compiled.program->observed.size(), 640U) << compiled.label;
  }
}

// Success without effect is no refusal, and clone3 is only left to the kernel where it is ENOSYS.
TEST(SeccompObserved, FollowsPoliciesThatDecideOtherwise) {
  const std::string json = R"({"defaultAction": "SCMP_ACT_ERRNO", "defaultErrnoRet": 1,
    "architectures": ["SCMP_ARCH_X86_64"], "syscalls": [
    {"names": ["fsync"], "action": "SCMP_ACT_ERRNO", "errnoRet": 0},
    {"names": ["reboot"], "action": "SCMP_ACT_KILL_PROCESS"},
    {"names": ["clone3"], "action": "SCMP_ACT_ERRNO", "errnoRet": 13},
    {"names": ["ioctl"], "action": "SCMP_ACT_ALLOW", "args": [
      {"index": 1, "value": 327681, "op": "SCMP_CMP_EQ"}]},
    {"names": ["read"], "action": "SCMP_ACT_ALLOW"}]})";
  const FilterProgram program = compile_profile("mine", json, FilterArch::x86_64);
  const auto answer_to = [&](const char* name, const Arguments& arguments = {}) {
    const std::uint32_t number = number_of(FilterArch::x86_64, name).value();
    return run_filter(program.observed, call_of(FilterArch::x86_64, number, arguments));
  };
  EXPECT_EQ(answer_to("fsync"), SECCOMP_RET_ERRNO);
  EXPECT_EQ(answer_to("reboot"), SECCOMP_RET_KILL_PROCESS);
  EXPECT_EQ(answer_to("clone3"), SECCOMP_RET_USER_NOTIF);
  EXPECT_EQ(answer_to("read"), SECCOMP_RET_ALLOW);
  EXPECT_EQ(answer_to("mount"), SECCOMP_RET_USER_NOTIF);
  // 327681 is SECCOMP_RET_ERRNO | EPERM: a value to compare with, and no refusal.
  EXPECT_EQ(answer_to("ioctl", {3, SECCOMP_RET_ERRNO | EPERM}), SECCOMP_RET_ALLOW);
  EXPECT_EQ(answer_to("ioctl", {3, 1}), SECCOMP_RET_USER_NOTIF);
}

}  // namespace
}  // namespace sandbox::runner::test
