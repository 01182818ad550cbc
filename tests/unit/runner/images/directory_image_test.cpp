// SPDX-License-Identifier: MIT
#include "directory_image.hpp"

#include <sys/stat.h>

#include "image_support.hpp"

namespace sandbox::runner::test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr const char* kScript = "#!/bin/sh\n";

class DirectoryImage : public ::testing::Test {
 protected:
  [[nodiscard]] Image image() const { return directory_image_of(root_.path()); }
  [[nodiscard]] std::string complaint() const {
    const auto error = error_of([this] { (void)image(); });
    if (!error) return "";
    EXPECT_EQ(error->sandbox_code(), errc::image_unusable);
    return error->what();
  }
  TemporaryDirectory root_;
};

TEST_F(DirectoryImage, ShowsWhatStandsAtTheTop) {
  root_.program("usr/bin/python3.12", kScript);
  root_.directory("usr/lib/python3.12");
  root_.link("usr/bin/python3", "python3.12");
  root_.link("bin", "usr/bin");
  root_.link("lib64", "/usr/lib64");
  root_.directory("opt");
  root_.file("version.txt");
  const Image image = this->image();
  expect_well_formed(image);
  ASSERT_EQ(image.binds.size(), 3U);
  EXPECT_EQ(find_bind(image.binds, "/usr")->host_path, root_.at("usr"));
  EXPECT_TRUE(find_bind(image.binds, "/opt")->is_directory);
  EXPECT_FALSE(find_bind(image.binds, "/version.txt")->is_directory);
  EXPECT_THAT(image.links,
              ElementsAre(ImageLink{"/bin", "usr/bin"}, ImageLink{"/lib64", "/usr/lib64"}));
  EXPECT_EQ(image.interpreter, "/usr/bin/python3");
  EXPECT_EQ(image.version, "3.12");
  EXPECT_THAT(image.path_directories, ElementsAre("/usr/bin", "/usr/local/bin", "/bin"));
}

TEST_F(DirectoryImage, LeavesOutWhatIsTheGuestsOwnOrPrivate) {
  root_.program("usr/bin/python3", kScript);
  for (const char* name : {"dev", "proc", "sys", "run", "tmp", "var", "work", "etc", "home", "root",
                           "mnt", "media", "boot", "lost+found"}) {
    root_.file(std::string(name) + "/secret");
  }
  const Image image = this->image();
  ASSERT_EQ(image.binds.size(), 1U);
  EXPECT_EQ(image.binds[0].guest_path, "/usr");
}

TEST_F(DirectoryImage, TakesAFewThingsOfItsOwnEtc) {
  root_.program("usr/bin/python3", kScript);
  root_.file("etc/passwd");
  root_.file("etc/ld.so.cache");
  root_.directory("usr/share/fonts.conf.d");
  root_.link("etc/fonts", "/usr/share/fonts.conf.d");
  root_.link("etc/alternatives", "/../../../../../../../../../../etc/alternatives");
  root_.link("etc/matplotlibrc", "/etc/hostname");
  const Image image = this->image();
  expect_well_formed(image);
  EXPECT_EQ(find_bind(image.binds, "/etc/ld.so.cache")->host_path, root_.at("etc/ld.so.cache"));
  EXPECT_EQ(find_bind(image.binds, "/etc/fonts")->host_path, root_.at("usr/share/fonts.conf.d"));
  EXPECT_EQ(find_bind(image.binds, "/etc/alternatives"), nullptr) << "it points to itself";
  EXPECT_EQ(find_bind(image.binds, "/etc/matplotlibrc"), nullptr) << "that is the host's file";
  EXPECT_EQ(find_bind(image.binds, "/etc/passwd"), nullptr);
}

TEST_F(DirectoryImage, FindsTheInterpreterInsideOnly) {
  root_.link("usr/bin/python3", "/usr/lib/deep/python3.10");
  root_.program("usr/lib/deep/python3.10", kScript);
  EXPECT_EQ(image().interpreter, "/usr/bin/python3");
  root_.program("usr/local/bin/python3", kScript);
  EXPECT_EQ(image().interpreter, "/usr/local/bin/python3");
}

TEST_F(DirectoryImage, AnAbsoluteLinkToTheHostsInterpreterIsNoInterpreter) {
  if (!have_system_python()) GTEST_SKIP() << "there is no " << kSystemPython;
  root_.link("usr/local/bin/python3", "/usr/bin/python" + system_python_series());
  root_.directory("usr/bin");
  EXPECT_THAT(complaint(), HasSubstr("usr/local/bin/python3: No such file"));
}

TEST_F(DirectoryImage, RefusesWithoutAnInterpreterThatRuns) {
  root_.directory("usr");
  EXPECT_THAT(complaint(), HasSubstr("no python3 that can be run"));
  root_.file("usr/bin/python3", kScript);
  EXPECT_THAT(complaint(), HasSubstr("usr/bin/python3: it is not executable"));
}

TEST_F(DirectoryImage, RefusesAnInterpreterThatAGuestDoesNotSee) {
  root_.program("root/python", kScript);
  root_.link("usr/bin/python3", "/root/python");
  EXPECT_THAT(complaint(), HasSubstr("it leads to /root"));
}

TEST_F(DirectoryImage, RefusesWhatEveryoneMayWriteTo) {
  root_.program("usr/bin/python3", kScript);
  ASSERT_EQ(::chmod(root_.at("usr").c_str(), 0757), 0);
  EXPECT_THAT(complaint(), HasSubstr("chmod o-w"));
  ASSERT_EQ(::chmod(root_.at("usr").c_str(), 0755), 0);
  ASSERT_EQ(::chmod(root_.path().c_str(), 01777), 0);
  EXPECT_THAT(complaint(), HasSubstr("chmod o-w"));
  ASSERT_EQ(::chmod(root_.path().c_str(), 0755), 0);
  EXPECT_EQ(image().interpreter, "/usr/bin/python3");
}

TEST_F(DirectoryImage, RefusesWhatIsNoDirectoryAndTheRootItself) {
  const std::string file = root_.file("file");
  root_.link("slash", "/");
  for (const auto& [path, reason] : {std::pair<std::string, std::string>{file, "not a directory"},
                                     {root_.at("none"), "No such file"},
                                     {"/", "root of this machine"},
                                     {root_.at("slash"), "root of this machine"}}) {
    const auto error = error_of([&] { directory_image_of(path); });
    ASSERT_TRUE(error);
    EXPECT_EQ(error->sandbox_code(), errc::image_unusable);
    EXPECT_THAT(error->what(), HasSubstr(reason));
  }
}

TEST_F(DirectoryImage, MayBeNamedByALink) {
  root_.program("image/usr/bin/python3", kScript);
  const Image image = directory_image_of(root_.link("current", "image"));
  EXPECT_EQ(find_bind(image.binds, "/usr")->host_path, root_.at("image/usr"));
}

TEST_F(DirectoryImage, OddEntriesAreLeftOutWithANote) {
  root_.program("usr/bin/python3", kScript);
  ASSERT_EQ(::mkfifo(root_.at("fifo").c_str(), 0644), 0);
  root_.directory("new\nline");
  const Image image = this->image();
  EXPECT_EQ(image.binds.size(), 1U);
  EXPECT_THAT(image.notes, ::testing::SizeIs(2));
}

}  // namespace
}  // namespace sandbox::runner::test
