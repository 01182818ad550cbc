// UTF-8 of a guest: what comes out is UTF-8, and nothing in it steers a terminal.
// SPDX-License-Identifier: MIT
#include "sandbox/utf8.hpp"

#include "targets.hpp"

namespace sandbox::fuzz {
namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";

// A second opinion: decodes by arithmetic and looks at the value afterwards.
bool is_utf8_by_value(std::string_view text) {
  constexpr char32_t kLowest[] = {0, 0x80, 0x800, 0x10000};
  for (std::size_t at = 0; at < text.size();) {
    const auto first = static_cast<unsigned char>(text[at]);
    if (first < 0x80) {
      ++at;
      continue;
    }
    const std::size_t more = first >= 0xF0 ? 3 : first >= 0xE0 ? 2 : 1;
    if (first < 0xC0 || first > 0xF7 || text.size() - at <= more) return false;
    char32_t value = first & (0x3FU >> more);
    for (std::size_t i = 1; i <= more; ++i) {
      const auto next = static_cast<unsigned char>(text[at + i]);
      if ((next & 0xC0U) != 0x80) return false;
      value = value << 6U | (next & 0x3FU);
    }
    const bool surrogate = value >= 0xD800 && value <= 0xDFFF;
    if (value < kLowest[more] || value > 0x10FFFF || surrogate) return false;
    at += 1 + more;
  }
  return true;
}

bool steers_a_terminal(std::string_view text) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    if ((byte < 0x20 && byte != '\n' && byte != '\t') || byte == 0x7F) return true;
    const bool is_c1 =
        byte == 0xC2 && i + 1 < text.size() && static_cast<unsigned char>(text[i + 1]) < 0xA0;
    if (is_c1) return true;
  }
  return false;
}

}  // namespace

void utf8(Bytes input) {
  const std::string_view bytes = text_of(input);
  const bool good = is_utf8(bytes);
  check(good == is_utf8_by_value(bytes), "what is UTF-8 is a matter of values");

  const std::string lossy = to_utf8_lossy(bytes);
  check(is_utf8_by_value(lossy), "the lossy text is UTF-8");
  check((lossy == bytes) == good, "only what is bad is replaced");
  check(lossy.size() <= kReplacement.size() * bytes.size(), "a replacement stands for a byte");
  check(good || lossy.find(kReplacement) != std::string::npos, "what is bad shows");
  check(to_utf8_lossy(lossy) == lossy, "there is nothing to replace twice");

  const std::string shown = escape_for_terminal(bytes);
  check(is_utf8_by_value(shown), "the escaped text is UTF-8");
  check(!steers_a_terminal(shown), "the escaped text steers no terminal");
  check(escape_for_terminal(shown) == shown, "there is nothing to escape twice");
  check(shown == escape_for_terminal(lossy), "both replace the same");
}

}  // namespace sandbox::fuzz
