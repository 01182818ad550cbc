// Captured output: bytes as they came, and the view for people (WK-12, WK-13).
// SPDX-License-Identifier: MIT
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "sandbox/exec.hpp"
#include "sandbox/utf8.hpp"

namespace sandbox {
namespace {

constexpr const char* kBad = "\xEF\xBF\xBD";

TEST(CapturedOutput, WholeOutputIsNotTruncated) {
  const CapturedOutput output("42\n");
  EXPECT_FALSE(output.truncated());
  EXPECT_EQ(output.total_bytes(), 3U);
  EXPECT_EQ(output.bytes(), "42\n");
  EXPECT_EQ(output.text(), "42\n");
  EXPECT_TRUE(output.is_utf8());
  EXPECT_EQ(CapturedOutput().text(), "");
  EXPECT_TRUE(CapturedOutput().is_utf8());
}

TEST(CapturedOutput, HeadAndTailThatMeetAreOneText) {
  const CapturedOutput output("caf\xC3", "\xA9!", 6);
  EXPECT_FALSE(output.truncated());
  EXPECT_EQ(output.text(), "caf\xC3\xA9!");
  EXPECT_TRUE(output.is_utf8());
}

TEST(CapturedOutput, OneLineSaysHowManyBytesWereLeftOut) {
  const CapturedOutput output("begin", "end", 123464);
  EXPECT_TRUE(output.truncated());
  EXPECT_EQ(output.bytes(), "beginend");
  EXPECT_EQ(output.text(), "begin\n[... 123456 bytes left out ...]\nend");
  EXPECT_EQ(CapturedOutput("a", "b", 3).text(), "a\n[... 1 byte left out ...]\nb");
  EXPECT_EQ(CapturedOutput("", "", 9).text(), "\n[... 9 bytes left out ...]\n");
}

TEST(CapturedOutput, TheLineIsShortWhateverTheNumber) {
  EXPECT_LE(CapturedOutput("", "", UINT64_MAX).text().size(), 64U);
}

TEST(CapturedOutput, CharactersThatTheCutSplitAreDroppedNotReplaced) {
  const std::string euro = "\xE2\x82\xAC";
  const std::string smile = "\xF0\x9F\x98\x80";
  for (const std::string& character : {std::string("\xC3\xA9"), euro, smile}) {
    for (std::size_t kept = 1; kept < character.size(); ++kept) {
      SCOPED_TRACE(kept);
      const CapturedOutput output("ab" + character.substr(0, kept), character.substr(kept) + "yz",
                                  1000);
      EXPECT_TRUE(output.is_utf8());
      EXPECT_TRUE(output.truncated());
      const std::string left_out = std::to_string(1000 - 4);
      EXPECT_EQ(output.text(), "ab\n[... " + left_out + " bytes left out ...]\nyz");
      EXPECT_EQ(output.bytes(), "ab" + character + "yz") << "the bytes stay as they came";
    }
  }
}

TEST(CapturedOutput, WholeCharactersAtTheEdgesAreKept) {
  const CapturedOutput output("\xE2\x82\xAC", "\xC3\xA9", 100);
  EXPECT_EQ(output.text(), "\xE2\x82\xAC\n[... 95 bytes left out ...]\n\xC3\xA9");
}

TEST(CapturedOutput, BytesThatAreBadWithoutTheCutAreShown) {
  EXPECT_EQ(CapturedOutput("a\xFF"
                           "b")
                .text(),
            std::string("a") + kBad + "b");
  EXPECT_FALSE(CapturedOutput("a\xFF"
                              "b")
                   .is_utf8());
  // An unfinished character at the real end was not split by us.
  EXPECT_EQ(CapturedOutput("ab\xE2\x82").text(), std::string("ab") + kBad);
  EXPECT_FALSE(CapturedOutput("ab\xE2\x82").is_utf8());
  // Away from the gap, at either end.
  const CapturedOutput cut(
      "\x80"
      "a",
      "b\xC3", 100);
  EXPECT_FALSE(cut.is_utf8());
  EXPECT_EQ(cut.text(), std::string(kBad) + "a\n[... 96 bytes left out ...]\nb" + kBad);
  // FF is no start of a character, and a character has no fourth continuation byte.
  EXPECT_FALSE(CapturedOutput("a\xFF", "b", 100).is_utf8());
  EXPECT_FALSE(CapturedOutput("a",
                              "\x80\x80\x80\x80"
                              "b",
                              100)
                   .is_utf8());
  EXPECT_FALSE(CapturedOutput("a\xE0\x80", "b", 100).is_utf8()) << "an overlong form is not begun";
}

TEST(CapturedOutput, TextIsUtf8WhateverWasPrinted) {
  std::string all;
  for (int value = 0; value < 256; ++value) all += static_cast<char>(value);
  EXPECT_TRUE(is_utf8(CapturedOutput(all).text()));
  for (std::size_t cut = 0; cut <= all.size(); ++cut) {
    EXPECT_TRUE(is_utf8(CapturedOutput(all.substr(0, cut), all.substr(cut), 1000).text()));
  }
}

TEST(CapturedOutput, TotalIsNeverLessThanWhatIsKept) {
  const CapturedOutput output("abc", "def", 2);
  EXPECT_EQ(output.total_bytes(), 6U);
  EXPECT_FALSE(output.truncated());
}

}  // namespace
}  // namespace sandbox
