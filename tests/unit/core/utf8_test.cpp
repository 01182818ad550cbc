// UTF-8: the standard's own examples, every byte, and the forms that must not pass.
// SPDX-License-Identifier: MIT
#include "sandbox/utf8.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace sandbox {
namespace {

using namespace std::string_literals;

std::string replacements(std::size_t count) {
  std::string text;
  for (std::size_t i = 0; i < count; ++i) text += "\xEF\xBF\xBD";
  return text;
}

struct LossyCase {
  std::string bytes;
  std::string text;
};

// Unicode standard, section 3.9, tables 3-8 to 3-11.
TEST(Utf8, ReplacesMaximalSubparts) {
  const std::vector<LossyCase> cases{
      // Ill-formed sequences for non-shortest forms.
      {"\xC0\xAF\xE0\x80\xBF\xF0\x81\x82\x41", replacements(8) + "A"},
      // Ill-formed sequences for surrogates.
      {"\xED\xA0\x80\xED\xBF\xBF\xED\xAF\x41", replacements(8) + "A"},
      // Other ill-formed sequences.
      {"\xF4\x91\x92\x93\xFF\x41\x80\xBF\x42", replacements(5) + "A" + replacements(2) + "B"},
      // Truncated sequences.
      {"\xE1\x80\xE2\xF0\x91\x92\xF1\xBF\x41", replacements(4) + "A"},
      // The older example of the same section.
      {"\x61\xF1\x80\x80\xE1\x80\xC2\x62\x80\x63\x80\xBF\x64",
       "a" + replacements(3) + "b" + replacements(1) + "c" + replacements(2) + "d"},
  };
  for (const LossyCase& row : cases) {
    EXPECT_FALSE(is_utf8(row.bytes));
    EXPECT_EQ(to_utf8_lossy(row.bytes), row.text);
    EXPECT_TRUE(is_utf8(to_utf8_lossy(row.bytes)));
  }
}

TEST(Utf8, AcceptsTheEdgesOfEveryLength) {
  for (const std::string& good :
       {""s, "plain"s, "\0"s, "\x7F"s, "\xC2\x80"s, "\xDF\xBF"s, "\xE0\xA0\x80"s, "\xED\x9F\xBF"s,
        "\xEE\x80\x80"s, "\xEF\xBF\xBF"s, "\xF0\x90\x80\x80"s, "\xF4\x8F\xBF\xBF"s,
        "\xEF\xBB\xBF"s}) {
    EXPECT_TRUE(is_utf8(good));
    EXPECT_EQ(to_utf8_lossy(good), good);
  }
}

TEST(Utf8, RefusesSurrogatesOverlongFormsAndWhatIsTooHigh) {
  for (const std::string& bad :
       {"\x80"s, "\xBF"s, "\xC0\x80"s, "\xC1\xBF"s, "\xE0\x9F\xBF"s, "\xED\xA0\x80"s,
        "\xED\xBF\xBF"s, "\xF0\x8F\xBF\xBF"s, "\xF4\x90\x80\x80"s, "\xF5\x80\x80\x80"s, "\xFE"s,
        "\xFF"s, "\xC3"s, "\xE2\x82"s, "\xF0\x9F\x98"s,
        "a\xC3"
        "b"s,
        "\xE2\x28\xA1"s}) {
    EXPECT_FALSE(is_utf8(bad));
    EXPECT_TRUE(is_utf8(to_utf8_lossy(bad)));
  }
}

TEST(Utf8, EverySingleByteIsEitherAsciiOrReplaced) {
  for (int value = 0; value < 256; ++value) {
    const std::string byte(1, static_cast<char>(value));
    EXPECT_EQ(is_utf8(byte), value < 0x80) << value;
    EXPECT_EQ(to_utf8_lossy(byte), value < 0x80 ? byte : replacements(1)) << value;
  }
}

TEST(Utf8, EveryPairOfBytesBecomesUtf8AndKeepsGoodText) {
  for (int first = 0; first < 256; ++first) {
    for (int second = 0; second < 256; ++second) {
      const std::string pair{static_cast<char>(first), static_cast<char>(second)};
      const bool two_ascii = first < 0x80 && second < 0x80;
      const bool one_of_two = first >= 0xC2 && first <= 0xDF && second >= 0x80 && second <= 0xBF;
      ASSERT_EQ(is_utf8(pair), two_ascii || one_of_two) << first << ' ' << second;
      ASSERT_TRUE(is_utf8(to_utf8_lossy(pair))) << first << ' ' << second;
      if (is_utf8(pair)) {
        ASSERT_EQ(to_utf8_lossy(pair), pair);
      }
    }
  }
}

TEST(EscapeForTerminal, ShowsControlCharactersAndKeepsLinesAndTabs) {
  const std::vector<LossyCase> cases{
      {"plain \xC3\xA9\n\ttext", "plain \xC3\xA9\n\ttext"},
      {"\x1B[31mred", "\\x1b[31mred"},
      {"a\rb\bc", "a\\x0db\\x08c"},
      {"\0"s, "\\x00"},
      {"\x7F", "\\x7f"},
      {"\xC2\x9B"
       "31m",
       "\\x9b31m"},  // U+009B is an escape sequence of its own
      {"\xC2\xA0", "\xC2\xA0"},
      {"\xFF\x9B", replacements(2)},
      {"back\\slash", "back\\slash"},
  };
  for (const LossyCase& row : cases) EXPECT_EQ(escape_for_terminal(row.bytes), row.text);
}

TEST(EscapeForTerminal, LeavesNoControlCharacterOfAnyByte) {
  std::string all;
  for (int value = 0; value < 256; ++value) all += static_cast<char>(value);
  for (const char c : escape_for_terminal(all)) {
    const auto byte = static_cast<unsigned char>(c);
    EXPECT_TRUE(byte >= 0x20 || c == '\n' || c == '\t') << static_cast<int>(byte);
    EXPECT_NE(byte, 0x7F);
  }
}

}  // namespace
}  // namespace sandbox
