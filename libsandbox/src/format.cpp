// How messages write lists, names, sizes and times.
// SPDX-License-Identifier: MIT
#include "format.hpp"

#include <array>
#include <cstdint>

#include "sandbox/utf8.hpp"

namespace sandbox::detail {
namespace {

constexpr std::size_t kMaxQuotedBytes = 120;

}  // namespace

std::string format_bytes(Bytes size) {
  constexpr std::array<std::string_view, 5> kUnits{" B", " KiB", " MiB", " GiB", " TiB"};
  std::size_t unit = 0;
  std::uint64_t count = size.count();
  while (count != 0 && count % 1024 == 0 && unit + 1 < kUnits.size()) {
    count /= 1024;
    ++unit;
  }
  return std::to_string(count) + std::string(kUnits[unit]);
}

std::string format_duration(std::chrono::milliseconds duration) {
  const std::int64_t ms = duration.count();
  if (ms < 1000) return std::to_string(ms) + " ms";
  if (ms % 60'000 == 0) return std::to_string(ms / 60'000) + " min";
  std::string text = std::to_string(ms / 1000);
  if (ms % 1000 != 0) {
    std::string decimals = std::to_string(1000 + ms % 1000).substr(1);
    decimals.erase(decimals.find_last_not_of('0') + 1);
    text += "." + decimals;
  }
  return text + " s";
}

std::string in_quotes(std::string_view name) {
  const bool cut = name.size() > kMaxQuotedBytes;
  std::string text = escape_for_terminal(name.substr(0, kMaxQuotedBytes));
  for (std::size_t at = text.find_first_of("\n\t"); at != std::string::npos;
       at = text.find_first_of("\n\t", at)) {
    text.replace(at, 1, text[at] == '\n' ? "\\n" : "\\t");
  }
  return '"' + text + (cut ? "..." : "") + '"';
}

std::string join_words(const std::vector<std::string>& words, std::string_view none) {
  if (words.empty()) return std::string(none);
  std::string text;
  for (const std::string& word : words) {
    if (!text.empty()) text += ", ";
    text += word;
  }
  return text;
}

}  // namespace sandbox::detail
