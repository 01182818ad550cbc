// The compiled policies that ship, call by call, in the emulator.
// SPDX-License-Identifier: MIT
#include "seccomp_profile.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <linux/audit.h>

#include <algorithm>
#include <cerrno>
#include <string>

#include "bpf_emulator.hpp"
#include "policy_support.hpp"
#include "sandbox/error.hpp"

namespace sandbox::runner::test {
namespace {

using testing::HasSubstr;

constexpr std::uint32_t kNoSuchCall = SECCOMP_RET_ERRNO | ENOSYS;
constexpr std::uint64_t kGarbage = 0xdeadbeef00000000;

struct Compiled {
  std::string name;
  FilterArch arch;
  SeccompPolicy policy;
  FilterProgram program;
};

const std::vector<Compiled>& all_programs() {
  static const std::vector<Compiled> programs = [] {
    std::vector<Compiled> list;
    for (const std::string& name : builtin_profile_names()) {
      for (const FilterArch arch : kBothArchs) {
        list.push_back({name, arch, builtin_policy(name), builtin_program(name, arch)});
      }
    }
    return list;
  }();
  return programs;
}

std::string label(const Compiled& compiled) {
  return compiled.name + " on " + std::string(arch_name(compiled.arch));
}

TEST(SeccompProfiles, TheNamesOfTheBuiltinOnes) {
  EXPECT_THAT(builtin_profile_names(), testing::ElementsAre("default", "strict", "loopback"));
  try {
    (void)builtin_profile("lax");
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_EQ(error.sandbox_code(), errc::config_error);
    EXPECT_THAT(error.what(), HasSubstr("\"lax\""));
    EXPECT_THAT(error.what(), HasSubstr("default, strict, loopback"));
  }
}

// The README states these numbers.
TEST(SeccompProfiles, CountsOfAllowedNames) {
  const AllowedNames usual = allowed_names(builtin_policy("default"));
  EXPECT_EQ(usual.plain.size(), 191U);
  EXPECT_THAT(usual.filtered,
              testing::UnorderedElementsAre("clone", "fadvise64", "fcntl", "ioctl", "mknod",
                                            "mknodat", "personality", "prctl", "prlimit64",
                                            "setrlimit", "setsockopt", "socket", "socketpair"));
  const AllowedNames strict = allowed_names(builtin_policy("strict"));
  EXPECT_EQ(strict.plain.size(), 140U);
  EXPECT_THAT(strict.filtered, testing::UnorderedElementsAre("clone", "fadvise64", "fcntl", "ioctl",
                                                             "personality", "prctl", "prlimit64",
                                                             "setsockopt", "socket", "socketpair"));
}

TEST(SeccompProfiles, StrictAllowsNothingThatDefaultDoesNot) {
  const AllowedNames usual = allowed_names(builtin_policy("default"));
  const AllowedNames strict = allowed_names(builtin_policy("strict"));
  EXPECT_TRUE(std::includes(usual.plain.begin(), usual.plain.end(), strict.plain.begin(),
                            strict.plain.end()));
  EXPECT_TRUE(std::includes(usual.filtered.begin(), usual.filtered.end(), strict.filtered.begin(),
                            strict.filtered.end()));
  EXPECT_LT(strict.all().size(), usual.all().size());
  // Of the calls that both filter, only prlimit64 differs, and there strict has fewer rules.
  for (const SyscallRule& rule : builtin_policy("strict").syscalls) {
    if (strict.filtered.count(rule.name) == 0 || rule.name == "prlimit64") continue;
    for (const SyscallRule& other : builtin_policy("default").syscalls) {
      if (other.name != rule.name) continue;
      EXPECT_EQ(rule_words(rule, {}), rule_words(other, {})) << rule.name;
    }
  }
}

TEST(SeccompProfiles, LoopbackIsDefaultExceptForSocket) {
  const SeccompPolicy& usual = builtin_policy("default");
  const SeccompPolicy& loopback = builtin_policy("loopback");
  std::map<std::string, std::string> words;
  for (const SyscallRule& rule : usual.syscalls) {
    words[rule.name] = rule_words(rule, usual.default_action);
  }
  EXPECT_EQ(loopback.syscalls.size(), words.size());
  for (const SyscallRule& rule : loopback.syscalls) {
    if (rule.name == "socket") continue;
    EXPECT_EQ(rule_words(rule, loopback.default_action), words[rule.name]) << rule.name;
  }
}

TEST(SeccompProfiles, AreProgramsThatTheKernelTakes) {
  for (const Compiled& compiled : all_programs()) {
    EXPECT_NO_THROW(check_program(compiled.program.instructions)) << label(compiled);
    EXPECT_LT(compiled.program.instructions.size(), 640U) << label(compiled);
    EXPECT_EQ(compiled.program.name, compiled.name);
  }
}

// The kernel remembers calls that a filter allows whatever their arguments are, and then does not
// run it; for this the path to their return must load nothing but the number and the architecture.
TEST(SeccompProfiles, PlainCallsAreDecidedWithoutTheirArguments) {
  for (const Compiled& compiled : all_programs()) {
    for (const std::string& name : allowed_names(compiled.policy).plain) {
      const auto number = number_of(compiled.arch, name);
      if (!number) continue;
      seccomp_data call = call_of(compiled.arch, *number);
      std::fill(std::begin(call.args), std::end(call.args), kGarbage | 0xffffffffU);
      call.instruction_pointer = kGarbage;
      EXPECT_EQ(run_filter(compiled.program.instructions, call), SECCOMP_RET_ALLOW)
          << name << ' ' << label(compiled);
    }
  }
}

TEST(SeccompProfiles, EveryNumberAnswersAsThePolicySays) {
  for (const Compiled& compiled : all_programs()) {
    const auto calls = known_calls(compiled.arch);
    for (std::uint32_t number = 0; number < 1024; ++number) {
      const auto known = calls.find(number);
      for (const std::uint64_t argument : {0ULL, 1ULL, 0xffffffffULL, 0x100000001ULL}) {
        const Arguments arguments{argument, argument, argument, argument, argument, argument};
        const std::uint32_t expected =
            known == calls.end() ? kNoSuchCall
                                 : expected_answer(compiled.policy, known->second, arguments);
        EXPECT_EQ(verdict_word(run_filter(compiled.program.instructions,
                                          call_of(compiled.arch, number, arguments))),
                  verdict_word(expected))
            << "number " << number << ", " << label(compiled);
      }
    }
  }
}

TEST(SeccompProfiles, UnknownNumbersAnswerNoSuchCall) {
  for (const Compiled& compiled : all_programs()) {
    const std::uint32_t highest = known_calls(compiled.arch).rbegin()->first;
    for (const std::uint32_t number : {highest + 1, 9999U, 0x3fffffffU, 0x80000000U, 0xc0000000U,
                                       0xc0000027U, 0xfffffffeU, 0xffffffffU}) {
      EXPECT_EQ(run_filter(compiled.program.instructions, call_of(compiled.arch, number)),
                kNoSuchCall)
          << std::hex << number << ' ' << label(compiled);
    }
  }
}

TEST(SeccompProfiles, X32CallsAreKilled) {
  for (const Compiled& compiled : all_programs()) {
    const std::uint32_t expected =
        compiled.arch == FilterArch::x86_64 ? SECCOMP_RET_KILL_PROCESS : kNoSuchCall;
    for (std::uint32_t number = 0; number < 1024; ++number) {
      EXPECT_EQ(
          run_filter(compiled.program.instructions, call_of(compiled.arch, number | 0x40000000U)),
          expected)
          << number << ' ' << label(compiled);
    }
  }
}

TEST(SeccompProfiles, ForeignArchitecturesAreKilledWhateverTheyCall) {
  for (const Compiled& compiled : all_programs()) {
    const std::uint32_t other =
        compiled.arch == FilterArch::x86_64 ? AUDIT_ARCH_AARCH64 : AUDIT_ARCH_X86_64;
    for (const std::uint32_t arch : {static_cast<std::uint32_t>(AUDIT_ARCH_I386),
                                     static_cast<std::uint32_t>(AUDIT_ARCH_ARM), other, 0U}) {
      for (const std::uint32_t number : {0U, 1U, 20U, 39U, 172U, 9999U, 0x40000001U, 0xffffffffU}) {
        seccomp_data call = call_of(compiled.arch, number);
        call.arch = arch;
        EXPECT_EQ(run_filter(compiled.program.instructions, call), SECCOMP_RET_KILL_PROCESS)
            << std::hex << arch << ' ' << number << ' ' << label(compiled);
      }
    }
  }
}

TEST(SeccompProfiles, WhatAGuestNeedsToStartIsInAll) {
  for (const Compiled& compiled : all_programs()) {
    for (const char* name : {"execve", "execveat", "write", "exit_group", "rseq", "set_robust_list",
                             "mmap", "mprotect", "brk", "openat", "close", "set_tid_address",
                             "rt_sigaction", "getrandom", "futex"}) {
      EXPECT_EQ(answer(compiled.program, compiled.arch, name), SECCOMP_RET_ALLOW)
          << name << ' ' << label(compiled);
    }
    // The C library's read of the stack limit.
    EXPECT_EQ(answer(compiled.program, compiled.arch, "prlimit64", {0, 3, 0, 0x7fff00001000}),
              SECCOMP_RET_ALLOW);
  }
}

TEST(SeccompProfiles, DigestIsOfTheInstructions) {
  std::set<std::string> digests;
  for (const Compiled& compiled : all_programs()) {
    EXPECT_EQ(compiled.program.sha256.size(), 64U);
    digests.insert(compiled.program.sha256);
    EXPECT_EQ(compile_profile(compiled.name, builtin_profile(compiled.name), compiled.arch).sha256,
              compiled.program.sha256);
  }
  EXPECT_EQ(digests.size(), all_programs().size());
}

TEST(SeccompCompile, RefusesAnUnknownName) {
  const std::string json = R"({"defaultAction": "SCMP_ACT_ERRNO",
    "architectures": ["SCMP_ARCH_X86_64"],
    "syscalls": [{"names": ["read", "raed"], "action": "SCMP_ACT_ALLOW"}]})";
  try {
    (void)compile_profile("mine", json, FilterArch::x86_64);
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_EQ(error.sandbox_code(), errc::config_error);
    EXPECT_THAT(error.what(), HasSubstr("\"mine\": syscalls[0].names[1]: \"raed\""));
  }
}

