// One step of a UTF-8 decoder (Unicode standard, table 3-7).
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string_view>

namespace sandbox::detail {

enum class Utf8Step {
  character,   // a whole well-formed character
  bad,         // a maximal subpart that no further byte can complete
  incomplete,  // the text ends inside a character that is well-formed so far
};

struct Utf8Scan {
  Utf8Step step;
  std::size_t length;   // bytes taken, at least 1
  char32_t code_point;  // of a character; else 0
};

// REQUIRES: `text` is not empty.
Utf8Scan scan_utf8(std::string_view text);

// How many bytes at the end of `text` are the begin of a character that a cut left unfinished.
std::size_t unfinished_tail(std::string_view text);

}  // namespace sandbox::detail
