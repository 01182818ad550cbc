// Limits: ranges and defaults.
// SPDX-License-Identifier: MIT
#include "sandbox/limits.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <vector>

#include "sandbox/error.hpp"

namespace sandbox {
namespace {

using namespace literals;
using namespace std::chrono_literals;
using testing::HasSubstr;

TEST(Limits, EdgesOfEveryRangeAreAccepted) {
  EXPECT_NO_THROW(Limits().validate());
  for (const Limits& limits :
       {Limits().memory(16_MiB), Limits().memory(64_GiB), Limits().processes(1),
        Limits().processes(4096), Limits().cpu_time(1ms), Limits().cpu_time(1h),
        Limits().output(1_B), Limits().file_size(1_B), Limits().open_files(16),
        Limits().open_files(1048576)}) {
    EXPECT_NO_THROW(limits.validate());
  }
}

struct BadLimit {
  Limits limits;
  std::string name;
  std::string value;
  std::string range;
};

TEST(Limits, WhatIsOutOfRangeIsNamedWithValueAndRange) {
  const std::vector<BadLimit> cases{
      {Limits().memory(0_B), "memory", "0 B", "at least 16 MiB"},
      {Limits().memory(Bytes((16ULL << 20U) - 1)), "memory", "16777215 B", "at least 16 MiB"},
      {Limits().processes(0), "processes", "0", "1 to 4096"},
      {Limits().processes(4097), "processes", "4097", "1 to 4096"},
      {Limits().cpu_time(0ms), "cpu_time", "0 ms", "at least 1 ms"},
      {Limits().cpu_time(-1s), "cpu_time", "-1000 ms", "at least 1 ms"},
      {Limits().output(0_B), "output", "0 B", "at least 1 B"},
      {Limits().file_size(0_B), "file_size", "0 B", "at least 1 B"},
      {Limits().open_files(15), "open_files", "15", "16 to 1048576"},
      {Limits().open_files(1048577), "open_files", "1048577", "16 to 1048576"},
  };
  for (const BadLimit& row : cases) {
    SCOPED_TRACE(row.name + " " + row.value);
    try {
      row.limits.validate();
      ADD_FAILURE() << "accepted";
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), errc::invalid_argument);
      EXPECT_THAT(error.what(), HasSubstr("limit " + row.name + ": " + row.value + " "));
      EXPECT_THAT(error.what(), HasSubstr(row.range));
    }
  }
}

TEST(Limits, OrElseFillsOnlyWhatIsOpen) {
  const Limits defaults = Limits()
                              .memory(256_MiB)
                              .processes(64)
                              .cpu_time(60s)
                              .output(1_MiB)
                              .file_size(100_MiB)
                              .open_files(1024);
  EXPECT_EQ(Limits().or_else(defaults), defaults);
  EXPECT_EQ(defaults.or_else(Limits()), defaults);
  const Limits asked = Limits().memory(32_MiB).open_files(64).or_else(defaults);
  EXPECT_EQ(asked, Limits(defaults).memory(32_MiB).open_files(64));
  const Limits all =
      Limits().memory(1_GiB).processes(2).cpu_time(2s).output(3_B).file_size(4_B).open_files(50);
  EXPECT_EQ(all.or_else(defaults), all);
  EXPECT_EQ(all.cpu_time(), 2s);
  EXPECT_EQ(all.file_size(), 4_B);
}

}  // namespace
}  // namespace sandbox
