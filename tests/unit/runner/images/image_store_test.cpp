// A store with made-up images: what is checked before one is used, and how they come and go.
// SPDX-License-Identifier: MIT
#include "sandbox/runner/image_store.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "image_place.hpp"
#include "image_support.hpp"
#include "image_tree.hpp"
#include "sandbox/digest.hpp"
#include "store_sweep.hpp"
#include "stored_image.hpp"
#include "tree_removal.hpp"
#include "whole_file.hpp"

namespace sandbox::runner::test {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StartsWith;

constexpr std::int64_t kTime = 1790000000;

class ImageStore : public ::testing::Test {
 protected:
  void TearDown() override {
    const Fd parent(::open(root_.path().c_str(), O_RDONLY | O_DIRECTORY));
    remove_tree(parent.get(), "libsandbox");
  }

  [[nodiscard]] std::string at(const std::string& name) const {
    return root_.at("libsandbox/images/" + name);
  }

  // An image of one program, one other file, a link and an empty directory.
  void make(const std::string& name, const std::string& content = "content") {
    Staging staging;
    fill(staging, content);
    ManifestHead head;
    head.name = head.recipe = head.suite = head.architecture = name;
    head.library = head.python = "1";
    head.time = kTime;
    ManifestWriter writer(head);
    const Fd root(::openat(staging.directory(), "root", O_RDONLY | O_DIRECTORY));
    seal_tree(root.get(), kTime, std::stop_source().get_token(), writer);
    const std::string text = writer.finish();
    write_whole(staging.directory(), "manifest", text, 0644);
    write_whole(staging.directory(), "digest", sha256_hex(text) + "\n", 0644);
    staging.install(name);
  }

  static void fill(const Staging& staging, const std::string& content) {
    const std::string tree = staging.path() + "/root";
    fs::create_directories(tree + "/usr/bin");
    fs::create_directories(tree + "/usr/empty");
    std::ofstream(tree + "/usr/bin/python3.11") << "#!/bin/sh\n";
    fs::permissions(tree + "/usr/bin/python3.11", fs::perms(04755));
    fs::create_symlink("python3.11", tree + "/usr/bin/python3");
    std::ofstream(tree + "/usr/a file") << content;
  }

  // Empty: it may be used.
  static std::string complaint(const std::string& name, Check check = Check::quick) {
    try {
      (void)open_stored_image(name, check);
    } catch (const Error& error) {
      EXPECT_EQ(error.sandbox_code(), errc::image_unusable);
      return error.what();
    }
    return "";
  }

  [[nodiscard]] std::vector<std::string> entries_of_store() const {
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(root_.at("libsandbox/images"))) {
      names.push_back(entry.path().filename());
    }
    std::sort(names.begin(), names.end());
    return names;
  }

  // As a build would have it: nothing in the tree may be written to.
  static void open_up(const std::string& path) { ::chmod(path.c_str(), 0755); }

  static void set_time(const std::string& path, std::int64_t seconds = kTime) {
    const timeval when[2] = {{seconds, 0}, {seconds, 0}};
    ::lutimes(path.c_str(), when);
  }

  TemporaryDirectory root_;
  ScopedVariable data_{"XDG_DATA_HOME", root_.path()};
};

TEST_F(ImageStore, NamesThatCanBe) {
  for (const char* good : {"data", "a", "0", "my-image_2.1", "hostile"}) {
    EXPECT_TRUE(is_image_name(good)) << good;
  }
  for (const char* bad :
       {"", "host", ".a", "-a", "_a", "a/b", "..", "A", "a b", "a\n", "\xc3\xa9"}) {
    EXPECT_FALSE(is_image_name(bad)) << bad;
  }
  EXPECT_TRUE(is_image_name(std::string(64, 'a')));
  EXPECT_FALSE(is_image_name(std::string(65, 'a')));
}

TEST_F(ImageStore, IsBelowTheUsersData) {
  EXPECT_EQ(image_store_directory(), root_.at("libsandbox/images"));
  const ScopedVariable home("HOME", "/home/someone");
  for (const char* ignored : {"", "relative/path"}) {
    const ScopedVariable data("XDG_DATA_HOME", ignored);
    EXPECT_EQ(image_store_directory(), "/home/someone/.local/share/libsandbox/images");
  }
}

TEST_F(ImageStore, AnUnknownImageSaysHowToBuildIt) {
  EXPECT_THAT(complaint("data"), HasSubstr("there is no image 'data' in " + root_.path()));
  EXPECT_THAT(complaint("data"), HasSubstr("build it with: sandboxctl image build data"));
  EXPECT_THAT(complaint("geo"), HasSubstr("sandboxctl image build data --name geo"));
  EXPECT_FALSE(fs::exists(root_.at("libsandbox"))) << "looking makes nothing";
}

