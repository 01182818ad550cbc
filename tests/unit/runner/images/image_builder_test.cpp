// SPDX-License-Identifier: MIT
#include "image_builder.hpp"

#include <sys/stat.h>

#include "image_support.hpp"

namespace sandbox::runner::test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

std::vector<std::string> places(const std::vector<ImageBind>& binds) {
  std::vector<std::string> result;
  for (const ImageBind& bind : binds) result.push_back(bind.guest_path);
  return result;
}

// The temporary directory lies below /tmp, so what these tests make is late.
class ImageBuilderTest : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!root_.path().starts_with("/tmp/")) GTEST_SKIP() << "the temporary directory is not /tmp";
  }
  TemporaryDirectory root_;
  ImageBuilder builder_;
  Image image_;
};

TEST_F(ImageBuilderTest, WhatLiesUnderABindIsNotBoundAgain) {
  root_.directory("a/b/c");
  root_.directory("ab");
  EXPECT_TRUE(builder_.expose(root_.at("a/b/c")).ok());
  EXPECT_TRUE(builder_.expose(root_.at("a")).ok());
  EXPECT_TRUE(builder_.expose(root_.at("a/b")).ok());
  EXPECT_TRUE(builder_.expose(root_.at("ab")).ok());
  builder_.finish(image_);
  EXPECT_THAT(image_.binds, IsEmpty());
  EXPECT_THAT(places(image_.late_binds), ElementsAre(root_.at("a"), root_.at("ab")));
}

TEST_F(ImageBuilderTest, LinksOnTheWayAreMadeOnceAndOnlyOutsideOfBinds) {
  root_.file("real/lib/file");
  root_.link("alias", "real");
  root_.link("real/lib/inner", "file");
  EXPECT_TRUE(builder_.follow(root_.at("alias/lib/inner")).ok());
  EXPECT_TRUE(builder_.expose(root_.at("alias/lib")).ok());
  EXPECT_TRUE(builder_.expose(root_.at("alias/lib/inner")).ok());
  builder_.finish(image_);
  EXPECT_THAT(places(image_.late_binds), ElementsAre(root_.at("real/lib")));
  EXPECT_THAT(image_.late_links, ElementsAre(ImageLink{root_.at("alias"), "real"}));
}

TEST_F(ImageBuilderTest, ARefusedPathLeavesNoTrace) {
  const ScopedVariable home("HOME", root_.directory("me"));
  ImageBuilder builder;
  root_.link("to_home", "me");
  const ImageBuilder::Outcome outcome = builder.expose(root_.at("to_home"));
  EXPECT_THAT(outcome.refusal, HasSubstr("home directory"));
  EXPECT_FALSE(builder.expose("/").ok());
  EXPECT_FALSE(builder.expose("/etc").ok());
  EXPECT_FALSE(builder.expose("/dev/null").ok());
  EXPECT_FALSE(builder.expose("/proc/self/exe").ok());
  EXPECT_FALSE(builder.expose(root_.at("none")).ok());
  builder.finish(image_);
  EXPECT_THAT(image_.late_binds, IsEmpty());
  EXPECT_THAT(image_.late_links, IsEmpty());
  EXPECT_THAT(image_.links, IsEmpty());
}

TEST_F(ImageBuilderTest, SocketsAndPipesAreNotBound) {
  const std::string fifo = root_.at("fifo");
  ASSERT_EQ(::mkfifo(fifo.c_str(), 0600), 0);
  EXPECT_THAT(builder_.expose(fifo).refusal, HasSubstr("neither a directory nor a regular file"));
}

TEST_F(ImageBuilderTest, NamesWithControlCharactersAreRefused) {
  root_.directory("line\nbreak");
  root_.link("link\n", "line\nbreak");
  EXPECT_FALSE(builder_.expose(root_.at("line\nbreak")).ok());
  EXPECT_FALSE(builder_.follow(root_.at("link\n")).ok());
}

}  // namespace
}  // namespace sandbox::runner::test
