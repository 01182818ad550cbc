// How messages write lists, names, sizes and times.
// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <chrono>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "sandbox/units.hpp"

namespace sandbox::detail {

// "256 MiB", "1536 KiB", "1025 B": exact, in the largest unit that divides the size.
std::string format_bytes(Bytes size);

// "250 ms", "5 s", "1.5 s", "90 s", "2 min": exact to the millisecond.
std::string format_duration(std::chrono::milliseconds duration);

// In double quotes, with control characters and bad bytes made visible, cut after 120 bytes: names
// in messages may come from a configuration file or from a guest.
std::string in_quotes(std::string_view name);

// "a, b, c"; `none` for nothing.
std::string join_words(const std::vector<std::string>& words, std::string_view none = "nothing");

// The words of a set, sorted as text.
template <class Enum>
std::string join_sorted(const std::set<Enum>& values) {
  std::vector<std::string> words;
  words.reserve(values.size());
  for (const Enum value : values) words.emplace_back(to_string(value));
  std::sort(words.begin(), words.end());
  return join_words(words);
}

}  // namespace sandbox::detail
