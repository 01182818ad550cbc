// SPDX-License-Identifier: MIT
#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>
#include <functional>
#include <set>

#include "image.hpp"
#include "image_support.hpp"

namespace sandbox::runner::test {
namespace {

using ::testing::HasSubstr;
using ::testing::MatchesRegex;

class UnknownReference : public ::testing::TestWithParam<std::string> {};

TEST_P(UnknownReference, IsAConfigurationErrorThatNamesTheForms) {
  const auto error = error_of([] { resolve_image(GetParam()); });
  ASSERT_TRUE(error);
  EXPECT_EQ(error->sandbox_code(), errc::config_error) << error->what();
  EXPECT_THAT(error->what(), HasSubstr("host:/path/to/python"));
}

INSTANTIATE_TEST_SUITE_P(ImageReference, UnknownReference,
                         ::testing::Values("", "Hosts", "Host", "host:", "host:python3", "dir:",
                                           "dir:rel/path", "docker://python", "/usr/bin/python3",
                                           "host:/usr/bin/py\nthon", "dir:/tmp/\x1b[2J",
                                           std::string("host:/usr/bin/python3\0x", 23)));

TEST(ImageReference, KeepsTheReferenceAsGiven) {
  const TemporaryDirectory root;
  root.program("usr/bin/python3", "#!/bin/sh\n");
  const std::string reference = "dir:" + root.path() + "//";
  EXPECT_EQ(resolve_image(reference).reference, reference);
}

class ImageDigest : public ::testing::Test {
 protected:
  ImageDigest() { root_.program("usr/bin/python3", "#!/bin/sh\n"); }
  [[nodiscard]] std::string digest() const { return resolve_image("dir:" + root_.path()).digest; }
  TemporaryDirectory root_;
};

TEST_F(ImageDigest, IsTheSameForTheSameImage) {
  EXPECT_THAT(digest(), MatchesRegex("[0-9a-f]+"));
  EXPECT_EQ(digest().size(), 64U);
  EXPECT_EQ(digest(), digest());
}

TEST_F(ImageDigest, DependsOnTheReference) {
  EXPECT_NE(digest(), resolve_image("dir:" + root_.path() + "/.").digest);
}

TEST_F(ImageDigest, ChangesWithABind) {
  const std::string before = digest();
  root_.directory("opt");
  EXPECT_NE(digest(), before);
}

TEST_F(ImageDigest, ChangesWithALink) {
  root_.link("bin", "usr/bin");
  const std::string before = digest();
  ASSERT_EQ(::unlink(root_.at("bin").c_str()), 0);
  root_.link("bin", "/usr/bin");
  EXPECT_NE(digest(), before);
}

TEST_F(ImageDigest, ChangesWithTheInodeBehindABind) {
  const std::string before = digest();
  ASSERT_EQ(::rename(root_.at("usr").c_str(), root_.at("var").c_str()), 0);
  root_.program("usr/bin/python3", "#!/bin/sh\n");
  EXPECT_NE(digest(), before);
}

TEST_F(ImageDigest, CoversEveryField) {
  Image image = resolve_image("dir:" + root_.path());
  std::set<std::string> digests = {image.digest};
  EXPECT_EQ(image_digest(image), image.digest);
  const ImageBind bind{"/host", "/guest", true, 1, 2};
  const std::vector<std::function<void(Image&)>> changes = {
      [](Image& i) { i.reference += "x"; },
      [](Image& i) { i.interpreter += "x"; },
      [](Image& i) { i.version += "x"; },
      [](Image& i) { i.path_directories.emplace_back("/x"); },
      [](Image& i) { i.binds[0].host_path += "x"; },
      [](Image& i) { i.binds[0].guest_path += "x"; },
      [](Image& i) { i.binds[0].is_directory = false; },
      [](Image& i) { ++i.binds[0].device; },
      [](Image& i) { ++i.binds[0].inode; },
      [&](Image& i) { i.binds.push_back(bind); },
      [&](Image& i) { i.late_binds.push_back(bind); },
      [](Image& i) {
        i.links.push_back(ImageLink{"/a", "b"});
      },
      [](Image& i) {
        i.late_links.push_back(ImageLink{"/a", "b"});
      },
  };
  for (const auto& change : changes) {
    Image changed = image;
    change(changed);
    EXPECT_TRUE(digests.insert(image_digest(changed)).second);
  }
  image.notes.emplace_back("x");
  EXPECT_EQ(image_digest(image), image.digest) << "notes are for people";
}

TEST_F(ImageDigest, ChangesWithTheInterpreter) {
  root_.directory("usr/local/bin");
  const std::string before = digest();
  root_.program("usr/local/bin/python3", "#!/bin/sh\n");
  EXPECT_NE(digest(), before);
}

}  // namespace
}  // namespace sandbox::runner::test
