// What an attempt's output means.
// SPDX-License-Identifier: MIT
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "sandbox/exec.hpp"
#include "sandbox/runner/selftest.hpp"

namespace sandbox::runner {

// The labels that a program told, in order. Its output is hostile: what is no plain "@@ label word"
// is only counted.
class Told {
 public:
  Told() = default;
  explicit Told(const CapturedOutput& standard_output);

  [[nodiscard]] const std::vector<Met>& met() const { return met_; }
  // Lines that begin as if they told something and do not.
  [[nodiscard]] std::size_t malformed() const { return malformed_; }
  // More was told than anybody reads.
  [[nodiscard]] bool overflowed() const { return overflowed_; }

 private:
  void read(std::string_view bytes, bool first_line_whole, bool last_line_whole);
  void read_line(std::string_view line);

  std::vector<Met> met_;
  std::size_t malformed_ = 0;
  bool overflowed_ = false;
};

class Judgement {
 public:
  Judgement(Verdict verdict, std::string reason) : verdict_(verdict), reason_(std::move(reason)) {}

  [[nodiscard]] Verdict verdict() const { return verdict_; }
  [[nodiscard]] const std::string& reason() const { return reason_; }

 private:
  Verdict verdict_;
  std::string reason_;
};

// The words that count as contained for a label while `off` are off; null for a label that the
// attempt does not know. With several off, those of each that says something count.
class AcceptedWords {
 public:
  AcceptedWords(const Attempt& attempt, const std::set<Protection>& off);
  [[nodiscard]] bool knows(const std::string& label) const { return words_.contains(label); }
  [[nodiscard]] bool accepts(const Met& met) const;
  // "EPERM or ENOSYS"
  [[nodiscard]] std::string text(const std::string& label) const;

 private:
  std::map<std::string, std::set<std::string>> words_;
};

// What escaped counts before what is only unforeseen.
Judgement judge(const Attempt& attempt, const std::set<Protection>& off, const Told& told,
                const ExecResult& result);

// As in an attempt's `outcome:`: "exited" (with 0), "exited:3", "signaled:SIGSYS", "timeout".
std::string outcome_word(const ExitStatus& status);

}  // namespace sandbox::runner
