// The fake's files: the error matrix of contract 3.9, entry by entry (SB-9 to SB-16, SB-33 to
// SB-39).
// SPDX-License-Identifier: MIT
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "sandbox/error.hpp"
#include "sandbox/testing/fake_file_store.hpp"

namespace sandbox::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr std::uint64_t kMax = 1 << 20U;

// The code that `action` throws; nullopt when it succeeds.
std::optional<errc> error_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.sandbox_code();
  }
  return std::nullopt;
}

class FakeFiles : public ::testing::Test {
 protected:
  FakeFiles() {
    store_.seed_file("/w/plain.txt", "plain");
    store_.seed_file("/w/dir/inside.txt", "inside");
    store_.seed_directory("/w/empty");
    store_.seed_link("/w/link");
    store_.seed_file("/w/link/secret.txt", "secret");
    store_.seed_other("/w/fifo");
    store_.seed_file("/w-outside/secret.txt", "secret");
    // A working directory with a link above it.
    store_.seed_link("/x/l");
    store_.seed_file("/x/l/w/a.txt", "a");
  }

  [[nodiscard]] std::optional<errc> write(const std::string& path, const std::string& wd = "/w") {
    return error_of([&] { store_.write_file(path, "new", wd); });
  }
  [[nodiscard]] std::optional<errc> stat(const std::string& path, const std::string& wd = "/w") {
    return error_of([&] { static_cast<void>(store_.stat_file(path, wd)); });
  }
  [[nodiscard]] std::optional<errc> read(const std::string& path, const std::string& wd = "/w") {
    return error_of([&] { static_cast<void>(store_.read_file(path, wd, kMax)); });
  }
  [[nodiscard]] std::optional<errc> list(const std::string& path, const std::string& wd = "/w") {
    return error_of([&] { static_cast<void>(store_.list_dir(path, wd)); });
  }
  [[nodiscard]] std::optional<errc> remove(const std::string& path, const std::string& wd = "/w",
                                           RemoveMode mode = RemoveMode::single) {
    return error_of([&] { store_.remove(path, wd, mode); });
  }

  // Every method refuses with the same code, and nothing changes (SB-14).
  void expect_all_refuse(const std::string& path, const std::string& wd, errc code) {
    SCOPED_TRACE("'" + path + "' in '" + wd + "'");
    const std::vector<std::string> before = store_.paths();
    EXPECT_EQ(write(path, wd), code);
    EXPECT_EQ(stat(path, wd), code);
    EXPECT_EQ(read(path, wd), code);
    EXPECT_EQ(list(path, wd), code);
    EXPECT_EQ(remove(path, wd, RemoveMode::single), code);
    EXPECT_EQ(remove(path, wd, RemoveMode::recursive), code);
    EXPECT_EQ(store_.paths(), before);
  }

  FakeFileStore store_;
};

// SB-2, SB-3, SB-7, PIN-14
TEST_F(FakeFiles, PathsThatAreNotConfinedAreRefusedByEveryMethod) {
  for (const char* const path :
       {"sub\\file.txt", "../w-outside/secret.txt", "/w-outside/secret.txt", "//w/plain.txt",
        "dir/../../w-outside/secret.txt", "\xFF", "/", ".."}) {
    expect_all_refuse(path, "/w", errc::path_not_confined);
  }
  expect_all_refuse(std::string("plain.txt\0x", 11), "/w", errc::path_not_confined);
  expect_all_refuse("plain.txt", "w", errc::path_not_confined);
}

// SB-10, SB-12, PIN-10
TEST_F(FakeFiles, ALinkAsAParentIsAnEscape) {
  expect_all_refuse("link/secret.txt", "/w", errc::path_not_confined);
  expect_all_refuse("link/no/such/thing", "/w", errc::path_not_confined);
  expect_all_refuse("/w/link/secret.txt", "/w", errc::path_not_confined);
}

// SB-9, PIN-11
TEST_F(FakeFiles, TheWalkStartsAtTheRootAboveTheWorkingDirectory) {
  expect_all_refuse("a.txt", "/x/l/w", errc::path_not_confined);
  expect_all_refuse("a.txt", "/x/l", errc::path_not_confined);
  expect_all_refuse("secret.txt", "/w/link", errc::path_not_confined);
  EXPECT_EQ(list(".", "/x/l/w"), errc::path_not_confined);
  EXPECT_EQ(list(".", "/w/link"), errc::path_not_confined);
}

// SB-10, PIN-10
TEST_F(FakeFiles, AFileAsAParentIsAnOrdinaryNo) {
  expect_all_refuse("plain.txt/deeper.txt", "/w", errc::not_a_directory);
  expect_all_refuse("fifo/deeper.txt", "/w", errc::not_a_directory);
  expect_all_refuse("a", "/w/plain.txt", errc::not_a_directory);
}

