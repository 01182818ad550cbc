// The attempts that are built in: all files, all well formed.
// SPDX-License-Identifier: MIT
#include <gmock/gmock.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <string>

#include "sandbox/error.hpp"
#include "sandbox/runner/selftest.hpp"
#include "selftest/attempt_parse.hpp"

namespace sandbox::runner {
namespace {

namespace fs = std::filesystem;

std::string content_of(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

TEST(Corpus, EveryFileIsWellFormed) {
  std::size_t files = 0;
  for (const auto& entry : fs::directory_iterator(ATTEMPTS_FOLDER)) {
    if (!entry.is_regular_file()) continue;
    ++files;
    try {
      (void)parse_attempt(entry.path().filename().string(), content_of(entry.path()), "");
    } catch (const Error& error) {
      ADD_FAILURE() << error.what();
    }
  }
  EXPECT_GT(files, 0U);
}

TEST(Corpus, HoldsEveryFileAsItStands) {
  std::set<std::string> built_in;
  for (const Attempt& attempt : builtin_attempts()) {
    built_in.insert(attempt.name);
    const fs::path file = fs::path(ATTEMPTS_FOLDER) / (attempt.name + ".py");
    const fs::path prelude = fs::path(ATTEMPTS_FOLDER) / ".." / "prelude.py";
    EXPECT_EQ(attempt.program, content_of(prelude) + "\n" + content_of(file)) << attempt.name;
  }
  for (const auto& entry : fs::directory_iterator(ATTEMPTS_FOLDER)) {
    if (!entry.is_regular_file()) continue;
    EXPECT_TRUE(built_in.contains(entry.path().stem().string())) << entry.path();
  }
}

// Every number of the critical group that is tried at all is tried as critical at least once.
TEST(Corpus, CriticalNumbersAreMarked) {
  std::set<int> tried;
  std::set<int> critical;
  for (const Attempt& attempt : builtin_attempts()) {
    tried.insert(attempt.number);
    if (attempt.critical) critical.insert(attempt.number);
  }
  EXPECT_FALSE(critical.empty());
  for (const auto& [first, last] :
       {std::pair(55, 64), std::pair(80, 83), std::pair(133, 144), std::pair(177, 182)}) {
    for (int number = first; number <= last; ++number) {
      EXPECT_TRUE(!tried.contains(number) || critical.contains(number)) << number;
    }
  }
}

}  // namespace
}  // namespace sandbox::runner
