// What the seccomp tests share: a second opinion on policies, and words for verdicts.
// SPDX-License-Identifier: MIT
#pragma once

#include <linux/seccomp.h>

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "seccomp_policy.hpp"
#include "seccomp_profile.hpp"

namespace sandbox::runner::test {

using Arguments = std::array<std::uint64_t, 6>;

inline constexpr FilterArch kBothArchs[] = {FilterArch::x86_64, FilterArch::aarch64};

std::string_view arch_name(FilterArch arch);

// A call as the kernel shows it to a filter.
seccomp_data call_of(FilterArch arch, std::uint32_t number, const Arguments& arguments = {});

// The number of `name`, empty where `arch` has no such call.
std::optional<std::uint32_t> number_of(FilterArch arch, const std::string& name);

// Every call that libseccomp knows on `arch`.
std::map<std::uint32_t, std::string> known_calls(FilterArch arch);

// Every number near a known one, the same with the x32 bit, and some that are far from all.
std::vector<std::uint32_t> all_numbers();

// Arguments by which rules tell calls apart: families, flags, requests, options, high halves.
std::vector<Arguments> spread_of_arguments();

// What the policy says, worked out from the rules with 64-bit arithmetic and no BPF.
std::uint32_t expected_answer(const SeccompPolicy& policy, const std::string& name,
                              const Arguments& arguments);

// Names that a policy lets through, for all or for some arguments.
struct AllowedNames {
  std::set<std::string> plain;
  std::set<std::string> filtered;
  [[nodiscard]] std::set<std::string> all() const;
};
AllowedNames allowed_names(const SeccompPolicy& policy);

// "ALLOW", "EPERM", "SUCCESS" (refused, errno 0), "KILL".
std::string verdict_word(std::uint32_t answer);

// The rules of one call in words: "ALLOW if arg1 & 0xffffffff == 0x5401; else ENOTTY".
std::string rule_words(const SyscallRule& rule, FilterAction default_action);

// The policies that ship, read and compiled once for a test program.
const SeccompPolicy& builtin_policy(const std::string& name);
const FilterProgram& builtin_program(const std::string& name, FilterArch arch);

// What a program answers to a named call. REQUIRES: `arch` has it.
std::uint32_t answer(const FilterProgram& program, FilterArch arch, const std::string& name,
                     const Arguments& arguments = {});

}  // namespace sandbox::runner::test
