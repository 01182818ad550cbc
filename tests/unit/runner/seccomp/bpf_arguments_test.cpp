// Argument blocks and linking: the BPF agrees with plain 64-bit arithmetic.
// SPDX-License-Identifier: MIT
#include "bpf_arguments.hpp"

#include <gtest/gtest.h>

#include <random>
#include <vector>

#include "bpf_emulator.hpp"
#include "bpf_link.hpp"
#include "policy_support.hpp"
#include "sandbox/error.hpp"

namespace sandbox::runner::test {
namespace {

constexpr FilterAction kAllow{FilterVerdict::allow, 0};
constexpr FilterAction kKill{FilterVerdict::kill_process, 0};
constexpr FilterAction refuse(std::uint16_t error_number) {
  return FilterAction{FilterVerdict::refuse, error_number};
}

SeccompPolicy policy_of(std::vector<ArgumentRule> rules, FilterAction otherwise) {
  return SeccompPolicy{
      refuse(1), {FilterArch::x86_64}, {SyscallRule{"call", "", std::move(rules), otherwise}}};
}

// Compares the block with the second opinion, for each set of arguments.
void expect_agreement(const SeccompPolicy& policy, const std::vector<Arguments>& calls) {
  const SyscallRule& rule = policy.syscalls.front();
  const std::vector<sock_filter> block = compile_arguments(rule.by_arguments, *rule.otherwise);
  check_program(block);
  for (const Arguments& arguments : calls) {
    EXPECT_EQ(run_filter(block, call_of(FilterArch::x86_64, 0, arguments)),
              expected_answer(policy, "call", arguments))
        << rule_words(rule, refuse(1)) << " for arg0 " << std::hex << arguments[0] << ", arg1 "
        << arguments[1];
  }
}

// Values around the halves of a 64-bit word, where a comparison by words goes wrong if it does.
const std::vector<std::uint64_t>& edges() {
  static const std::vector<std::uint64_t> values = [] {
    std::vector<std::uint64_t> list;
    for (const std::uint64_t high : {0ULL, 1ULL, 2ULL, 0x7fffffffULL, 0xffffffffULL}) {
      for (const std::uint64_t low : {0ULL, 1ULL, 2ULL, 0x80000000ULL, 0xffffffffULL}) {
        list.push_back(high << 32U | low);
      }
    }
    return list;
  }();
  return values;
}

TEST(BpfArguments, EveryOperatorAgreesOnEveryEdge) {
  for (const ArgumentOperator op :
       {ArgumentOperator::not_equal, ArgumentOperator::less, ArgumentOperator::less_equal,
        ArgumentOperator::equal, ArgumentOperator::greater_equal, ArgumentOperator::greater}) {
    for (const std::uint64_t value : edges()) {
      const ArgumentTest test{3, op, value};
      const SeccompPolicy policy = policy_of({ArgumentRule{{test}, kAllow}}, refuse(22));
      std::vector<Arguments> calls;
      for (const std::uint64_t argument : edges()) calls.push_back({9, 9, 9, argument, 9, 9});
      expect_agreement(policy, calls);
    }
  }
}

TEST(BpfArguments, EveryMaskAgreesOnEveryEdge) {
  for (const std::uint64_t mask : edges()) {
    if (mask == 0) continue;
    for (const std::uint64_t value : edges()) {
      const ArgumentTest test{0, ArgumentOperator::masked_equal, value & mask, mask};
      const SeccompPolicy policy = policy_of({ArgumentRule{{test}, kAllow}}, refuse(22));
      std::vector<Arguments> calls;
      for (const std::uint64_t argument : edges()) calls.push_back({argument});
      expect_agreement(policy, calls);
    }
  }
}

TEST(BpfArguments, RandomRuleListsAgree) {
  std::mt19937_64 random(20240607);  // fixed, so that a failure can be repeated
  const auto pick = [&](std::size_t count) { return static_cast<std::size_t>(random() % count); };
  const FilterAction actions[] = {kAllow, refuse(22), refuse(0), kKill};
  for (int round = 0; round < 400; ++round) {
    std::vector<ArgumentRule> rules;
    for (std::size_t r = 1 + pick(6); r > 0; --r) {
      ArgumentRule rule;
      rule.action = actions[pick(4)];
      for (std::uint32_t index = 0; index < 1 + pick(2); ++index) {
        ArgumentTest test{index, static_cast<ArgumentOperator>(pick(7)), edges()[pick(25)]};
        if (test.op == ArgumentOperator::masked_equal) {
          test.mask = pick(2) == 0 ? 0xffffffffU : edges()[1 + pick(24)];
          test.value &= test.mask;
        }
        rule.tests.push_back(test);
      }
      rules.push_back(std::move(rule));
    }
    const SeccompPolicy policy = policy_of(std::move(rules), actions[pick(4)]);
    std::vector<Arguments> calls;
    for (int call = 0; call < 40; ++call) calls.push_back({edges()[pick(25)], edges()[pick(25)]});
    expect_agreement(policy, calls);
  }
}

TEST(BpfArguments, GroupsShareOneLoadAndStayWithinAJump) {
  std::vector<ArgumentRule> rules;
  for (std::uint64_t value = 0; value < 450; ++value) {
    rules.push_back({{{1, ArgumentOperator::masked_equal, value * 3, 0xffffffffU}}, kAllow});
  }
  const SeccompPolicy policy = policy_of(rules, refuse(25));
  EXPECT_LT(compile_arguments(rules, refuse(25)).size(), 460U);
  std::vector<Arguments> calls;
  for (std::uint64_t value = 0; value < 1400; ++value) {
    calls.push_back({0, value});
    calls.push_back({0, value | 0xabcdef0000000000ULL});
  }
  expect_agreement(policy, calls);
}

TEST(BpfArguments, NeighboursWithDifferentAnswersKeepThem) {
  const auto rule = [](std::uint64_t value, FilterAction action) {
    return ArgumentRule{{{0, ArgumentOperator::masked_equal, value, 0xffffffffU}}, action};
  };
  const std::vector<sock_filter> block =
      compile_arguments({rule(1, kAllow), rule(2, refuse(7)), rule(3, refuse(8))}, kKill);
  const auto answer_to = [&](std::uint64_t argument) {
    return run_filter(block, call_of(FilterArch::x86_64, 0, {argument}));
  };
  EXPECT_EQ(answer_to(1), SECCOMP_RET_ALLOW);
  EXPECT_EQ(answer_to(2), SECCOMP_RET_ERRNO | 7U);
  EXPECT_EQ(answer_to(3), SECCOMP_RET_ERRNO | 8U);
  EXPECT_EQ(answer_to(4), SECCOMP_RET_KILL_PROCESS);
}

TEST(BpfLink, FrontAnswersForEveryNumberOutsideTheKnownOnes) {
  for (const FilterArch arch : kBothArchs) {
    std::vector<sock_filter> program = make_front(arch, KnownNumbers{10, {{3, 5}, {7, 7}}});
    program.push_back({BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ALLOW});
    check_program(program);
    for (const std::uint32_t number : {0U, 2U, 6U, 8U, 10U}) {
      EXPECT_EQ(run_filter(program, call_of(arch, number)), SECCOMP_RET_ALLOW) << number;
    }
    for (const std::uint32_t number : {3U, 5U, 7U, 11U, 0x3fffffffU, 0x80000000U, 0xffffffffU}) {
      EXPECT_EQ(verdict_word(run_filter(program, call_of(arch, number))), "ENOSYS") << number;
    }
  }
}

TEST(BpfLink, MarkersBecomeJumpsToTheirBlocks) {
  constexpr std::uint16_t kReturn = BPF_RET | BPF_K;
  const std::vector<sock_filter> tree = {
      {BPF_LD | BPF_W | BPF_ABS, 0, 0, 0}, {BPF_JMP | BPF_JEQ | BPF_K, 0, 1, 5},
      {kReturn, 0, 0, block_marker(0)},    {BPF_JMP | BPF_JEQ | BPF_K, 0, 1, 6},
      {kReturn, 0, 0, block_marker(1)},    {kReturn, 0, 0, block_marker(0)}};
  const std::vector<sock_filter> linked =
      link_blocks(tree, {{{kReturn, 0, 0, 100}}, {{kReturn, 0, 0, 101}}});
  check_program(linked);
  EXPECT_EQ(run_filter(linked, call_of(FilterArch::x86_64, 5)), 100U);
  EXPECT_EQ(run_filter(linked, call_of(FilterArch::x86_64, 6)), 101U);
  EXPECT_EQ(run_filter(linked, call_of(FilterArch::x86_64, 7)), 100U);
}

TEST(BpfLink, RefusesLooseEnds) {
  constexpr std::uint16_t kReturn = BPF_RET | BPF_K;
  const std::vector<sock_filter> block = {{kReturn, 0, 0, 100}};
  EXPECT_THROW(link_blocks({{kReturn, 0, 0, 0}}, {block}), Error);
  EXPECT_THROW(link_blocks({{kReturn, 0, 0, block_marker(0)}}, {}), Error);
}

}  // namespace
}  // namespace sandbox::runner::test
