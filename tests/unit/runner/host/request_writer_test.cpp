// The writer of flat requests.
// SPDX-License-Identifier: MIT
#include "request_writer.hpp"

#include <gmock/gmock.h>

#include <cstdint>

#include "host_support.hpp"
#include "request_support.hpp"

namespace sandbox::runner::test {
namespace {

using launcher::MakeRequest;
using ::testing::HasSubstr;

std::string text_at(const std::string& message, launcher::Text offset) {
  return message.data() + offset;
}

TEST(RequestWriter, EveryTextAndElementIsFoundAtItsOffset) {
  MakeRequest flat;
  RequestWriter writer(sizeof flat);
  flat.host_name = writer.text("a name");
  const launcher::Text empty = writer.text("");
  const launcher::Span words = writer.texts({"one", "", "three"});
  flat.work_path = writer.text("/work");
  const std::string message = writer.finish(flat);

  EXPECT_EQ(text_at(message, flat.host_name), "a name");
  EXPECT_EQ(text_at(message, empty), "");
  EXPECT_NE(empty, 0U) << "an empty text is one, and none is 0";
  EXPECT_EQ(text_at(message, flat.work_path), "/work");
  ASSERT_EQ(words.count, 3U);
  const char* expected[] = {"one", "", "three"};
  for (std::uint32_t i = 0; i < words.count; ++i) {
    launcher::Text offset = 0;
    std::memcpy(&offset, message.data() + words.offset + i * sizeof offset, sizeof offset);
    EXPECT_EQ(text_at(message, offset), expected[i]);
  }
}

TEST(RequestWriter, TheFixedPartIsWrittenLastAndTellsTheSize) {
  MakeRequest flat;
  flat.header.outside_uid = 77;
  RequestWriter writer(sizeof flat);
  flat.host_name = writer.text("h");
  const std::string message = writer.finish(flat);
  const auto written = fixed_part<MakeRequest>(message);
  EXPECT_EQ(written.header.magic, launcher::kMagic);
  EXPECT_EQ(written.header.version, launcher::kVersion);
  EXPECT_EQ(written.header.outside_uid, 77U);
  EXPECT_EQ(written.header.size, message.size());
  EXPECT_EQ(written.host_name, flat.host_name);
  EXPECT_EQ(message.back(), '\0');
}

TEST(RequestWriter, ArraysAreAlignedAfterTextsOfAnyLength) {
  for (std::size_t length = 0; length < 17; ++length) {
    RequestWriter writer(sizeof(MakeRequest));
    (void)writer.text(std::string(length, 'x'));
    const std::vector<std::uint64_t> wide(2, 0x0102030405060708U);
    const launcher::Span span = writer.array(wide);
    EXPECT_EQ(span.offset % alignof(std::uint64_t), 0U) << length;
    const std::string message = writer.finish(MakeRequest());
    std::uint64_t second = 0;
    std::memcpy(&second, message.data() + span.offset + sizeof second, sizeof second);
    EXPECT_EQ(second, wide[1]);
  }
}

TEST(RequestWriter, AnEmptyArrayIsNoElements) {
  RequestWriter writer(sizeof(MakeRequest));
  EXPECT_EQ(writer.array(std::vector<std::uint32_t>()).count, 0U);
  EXPECT_EQ(writer.texts({}).count, 0U);
}

TEST(RequestWriter, AMessageThatFitsExactlyPassesAndOneByteMoreIsTooLarge) {
  // The text's own NUL, and the one that ends the message.
  const std::size_t room = launcher::kMaxRequestBytes - sizeof(MakeRequest) - 2;
  RequestWriter fits(sizeof(MakeRequest));
  (void)fits.text(std::string(room, 'x'));
  EXPECT_EQ(fits.finish(MakeRequest()).size(), launcher::kMaxRequestBytes);

  RequestWriter larger(sizeof(MakeRequest));
  (void)larger.text(std::string(room + 1, 'x'));
  const auto told = told_by([&] { (void)larger.finish(MakeRequest()); });
  ASSERT_TRUE(told);
  EXPECT_EQ(told->code, errc::too_large);
  EXPECT_THAT(told->what, HasSubstr(std::to_string(launcher::kMaxRequestBytes)));
  EXPECT_THAT(told->what, HasSubstr("stdin"));
}

// They would fit the packet, and be a riddle to whoever reads the launcher's EINVAL.
TEST(RequestWriter, MoreTextsThanTheLauncherTakesAreTooLarge) {
  const std::vector<std::string> most(launcher::kMaxArguments, "x");
  RequestWriter fits(sizeof(MakeRequest));
  EXPECT_EQ(fits.texts(most).count, launcher::kMaxArguments);

  std::vector<std::string> more = most;
  more.emplace_back("x");
  RequestWriter larger(sizeof(MakeRequest));
  const auto told = told_by([&] { (void)larger.texts(more); });
  ASSERT_TRUE(told);
  EXPECT_EQ(told->code, errc::too_large);
  EXPECT_THAT(told->what, HasSubstr("4097"));
}

TEST(RequestWriter, WhatItWritesTheLauncherAccepts) {
  EXPECT_TRUE(is_accepted(valid_make(), 1));
  EXPECT_TRUE(is_accepted(valid_run(), launcher::kRunDescriptors));
}

}  // namespace
}  // namespace sandbox::runner::test
