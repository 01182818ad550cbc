// The header of an attempt's file: a whole attempt, or an error that names the file.
// SPDX-License-Identifier: MIT
#include "sandbox/error.hpp"
#include "selftest/attempt_parse.hpp"
#include "selftest/attempt_values.hpp"
#include "targets.hpp"

namespace sandbox::fuzz {
namespace {

void check_expectations(const std::vector<runner::Expectation>& expectations) {
  for (const runner::Expectation& one : expectations) {
    check(runner::is_plain_word(one.label()), "a label is a plain word");
    check(!one.accepted().empty(), "something counts as contained");
    for (const std::string& word : one.accepted()) {
      check(runner::is_plain_word(word), "what counts as contained is a plain word");
    }
  }
}

void check_attempt(const runner::Attempt& attempt, std::string_view text) {
  check(attempt.number >= 0 && attempt.number <= 999, "a number of three digits");
  check(!attempt.name.empty() && attempt.name.find('/') == std::string::npos, "a plain name");
  check(!attempt.title.empty() && !attempt.group.empty(), "a title and a group");
  check(!attempt.expectations.empty() && !attempt.outcomes.empty(), "something is expected");
  check_expectations(attempt.expectations);
  for (const auto& [protection, others] : attempt.expectations_without) check_expectations(others);
  check(attempt.timeout.count() > 0, "a timeout that ends");
  attempt.limits.validate();
  check(attempt.program == "prelude\n" + std::string(text), "the program is the whole file");
}

}  // namespace

// The input is the file; a first line that is no comment is its name.
void attempt(Bytes input) {
  std::string_view text = text_of(input);
  std::string_view name = "055_user.py";
  if (!text.starts_with('#')) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    name = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  try {
    check_attempt(runner::parse_attempt(name, text, "prelude"), text);
  } catch (const Error& error) {
    check(error.sandbox_code() == errc::config_error, "the error that is promised");
    check(std::string_view(error.what()).starts_with("attempt "), "an error names the file");
  }
}

}  // namespace sandbox::fuzz
