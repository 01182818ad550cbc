// Sizes, durations and counts as people type them.
// SPDX-License-Identifier: MIT
#include "sizes.hpp"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <limits>
#include <optional>
#include <utility>

#include "sandbox/error.hpp"
#include "sandbox/utf8.hpp"

namespace sandbox::ctl {
namespace {

constexpr std::string_view kSizeForms =
    "give bytes, or a whole number with K, M, G or T (powers of 1024): 65536, 64K, 512M, 2GiB";
constexpr std::string_view kDurationForms =
    "give a number with ms, s, m or h (seconds when there is none): 500ms, 5s, 1.5s, 2m";
constexpr std::string_view kCountForms = "give a whole number from 1 on: 64";

constexpr std::uint64_t kMostBytes = 1ULL << 50U;
constexpr std::uint64_t kMostMilliseconds = 30ULL * 24 * 3600 * 1000;

[[noreturn]] void refuse(std::string_view option, std::string_view text, std::string_view why,
                         std::string_view forms) {
  throw Error(errc::invalid_argument,
              fmt::format("{} '{}': {}; {}", option, escape_for_terminal(text), why, forms));
}

// The digits at the begin of `text`, taken off it; nullopt when there are none.
std::optional<std::string_view> take_digits(std::string_view& text) {
  const std::size_t count = std::min(text.find_first_not_of("0123456789"), text.size());
  if (count == 0) return std::nullopt;
  const std::string_view digits = text.substr(0, count);
  text.remove_prefix(count);
  return digits;
}

// nullopt for what does not fit.
std::optional<std::uint64_t> number_of(std::string_view digits) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (error != std::errc() || end != digits.data() + digits.size()) return std::nullopt;
  return value;
}

std::optional<std::uint64_t> size_unit(std::string_view suffix) {
  static constexpr std::array<std::pair<std::string_view, unsigned>, 14> kUnits = {{
      {"", 0},
      {"B", 0},
      {"K", 10},
      {"k", 10},
      {"KiB", 10},
      {"M", 20},
      {"m", 20},
      {"MiB", 20},
      {"G", 30},
      {"g", 30},
      {"GiB", 30},
      {"T", 40},
      {"t", 40},
      {"TiB", 40},
  }};
  for (const auto& [name, shift] : kUnits) {
    if (name == suffix) return 1ULL << shift;
  }
  return std::nullopt;
}

std::optional<std::uint64_t> milliseconds_of_unit(std::string_view suffix) {
  if (suffix == "ms") return 1;
  if (suffix.empty() || suffix == "s") return 1000;
  if (suffix == "m") return 60 * 1000;
  if (suffix == "h") return 3600 * 1000;
  return std::nullopt;
}

// The thousandths that decimals stand for; more than three of them are refused as senseless.
std::optional<std::uint64_t> thousandths_of(std::string_view decimals) {
  if (decimals.empty() || decimals.size() > 3) return std::nullopt;
  std::uint64_t value = *number_of(decimals);
  for (std::size_t i = decimals.size(); i < 3; ++i) value *= 10;
  return value;
}

std::string_view not_a_number(std::string_view text, std::string_view otherwise) {
  return text.starts_with('-') ? "it must be more than zero" : otherwise;
}

}  // namespace

Bytes parse_size(std::string_view option, std::string_view text) {
  std::string_view rest = text;
  const std::optional<std::string_view> digits = take_digits(rest);
  if (!digits) refuse(option, text, not_a_number(text, "this is no size"), kSizeForms);
  const std::optional<std::uint64_t> unit = size_unit(rest);
  if (!unit && rest.starts_with('.')) refuse(option, text, "it is no whole number", kSizeForms);
  if (!unit) refuse(option, text, "the unit is not known", kSizeForms);
  const std::optional<std::uint64_t> count = number_of(*digits);
  if (!count || *count > kMostBytes / *unit) {
    refuse(option, text, "this is too large, at most 1024T", kSizeForms);
  }
  if (*count == 0) refuse(option, text, "it must be more than zero", kSizeForms);
  return Bytes(*count * *unit);
}

std::chrono::milliseconds parse_duration(std::string_view option, std::string_view text) {
  std::string_view rest = text;
  const std::optional<std::string_view> digits = take_digits(rest);
  if (!digits) refuse(option, text, not_a_number(text, "this is no duration"), kDurationForms);
  std::uint64_t thousandths = 0;
  if (rest.starts_with('.')) {
    rest.remove_prefix(1);
    const std::optional<std::uint64_t> part = thousandths_of(take_digits(rest).value_or(""));
    if (!part) refuse(option, text, "it takes one to three decimals", kDurationForms);
    thousandths = *part;
  }
  const std::optional<std::uint64_t> unit = milliseconds_of_unit(rest);
  if (!unit) refuse(option, text, "the unit is not known", kDurationForms);
  const std::optional<std::uint64_t> count = number_of(*digits);
  if (!count || *count > kMostMilliseconds / *unit) {
    refuse(option, text, "this is too long, at most 720h", kDurationForms);
  }
  const std::uint64_t total = *count * *unit + thousandths * *unit / 1000;
  if (total == 0) refuse(option, text, "it must be at least 1ms", kDurationForms);
  return std::chrono::milliseconds(static_cast<std::int64_t>(total));
}

std::uint32_t parse_count(std::string_view option, std::string_view text) {
  std::string_view rest = text;
  const std::optional<std::string_view> digits = take_digits(rest);
  if (!digits || !rest.empty()) {
    refuse(option, text, not_a_number(text, "this is no whole number"), kCountForms);
  }
  const std::optional<std::uint64_t> count = number_of(*digits);
  if (!count || *count > std::numeric_limits<std::uint32_t>::max()) {
    refuse(option, text, "this is too large", kCountForms);
  }
  if (*count == 0) refuse(option, text, "it must be more than zero", kCountForms);
  return static_cast<std::uint32_t>(*count);
}

}  // namespace sandbox::ctl