TEST(SeccompCompile, TakesAYoungNameThatAnswersNoSuchCall) {
  const std::string json = R"({"defaultAction": "SCMP_ACT_ERRNO",
    "architectures": ["SCMP_ARCH_X86_64"], "syscalls": [
    {"names": ["call_of_the_year_2040"], "action": "SCMP_ACT_ERRNO", "errnoRet": 38}]})";
  EXPECT_NO_THROW((void)compile_profile("mine", json, FilterArch::x86_64));
}

TEST(SeccompCompile, RefusesAnArchitectureThatThePolicyDoesNotName) {
  const std::string json = R"({"defaultAction": "SCMP_ACT_ERRNO",
    "architectures": ["SCMP_ARCH_X86_64"], "syscalls": []})";
  EXPECT_NO_THROW((void)compile_profile("mine", json, FilterArch::x86_64));
  try {
    (void)compile_profile("mine", json, FilterArch::aarch64);
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("architectures: add SCMP_ARCH_AARCH64"));
  }
}

TEST(SeccompCompile, AKillingDefaultStillLetsUnknownNumbersFallBack) {
  const std::string json = R"({"defaultAction": "SCMP_ACT_KILL_PROCESS",
    "architectures": ["SCMP_ARCH_X86_64"],
    "syscalls": [{"names": ["read"], "action": "SCMP_ACT_ALLOW"}]})";
  const FilterProgram program = compile_profile("mine", json, FilterArch::x86_64);
  const FilterArch arch = FilterArch::x86_64;
  EXPECT_EQ(answer(program, arch, "read"), SECCOMP_RET_ALLOW);
  EXPECT_EQ(answer(program, arch, "write"), SECCOMP_RET_KILL_PROCESS);
  EXPECT_EQ(run_filter(program.instructions, call_of(arch, 9999)), kNoSuchCall);
}

TEST(SeccompCompile, RefusesMoreInstructionsThanTheKernelTakes) {
  std::string rules;
  for (int value = 0; value < 1500; ++value) {
    rules += (value == 0 ? "" : ",") +
             std::string(R"({"names": ["ioctl"], "action": "SCMP_ACT_ALLOW", "args": [)") +
             R"({"index": 1, "op": "SCMP_CMP_EQ", "value": )" + std::to_string(value) + "}]}";
  }
  const std::string json = R"({"defaultAction": "SCMP_ACT_ERRNO",
    "architectures": ["SCMP_ARCH_X86_64"], "syscalls": [)" +
                           rules + "]}";
  try {
    (void)compile_profile("mine", json, FilterArch::x86_64);
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("4096"));
  }
}

}  // namespace
}  // namespace sandbox::runner::test
