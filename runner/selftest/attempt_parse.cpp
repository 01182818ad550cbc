// SPDX-License-Identifier: MIT
#include "attempt_parse.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <set>
#include <string>
#include <utility>

#include "attempt_values.hpp"
#include "sandbox/error.hpp"

namespace sandbox::runner {
namespace {

constexpr std::size_t kDigits = 3;
constexpr std::array<std::string_view, 12> kGroups = {
    "files",      "proc",    "devices", "privileges",  "calls",    "processes",
    "exhaustion", "network", "ipc",     "information", "read_out", "control"};

// Those that two layers must stop (adversarial 13).
bool may_be_critical(int number) {
  constexpr std::array<std::pair<int, int>, 6> kRanges = {
      {{7, 7}, {31, 31}, {55, 64}, {80, 83}, {133, 144}, {177, 182}}};
  return std::any_of(kRanges.begin(), kRanges.end(), [number](const std::pair<int, int>& range) {
    return number >= range.first && number <= range.second;
  });
}

std::string_view trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(' ');
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(' ') - begin + 1);
}

// Reads one file; the line it stands at is known to its errors.
class Parser {
 public:
  Parser(std::string_view file_name, std::string_view text) : file_name_(file_name), text_(text) {}

  Attempt parse(std::string_view prelude) {
    read_name();
    read_lines();
    check();
    attempt_.program = std::string(prelude) + "\n" + std::string(text_);
    return std::move(attempt_);
  }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    const std::string where = line_ == 0 ? "" : ":" + std::to_string(line_);
    throw Error(errc::config_error, "attempt " + std::string(file_name_) + where + ": " + what);
  }

  void read_name();
  void read_lines();
  void read_line(std::string_view line, bool in_header);
  void read_field(const std::string& key, std::string_view value);
  void read_title(std::string_view value);
  void once(const std::string& key);
  [[nodiscard]] std::set<std::string> labels_of(const std::vector<Expectation>& expectations) const;
  void check();

  std::string_view file_name_;
  std::string_view text_;
  int line_ = 0;
  std::set<std::string> seen_;
  Attempt attempt_;
};

void Parser::read_name() {
  const bool numbered = file_name_.size() > kDigits + 4 &&
                        std::all_of(file_name_.begin(), file_name_.begin() + kDigits, [](char c) {
                          return std::isdigit(static_cast<unsigned char>(c)) != 0;
                        });
  const std::string_view stem =
      file_name_.ends_with(".py") ? file_name_.substr(0, file_name_.size() - 3) : "";
  const bool plain =
      stem.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_") == std::string_view::npos;
  if (!numbered || stem.empty() || !plain || stem.find('_') == std::string_view::npos) {
    fail("the name must be NNN_what.py or NNNb_what.py, in small letters, digits and '_'");
  }
  attempt_.name = std::string(stem);
  attempt_.number = std::stoi(std::string(file_name_.substr(0, kDigits)));
}

void Parser::read_lines() {
  bool in_header = true;
  std::string_view rest = text_;
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    const std::string_view line = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    ++line_;
    if (!line.starts_with('#')) in_header = false;
    if (line.find('\0') != std::string_view::npos) fail("it holds a NUL");
    if (line.starts_with("# ")) read_line(line.substr(2), in_header);
  }
  line_ = 0;
}

// A comment that begins with one small word and a colon is a field, so that a slip is not taken for
// a remark.
void Parser::read_line(std::string_view line, bool in_header) {
  const std::size_t colon = line.find(':');
  if (colon == std::string_view::npos) return;
  const std::string key(line.substr(0, colon));
  const std::vector<std::string> words = parts_of(key, " ");
  const bool field = (words.size() == 1 || (words.size() == 2 && words.front() == "without")) &&
                     key.find_first_not_of("abcdefghijklmnopqrstuvwxyz_ ") == std::string::npos;
  static const std::set<std::string> kKeys = {"attempt", "group",  "critical", "expect",
                                              "outcome", "limits", "works"};
  if (!in_header) {
    if (kKeys.contains(key)) fail("'" + key + ":' stands below the header, where it is not read");
    return;
  }
  if (!field) return;
  try {
    read_field(key, trimmed(line.substr(colon + 1)));
  } catch (const BadValue& bad) {
    fail(key + ": " + bad.what());
  }
}