TEST_F(ImageStore, AnImageIsReadOnlyAndAsItsManifestSays) {
  make("data");
  EXPECT_EQ(complaint("data", Check::contents), "");
  const OpenedImage image = open_stored_image("data", Check::quick);
  EXPECT_EQ(image.root, at("data/root"));
  std::vector<std::string> lines;
  for (const ManifestEntry& entry : image.manifest.entries()) {
    lines.push_back(std::string(entry.path) + " " + std::to_string(entry.mode));
  }
  EXPECT_THAT(lines, ElementsAre("usr 365", "usr/a%20file 292", "usr/bin 365", "usr/bin/python3 0",
                                 "usr/bin/python3.11 365", "usr/empty 365"))
      << "0555 is 365, 0444 is 292";
  struct stat status {};
  ASSERT_EQ(::stat(at("data/root/usr/bin/python3.11").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 07777U, 0555U) << "no set-user-ID bit is left";
}

TEST_F(ImageStore, TheDigestIsPartOfTheIdentity) {
  make("data");
  const Image first = resolve_image("data");
  EXPECT_EQ(first.manifest_digest, sha256_hex(read_whole(AT_FDCWD, at("data/manifest"))));
  EXPECT_EQ(first.interpreter, "/usr/bin/python3");
  EXPECT_EQ(resolve_image("data").digest, first.digest);
  Image other = first;
  other.manifest_digest = std::string(64, '0');
  EXPECT_NE(image_digest(other), first.digest);
}

TEST_F(ImageStore, EveryChangeIsFoundByTheQuickCheck) {
  struct Change {
    const char* what;
    std::function<void(const std::string&)> make;
    const char* told;
  };
  const std::vector<Change> changes = {
      {"mode", [](const auto& usr) { ::chmod((usr + "/a file").c_str(), 0644); }, "its mode is"},
      {"content by a write",
       [](const auto& usr) {
         ::chmod((usr + "/a file").c_str(), 0644);
         std::ofstream(usr + "/a file") << "CONTENT";
         ::chmod((usr + "/a file").c_str(), 0444);
       },
       "usr/a file: it was changed after the build"},
      {"size",
       [](const auto& usr) {
         ::chmod((usr + "/a file").c_str(), 0644);
         std::ofstream(usr + "/a file") << "longer content";
         ::chmod((usr + "/a file").c_str(), 0444);
         set_time(usr + "/a file");
       },
       "its size is 14, not 7"},
      {"missing", [](const auto& usr) { fs::remove(usr + "/a file"); },
       "usr/a file: it is missing"},
      {"link",
       [](const auto& usr) {
         open_up(usr + "/bin");
         fs::remove(usr + "/bin/python3");
         fs::create_symlink("/bin/sh", usr + "/bin/python3");
         set_time(usr + "/bin/python3");
         ::chmod((usr + "/bin").c_str(), 0555);
         set_time(usr + "/bin");
       },
       "usr/bin/python3: the link leads elsewhere"},
      {"type",
       [](const auto& usr) {
         fs::remove(usr + "/a file");
         fs::create_directory(usr + "/a file");
       },
       "usr/a file: it is of another type"},
      {"added",
       [](const auto& usr) {
         open_up(usr + "/empty");
         std::ofstream(usr + "/empty/new") << "x";
         ::chmod((usr + "/empty").c_str(), 0555);
         set_time(usr + "/empty");
       },
       "usr/empty/new: it is not part of the image"}};
  for (const Change& change : changes) {
    SCOPED_TRACE(change.what);
    make("data");
    ASSERT_EQ(complaint("data"), "");
    open_up(at("data/root/usr"));
    change.make(at("data/root/usr"));
    ::chmod(at("data/root/usr").c_str(), 0555);
    set_time(at("data/root/usr"));
    EXPECT_THAT(complaint("data"), HasSubstr(change.told));
    EXPECT_THAT(complaint("data"), HasSubstr("build it again: sandboxctl image build data"));
  }
}

TEST_F(ImageStore, AnUnchangedSizeAndTimeNeedsTheCheckOfContents) {
  make("data");
  const std::string file = at("data/root/usr/a file");
  ::chmod(file.c_str(), 0644);
  std::ofstream(file) << "CONTENT";
  ::chmod(file.c_str(), 0444);
  set_time(file);
  EXPECT_EQ(complaint("data"), "");
  EXPECT_THAT(complaint("data", Check::contents),
              HasSubstr("usr/a file: its content is another one"));
}

TEST_F(ImageStore, ATamperedManifestIsRefused) {
  make("data");
  std::ofstream(at("data/manifest"), std::ios::app) << "x";
  EXPECT_THAT(complaint("data"), HasSubstr("not the one that 'digest' tells"));
  fs::remove(at("data/manifest"));
  EXPECT_THAT(complaint("data"), HasSubstr("build it again"));
  make("data");
  fs::rename(at("data"), at("other"));
  EXPECT_THAT(complaint("other"), HasSubstr("is that of another image"));
}

TEST_F(ImageStore, WhatOthersMayWriteToIsRefused) {
  make("data");
  for (const std::string& path :
       {root_.at("libsandbox"), root_.at("libsandbox/images"), at("data"), at("data/root")}) {
    struct stat before {};
    ASSERT_EQ(::stat(path.c_str(), &before), 0);
    ::chmod(path.c_str(), 0777);
    EXPECT_THAT(complaint("data"), HasSubstr(path + " can be written to by others")) << path;
    ::chmod(path.c_str(), before.st_mode & 07777U);
    EXPECT_EQ(complaint("data"), "");
  }
  if (::geteuid() != 0) GTEST_SKIP() << "only root can give files away";
  ASSERT_EQ(::chown(at("data").c_str(), 12345, 12345), 0);
  EXPECT_THAT(complaint("data"), HasSubstr("belongs to another user (uid 12345)"));
}

TEST_F(ImageStore, ANewImageReplacesAnOldOneOfItsName) {
  make("data", "first");
  const std::string first = open_stored_image("data", Check::quick).digest;
  make("data", "second");
  EXPECT_NE(open_stored_image("data", Check::contents).digest, first);
  EXPECT_THAT(entries_of_store(), ElementsAre("data"));
}

TEST_F(ImageStore, FilesStayAsLongAsTheyAreUsed) {
  make("data");
  OpenedImage used = open_stored_image("data", Check::quick);
  EXPECT_FALSE(remove_stored_image("data"));
  EXPECT_THAT(complaint("data"), HasSubstr("there is no image"));
  ASSERT_EQ(entries_of_store().size(), 1U);
  EXPECT_TRUE(fs::exists(at(entries_of_store()[0] + "/root/usr/bin/python3")));
  (void)list_stored_images();
  EXPECT_EQ(entries_of_store().size(), 1U) << "a sweep leaves it, too";
  used.lease.reset();
  EXPECT_TRUE(list_stored_images().empty());
  EXPECT_TRUE(entries_of_store().empty());
}

TEST_F(ImageStore, RemovingWhatIsNotThereSaysSo) {
  const auto error = error_of([] { (void)remove_stored_image("data"); });
  ASSERT_TRUE(error);
  EXPECT_THAT(error->what(), StartsWith("there is no image 'data'"));
}

TEST_F(ImageStore, SweepsTakeWhatTheDeadLeftBehindOnly) {
  make("data");
  const std::string dead = at(new_building_name());
  fs::create_directories(dead + "/root/usr/deep");
  std::ofstream(dead + "/root/usr/deep/file") << "x";
  ::chmod((dead + "/root/usr/deep").c_str(), 0);
  ::chmod((dead + "/root/usr").c_str(), 0555);
  fs::create_symlink(at("data/root"), dead + "/link");
  const Staging alive;
  EXPECT_FALSE(fs::exists(dead)) << "a build sweeps before it begins";
  EXPECT_EQ(list_stored_images().size(), 1U);
  EXPECT_TRUE(fs::exists(alive.path()));
  EXPECT_EQ(complaint("data", Check::contents), "") << "no link was followed";
}

TEST_F(ImageStore, ListsWhatIsDamagedAsWell) {
  make("data");
  make("other");
  std::ofstream(at("other/digest")) << "x";
  const std::vector<ListedImage> list = list_stored_images();
  ASSERT_EQ(list.size(), 2U);
  ASSERT_TRUE(list[0].image);
  EXPECT_EQ(list[0].image->entries, 6U);
  EXPECT_EQ(list[0].image->bytes, 17U);
  EXPECT_FALSE(list[1].image);
  EXPECT_THAT(list[1].problem, HasSubstr("build it again"));
}

TEST_F(ImageStore, WhatToBuildIsChecked) {
  const auto told = [](const ImageBuild& build) -> std::string {
    try {
      build.validate();
    } catch (const Error& error) {
      EXPECT_EQ(error.sandbox_code(), errc::invalid_argument);
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(told(ImageBuild("data").add({"python3-requests", "g++=1:2~3"})), "");
  EXPECT_EQ(told(ImageBuild("data").mirrors({"http://a/b", "deb [trusted=yes] http://a b c"})), "");
  EXPECT_THAT(told(ImageBuild("dat")), HasSubstr("there are: data, python"));
  EXPECT_THAT(told(ImageBuild("data").name("../x")), HasSubstr("a name is"));
  EXPECT_THAT(told(ImageBuild("data").suite("-o")), HasSubstr("release"));
  for (const char* bad : {"-oDir=/", "/tmp/a.deb", "a,b", "?essential", "a b", ""}) {
    EXPECT_THAT(told(ImageBuild("data").add({bad})), HasSubstr("Debian package")) << bad;
  }
  const std::string secret = told(ImageBuild("data").mirrors({"http://u:secret@h/ x"}));
  EXPECT_THAT(secret, HasSubstr("a mirror is a URL"));
  EXPECT_EQ(secret.find("secret"), std::string::npos);
}

}  // namespace
}  // namespace sandbox::runner::test
