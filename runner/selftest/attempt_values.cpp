// SPDX-License-Identifier: MIT
#include "attempt_values.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <optional>
#include <utility>

#include "sandbox/error.hpp"

namespace sandbox::runner {
namespace {

constexpr std::size_t kLongestWord = 64;
constexpr std::uint64_t kMostOfAnything = 1ULL << 40U;
constexpr std::array<std::string_view, 5> kOutcomes = {"exited", "timeout", "memory_limit",
                                                       "cpu_limit", "output_limit"};

std::string quoted(std::string_view text) { return "'" + std::string(text) + "'"; }

// A count and its unit, which is looked up in `units`.
template <std::size_t N>
std::uint64_t parse_amount(std::string_view text,
                           const std::array<std::pair<std::string_view, std::uint64_t>, N>& units) {
  std::uint64_t count = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), count);
  const std::string_view unit(end, static_cast<std::size_t>(text.data() + text.size() - end));
  const auto* found = std::find_if(units.begin(), units.end(),
                                   [unit](const auto& known) { return known.first == unit; });
  if (error != std::errc() || found == units.end() || count > kMostOfAnything / found->second) {
    throw BadValue(quoted(text) + " is no amount");
  }
  return count * found->second;
}

Bytes parse_bytes(std::string_view text) {
  constexpr std::array<std::pair<std::string_view, std::uint64_t>, 4> kUnits = {
      {{"", 1}, {"K", 1U << 10U}, {"M", 1U << 20U}, {"G", 1U << 30U}}};
  return Bytes(parse_amount(text, kUnits));
}

std::chrono::milliseconds parse_time(std::string_view text) {
  constexpr std::array<std::pair<std::string_view, std::uint64_t>, 3> kUnits = {
      {{"ms", 1}, {"s", 1000}, {"m", 60000}}};
  return std::chrono::milliseconds(parse_amount(text, kUnits));
}

std::uint32_t parse_number(std::string_view text) {
  constexpr std::array<std::pair<std::string_view, std::uint64_t>, 1> kUnits = {{{"", 1}}};
  const std::uint64_t number = parse_amount(text, kUnits);
  if (number > UINT32_MAX) throw BadValue(quoted(text) + " is too large");
  return static_cast<std::uint32_t>(number);
}

void set_limit(std::string_view name, std::string_view value, Attempt& attempt) {
  if (name == "memory") {
    attempt.limits.memory(parse_bytes(value));
  } else if (name == "processes") {
    attempt.limits.processes(parse_number(value));
  } else if (name == "cpu") {
    attempt.limits.cpu_time(parse_time(value));
  } else if (name == "output") {
    attempt.limits.output(parse_bytes(value));
  } else if (name == "file_size") {
    attempt.limits.file_size(parse_bytes(value));
  } else if (name == "open_files") {
    attempt.limits.open_files(parse_number(value));
  } else if (name == "work") {
    attempt.work_size = parse_bytes(value);
  } else if (name == "timeout") {
    attempt.timeout = parse_time(value);
  } else {
    throw BadValue("the limit " + quoted(name) +
                   " is not known; there are memory, processes, timeout, cpu, output, work, "
                   "file_size and open_files");
  }
}

// The text behind the first blank, without blanks around it.
std::string rest_of(std::string_view value) {
  const std::size_t blank = value.find(' ');
  if (blank == std::string_view::npos) return {};
  value.remove_prefix(std::min(value.find_first_not_of(' ', blank), value.size()));
  return std::string(value);
}

}  // namespace

std::vector<std::string> parts_of(std::string_view text, std::string_view separators) {
  std::vector<std::string> parts;
  for (;;) {
    const std::size_t begin = text.find_first_not_of(separators);
    if (begin == std::string_view::npos) return parts;
    const std::size_t end = std::min(text.find_first_of(separators, begin), text.size());
    parts.emplace_back(text.substr(begin, end - begin));
    text.remove_prefix(end);
  }
}

bool is_plain_word(std::string_view text) {
  return !text.empty() && text.size() <= kLongestWord &&
         std::all_of(text.begin(), text.end(),
                     [](char c) { return c > ' ' && c <= '~' && c != '=' && c != '|'; });
}

std::vector<Expectation> parse_expectations(std::string_view value) {
  std::vector<Expectation> found;
  for (const std::string& part : parts_of(value, " ")) {
    const std::size_t equals = part.find('=');
    const std::string label = part.substr(0, equals);
    std::vector<std::string> accepted;
    if (equals != std::string::npos) accepted = parts_of(part.substr(equals + 1), "|");
    if (!is_plain_word(label) || accepted.empty() ||
        !std::all_of(accepted.begin(), accepted.end(), is_plain_word)) {
      throw BadValue(quoted(part) + " is not label=WORD[|WORD...]");
    }
    found.emplace_back(label, std::move(accepted));
  }
  if (found.empty()) throw BadValue("no label is named; give label=WORD[|WORD...]");
  return found;
}

Protection parse_protection(std::string_view name) {
  const std::optional<Protection> found = protection_of(name);
  if (!found) throw BadValue(quoted(name) + " is no protection");
  return *found;
}

std::vector<std::string> parse_outcomes(std::string_view value) {
  std::vector<std::string> outcomes = parts_of(value, "| ");
  for (const std::string& outcome : outcomes) {
    const bool plain = std::find(kOutcomes.begin(), kOutcomes.end(), outcome) != kOutcomes.end();
    if (!plain && !outcome.starts_with("signaled:SIG") && !outcome.starts_with("exited:")) {
      throw BadValue(quoted(outcome) +
                     " is no outcome; there are exited (with 0), exited:N, timeout, memory_limit, "
                     "cpu_limit, output_limit and signaled:SIGNAME");
    }
  }
  if (outcomes.empty()) throw BadValue("no outcome is named");
  return outcomes;
}

void parse_limits(std::string_view value, Attempt& attempt) {
  for (const std::string& part : parts_of(value, " ")) {
    const std::size_t equals = part.find('=');
    if (equals == std::string::npos) throw BadValue(quoted(part) + " is not limit=VALUE");
    set_limit(part.substr(0, equals), part.substr(equals + 1), attempt);
  }
  if (attempt.timeout.count() == 0) throw BadValue("a timeout must be more than zero");
  try {
    attempt.limits.validate();
  } catch (const Error& error) {
    throw BadValue(error.what());
  }
}

PositiveControl parse_control(std::string_view value) {
  const std::string kind(value.substr(0, value.find(' ')));
  const std::string rest = rest_of(value);
  if (kind == "plain" && rest.empty()) return {PositiveControl::Kind::plain, {}, {}};
  if ((kind == "vm" || kind == "never") && !rest.empty()) {
    return {kind == "vm" ? PositiveControl::Kind::vm : PositiveControl::Kind::never, {}, rest};
  }
  if (kind == "without" && !rest.empty()) {
    std::set<Protection> off;
    for (const std::string& name : parts_of(rest, ", ")) off.insert(parse_protection(name));
    return {PositiveControl::Kind::without, std::move(off), {}};
  }
  throw BadValue(quoted(value) +
                 " is none of: without PROTECTION[,PROTECTION...], plain, vm REASON, never REASON");
}

}  // namespace sandbox::runner
