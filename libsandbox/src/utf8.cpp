// UTF-8 checks for bytes that came out of a guest.
// SPDX-License-Identifier: MIT
#include "sandbox/utf8.hpp"

#include <algorithm>

#include "utf8_scan.hpp"

namespace sandbox {
namespace detail {
namespace {

unsigned byte_at(std::string_view text, std::size_t index) {
  return static_cast<unsigned char>(text[index]);
}

// What may follow a first byte: how many bytes in all, and the range of the second. The narrow
// ranges keep out overlong forms (E0, F0), surrogates (ED) and what is above U+10FFFF (F4).
struct LeadByte {
  std::size_t length;  // 0: no character starts with this byte
  unsigned second_min;
  unsigned second_max;
};

LeadByte lead_byte(unsigned byte) {
  if (byte >= 0xC2 && byte <= 0xDF) return {2, 0x80, 0xBF};
  if (byte == 0xE0) return {3, 0xA0, 0xBF};
  if (byte == 0xED) return {3, 0x80, 0x9F};
  if (byte >= 0xE1 && byte <= 0xEF) return {3, 0x80, 0xBF};
  if (byte == 0xF0) return {4, 0x90, 0xBF};
  if (byte >= 0xF1 && byte <= 0xF3) return {4, 0x80, 0xBF};
  if (byte == 0xF4) return {4, 0x80, 0x8F};
  return {0, 0, 0};
}

}  // namespace

Utf8Scan scan_utf8(std::string_view text) {
  const unsigned first = byte_at(text, 0);
  if (first < 0x80) return {Utf8Step::character, 1, first};
  const LeadByte lead = lead_byte(first);
  if (lead.length == 0) return {Utf8Step::bad, 1, 0};
  char32_t code_point = first & (0x7FU >> lead.length);
  for (std::size_t i = 1; i < lead.length; ++i) {
    if (i == text.size()) return {Utf8Step::incomplete, i, 0};
    const unsigned next = byte_at(text, i);
    const unsigned low = i == 1 ? lead.second_min : 0x80;
    const unsigned high = i == 1 ? lead.second_max : 0xBF;
    if (next < low || next > high) return {Utf8Step::bad, i, 0};
    code_point = code_point << 6U | (next & 0x3FU);
  }
  return {Utf8Step::character, lead.length, code_point};
}

std::size_t unfinished_tail(std::string_view text) {
  const std::size_t longest = std::min<std::size_t>(text.size(), 3);
  for (std::size_t length = 1; length <= longest; ++length) {
    const Utf8Scan scan = scan_utf8(text.substr(text.size() - length));
    if (scan.step == Utf8Step::incomplete && scan.length == length) return length;
    if (scan.step == Utf8Step::character) return 0;
  }
  return 0;
}

}  // namespace detail

namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";  // U+FFFD

void append_hex_escape(std::string& text, char32_t code_point) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  text += "\\x";
  text += kDigits[code_point >> 4U & 0xFU];
  text += kDigits[code_point & 0xFU];
}

// C0, DEL and C1: what a terminal may act on.
bool is_control(char32_t code_point) {
  return code_point < 0x20 || (code_point >= 0x7F && code_point <= 0x9F);
}

}  // namespace

bool is_utf8(std::string_view bytes) {
  while (!bytes.empty()) {
    const detail::Utf8Scan scan = detail::scan_utf8(bytes);
    if (scan.step != detail::Utf8Step::character) return false;
    bytes.remove_prefix(scan.length);
  }
  return true;
}

std::string to_utf8_lossy(std::string_view bytes) {
  std::string text;
  text.reserve(bytes.size());
  while (!bytes.empty()) {
    const detail::Utf8Scan scan = detail::scan_utf8(bytes);
    text += scan.step == detail::Utf8Step::character ? bytes.substr(0, scan.length) : kReplacement;
    bytes.remove_prefix(scan.length);
  }
  return text;
}

std::string escape_for_terminal(std::string_view bytes) {
  std::string text;
  text.reserve(bytes.size());
  while (!bytes.empty()) {
    const detail::Utf8Scan scan = detail::scan_utf8(bytes);
    const std::string_view part = bytes.substr(0, scan.length);
    if (scan.step != detail::Utf8Step::character) {
      text += kReplacement;
    } else if (is_control(scan.code_point) && part != "\n" && part != "\t") {
      append_hex_escape(text, scan.code_point);
    } else {
      text += part;
    }
    bytes.remove_prefix(scan.length);
  }
  return text;
}

}  // namespace sandbox
