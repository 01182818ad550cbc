// Seccomp policies: an error that says what is wrong, or programs that do what the policy says.
// SPDX-License-Identifier: MIT
#include <cerrno>

#include "bpf_emulator.hpp"
#include "launcher/observer.hpp"
#include "policy_support.hpp"
#include "sandbox/error.hpp"
#include "seccomp_parse.hpp"
#include "seccomp_profile.hpp"
#include "targets.hpp"

namespace sandbox::fuzz {
namespace {

using runner::FilterArch;
using runner::FilterProgram;
using runner::SeccompPolicy;
using runner::SyscallRule;
using runner::test::Arguments;

std::uint32_t answer_of(const std::vector<sock_filter>& program, const seccomp_data& call) {
  const std::uint32_t kernels = runner::test::run_filter(program, call);
  const auto length = static_cast<std::uint32_t>(program.size());
  check(runner::launcher::verdict_of(program.data(), length, call) == kernels,
        "the observer reads the filter as the kernel does");
  return kernels;
}

// Registers at the edges of what a rule tests.
std::vector<Arguments> edges_of(const SyscallRule& rule) {
  std::vector<Arguments> edges = {{}, {~0ULL, ~0ULL, ~0ULL, ~0ULL, ~0ULL, ~0ULL}};
  constexpr std::uint64_t kSteps[] = {~std::uint64_t{0}, 0, 1, std::uint64_t{1} << 32U};
  constexpr std::size_t kCount = std::size(kSteps);
  for (const runner::ArgumentRule& candidate : rule.by_arguments) {
    // Of two tests, each step of the one with each of the other.
    for (std::size_t mix = 0; mix < kCount * kCount; ++mix) {
      Arguments registers = edges.front();
      std::size_t step = mix / kCount;
      for (const runner::ArgumentTest& test : candidate.tests) {
        registers.at(test.index) = test.value + kSteps[step % kCount];
        step += mix % kCount;
      }
      edges.push_back(registers);
    }
  }
  return edges;
}

// What the policy is never asked about.
void check_front(const FilterProgram& program, FilterArch arch) {
  const FilterArch other = arch == FilterArch::x86_64 ? FilterArch::aarch64 : FilterArch::x86_64;
  for (const std::vector<sock_filter>* one : {&program.instructions, &program.observed}) {
    check(answer_of(*one, runner::test::call_of(other, 0)) == SECCOMP_RET_KILL_PROCESS,
          "a foreign architecture is killed");
    for (const std::uint32_t number : {1023U, ~0U}) {
      check(answer_of(*one, runner::test::call_of(arch, number)) == (SECCOMP_RET_ERRNO | ENOSYS),
            "a number without a name does not exist");
    }
  }
}

void check_observed(std::uint32_t told, std::uint32_t observed, const std::string& name) {
  const bool refused =
      (told & SECCOMP_RET_ACTION_FULL) == SECCOMP_RET_ERRNO && (told & SECCOMP_RET_DATA) != 0;
  const bool is_quiet = name == "clone3" && told == (SECCOMP_RET_ERRNO | ENOSYS);
  if (!refused) {
    check(observed == told, "an observer changes nothing but refusals");
  } else {
    check(observed == SECCOMP_RET_USER_NOTIF || (is_quiet && observed == told),
          "an observer is told of each refusal");
  }
}

void check_answers(const FilterProgram& program, const SeccompPolicy& policy, FilterArch arch) {
  constexpr std::size_t kMostCalls = 32;
  for (std::size_t i = 0; i < std::min(policy.syscalls.size(), kMostCalls); ++i) {
    const SyscallRule& rule = policy.syscalls[i];
    check(rule.name.find('\0') == std::string::npos, "libseccomp reads a name as the policy does");
    const auto number = runner::test::number_of(arch, rule.name);
    if (!number) continue;
    for (const Arguments& registers : edges_of(rule)) {
      const seccomp_data call = runner::test::call_of(arch, *number, registers);
      const std::uint32_t told = answer_of(program.instructions, call);
      check(told == runner::test::expected_answer(policy, rule.name, registers),
            "the program does what the policy says");
      check_observed(told, answer_of(program.observed, call), rule.name);
    }
  }
}

void check_compiled(std::string_view text, const SeccompPolicy& policy, FilterArch arch) {
  FilterProgram program;
  try {
    program = runner::compile_profile("fuzzed", text, arch);
  } catch (const Error&) {
    return;
  }
  try {
    runner::test::check_program(program.instructions);
    runner::test::check_program(program.observed);
    check_front(program, arch);
    check_answers(program, policy, arch);
  } catch (const runner::test::BadProgram& bad) {
    check(false, bad.what());
  }
}

}  // namespace

void profile(Bytes input) {
  const std::string_view text = text_of(input);
  SeccompPolicy policy;
  try {
    policy = runner::parse_policy("fuzzed", text);
  } catch (const Error& error) {
    check(error.sandbox_code() == errc::config_error, "the error that is promised");
    return;
  }
  check(policy.default_action.verdict != runner::FilterVerdict::allow,
        "a policy refuses by default");
  for (const FilterArch arch : {FilterArch::x86_64, FilterArch::aarch64}) {
    check_compiled(text, policy, arch);
  }
}

}  // namespace sandbox::fuzz
