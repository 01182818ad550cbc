// What the seccomp tests share: a second opinion on policies, and words for verdicts.
// SPDX-License-Identifier: MIT
#include "policy_support.hpp"

#include <linux/audit.h>
#include <seccomp.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <sstream>
#include <utility>

#include "bpf_arguments.hpp"
#include "bpf_emulator.hpp"
#include "seccomp_parse.hpp"

namespace sandbox::runner::test {
namespace {

std::uint32_t libseccomp_arch(FilterArch arch) {
  return arch == FilterArch::x86_64 ? SCMP_ARCH_X86_64 : SCMP_ARCH_AARCH64;
}

bool test_holds(const ArgumentTest& test, std::uint64_t argument) {
  switch (test.op) {
    case ArgumentOperator::not_equal:
      return argument != test.value;
    case ArgumentOperator::less:
      return argument < test.value;
    case ArgumentOperator::less_equal:
      return argument <= test.value;
    case ArgumentOperator::equal:
      return argument == test.value;
    case ArgumentOperator::greater_equal:
      return argument >= test.value;
    case ArgumentOperator::greater:
      return argument > test.value;
    case ArgumentOperator::masked_equal:
      return (argument & test.mask) == test.value;
  }
  return false;
}

std::string_view operator_word(ArgumentOperator op) {
  switch (op) {
    case ArgumentOperator::not_equal:
      return "!=";
    case ArgumentOperator::less:
      return "<";
    case ArgumentOperator::less_equal:
      return "<=";
    case ArgumentOperator::greater_equal:
      return ">=";
    case ArgumentOperator::greater:
      return ">";
    case ArgumentOperator::equal:
    case ArgumentOperator::masked_equal:
      break;
  }
  return "==";
}

}  // namespace

std::string_view arch_name(FilterArch arch) {
  return arch == FilterArch::x86_64 ? "x86_64" : "aarch64";
}

seccomp_data call_of(FilterArch arch, std::uint32_t number, const Arguments& arguments) {
  seccomp_data call{};
  call.nr = static_cast<int>(number);
  call.arch = arch == FilterArch::x86_64 ? AUDIT_ARCH_X86_64 : AUDIT_ARCH_AARCH64;
  std::copy(arguments.begin(), arguments.end(), std::begin(call.args));
  return call;
}

std::optional<std::uint32_t> number_of(FilterArch arch, const std::string& name) {
  const int number = seccomp_syscall_resolve_name_arch(libseccomp_arch(arch), name.c_str());
  if (number < 0) return std::nullopt;
  return static_cast<std::uint32_t>(number);
}

std::map<std::uint32_t, std::string> known_calls(FilterArch arch) {
  std::map<std::uint32_t, std::string> calls;
  for (int number = 0; number < 1024; ++number) {
    char* const name = seccomp_syscall_resolve_num_arch(libseccomp_arch(arch), number);
    if (name == nullptr) continue;
    calls.emplace(static_cast<std::uint32_t>(number), name);
    std::free(name);
  }
  return calls;
}

std::vector<std::uint32_t> all_numbers() {
  std::vector<std::uint32_t> numbers = {9999, 0x3fffffff, 0x7fffffff, 0x80000000, 0xffffffff};
  for (std::uint32_t number = 0; number < 1024; ++number) {
    numbers.push_back(number);
    numbers.push_back(number | 0x40000000);
  }
  return numbers;
}

std::vector<Arguments> spread_of_arguments() {
  std::vector<Arguments> list = {{1, 2, 3, 4, 5, 6},
                                 {2, 1, 6, 0, 0, 0},
                                 {0, 3, 0, 0x7fff00001000, 0, 0},
                                 {0x10000000, 0, 0, 0, 0, 0},
                                 {3, 1, 7, 0, 0, 0},
                                 {3, 1, 26, 0, 0, 0},
                                 {0xdeadbeef00000001, 0x5401, 0, 0, 0, 0}};
  for (const std::uint64_t value : {0ULL, 1ULL, 2ULL, 4ULL, 10ULL, 16ULL, 21505ULL, 0x7e020000ULL,
                                    0xffffffffULL, 0x100000001ULL, ~0ULL}) {
    list.push_back({value, value, value, value, value, value});
  }
  return list;
}

std::uint32_t expected_answer(const SeccompPolicy& policy, const std::string& name,
                              const Arguments& arguments) {
  for (const SyscallRule& rule : policy.syscalls) {
    if (rule.name != name) continue;
    for (const ArgumentRule& candidate : rule.by_arguments) {
      const bool applies = std::all_of(
          candidate.tests.begin(), candidate.tests.end(),
          [&](const ArgumentTest& test) { return test_holds(test, arguments.at(test.index)); });
      if (applies) return filter_return_value(candidate.action);
    }
    return filter_return_value(rule.otherwise.value_or(policy.default_action));
  }
  return filter_return_value(policy.default_action);
}

std::set<std::string> AllowedNames::all() const {
  std::set<std::string> names = plain;
  names.insert(filtered.begin(), filtered.end());
  return names;
}

AllowedNames allowed_names(const SeccompPolicy& policy) {
  const FilterAction allow{FilterVerdict::allow, 0};
  AllowedNames names;
  for (const SyscallRule& rule : policy.syscalls) {
    const bool some = std::any_of(rule.by_arguments.begin(), rule.by_arguments.end(),
                                  [&](const ArgumentRule& r) { return r.action == allow; });
    if (!rule.by_arguments.empty() && (some || rule.otherwise == allow)) {
      names.filtered.insert(rule.name);
    } else if (rule.otherwise == allow) {
      names.plain.insert(rule.name);
    }
  }
  return names;
}

std::string verdict_word(std::uint32_t answer) {
  const auto error_number = static_cast<int>(answer & SECCOMP_RET_DATA);
  switch (answer & SECCOMP_RET_ACTION_FULL) {
    case SECCOMP_RET_ALLOW:
      return "ALLOW";
    case SECCOMP_RET_KILL_PROCESS:
      return "KILL";
    case SECCOMP_RET_ERRNO:
      return error_number == 0 ? "SUCCESS" : ::strerrorname_np(error_number);
    default:
      return "?";
  }
}

std::string rule_words(const SyscallRule& rule, FilterAction default_action) {
  std::ostringstream out;
  out << std::hex;
  for (const ArgumentRule& candidate : rule.by_arguments) {
    out << verdict_word(filter_return_value(candidate.action)) << " if ";
    const char* separator = "";
    for (const ArgumentTest& test : candidate.tests) {
      out << separator << "arg" << test.index;
      if (test.op == ArgumentOperator::masked_equal) out << " & 0x" << test.mask;
      out << ' ' << operator_word(test.op) << " 0x" << test.value;
      separator = " and ";
    }
    out << "; ";
  }
  out << "else " << verdict_word(filter_return_value(rule.otherwise.value_or(default_action)));
  return out.str();
}

const SeccompPolicy& builtin_policy(const std::string& name) {
  static const std::map<std::string, SeccompPolicy> policies = [] {
    std::map<std::string, SeccompPolicy> all;
    for (const std::string& each : builtin_profile_names()) {
      all.emplace(each, parse_policy(each, builtin_profile(each)));
    }
    return all;
  }();
  return policies.at(name);
}

const FilterProgram& builtin_program(const std::string& name, FilterArch arch) {
  static const std::map<std::pair<std::string, FilterArch>, FilterProgram> programs = [] {
    std::map<std::pair<std::string, FilterArch>, FilterProgram> all;
    for (const std::string& each : builtin_profile_names()) {
      for (const FilterArch target : kBothArchs) {
        all.emplace(std::pair(each, target), compile_profile(each, builtin_profile(each), target));
      }
    }
    return all;
  }();
  return programs.at({name, arch});
}

std::uint32_t answer(const FilterProgram& program, FilterArch arch, const std::string& name,
                     const Arguments& arguments) {
  return run_filter(program.instructions, call_of(arch, number_of(arch, name).value(), arguments));
}

}  // namespace sandbox::runner::test
