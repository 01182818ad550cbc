// The part of a filter that looks at arguments: classic BPF for one system call's rules.
// SPDX-License-Identifier: MIT
#include "bpf_arguments.hpp"

#include <linux/seccomp.h>

#include <cstddef>
#include <optional>
#include <span>

namespace sandbox::runner {
namespace {

constexpr std::uint32_t kAllOnes = 0xffffffffU;
constexpr std::size_t kMaxGroup = 200;  // a conditional jump reaches 255 instructions

constexpr std::uint16_t kLoad = BPF_LD | BPF_W | BPF_ABS;
constexpr std::uint16_t kAnd = BPF_ALU | BPF_AND | BPF_K;
constexpr std::uint16_t kEqual = BPF_JMP | BPF_JEQ | BPF_K;
constexpr std::uint16_t kGreater = BPF_JMP | BPF_JGT | BPF_K;
constexpr std::uint16_t kGreaterEqual = BPF_JMP | BPF_JGE | BPF_K;
constexpr std::uint16_t kReturn = BPF_RET | BPF_K;

std::uint32_t low_word(std::uint64_t value) { return static_cast<std::uint32_t>(value); }
std::uint32_t high_word(std::uint64_t value) { return static_cast<std::uint32_t>(value >> 32U); }

// Both architectures are little-endian: the low word of an argument comes first.
std::uint32_t low_offset(std::uint32_t index) {
  return static_cast<std::uint32_t>(offsetof(seccomp_data, args)) + 8 * index;
}
std::uint32_t high_offset(std::uint32_t index) { return low_offset(index) + 4; }

sock_filter instruction(std::uint16_t code, std::uint32_t k, std::size_t jump_true = 0,
                        std::size_t jump_false = 0) {
  return sock_filter{code, static_cast<std::uint8_t>(jump_true),
                     static_cast<std::uint8_t>(jump_false), k};
}

// Where a comparison goes on.
enum class Go { on, test_holds, test_fails };

struct Step {
  std::uint16_t code;
  std::uint32_t k;
  Go if_true = Go::on;
  Go if_false = Go::on;
};

Go opposite(Go go) {
  switch (go) {
    case Go::test_holds:
      return Go::test_fails;
    case Go::test_fails:
      return Go::test_holds;
    case Go::on:
      break;
  }
  return Go::on;
}

void add_masked_word(std::vector<Step>& steps, std::uint32_t offset, std::uint32_t mask,
                     std::uint32_t value) {
  if (mask == 0) return;
  steps.push_back({kLoad, offset});
  if (mask != kAllOnes) steps.push_back({kAnd, mask});
  steps.push_back({kEqual, value, Go::on, Go::test_fails});
}

std::vector<Step> masked_equal(const ArgumentTest& test, std::uint64_t mask) {
  std::vector<Step> steps;
  add_masked_word(steps, high_offset(test.index), high_word(mask), high_word(test.value));
  add_masked_word(steps, low_offset(test.index), low_word(mask), low_word(test.value));
  return steps;
}

std::vector<Step> not_equal(const ArgumentTest& test) {
  return {{kLoad, high_offset(test.index)},
          {kEqual, high_word(test.value), Go::on, Go::test_holds},
          {kLoad, low_offset(test.index)},
          {kEqual, low_word(test.value), Go::test_fails, Go::test_holds}};
}

// argument > value, or >= with kGreaterEqual as `low_comparison`.
std::vector<Step> above(const ArgumentTest& test, std::uint16_t low_comparison) {
  return {{kLoad, high_offset(test.index)},
          {kGreater, high_word(test.value), Go::test_holds, Go::on},
          {kEqual, high_word(test.value), Go::on, Go::test_fails},
          {kLoad, low_offset(test.index)},
          {low_comparison, low_word(test.value), Go::test_holds, Go::test_fails}};
}

std::vector<Step> inverted(std::vector<Step> steps) {
  for (Step& step : steps) {
    step.if_true = opposite(step.if_true);
    step.if_false = opposite(step.if_false);
  }
  return steps;
}

std::vector<Step> steps_of(const ArgumentTest& test) {
  switch (test.op) {
    case ArgumentOperator::masked_equal:
      return masked_equal(test, test.mask);
    case ArgumentOperator::equal:
      return masked_equal(test, ~std::uint64_t{0});
    case ArgumentOperator::not_equal:
      return not_equal(test);
    case ArgumentOperator::greater:
      return above(test, kGreater);
    case ArgumentOperator::greater_equal:
      return above(test, kGreaterEqual);
    case ArgumentOperator::less:
      return inverted(above(test, kGreaterEqual));
    case ArgumentOperator::less_equal:
      return inverted(above(test, kGreater));
  }
  return {};
}

// All tests, then the return; a test that fails jumps behind the return.
void add_rule(std::vector<sock_filter>& code, const ArgumentRule& rule) {
  std::vector<std::vector<Step>> tests;
  std::size_t rule_end = 1;  // the return
  for (const ArgumentTest& test : rule.tests) {
    tests.push_back(steps_of(test));
    rule_end += tests.back().size();
  }
  std::size_t position = 0;
  for (const std::vector<Step>& steps : tests) {
    const std::size_t test_end = position + steps.size();
    for (const Step& step : steps) {
      ++position;
      const auto distance = [&](Go go) -> std::size_t {
        if (go == Go::on) return 0;
        return (go == Go::test_holds ? test_end : rule_end) - position;
      };
      code.push_back(
          instruction(step.code, step.k, distance(step.if_true), distance(step.if_false)));
    }
  }
  code.push_back(instruction(kReturn, filter_return_value(rule.action)));
}

// The single test of a rule that compares the low word of one argument.
std::optional<ArgumentTest> low_word_test(const ArgumentRule& rule) {
  if (rule.tests.size() != 1) return std::nullopt;
  const ArgumentTest& test = rule.tests.front();
  if (test.op != ArgumentOperator::masked_equal || high_word(test.mask) != 0) return std::nullopt;
  return test;
}

// How many rules from the first on ask the same word for different values, with the same answer.
std::size_t group_size(std::span<const ArgumentRule> rules) {
  const std::optional<ArgumentTest> first = low_word_test(rules.front());
  if (!first) return 1;
  std::size_t size = 1;
  while (size < rules.size() && size < kMaxGroup) {
    const std::optional<ArgumentTest> next = low_word_test(rules[size]);
    if (!next || next->index != first->index || next->mask != first->mask ||
        rules[size].action != rules.front().action) {
      break;
    }
    ++size;
  }
  return size;
}

// One load for the whole group, one comparison for each value.
void add_group(std::vector<sock_filter>& code, std::span<const ArgumentRule> rules) {
  const ArgumentTest& first = rules.front().tests.front();
  code.push_back(instruction(kLoad, low_offset(first.index)));
  if (low_word(first.mask) != kAllOnes) code.push_back(instruction(kAnd, low_word(first.mask)));
  for (std::size_t i = 0; i < rules.size(); ++i) {
    const std::size_t to_return = rules.size() - 1 - i;
    const std::size_t behind_return = to_return == 0 ? 1 : 0;
    const std::uint32_t value = low_word(rules[i].tests.front().value);
    code.push_back(instruction(kEqual, value, to_return, behind_return));
  }
  code.push_back(instruction(kReturn, filter_return_value(rules.front().action)));
}

}  // namespace

std::uint32_t filter_return_value(FilterAction action) {
  switch (action.verdict) {
    case FilterVerdict::allow:
      return SECCOMP_RET_ALLOW;
    case FilterVerdict::refuse:
      return SECCOMP_RET_ERRNO | action.error_number;
    case FilterVerdict::kill_process:
      break;
  }
  return SECCOMP_RET_KILL_PROCESS;
}

std::vector<sock_filter> compile_arguments(const std::vector<ArgumentRule>& rules,
                                           FilterAction otherwise) {
  std::vector<sock_filter> code;
  std::span<const ArgumentRule> rest(rules);
  while (!rest.empty()) {
    const std::size_t size = group_size(rest);
    if (size > 1) {
      add_group(code, rest.first(size));
    } else {
      add_rule(code, rest.front());
    }
    rest = rest.subspan(size);
  }
  code.push_back(instruction(kReturn, filter_return_value(otherwise)));
  return code;
}

}  // namespace sandbox::runner
