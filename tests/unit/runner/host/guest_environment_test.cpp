// The environment of a run and where its program is looked for.
// SPDX-License-Identifier: MIT
#include "guest_environment.hpp"

#include <gmock/gmock.h>

#include <cstdlib>

namespace sandbox::runner::test {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

using Variables = std::map<std::string, std::string>;

const char* const kThreadVariables[] = {"OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS",
                                        "MKL_NUM_THREADS", "NUMEXPR_NUM_THREADS",
                                        "VECLIB_MAXIMUM_THREADS"};

GuestEnvironment facts() {
  GuestEnvironment facts;
  facts.path_directories = {"/opt/venv/bin", "/usr/bin", "/bin"};
  facts.processes = 64;
  facts.cpus = 4;
  return facts;
}

// Every variable is named here: one more would be a fact of the host that leaks in.
TEST(GuestEnvironment, TheFixedVariablesAreTheseAndNoOthers) {
  ASSERT_EQ(::setenv("UNIT_RUNNER_SECRET", "host", 1), 0);
  const Variables expected = {
      {"HOME", "/tmp/home"},
      {"LANG", "C.UTF-8"},
      {"MALLOC_ARENA_MAX", "2"},
      {"MKL_NUM_THREADS", "4"},
      {"MPLBACKEND", "Agg"},
      {"NO_COLOR", "1"},
      {"NUMEXPR_NUM_THREADS", "4"},
      {"OMP_NUM_THREADS", "4"},
      {"OPENBLAS_NUM_THREADS", "4"},
      {"PATH", "/opt/venv/bin:/usr/bin:/bin"},
      {"PYTHONDONTWRITEBYTECODE", "1"},
      {"PYTHONNOUSERSITE", "1"},
      {"PYTHONUNBUFFERED", "1"},
      {"PYTHON_COLORS", "0"},
      {"TERM", "dumb"},
      {"TMPDIR", "/tmp"},
      {"VECLIB_MAXIMUM_THREADS", "4"},
  };
  EXPECT_EQ(make_guest_environment(facts(), {}), expected);
  ::unsetenv("UNIT_RUNNER_SECRET");
}

TEST(GuestEnvironment, WhatTheCallerSetsWinsAndTheRestStays) {
  const Variables plain = make_guest_environment(facts(), {});
  Variables expected = plain;
  expected["PATH"] = "/only";
  expected["OMP_NUM_THREADS"] = "1";
  expected["TERM"] = "";
  expected["MINE"] = "a=b";
  const Variables extra = {
      {"PATH", "/only"}, {"OMP_NUM_THREADS", "1"}, {"TERM", ""}, {"MINE", "a=b"}};
  EXPECT_EQ(make_guest_environment(facts(), extra), expected);
}

struct Threads {
  std::uint32_t processes;
  unsigned cpus;
  const char* threads;
};

TEST(GuestEnvironment, ThreadCountsLeaveRoomForTheProgramsOwnProcesses) {
  const Threads rows[] = {
      {64, 1, "1"},    {64, 4, "4"},         {64, 16, "16"}, {64, 17, "16"},
      {64, 128, "16"}, {1, 8, "1"},          {3, 8, "1"},    {4, 8, "1"},
      {7, 8, "1"},     {8, 8, "2"},          {31, 8, "7"},   {32, 8, "8"},
      {4096, 8, "8"},  {4096, 2000, "1024"}, {0, 8, "1"},    {64, 0, "1"},
  };
  for (const Threads& row : rows) {
    GuestEnvironment asked = facts();
    asked.processes = row.processes;
    asked.cpus = row.cpus;
    const Variables got = make_guest_environment(asked, {});
    for (const char* name : kThreadVariables) {
      EXPECT_EQ(got.at(name), row.threads)
          << name << " for " << row.processes << " processes, " << row.cpus << " cpus";
    }
  }
}

TEST(GuestEnvironment, NoDirectoriesGiveAnEmptyPath) {
  GuestEnvironment asked = facts();
  asked.path_directories.clear();
  EXPECT_EQ(make_guest_environment(asked, {}).at("PATH"), "");
}

TEST(GuestEnvironment, StringsAreNameEqualsValue) {
  EXPECT_THAT(to_strings({{"B", "x=y"}, {"A", ""}, {"C", "two\nlines"}}),
              ElementsAre("A=", "B=x=y", "C=two\nlines"));
  EXPECT_THAT(to_strings({}), IsEmpty());
}

struct Search {
  const char* program;
  Variables environment;
  std::vector<std::string> candidates;
};

TEST(ExecCandidates, AreThoseOfAShellWithoutTheCurrentDirectory) {
  const std::vector<Search> rows = {
      {"/bin/true", {{"PATH", "/a:/b"}}, {"/bin/true"}},
      {"./here", {{"PATH", "/a"}}, {"./here"}},
      {"dir/here", {{"PATH", "/a"}}, {"dir/here"}},
      {"p", {{"PATH", "/a"}}, {"/a/p"}},
      {"p", {{"PATH", "/a:/b:/c"}}, {"/a/p", "/b/p", "/c/p"}},
      {"p", {{"PATH", ":/a"}}, {"/a/p"}},
      {"p", {{"PATH", "/a:"}}, {"/a/p"}},
      {"p", {{"PATH", "/a::/b"}}, {"/a/p", "/b/p"}},
      {"p", {{"PATH", ""}}, {"/usr/bin/p"}},
      {"p", {{"PATH", ":::"}}, {"/usr/bin/p"}},
      {"p", {}, {"/usr/bin/p", "/bin/p"}},
      {"p", {{"PATHS", "/a"}}, {"/usr/bin/p", "/bin/p"}},
      {"with space", {{"PATH", "/a b"}}, {"/a b/with space"}},
  };
  for (const Search& row : rows) {
    const auto path = row.environment.find("PATH");
    EXPECT_EQ(exec_candidates(row.program, row.environment), row.candidates)
        << row.program << " in " << (path == row.environment.end() ? "(none)" : path->second);
  }
}

}  // namespace
}  // namespace sandbox::runner::test
