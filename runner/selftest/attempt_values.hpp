// The values in the header of an attempt's file.
// SPDX-License-Identifier: MIT
#pragma once

#include <set>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "sandbox/runner/selftest.hpp"

namespace sandbox::runner {

// What is wrong with a value; the parser adds file and line.
class BadValue : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// The parts between any of `separators`; empty ones are left out.
std::vector<std::string> parts_of(std::string_view text, std::string_view separators);

// 1 to 64 printable ASCII characters without blanks, '=' and '|': what a program may tell as a
// label or a word.
bool is_plain_word(std::string_view text);

// Errors (all of these): BadValue.

// "label=EPERM|ENOSYS other=worked"
std::vector<Expectation> parse_expectations(std::string_view value);
Protection parse_protection(std::string_view name);
// "exited|signaled:SIGSYS"
std::vector<std::string> parse_outcomes(std::string_view value);
// "memory=128M timeout=3s", into the attempt.
void parse_limits(std::string_view value, Attempt& attempt);
// "without seccomp,landlock", "plain", "vm REASON", "never REASON"
PositiveControl parse_control(std::string_view value);

}  // namespace sandbox::runner
