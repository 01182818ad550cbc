// The steps of a build that need no package: trimming, links, and what a guest hands back.
// SPDX-License-Identifier: MIT
#include "image_unpack.hpp"

#include <fcntl.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "apt_sources.hpp"
#include "fd.hpp"
#include "image_support.hpp"

namespace sandbox::runner::test {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::Pair;

class ImageUnpack : public ::testing::Test {
 protected:
  void trim() {
    const Fd root = open();
    trim_tree(root.get(), std::stop_source().get_token());
  }
  [[nodiscard]] Fd open() const { return Fd(::open(root_.path().c_str(), O_RDONLY | O_DIRECTORY)); }
  [[nodiscard]] bool has(const std::string& name) const {
    return fs::exists(fs::symlink_status(root_.at(name)));
  }
  [[nodiscard]] std::string target_of(const std::string& name) const {
    return fs::read_symlink(root_.at(name));
  }
  TemporaryDirectory root_;
};

TEST_F(ImageUnpack, TellsThePackagesOfAptsCache) {
  for (const char* name : {"zlib1g_1%3a1.2.13.dfsg-1_amd64.deb", "python3-six_1.16.0-4_all.deb",
                           "libc6_2.36-9+deb12u14_amd64.deb", "lock", "odd.deb"}) {
    root_.file(std::string("var/cache/apt/archives/") + name);
  }
  const UnpackedPackages found = packages_in(open().get());
  EXPECT_EQ(found.architecture, "amd64");
  EXPECT_THAT(found.packages,
              ElementsAre(Pair("libc6", "2.36-9+deb12u14"), Pair("python3-six", "1.16.0-4"),
                          Pair("zlib1g", "1:1.2.13.dfsg-1")));
}

TEST_F(ImageUnpack, LeavesWhatAGuestSees) {
  for (const char* gone :
       {"var/lib/x", "dev/null", "tmp/x", "etc/passwd", "usr/share/doc/a/b", "usr/include/a.h",
        "usr/lib/x86_64-linux-gnu/libz.a", "boot/x", "usr/bin/x86_64-linux-gnu-gcc-12"}) {
    root_.file(gone);
  }
  for (const char* kept :
       {"usr/bin/env", "etc/fonts/fonts.conf", "usr/lib/x86_64-linux-gnu/libz.so",
        "usr/share/zoneinfo/UTC", "opt/tool"}) {
    root_.file(kept);
  }
  root_.link("bin", "usr/bin");
  root_.link("lib64", "usr/lib64");
  root_.link("vmlinuz", "boot/x");
  ASSERT_EQ(::mkfifo(root_.at("usr/share/fifo").c_str(), 0600), 0);
  trim();
  for (const char* gone :
       {"var", "dev", "tmp", "boot", "vmlinuz", "etc/passwd", "usr/share/doc", "usr/include",
        "usr/lib/x86_64-linux-gnu/libz.a", "usr/share/fifo", "usr/bin/x86_64-linux-gnu-gcc-12"}) {
    EXPECT_FALSE(has(gone)) << gone;
  }
  for (const char* kept :
       {"usr/bin/env", "etc/fonts/fonts.conf", "usr/lib/x86_64-linux-gnu/libz.so",
        "usr/share/zoneinfo/UTC", "opt/tool", "bin", "lib64"}) {
    EXPECT_TRUE(has(kept)) << kept;
  }
}

TEST_F(ImageUnpack, DeadLinksToWhatWentGoAsWell) {
  root_.file("usr/bin/x86_64-linux-gnu-g++-12");
  root_.link("usr/bin/g++-12", "x86_64-linux-gnu-g++-12");
  root_.link("usr/bin/g++", "g++-12");
  root_.file("usr/bin/python3.11");
  root_.link("usr/bin/python3", "python3.11");
  root_.link("usr/bin/absolute", "/usr/bin/python3.11");
  trim();
  EXPECT_FALSE(has("usr/bin/g++"));
  EXPECT_FALSE(has("usr/bin/g++-12"));
  EXPECT_TRUE(has("usr/bin/python3"));
  EXPECT_TRUE(has("usr/bin/absolute")) << "it is read as a guest reads it";
}

TEST_F(ImageUnpack, TheFastestLibraryIsLinked) {
  const std::string lib = "usr/lib/x86_64-linux-gnu/";
  root_.file(lib + "blas/libblas.so.3");
  root_.file(lib + "blas/libblas.so.3.11.0");
  root_.file(lib + "lapack/liblapack.so.3");
  root_.file(lib + "openblas-pthread/libblas.so.3");
  root_.file(lib + "openblas-pthread/libopenblas.so.0");
  trim();
  EXPECT_EQ(target_of(lib + "libblas.so.3"), "openblas-pthread/libblas.so.3");
  EXPECT_EQ(target_of(lib + "libopenblas.so.0"), "openblas-pthread/libopenblas.so.0");
  EXPECT_EQ(target_of(lib + "liblapack.so.3"), "lapack/liblapack.so.3");
  EXPECT_FALSE(has(lib + "libblas.so.3.11.0"));
}

TEST_F(ImageUnpack, TakesWhatAGuestMade) {
  const std::string path = "/usr/lib/python3.11/__pycache__/os.cpython-311.pyc";
  const std::string printed = "python\n6\n3.11.2/etc/ld.so.cache\n1\nX" + path + "\n3\na\nb";
  const std::vector<MadeFile> files = parse_made_files(printed);
  ASSERT_EQ(files.size(), 3U);
  EXPECT_EQ(files[0].second, "3.11.2");
  EXPECT_THAT(files[2], Pair(path, "a\nb"));
  root_.directory("usr/lib/python3.11");
  root_.directory("etc");
  add_made_files(open().get(), {files.begin() + 1, files.end()});
  EXPECT_EQ(fs::file_size(root_.at("etc/ld.so.cache")), 1U);
  EXPECT_EQ(fs::file_size(root_.at(path.substr(1))), 3U);
}

TEST_F(ImageUnpack, RefusesWhatAGuestMayNotMake) {
  const std::string pyc = "/usr/lib/python3/__pycache__/a.pyc";
  for (const std::string& text :
       {pyc + "\n", pyc + "\n2\na", pyc + "\n-1\n", pyc + "\nx\n", pyc + "\n\n",
        pyc + "\n18446744073709551616\n", std::string("/etc/passwd\n0\n"),
        std::string("/usr/lib/python3/../../../etc/__pycache__/a.pyc\n0\n"),
        std::string("/usr/lib/python3/a.pyc\n0\n"),
        std::string("/usr/lib/python3/__pycache__/a\n0\n"),
        std::string("usr/lib/python3/__pycache__/a.pyc\n0\n"),
        std::string("/usr/lib/python3/__pycache__/\x1b.pyc\n0\n"), pyc + "\n0\npython\n1\n3"}) {
    const auto error = error_of([&] { (void)parse_made_files(text); });
    ASSERT_TRUE(error) << text;
    EXPECT_EQ(error->sandbox_code(), errc::image_unusable);
  }
}

TEST_F(ImageUnpack, FollowsNoLinkWhenItAddsFiles) {
  const TemporaryDirectory elsewhere;
  root_.directory("usr/lib/python3");
  root_.link("usr/lib/python3/__pycache__", elsewhere.path());
  const std::vector<MadeFile> files = {{"/usr/lib/python3/__pycache__/a.pyc", "x"}};
  EXPECT_TRUE(error_of([&] { add_made_files(open().get(), files); }));
  EXPECT_FALSE(fs::exists(elsewhere.at("a.pyc")));
}

TEST(AptSources, OfAHostOnlyThoseOfTheSuite) {
  EXPECT_EQ(lines_for_suite("# deb http://a bookworm main\n"
                            "deb http://a bookworm main contrib # all\n"
                            "deb-src http://a bookworm main\n"
                            "deb [signed-by=/k] http://a bookworm-security main\n"
                            "deb http://b trixie main\n"
                            "deb http://c bookworm-backports main\n"
                            "deb http://d bookworm stable\n",
                            "bookworm"),
            "deb http://a bookworm main contrib # all\n"
            "deb [signed-by=/k] http://a bookworm-security main\n");
}

TEST(AptSources, OfStanzasOnlyThoseOfTheSuite) {
  const std::string kept = stanzas_for_suite(
      "# remark\nTypes: deb deb-src\nURIs: http://a\nsuites: bookworm bookworm-backports\n"
      "  bookworm-updates\nComponents: main contrib\nSigned-By:\n -----BEGIN\n .\n x\n\n"
      "Types: deb\nURIs: http://b\nSuites: nodistro\nComponents: main\n\n"
      "Enabled: no\nTypes: deb\nURIs: http://c\nSuites: bookworm\nComponents: main\n",
      "bookworm");
  EXPECT_EQ(kept,
            "Types: deb\nSuites: bookworm bookworm-updates\nComponents: main\nURIs: http://a\n"
            "Signed-By:\n -----BEGIN\n .\n x\n\n");
}

TEST(AptSources, NamedMirrorsAreTakenInstead) {
  const AptSources sources = find_apt_sources(
      "bookworm", {"https://me:secret@a/debian", "deb [trusted=yes] http://b x y"});
  EXPECT_THAT(sources.lines, HasSubstr("https://me:secret@a/debian bookworm main\n"));
  EXPECT_THAT(sources.lines, HasSubstr("deb [trusted=yes] http://b x y\n"));
  EXPECT_EQ(sources.stanzas, "");
  EXPECT_THAT(sources.told, Not(HasSubstr("secret")));
}

TEST(AptSources, CredentialsAreNotShown) {
  EXPECT_EQ(without_credentials("get https://u:p@h/x, http://h2/a@b and ftp://q@w"),
            "get https://***@h/x, http://h2/a@b and ftp://***@w");
  EXPECT_EQ(without_credentials("plain"), "plain");
}

}  // namespace
}  // namespace sandbox::runner::test
