// The host's hand in a work directory, without a guest.
// SPDX-License-Identifier: MIT
#include "work_files.hpp"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <limits>

#include "host_support.hpp"

namespace sandbox::runner::test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

constexpr std::uint64_t kNoCap = std::numeric_limits<std::uint64_t>::max();

class WorkFilesTest : public ::testing::Test {
 protected:
  WorkFilesTest() : files_(open_root(), "/work", std::nullopt) {}

  [[nodiscard]] Fd open_root() const {
    return Fd(::open(directory_.path().c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
  }

  void write(const std::string& path, const std::string& content) const {
    files_.write_file(path, content, "/work");
  }
  [[nodiscard]] std::string read(const std::string& path, std::uint64_t cap = kNoCap) const {
    return files_.read_file(path, "/work", cap);
  }
  [[nodiscard]] std::vector<std::string> names(const std::string& path = "") const {
    std::vector<std::string> names;
    for (const SandboxEntry& entry : files_.list_dir(path, "/work")) names.push_back(entry.path());
    return names;
  }
  // On the host's side of the directory, as a guest would.
  void plant(const std::string& name, const std::string& content) const {
    std::ofstream(directory_.at(name), std::ios::binary) << content;
  }
  void plant_link(const std::string& name, const std::string& target) const {
    ASSERT_EQ(::symlink(target.c_str(), directory_.at(name).c_str()), 0);
  }

  TemporaryDirectory directory_;
  WorkFiles files_;
};

TEST_F(WorkFilesTest, ContentComesBackAsItWasWritten) {
  const std::string all_bytes = [] {
    std::string bytes;
    for (int i = 0; i < 256; ++i) bytes.push_back(static_cast<char>(i));
    return bytes;
  }();
  const std::size_t buffer = std::size_t{64} << 10U;
  for (const std::string& content :
       {std::string(), std::string("x"), std::string("\0", 1), all_bytes,
        std::string(buffer - 1, 'a'), std::string(buffer, 'b'), std::string(buffer + 1, 'c'),
        std::string(3 * buffer + 7, 'd')}) {
    write("f", content);
    EXPECT_EQ(content_of(directory_.at("f")), content) << content.size();
    EXPECT_EQ(read("f"), content) << content.size();
    EXPECT_EQ(read("f", content.size()), content) << content.size();
    EXPECT_EQ(files_.stat_file("f", "/work"), SandboxEntry("f", EntryKind::file, content.size()));
  }
  EXPECT_THAT(names(), ElementsAre("f")) << "no temporary file stays";
}

// SB-34: a refusal, never a cut.
TEST_F(WorkFilesTest, TheCapIsExact) {
  write("f", "12345");
  for (const std::uint64_t cap : {std::uint64_t{5}, std::uint64_t{6}, kNoCap - 1, kNoCap}) {
    EXPECT_EQ(read("f", cap), "12345") << cap;
  }
  for (const std::uint64_t cap : {0U, 1U, 4U}) {
    const auto told = told_by([&] { (void)read("f", cap); });
    ASSERT_TRUE(told) << cap;
    EXPECT_EQ(told->code, errc::transfer_cap_exceeded);
    EXPECT_THAT(told->what, HasSubstr("cap of " + std::to_string(cap) + " bytes"));
  }
  write("empty", "");
  EXPECT_EQ(read("empty", 0), "");
}

// A file of /proc tells size 0 whatever it holds, as one that grows meanwhile would.
TEST(WorkFilesSize, WhatStatTellsIsNotBelieved) {
  const WorkFiles kernel(Fd(::open("/proc", O_PATH | O_DIRECTORY | O_CLOEXEC)), "/work",
                         std::nullopt);
  EXPECT_EQ(kernel.stat_file("version", "/work")->size_bytes(), 0U);
  const std::string version = content_of("/proc/version");
  EXPECT_EQ(kernel.read_file("version", "/work", version.size()), version);
  EXPECT_EQ(error_of([&] { (void)kernel.read_file("version", "/work", version.size() - 1); }),
            errc::transfer_cap_exceeded);
}

TEST_F(WorkFilesTest, ParentsAreMadeAndStay) {
  const std::string deep = [] {
    std::string path;
    for (int i = 0; i < 200; ++i) path += "d" + std::to_string(i) + "/";
    return path;
  }();
  write(deep + "file", "deep");
  EXPECT_EQ(read(deep + "file"), "deep");
  write(deep + "second", "too");
  EXPECT_THAT(names(deep), ElementsAre(deep + "file", deep + "second"));
  EXPECT_EQ(files_.stat_file("d0", "/work")->kind(), EntryKind::directory);
}

TEST_F(WorkFilesTest, ModesAreTheSameWhateverTheUmask) {
  const int result = run_in_child([this] {
    ::umask(0077);
    write("dir/file", "x");
    return 0;
  });
  ASSERT_EQ(result, 0);
  struct stat described {};
  ASSERT_EQ(::stat(directory_.at("dir/file").c_str(), &described), 0);
  EXPECT_EQ(described.st_mode & 07777U, 0644U);
}

TEST_F(WorkFilesTest, NamesWithOddBytesAreNames) {
  const std::vector<std::string> odd = {
      "a b",      " ",         "tab\t",      "new\nline",
      "\x1b[31m", "'q\"",      "-rf",        "*?[x]",
      "%s%n",     "..x",       "...",        ".hidden",
      "$(x)`y`",  "caf\u00e9", "\U0001F600", std::string(255, 'n')};
  for (const std::string& name : odd) {
    write("d/" + name, name);
    EXPECT_EQ(read("d/" + name), name);
    EXPECT_EQ(files_.stat_file("d/" + name, "/work")->path(), "d/" + name);
  }
  std::vector<std::string> expected;
  for (const std::string& name : odd) expected.push_back("d/" + name);
  std::sort(expected.begin(), expected.end());
  EXPECT_EQ(names("d"), expected);
}

// A guest can make names that nobody can ask for; they are listed as they are.
TEST_F(WorkFilesTest, HostileNamesAreListedBytewise) {
  plant("\xff\xfe", "x");
  plant("a\\b", "x");
  plant("Z", "x");
  plant("a", "x");
  EXPECT_THAT(names(), ElementsAre("Z", "a", "a\\b", "\xff\xfe"));
}

struct Refusal {
  std::string path;
  errc code;
};

TEST_F(WorkFilesTest, PathsThatCannotBeAreRefusedByEveryOperation) {
  plant("plain", "x");
  ASSERT_EQ(::mkdir(directory_.at("dir").c_str(), 0755), 0);
  plant_link("link", "plain");
  plant_link("out", "/etc");
  plant_link("up", "..");
  const Refusal rows[] = {
      {"../x", errc::path_not_confined},         {"/etc/passwd", errc::path_not_confined},
      {"/work/../etc", errc::path_not_confined}, {"/workx", errc::path_not_confined},
      {"a\\b", errc::path_not_confined},         {std::string("a\0b", 3), errc::path_not_confined},
      {"\xff", errc::path_not_confined},         {"out/passwd", errc::path_not_confined},
      {"up/x", errc::path_not_confined},         {"link/x", errc::path_not_confined},
      {"plain/x", errc::not_a_directory},        {"plain/x/y", errc::not_a_directory},
      {std::string(256, 'n'), errc::os_error},
  };
  for (const Refusal& row : rows) {
    SCOPED_TRACE(row.path);
    EXPECT_EQ(error_of([&] { write(row.path, "new"); }), row.code);
    EXPECT_EQ(error_of([&] { (void)read(row.path); }), row.code);
    EXPECT_EQ(error_of([&] { (void)files_.stat_file(row.path, "/work"); }), row.code);
    EXPECT_EQ(error_of([&] { (void)names(row.path); }), row.code);
  }
  EXPECT_THAT(names(), ElementsAre("dir", "link", "out", "plain", "up")) << "nothing was made";
  EXPECT_EQ(content_of(directory_.at("plain")), "x");
}

TEST_F(WorkFilesTest, WhatStandsThereDecides) {
  plant("plain", "x");
  ASSERT_EQ(::mkdir(directory_.at("dir").c_str(), 0755), 0);
  ASSERT_EQ(::mkfifo(directory_.at("fifo").c_str(), 0644), 0);
  plant_link("link", "plain");
  plant_link("dangling", "nowhere");

  EXPECT_EQ(error_of([&] { write("dir", "x"); }), errc::is_a_directory);
  EXPECT_EQ(error_of([&] { write("", "x"); }), errc::path_not_confined);
  EXPECT_EQ(error_of([&] { write("dir/..", "x"); }), errc::path_not_confined);
  EXPECT_EQ(error_of([&] { write("fifo", "x"); }), errc::os_error);
  EXPECT_EQ(error_of([&] { write("link", "x"); }), errc::path_not_confined);
  EXPECT_EQ(error_of([&] { write("dangling", "x"); }), errc::path_not_confined);
  EXPECT_EQ(error_of([&] { (void)read("dir"); }), errc::is_a_directory);
  EXPECT_EQ(error_of([&] { (void)read("fifo"); }), errc::os_error);
  EXPECT_EQ(error_of([&] { (void)read("link"); }), errc::os_error);
  EXPECT_EQ(error_of([&] { (void)read("none"); }), errc::not_found);
  EXPECT_EQ(error_of([&] { (void)names("plain"); }), errc::not_a_directory);
  EXPECT_EQ(error_of([&] { (void)names("none"); }), errc::not_found);
  EXPECT_EQ(files_.stat_file("none", "/work"), std::nullopt);
  EXPECT_EQ(files_.stat_file("none/x", "/work"), std::nullopt);
  EXPECT_EQ(files_.stat_file("link", "/work"), SandboxEntry("link", EntryKind::symlink, {}));
  EXPECT_EQ(files_.stat_file("fifo", "/work"), SandboxEntry("fifo", EntryKind::other, {}));
  EXPECT_EQ(content_of(directory_.at("plain")), "x");
  EXPECT_THAT(names("dir"), IsEmpty());
}

TEST_F(WorkFilesTest, MessagesCarryNoControlCharacters) {
  const auto told = told_by([&] { (void)read("a\x1b[2Jb"); });
  ASSERT_TRUE(told);
  EXPECT_EQ(told->code, errc::not_found);
  EXPECT_THAT(told->what, HasSubstr("a\\x1b[2Jb"));
  EXPECT_THAT(told->what, Not(HasSubstr("\x1b")));
}

TEST_F(WorkFilesTest, PathsAreReportedAsTheCallersWorkingDirectorySeesThem) {
  write("sub/dir/f", "1");
  EXPECT_EQ(files_.stat_file("dir/f", "/work/sub")->path(), "dir/f");
  EXPECT_EQ(files_.stat_file("/work/sub/dir/f", "/work/sub")->path(), "dir/f");
  EXPECT_EQ(files_.list_dir("", "/work/sub/dir").front().path(), "f");
  EXPECT_EQ(error_of([&] { (void)files_.read_file("../x", "/work/sub", 1); }),
            errc::path_not_confined);
  EXPECT_EQ(error_of([&] { (void)files_.read_file("x", "/elsewhere", 1); }),
            errc::path_not_confined);
}

// Whoever has the old file open goes on reading the old file.
TEST_F(WorkFilesTest, AFileIsReplacedNotOverwritten) {
  write("f", "old content");
  const Fd old(::open(directory_.at("f").c_str(), O_RDONLY | O_CLOEXEC));
  ASSERT_EQ(::link(directory_.at("f").c_str(), directory_.at("other").c_str()), 0);
  write("f", "new");
  EXPECT_EQ(read("f"), "new");
  EXPECT_EQ(read("other"), "old content");
  char byte = 0;
  ASSERT_EQ(::read(old.get(), &byte, 1), 1);
  EXPECT_EQ(byte, 'o');
}

TEST_F(WorkFilesTest, AWriteThatFailsLeavesTheOldFileAndNothingElse) {
  write("f", "old");
  const int result = run_in_child([this] {
    const rlimit small{1000, 1000};
    if (::signal(SIGXFSZ, SIG_IGN) == SIG_ERR || ::setrlimit(RLIMIT_FSIZE, &small) != 0) return 100;
    const std::string large(5000, 'x');
    int wrong = 0;
    if (error_of([&] { write("f", large); }) != errc::os_error) wrong |= 1;
    if (error_of([&] { write("new", large); }) != errc::os_error) wrong |= 2;
    return wrong;
  });
  EXPECT_EQ(result, 0) << "bits: 1 replacing, 2 a new file";
  EXPECT_EQ(read("f"), "old");
  EXPECT_THAT(names(), ElementsAre("f")) << "a temporary file stays";
}

TEST_F(WorkFilesTest, OneEntryOverTheMostIsTooMany) {
  constexpr int kMost = 100000;
  ASSERT_EQ(::mkdir(directory_.at("many").c_str(), 0755), 0);
  const Fd many(::open(directory_.at("many").c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
  for (int i = 0; i < kMost; ++i) {
    ASSERT_EQ(::mknodat(many.get(), std::to_string(i).c_str(), S_IFREG | 0644, 0), 0);
  }
  EXPECT_EQ(files_.list_dir("many", "/work").size(), static_cast<std::size_t>(kMost));
  ASSERT_EQ(::mknodat(many.get(), "one more", S_IFREG | 0644, 0), 0);
  EXPECT_EQ(error_of([&] { (void)files_.list_dir("many", "/work"); }), errc::too_many);
}

TEST_F(WorkFilesTest, NoDescriptorIsLeftBehind) {
  const auto count = [] {
    const std::filesystem::directory_iterator all("/proc/self/fd");
    return std::distance(begin(all), end(all));
  };
  write("d/f", "x");
  const auto before = count();
  for (int i = 0; i < 3; ++i) {
    write("d/f", "x");
    (void)read("d/f");
    (void)names("d");
    (void)files_.stat_file("d/f", "/work");
    (void)error_of([&] { write("d/f/x", "x"); });
    (void)error_of([&] { (void)names("d/f"); });
    (void)error_of([&] { (void)read("d"); });
    (void)error_of([&] { (void)read("d/f", 0); });
  }
  EXPECT_EQ(count(), before);
}

// WN-3. Only root can act as another user.
TEST_F(WorkFilesTest, AsRootEverythingIsDoneAsTheGuestsUser) {
  if (::geteuid() != 0) GTEST_SKIP() << "needs root: only it has another user to act as";
  constexpr FileOwner kOwner{12345, 12346};
  const WorkFiles files(open_root(), "/work", kOwner);
  ASSERT_EQ(::chmod(directory_.path().c_str(), 0700), 0);
  EXPECT_EQ(error_of([&] { files.write_file("f", "x", "/work"); }), errc::permission_denied);
  ASSERT_EQ(::chown(directory_.path().c_str(), kOwner.uid, kOwner.gid), 0);
  files.write_file("d/f", "x", "/work");
  for (const char* name : {"d", "d/f"}) {
    struct stat described {};
    ASSERT_EQ(::lstat(directory_.at(name).c_str(), &described), 0);
    EXPECT_EQ(described.st_uid, kOwner.uid) << name;
    EXPECT_EQ(described.st_gid, kOwner.gid) << name;
  }
  // And this thread is itself again, also after an error.
  (void)error_of([&] { files.write_file("d", "x", "/work"); });
  plant("mine", "x");
  struct stat mine {};
  ASSERT_EQ(::lstat(directory_.at("mine").c_str(), &mine), 0);
  EXPECT_EQ(mine.st_uid, 0U);
  EXPECT_EQ(mine.st_gid, ::getegid());
}

}  // namespace
}  // namespace sandbox::runner::test
