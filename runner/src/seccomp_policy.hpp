// A seccomp policy as read and checked, before it is compiled.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "seccomp_profile.hpp"

namespace sandbox::runner {

enum class FilterVerdict { allow, refuse, kill_process };

// What the filter answers. A refusal with error number 0 makes the call succeed without effect.
struct FilterAction {
  FilterVerdict verdict = FilterVerdict::kill_process;
  std::uint16_t error_number = 0;  // of a refusal

  bool operator==(const FilterAction&) const = default;
};

enum class ArgumentOperator {
  not_equal,
  less,
  less_equal,
  equal,
  greater_equal,
  greater,
  masked_equal
};

// One comparison of a 64-bit argument register with a constant.
struct ArgumentTest {
  std::uint32_t index = 0;  // 0..5
  ArgumentOperator op = ArgumentOperator::equal;
  std::uint64_t value = 0;
  std::uint64_t mask = ~std::uint64_t{0};  // of masked_equal

  bool operator==(const ArgumentTest&) const = default;
};

// Applies when all tests hold.
struct ArgumentRule {
  std::vector<ArgumentTest> tests;
  FilterAction action;
};

// All that a policy says about one system call: the first argument rule that applies wins, then
// `otherwise`, then the policy's default.
struct SyscallRule {
  std::string name;
  std::string where;  // its first mention: "syscalls[3].names[0]"
  std::vector<ArgumentRule> by_arguments;
  std::optional<FilterAction> otherwise;
};

struct SeccompPolicy {
  FilterAction default_action;
  std::vector<FilterArch> architectures;
  std::vector<SyscallRule> syscalls;  // one for each name, in order of first mention
};

}  // namespace sandbox::runner