// SB-10, PIN-10
TEST_F(FakeFiles, AMissingParentIsNeitherAndAWriteMakesIt) {
  EXPECT_EQ(store_.stat_file("no/such", "/w"), std::nullopt);
  EXPECT_EQ(read("no/such"), errc::not_found);
  EXPECT_EQ(list("no/such"), errc::not_found);
  EXPECT_EQ(remove("no/such"), std::nullopt);
  EXPECT_EQ(write("no/such/file"), std::nullopt);
  EXPECT_EQ(store_.kind("/w/no"), EntryKind::directory);
  EXPECT_EQ(store_.kind("/w/no/such"), EntryKind::directory);
  EXPECT_EQ(store_.content("/w/no/such/file"), "new");
}

TEST_F(FakeFiles, AMissingLeafIsNoErrorButForReadAndList) {
  EXPECT_EQ(store_.stat_file("missing", "/w"), std::nullopt);
  EXPECT_EQ(read("missing"), errc::not_found);
  EXPECT_EQ(list("missing"), errc::not_found);
  EXPECT_EQ(remove("missing"), std::nullopt);
  EXPECT_EQ(write("missing"), std::nullopt);
}

// PIN-13
TEST_F(FakeFiles, ALinkAtTheEndIsDescribedAndUnlinkedButNeverFollowed) {
  EXPECT_EQ(store_.stat_file("link", "/w"), SandboxEntry("link", EntryKind::symlink, std::nullopt));
  EXPECT_EQ(read("link"), errc::os_error);
  EXPECT_EQ(write("link"), errc::path_not_confined);
  EXPECT_EQ(list("link"), errc::path_not_confined);
  EXPECT_EQ(store_.kind("/w/link"), EntryKind::symlink);
  for (const RemoveMode mode : {RemoveMode::single, RemoveMode::recursive}) {
    store_.seed_link("/w/other-link");
    EXPECT_EQ(remove("other-link", "/w", mode), std::nullopt);
    EXPECT_EQ(store_.kind("/w/other-link"), std::nullopt);
  }
}

TEST_F(FakeFiles, WhatIsNoRegularFileIsNeitherReadNorWritten) {
  EXPECT_EQ(store_.stat_file("fifo", "/w"), SandboxEntry("fifo", EntryKind::other, std::nullopt));
  EXPECT_EQ(read("fifo"), errc::os_error);
  EXPECT_EQ(write("fifo"), errc::os_error);
  EXPECT_EQ(list("fifo"), errc::not_a_directory);
  EXPECT_EQ(store_.kind("/w/fifo"), EntryKind::other);
  EXPECT_EQ(remove("fifo"), std::nullopt);
  EXPECT_EQ(store_.kind("/w/fifo"), std::nullopt);
}

TEST_F(FakeFiles, ADirectoryIsDescribedListedAndRefusedOtherwise) {
  EXPECT_EQ(store_.stat_file("dir", "/w"), SandboxEntry("dir", EntryKind::directory, std::nullopt));
  EXPECT_EQ(read("dir"), errc::is_a_directory);
  EXPECT_EQ(write("dir"), errc::is_a_directory);
  EXPECT_EQ(list("plain.txt"), errc::not_a_directory);
}

// SB-5
TEST_F(FakeFiles, TheWorkingDirectoryItselfIsStatedAndListedOnly) {
  for (const char* const spelling : {".", "", "/w", "dir/.."}) {
    SCOPED_TRACE(spelling);
    const auto entry = store_.stat_file(spelling, "/w");
    ASSERT_TRUE(entry);
    EXPECT_EQ(entry->kind(), EntryKind::directory);
    EXPECT_EQ(entry->path(), "");
    EXPECT_EQ(read(spelling), errc::is_a_directory);
    EXPECT_EQ(list(spelling), std::nullopt);
    EXPECT_EQ(write(spelling), errc::path_not_confined);
    EXPECT_EQ(remove(spelling), errc::path_not_confined);
    EXPECT_EQ(remove(spelling, "/w", RemoveMode::recursive), errc::path_not_confined);
  }
  EXPECT_EQ(store_.content("/w/plain.txt"), "plain") << "PIN-15: the files survive";
}

TEST_F(FakeFiles, TheRootIsAWorkingDirectoryToo) {
  EXPECT_EQ(store_.stat_file(".", "/")->kind(), EntryKind::directory);
  EXPECT_EQ(read(".", "/"), errc::is_a_directory);
  EXPECT_EQ(store_.read_file("w/plain.txt", "/", kMax), "plain");
  EXPECT_EQ(store_.list_dir(".", "/").front().path(), "w");
  EXPECT_EQ(write("new.txt", "/"), std::nullopt);
  EXPECT_EQ(store_.content("/new.txt"), "new");
  EXPECT_EQ(remove(".", "/", RemoveMode::recursive), errc::path_not_confined);
}