void Parser::once(const std::string& key) {
  if (!seen_.insert(key).second) throw BadValue("it stands there twice");
}

void Parser::read_title(std::string_view value) {
  const std::size_t blank = std::min(value.find(' '), value.size());
  attempt_.title = std::string(trimmed(value.substr(blank)));
  const std::string number = std::to_string(attempt_.number);
  const std::string_view told = value.substr(0, blank);
  const std::string padded = std::string(file_name_.substr(0, kDigits));
  // "55", "055" or, as the file is called, "055b".
  const std::string_view stem = std::string_view(attempt_.name).substr(0, attempt_.name.find('_'));
  const std::string letter(stem.substr(std::min(kDigits, stem.size())));
  if (told != number && told != padded && told != number + letter && told != stem) {
    throw BadValue("the number is not the file's");
  }
  if (attempt_.title.empty()) throw BadValue("give the number and a title");
}

void Parser::read_field(const std::string& key, std::string_view value) {
  const bool adds = key == "expect" || key.starts_with("without ");
  if (!adds) once(key);
  if (key == "attempt") {
    read_title(value);
  } else if (key == "group") {
    attempt_.group = std::string(value);
    if (std::find(kGroups.begin(), kGroups.end(), value) == kGroups.end()) {
      throw BadValue("'" + attempt_.group + "' is no group");
    }
  } else if (key == "critical") {
    if (value != "yes" && value != "no") throw BadValue("give yes or no");
    attempt_.critical = value == "yes";
    if (attempt_.critical && !may_be_critical(attempt_.number)) {
      throw BadValue("this number is not of the critical ones (adversarial 13)");
    }
  } else if (key == "expect") {
    for (Expectation& one : parse_expectations(value)) {
      attempt_.expectations.push_back(std::move(one));
    }
  } else if (key.starts_with("without ")) {
    const Protection protection = parse_protection(parts_of(key, " ").back());
    for (Expectation& one : parse_expectations(value)) {
      attempt_.expectations_without[protection].push_back(std::move(one));
    }
  } else if (key == "outcome") {
    attempt_.outcomes = parse_outcomes(value);
  } else if (key == "limits") {
    parse_limits(value, attempt_);
  } else if (key == "works") {
    attempt_.control = parse_control(value);
  } else {
    throw BadValue(
        "this field is not known; there are attempt, group, critical, expect, without PROTECTION, "
        "outcome, limits and works");
  }
}

std::set<std::string> Parser::labels_of(const std::vector<Expectation>& expectations) const {
  std::set<std::string> labels;
  for (const Expectation& one : expectations) {
    if (!labels.insert(one.label()).second) fail("the label '" + one.label() + "' is named twice");
  }
  return labels;
}

void Parser::check() {
  for (const char* key : {"attempt", "group", "works"}) {
    if (!seen_.contains(key)) fail(std::string("the field '") + key + ":' is missing");
  }
  if (attempt_.expectations.empty()) fail("the field 'expect:' is missing");
  if (attempt_.outcomes.empty()) attempt_.outcomes = {"exited"};
  const std::set<std::string> labels = labels_of(attempt_.expectations);
  for (const auto& [protection, expectations] : attempt_.expectations_without) {
    for (const std::string& label : labels_of(expectations)) {
      if (labels.contains(label)) continue;
      fail("without " + std::string(to_string(protection)) + ": the label '" + label +
           "' is not in any 'expect:'");
    }
  }
  const std::vector<std::string>& first = attempt_.expectations.front().accepted();
  const bool works_anyway = std::find(first.begin(), first.end(), "worked") != first.end();
  const PositiveControl::Kind kind = attempt_.control.kind();
  if (works_anyway && kind != PositiveControl::Kind::never && kind != PositiveControl::Kind::vm) {
    fail("'worked' is accepted for the first label, so no control can show anything by it");
  }
}

}  // namespace

Attempt parse_attempt(std::string_view file_name, std::string_view text, std::string_view prelude) {
  return Parser(file_name, text).parse(prelude);
}

}  // namespace sandbox::runner
