// The words of an enum: one table, read in both directions.
// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <array>
#include <boost/system/result.hpp>
#include <cstddef>
#include <string_view>

#include "sandbox/error.hpp"

namespace sandbox::detail {

template <class Enum>
struct Word {
  Enum value;
  std::string_view text;
};

template <class Enum, std::size_t Count>
using WordTable = std::array<Word<Enum>, Count>;

template <class Enum, std::size_t Count>
bool has_word(const WordTable<Enum, Count>& table, Enum value) {
  return std::any_of(table.begin(), table.end(),
                     [value](const Word<Enum>& word) { return word.value == value; });
}

// "?" for a value that was cast from a number without an enumerator.
template <class Enum, std::size_t Count>
std::string_view word_of(const WordTable<Enum, Count>& table, Enum value) {
  for (const Word<Enum>& word : table) {
    if (word.value == value) return word.text;
  }
  return "?";
}

// Exact spelling only: a word that is nearly right is refused, never guessed.
template <class Enum, std::size_t Count>
boost::system::result<Enum> value_of(const WordTable<Enum, Count>& table, std::string_view text) {
  for (const Word<Enum>& word : table) {
    if (word.text == text) return word.value;
  }
  return make_error_code(errc::config_error);
}

}  // namespace sandbox::detail
