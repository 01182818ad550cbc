// Files from a guest land below one directory and nowhere else.
// SPDX-License-Identifier: MIT
#include "out_directory.hpp"

#include <gmock/gmock.h>
#include <sys/stat.h>

#include <filesystem>
#include <string>

#include "sandbox/error.hpp"
#include "scratch_directory.hpp"

namespace sandbox::ctl {
namespace {

namespace fs = std::filesystem;

class OutDirectoryTest : public testing::Test {
 protected:
  void SetUp() override {
    fs::create_directory(scratch_.path("out"));
    fs::create_directory(scratch_.path("secret"));
    scratch_.write("secret/key", "untouched");
  }

  // The error's text; "" when the file was written.
  std::string write(const std::string& name, Existing existing = Existing::keep) {
    try {
      OutDirectory(scratch_.path("out"), existing).write(name, "new");
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  }

  ScratchDirectory scratch_;
};

TEST_F(OutDirectoryTest, IsMadeWithItsParents) {
  OutDirectory(scratch_.path("a/b/c"), Existing::keep).write("d/e/f.txt", "content");
  EXPECT_EQ(scratch_.read("a/b/c/d/e/f.txt"), "content");
}

TEST_F(OutDirectoryTest, SaysThatAFileStandsInItsPlace) {
  EXPECT_THROW(OutDirectory(scratch_.path("secret/key"), Existing::keep), Error);
}

TEST_F(OutDirectoryTest, RefusesNamesThatLeaveIt) {
  for (const std::string& name :
       {std::string(""), std::string("/abs"), std::string(".."), std::string("../x"),
        std::string("a/../../x"), std::string("a//b"), std::string("a/"), std::string("."),
        std::string("a\0b", 3)}) {
    EXPECT_NE(write(name), "") << name;
  }
  EXPECT_FALSE(fs::exists(scratch_.path("x")));
}

TEST_F(OutDirectoryTest, KeepsWhatIsThere) {
  scratch_.write("out/a.txt", "old");
  EXPECT_THAT(write("a.txt"), testing::HasSubstr("--force"));
  EXPECT_EQ(scratch_.read("out/a.txt"), "old");
}

TEST_F(OutDirectoryTest, ReplacesWhenAsked) {
  scratch_.write("out/a.txt", "a long old content");
  EXPECT_EQ(write("a.txt", Existing::replace), "");
  EXPECT_EQ(scratch_.read("out/a.txt"), "new");
}

TEST_F(OutDirectoryTest, NeverFollowsALinkInTheFilesPlace) {
  fs::create_symlink(scratch_.path("secret/key"), scratch_.path("out/a.txt"));
  fs::create_symlink(scratch_.path("secret/made"), scratch_.path("out/b.txt"));
  EXPECT_NE(write("a.txt"), "");
  EXPECT_NE(write("b.txt"), "");
  EXPECT_EQ(write("a.txt", Existing::replace), "");
  EXPECT_EQ(scratch_.read("out/a.txt"), "new");
  EXPECT_FALSE(fs::is_symlink(scratch_.path("out/a.txt")));
  EXPECT_EQ(scratch_.read("secret/key"), "untouched");
  EXPECT_FALSE(fs::exists(scratch_.path("secret/made")));
}

TEST_F(OutDirectoryTest, NeverFollowsALinkOnTheWay) {
  fs::create_directory_symlink(scratch_.path("secret"), scratch_.path("out/dir"));
  for (const Existing existing : {Existing::keep, Existing::replace}) {
    EXPECT_THAT(write("dir/made", existing), testing::HasSubstr("a link"));
    EXPECT_NE(write("dir/key", existing), "");
  }
  EXPECT_EQ(scratch_.read("secret/key"), "untouched");
  EXPECT_FALSE(fs::exists(scratch_.path("secret/made")));
}

TEST_F(OutDirectoryTest, WritesIntoNoPipeAndReplacesNoDirectory) {
  ASSERT_EQ(::mkfifo(scratch_.path("out/pipe").c_str(), 0600), 0);
  fs::create_directory(scratch_.path("out/dir"));
  EXPECT_NE(write("pipe"), "");
  EXPECT_NE(write("dir", Existing::replace), "");
  EXPECT_TRUE(fs::is_directory(scratch_.path("out/dir")));
}

}  // namespace
}  // namespace sandbox::ctl
