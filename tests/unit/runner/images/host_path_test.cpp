// SPDX-License-Identifier: MIT
#include "host_path.hpp"

#include <fcntl.h>
#include <linux/openat2.h>
#include <sys/stat.h>

#include <cerrno>

#include "image_support.hpp"

namespace sandbox::runner::test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

TEST(HostPath, AWalkReportsEachLinkAtItsOwnRealPath) {
  const TemporaryDirectory root;
  const std::string file = root.file("real/deep/file");
  root.link("one", "two");
  root.link("two", root.at("real"));
  root.link("real/short", "deep");
  const HostWalk walk = walk_host_path(root.at("one/short/file"));
  EXPECT_THAT(walk.failure, IsEmpty());
  EXPECT_EQ(walk.real_path, file);
  EXPECT_THAT(walk.links, ElementsAre(ImageLink{root.at("one"), "two"},
                                      ImageLink{root.at("two"), root.at("real")},
                                      ImageLink{root.at("real/short"), "deep"}));
}

TEST(HostPath, AWalkGoesUpFromWhereALinkLed) {
  const TemporaryDirectory root;
  const std::string file = root.file("a/b/file");
  root.directory("a/b/c");
  root.link("into", "a/b/c");
  EXPECT_EQ(walk_host_path(root.at("into/../file")).real_path, file);
}

TEST(HostPath, ATargetThatNeedsAnotherDirectoryIsReplacedByWhereItLeads) {
  const TemporaryDirectory root;
  const std::string file = root.file("real/file");
  root.directory("detour");
  root.link("up", "detour/../real/file");
  root.link("bin/plain", "../real/file");
  EXPECT_EQ(walk_host_path(root.at("up")).links[0].target, file);
  EXPECT_EQ(walk_host_path(root.at("bin/plain")).links[0].target, "../real/file");
}

TEST(HostPath, AWalkSaysWhereItStopped) {
  const TemporaryDirectory root;
  root.link("dangling", "nowhere");
  root.link("loop", "loop");
  EXPECT_THAT(walk_host_path(root.at("dangling/x")).failure, HasSubstr(root.at("nowhere")));
  EXPECT_THAT(walk_host_path(root.at("loop")).failure, HasSubstr(root.at("loop")));
}

TEST(HostPath, APinHoldsDeviceAndInode) {
  const TemporaryDirectory root;
  const std::string file = root.file("file");
  root.link("link", "file");
  struct stat status {};
  ASSERT_EQ(::stat(file.c_str(), &status), 0);
  const PinnedPath pin = pin_path(AT_FDCWD, file, RESOLVE_NO_SYMLINKS);
  ASSERT_EQ(pin.error, 0);
  EXPECT_EQ(pin.device, status.st_dev);
  EXPECT_EQ(pin.inode, status.st_ino);
  EXPECT_EQ(path_of_descriptor(pin.descriptor.get()), file);
  EXPECT_TRUE(pin.same_as(pin_path(AT_FDCWD, root.at("link"), 0, true)));
  EXPECT_FALSE(pin.same_as(pin_path(AT_FDCWD, root.at("link"), 0, false)));
  EXPECT_EQ(pin_path(AT_FDCWD, root.at("link"), RESOLVE_NO_SYMLINKS, true).error, ELOOP);
  EXPECT_EQ(pin_path(AT_FDCWD, root.at("none"), 0).error, ENOENT);
}

TEST(HostPath, BeingWithinGoesByComponents) {
  EXPECT_TRUE(is_within("/a/b", "/a/b"));
  EXPECT_TRUE(is_within("/a/b/c", "/a/b"));
  EXPECT_TRUE(is_within("/a", "/"));
  EXPECT_FALSE(is_within("/a/bc", "/a/b"));
  EXPECT_FALSE(is_within("/a", "/a/b"));
}

TEST(HostPath, NamesAreTakenApart) {
  EXPECT_EQ(join_path("/a", "b"), "/a/b");
  EXPECT_EQ(join_path("/", "b"), "/b");
  EXPECT_EQ(parent_of("/a/b"), "/a");
  EXPECT_EQ(parent_of("/a"), "/");
  EXPECT_EQ(last_name_of("/a/b"), "b");
  EXPECT_EQ(without_dots("//a/./b//"), "/a/b");
  EXPECT_EQ(without_dots("/"), "/");
  EXPECT_TRUE(has_control_characters("a\nb"));
  EXPECT_TRUE(has_control_characters(std::string_view("a\0b", 3)));
  EXPECT_FALSE(has_control_characters("a b\xc3\xa9"));
}

}  // namespace
}  // namespace sandbox::runner::test