// SB-16
TEST_F(FakeFiles, AWriteReplacesTheWholeFileAndKeepsItsBytes) {
  const std::string bytes("\0\r\n\xFF", 4);
  store_.write_file("plain.txt", bytes, "/w");
  EXPECT_EQ(store_.read_file("plain.txt", "/w", kMax), bytes);
  EXPECT_EQ(store_.stat_file("plain.txt", "/w")->size_bytes(), 4U);
  EXPECT_EQ(write("plain.txt"), std::nullopt);
  EXPECT_EQ(store_.content("/w/plain.txt"), "new");
}

// SB-34, PIN-16
TEST_F(FakeFiles, MaxBytesIsARefusalNeverACut) {
  EXPECT_EQ(store_.read_file("plain.txt", "/w", 5), "plain");
  EXPECT_EQ(error_of([&] { static_cast<void>(store_.read_file("plain.txt", "/w", 4)); }),
            errc::transfer_cap_exceeded);
  store_.seed_file("/w/nothing", "");
  EXPECT_EQ(store_.read_file("nothing", "/w", 0), "");
}

// SB-35, SB-6, PIN-14
TEST_F(FakeFiles, ReportedPathsStartAtTheWorkingDirectoryHoweverItIsSpelled) {
  for (const char* const wd : {"/w", "/w/", "/w/.", "/w/dir/..", "///w", "//w"}) {
    SCOPED_TRACE(wd);
    EXPECT_EQ(store_.stat_file("dir/inside.txt", wd)->path(), "dir/inside.txt");
    const auto entries = store_.list_dir("dir", wd);
    ASSERT_EQ(entries.size(), 1U);
    EXPECT_EQ(entries.front(), SandboxEntry("dir/inside.txt", EntryKind::file, 6));
  }
}

// SB-36
TEST_F(FakeFiles, AListingHoldsImmediateChildrenSortedBytewise) {
  store_.seed_file("/w/Z", "");
  store_.seed_file("/w/dir/deep/er/leaf", "");
  std::vector<std::string> seen;
  for (const SandboxEntry& entry : store_.list_dir(".", "/w")) {
    seen.push_back(entry.path() + ":" + std::string(to_string(entry.kind())));
  }
  EXPECT_THAT(seen, ElementsAre("Z:file", "dir:directory", "empty:directory", "fifo:other",
                                "link:symlink", "plain.txt:file"));
  EXPECT_THAT(store_.list_dir("empty", "/w"), IsEmpty());
}

// SB-39, PIN-15
TEST_F(FakeFiles, RemovingTwiceSucceedsTwice) {
  EXPECT_EQ(remove("plain.txt"), std::nullopt);
  EXPECT_EQ(remove("plain.txt"), std::nullopt);
  EXPECT_EQ(store_.content("/w/plain.txt"), std::nullopt);
  EXPECT_EQ(store_.content("/w/dir/inside.txt"), "inside");
}

// PIN-15
TEST_F(FakeFiles, ADirectoryEvenAnEmptyOneNeedsRecursive) {
  for (const char* const directory : {"dir", "empty"}) {
    SCOPED_TRACE(directory);
    EXPECT_EQ(remove(directory), errc::os_error);
    EXPECT_EQ(store_.kind(std::string("/w/") + directory), EntryKind::directory);
    EXPECT_EQ(remove(directory, "/w", RemoveMode::recursive), std::nullopt);
    EXPECT_EQ(store_.kind(std::string("/w/") + directory), std::nullopt);
  }
}

// SB-39
TEST_F(FakeFiles, ARecursiveRemovalTakesTheNamedTreeOnly) {
  store_.seed_file("/w/tree/a/b", "");
  store_.seed_link("/w/tree/link");
  store_.seed_file("/w/tree-2/c", "c");
  store_.seed_file("/w/tree.txt", "t");
  EXPECT_EQ(remove("tree", "/w", RemoveMode::recursive), std::nullopt);
  for (const std::string& path : store_.paths()) {
    EXPECT_FALSE(path == "/w/tree" || path.starts_with("/w/tree/")) << path;
  }
  EXPECT_EQ(store_.content("/w/tree-2/c"), "c");
  EXPECT_EQ(store_.content("/w/tree.txt"), "t");
}

TEST_F(FakeFiles, AParentOutlivesItsLastChild) {
  EXPECT_EQ(remove("dir/inside.txt"), std::nullopt);
  EXPECT_EQ(store_.kind("/w/dir"), EntryKind::directory);
  EXPECT_THAT(store_.list_dir("dir", "/w"), IsEmpty());
}

TEST_F(FakeFiles, SeedsNeedAnAbsolutePath) {
  EXPECT_EQ(error_of([&] { store_.seed_file("w/a", ""); }), errc::invalid_argument);
  store_.seed_file("//w/./x//y", "y");
  EXPECT_EQ(store_.content("/w/x/y"), "y");
}

}  // namespace
}  // namespace sandbox::testing
