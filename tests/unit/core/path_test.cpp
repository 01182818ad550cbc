// Path algebra: SB-2 to SB-8, as tables.
// SPDX-License-Identifier: MIT
#include "sandbox/path.hpp"

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <vector>

namespace sandbox {
namespace {

using namespace std::string_literals;

struct NormalizeCase {
  std::string path;
  std::string normalized;
};

// SB-4
TEST(NormalizePath, FollowsPosixNormpath) {
  const std::vector<NormalizeCase> cases{
      {"", "."},
      {".", "."},
      {"./", "."},
      {"./.", "."},
      {"/", "/"},
      {"/.", "/"},
      {"/..", "/"},
      {"/../..", "/"},
      {"/../a", "/a"},
      {"//", "//"},
      {"//a", "//a"},
      {"//..", "//"},
      {"//a/../..", "//"},
      {"///", "/"},
      {"///a", "/a"},
      {"////a//b", "/a/b"},
      {"a", "a"},
      {"a/", "a"},
      {"a//", "a"},
      {"a/b/", "a/b"},
      {"a//b", "a/b"},
      {"a/./b", "a/b"},
      {"a/b/.", "a/b"},
      {"a/../b", "b"},
      {"a/..", "."},
      {"a/../..", ".."},
      {"a/../../b", "../b"},
      {"..", ".."},
      {"../", ".."},
      {"../..", "../.."},
      {"../a/..", ".."},
      {"/a/b/../../c", "/c"},
      {"/a/b/..", "/a"},
      {"...", "..."},
      {"..a/b", "..a/b"},
      {"/a/.../b", "/a/.../b"},
      {"a\\..\\b", "a\\..\\b"},
      {" ", " "},
      {"/a/ /b", "/a/ /b"},
  };
  for (const NormalizeCase& row : cases) {
    SCOPED_TRACE(row.path);
    EXPECT_EQ(normalize_path(row.path), row.normalized);
    EXPECT_EQ(normalize_path(row.normalized), row.normalized) << "normalising twice changes it";
  }
}

struct ConfineCase {
  std::string path;
  std::string working_directory;
  std::optional<std::string> resolved;  // nullopt: refused
};

void expect_confined(const std::vector<ConfineCase>& cases) {
  for (const ConfineCase& row : cases) {
    SCOPED_TRACE("'" + row.path + "' in '" + row.working_directory + "'");
    const Result<std::string> resolved = confine(row.path, row.working_directory);
    ASSERT_EQ(resolved.has_value(), row.resolved.has_value());
    if (row.resolved) {
      EXPECT_EQ(*resolved, *row.resolved);
    } else {
      EXPECT_EQ(resolved.error(), errc::path_not_confined);
    }
  }
}

// SB-3, SB-5, PIN-14
TEST(Confine, AcceptsWhatStaysInside) {
  expect_confined({
      {"a", "/w", "/w/a"},
      {"a/b", "/w", "/w/a/b"},
      {"./a", "/w", "/w/a"},
      {"sub/../a", "/w", "/w/a"},
      {"../w/a", "/w", "/w/a"},
      {"/w/a", "/w", "/w/a"},
      {"/w/x/../a", "/w", "/w/a"},
      {"..a", "/w", "/w/..a"},
      {"...", "/w", "/w/..."},
      {"-rf", "/w", "/w/-rf"},
      {"a b\nc", "/w", "/w/a b\nc"},
      {"na\xC3\xAFve", "/w", "/w/na\xC3\xAFve"},
  });
}

// SB-5
TEST(Confine, TheWorkingDirectoryItselfIsLegal) {
  expect_confined({{".", "/w", "/w"},
                   {"", "/w", "/w"},
                   {"/w", "/w", "/w"},
                   {"/w/", "/w", "/w"},
                   {"sub/..", "/w", "/w"},
                   {"../w", "/w", "/w"},
                   {".", "/", "/"},
                   {"..", "/", "/"}});
}

// SB-3, PIN-14
TEST(Confine, RefusesWhatLeavesTheWorkingDirectory) {
  expect_confined({{"..", "/w", std::nullopt},
                   {"../a", "/w", std::nullopt},
                   {"a/../../b", "/w", std::nullopt},
                   {"/", "/w", std::nullopt},
                   {"/etc/passwd", "/w", std::nullopt},
                   {"/w/../etc", "/w", std::nullopt},
                   {"/w/sub2", "/w/sub", std::nullopt},
                   {"../sub2", "/w/sub", std::nullopt},
                   {"../sub2/a", "/w/sub", std::nullopt},
                   {"/w/su", "/w/sub", std::nullopt},
                   {"//w/a", "/w", std::nullopt},
                   {"//w", "/w", std::nullopt},
                   {"//a", "/", std::nullopt},
                   {"/w/a", "//w", std::nullopt}});
}

// SB-6, PIN-14
TEST(Confine, ReadsAnySpellingOfTheWorkingDirectory) {
  expect_confined({{"a", "/w/", "/w/a"},
                   {"a", "/w/.", "/w/a"},
                   {"a", "/w/x/..", "/w/a"},
                   {"a", "//w", "//w/a"},
                   {"a", "///w", "/w/a"},
                   {"/w/a", "/w/.", "/w/a"}});
}

// PIN-14
TEST(Confine, WorksFromTheRoot) {
  expect_confined({{"a", "/", "/a"},
                   {"/a", "/", "/a"},
                   {"/a/../b", "/", "/b"},
                   {"../a", "/", "/a"},
                   {"a", "//", "//a"}});
}

// SB-2
TEST(Confine, RefusesABackslashAnywhere) {
  expect_confined({{"a\\b", "/w", std::nullopt},
                   {"\\", "/w", std::nullopt},
                   {"a\\", "/w", std::nullopt},
                   {"/w/a\\..\\b", "/w", std::nullopt},
                   {"x\\..", "/w", std::nullopt}});
}

// SB-7
TEST(Confine, RefusesNulAndTextThatIsNotUtf8) {
  expect_confined({{"a\0b"s, "/w", std::nullopt},
                   {"\0"s, "/w", std::nullopt},
                   {"a", "/w\0/x"s, std::nullopt},
                   {"\xFF", "/w", std::nullopt},
                   {"a/\xC3", "/w", std::nullopt},
                   {"\xED\xA0\x80", "/w", std::nullopt},
                   {"\xC0\xAF", "/w", std::nullopt},
                   {"a", "/\xFF", std::nullopt}});
}

TEST(Confine, RefusesAWorkingDirectoryThatIsNotAbsolute) {
  expect_confined({{"a", "", std::nullopt},
                   {"a", "w", std::nullopt},
                   {"a", ".", std::nullopt},
                   {"a", "D:\\agent\\work", std::nullopt},
                   {"/w/a", "w", std::nullopt}});
}

struct RelativeCase {
  std::string path;
  std::string base;
  std::optional<std::string> rest;
};

// SB-8, PIN-14
TEST(RelativeTo, GivesTheRemainderOfADescendant) {
  const std::vector<RelativeCase> cases{
      {"/w", "/w", ""},
      {"/w/", "/w", ""},
      {"/w", "/w/.", ""},
      {"/w/a", "/w", "a"},
      {"/w/a/b", "/w/", "a/b"},
      {"/w/a/", "/w/.", "a"},
      {"/w/x/../a", "/w", "a"},
      {"/a", "/", "a"},
      {"/", "/", ""},
      {"/w/sub2", "/w/sub", std::nullopt},
      {"/w", "/w/a", std::nullopt},
      {"/", "/w", std::nullopt},
      {"//w/a", "/w", std::nullopt},
      {"//a", "/", std::nullopt},
      {"//w/a", "//w", "a"},
      {"a/b", "a", "b"},
      {"a", "/a", std::nullopt},
      {"/a", "a", std::nullopt},
      {"a", ".", "a"},
      {".", ".", ""},
      {"../a", ".", std::nullopt},
      {"..", ".", std::nullopt},
      {"..a", ".", "..a"},
      {"/a", ".", std::nullopt},
  };
  for (const RelativeCase& row : cases) {
    SCOPED_TRACE("'" + row.path + "' below '" + row.base + "'");
    EXPECT_EQ(relative_to(row.path, row.base), row.rest);
  }
}

// SB-9, PIN-11
TEST(ParentsFromRoot, StartsBelowTheRootAndEndsAtTheParent) {
  using Paths = std::vector<std::string>;
  EXPECT_EQ(parents_from_root("/a/b/c/d"), (Paths{"/a", "/a/b", "/a/b/c"}));
  EXPECT_EQ(parents_from_root("/a/b/c"), (Paths{"/a", "/a/b"}));
  EXPECT_EQ(parents_from_root("/a"), Paths{});
  EXPECT_EQ(parents_from_root("/"), Paths{});
  EXPECT_EQ(parents_from_root("/a//b/../c/d/"), (Paths{"/a", "/a/c"}));
  EXPECT_EQ(parents_from_root("//a/b"), Paths{"/a"});
}

}  // namespace
}  // namespace sandbox
