// SPDX-License-Identifier: MIT
#include "verdict.hpp"

#include <algorithm>
#include <utility>
#include <variant>

#include "attempt_values.hpp"
#include "sandbox/utf8.hpp"

namespace sandbox::runner {
namespace {

constexpr std::string_view kMark = "@@ ";
constexpr std::string_view kWorked = "worked";
constexpr std::size_t kMostLabels = 1000;
constexpr std::size_t kLongestRemark = 200;

// The last line that is not empty, fit for a terminal.
std::string last_line(const std::string& text) {
  const std::size_t end = text.find_last_not_of("\n ");
  if (end == std::string::npos) return {};
  const std::size_t feed = text.rfind('\n', end);
  const std::size_t begin = feed == std::string::npos ? 0 : feed + 1;
  return escape_for_terminal(text.substr(begin, std::min(end + 1 - begin, kLongestRemark)));
}

std::string ending_of(const ExecResult& result) {
  const std::string said = last_line(result.standard_error.text());
  return "the program " + result.status.sentence() + (said.empty() ? "" : ": " + said);
}

std::string sentence_of(const Met& met) { return met.label() + " met " + met.word(); }

}  // namespace

std::string_view to_string(Verdict value) {
  switch (value) {
    case Verdict::contained:
      return "contained";
    case Verdict::escaped:
      return "escaped";
    case Verdict::broken:
      return "broken";
    case Verdict::skipped:
      return "skipped";
  }
  return "unknown";
}

Told::Told(const CapturedOutput& standard_output) {
  const bool cut = standard_output.truncated();
  if (!cut) {
    read(standard_output.bytes(), true, true);
    return;
  }
  // What stands at the cut is no line of the program's.
  read(standard_output.head(), true, false);
  read(standard_output.tail(), false, true);
}

void Told::read(std::string_view bytes, bool first_line_whole, bool last_line_whole) {
  bool skip = !first_line_whole;
  while (!bytes.empty()) {
    const std::size_t feed = bytes.find('\n');
    if (feed == std::string_view::npos && !last_line_whole) return;
    const std::string_view line = bytes.substr(0, feed);
    if (!std::exchange(skip, false)) read_line(line);
    if (feed == std::string_view::npos) return;
    bytes.remove_prefix(feed + 1);
  }
}

void Told::read_line(std::string_view line) {
  if (!line.starts_with(kMark)) return;
  line.remove_prefix(kMark.size());
  const std::size_t blank = line.find(' ');
  const std::string_view label = line.substr(0, blank);
  const std::string_view word =
      blank == std::string_view::npos ? std::string_view() : line.substr(blank + 1);
  if (!is_plain_word(label) || !is_plain_word(word)) {
    ++malformed_;
  } else if (met_.size() == kMostLabels) {
    overflowed_ = true;
  } else {
    met_.emplace_back(std::string(label), std::string(word));
  }
}

AcceptedWords::AcceptedWords(const Attempt& attempt, const std::set<Protection>& off) {
  for (const Expectation& one : attempt.expectations) {
    std::set<std::string> words;
    for (const auto& [protection, expectations] : attempt.expectations_without) {
      if (!off.contains(protection)) continue;
      for (const Expectation& other : expectations) {
        if (other.label() != one.label()) continue;
        words.insert(other.accepted().begin(), other.accepted().end());
      }
    }
    if (words.empty()) words.insert(one.accepted().begin(), one.accepted().end());
    words_[one.label()] = std::move(words);
  }
}

bool AcceptedWords::accepts(const Met& met) const {
  const auto found = words_.find(met.label());
  return found != words_.end() && found->second.contains(met.word());
}

std::string AcceptedWords::text(const std::string& label) const {
  std::string text;
  for (const std::string& word : words_.at(label)) text += (text.empty() ? "" : " or ") + word;
  return text;
}

std::string outcome_word(const ExitStatus& status) {
  std::string word(status.outcome());
  if (const auto* exited = std::get_if<Exited>(&status.value()); exited && exited->code() != 0) {
    word += ":" + std::to_string(exited->code());
  }
  if (const auto* signaled = std::get_if<Signaled>(&status.value())) {
    word += ":" + signal_name(signaled->signal());
  }
  return word;
}

Judgement judge(const Attempt& attempt, const std::set<Protection>& off, const Told& told,
                const ExecResult& result) {
  const AcceptedWords accepted(attempt, off);
  for (const Met& met : told.met()) {
    if (met.word() == kWorked && !accepted.accepts(met)) {
      return {Verdict::escaped, met.label() + " worked"};
    }
  }
  if (told.overflowed()) return {Verdict::broken, "it told more than 1000 labels"};
  if (told.malformed() != 0) {
    return {Verdict::broken, "it told a line that is not '@@ label word'"};
  }
  std::set<std::string> labels;
  for (const Met& met : told.met()) {
    labels.insert(met.label());
    if (!accepted.knows(met.label())) {
      return {Verdict::broken, sentence_of(met) + ", a label that the attempt does not announce"};
    }
    if (!accepted.accepts(met)) {
      return {Verdict::broken, sentence_of(met) + ", not " + accepted.text(met.label())};
    }
  }
  const std::string remark = last_line(result.standard_error.text());
  for (const Expectation& one : attempt.expectations) {
    if (labels.contains(one.label())) continue;
    if (remark.starts_with("ModuleNotFoundError: ")) {
      return {Verdict::skipped, "the image's python3 lacks what it needs: " + remark};
    }
    return {Verdict::broken, one.label() + " was not met; " + ending_of(result)};
  }
  const std::string outcome = outcome_word(result.status);
  const std::vector<std::string>& wanted = attempt.outcomes;
  if (std::find(wanted.begin(), wanted.end(), outcome) == wanted.end()) {
    return {Verdict::broken, ending_of(result)};
  }
  return {Verdict::contained, ""};
}

}  // namespace sandbox::runner
