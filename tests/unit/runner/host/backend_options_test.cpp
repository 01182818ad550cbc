// The options of the Linux backend: defaults and ranges.
// SPDX-License-Identifier: MIT
#include "sandbox/runner/backend_options.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <map>

#include "host_support.hpp"
#include "sandbox/runner/unsafe.hpp"

namespace sandbox::runner::test {
namespace {

using namespace literals;
using namespace std::chrono_literals;
using ::testing::HasSubstr;

TEST(BackendOptions, TheDefaultsAreTheDocumentedOnesAndValid) {
  const BackendOptions options;
  EXPECT_EQ(options.name(), "linux");
  EXPECT_EQ(options.image(), "host");
  EXPECT_EQ(options.profile(), "default");
  EXPECT_EQ(options.work_size(), 256_MiB);
  EXPECT_EQ(options.default_timeout(), 120s);
  EXPECT_EQ(options.default_limits(), Limits());
  EXPECT_TRUE(options.environment().empty());
  EXPECT_EQ(options.outside_uid(), std::nullopt);
  EXPECT_EQ(options.cpus(), std::nullopt);
  EXPECT_EQ(options.cgroup(), std::nullopt);
  EXPECT_FALSE(options.log());
  EXPECT_TRUE(options.turned_off().empty());
  for (const Protection protection : kAllProtections) {
    EXPECT_EQ(options.mode_of(protection), default_mode(protection)) << to_string(protection);
  }
  EXPECT_NO_THROW(options.validate());
}

// All modes of all protections, but for the changed ones as at the start.
void expect_modes(const BackendOptions& options, const std::map<Protection, Mode>& changed) {
  for (const Protection protection : kAllProtections) {
    const auto found = changed.find(protection);
    const Mode expected = found == changed.end() ? default_mode(protection) : found->second;
    EXPECT_EQ(options.mode_of(protection), expected) << to_string(protection);
  }
}

TEST(BackendOptions, AModeIsOfOneProtection) {
  for (const Protection protection : kAllProtections) {
    for (const Mode mode : {Mode::required, Mode::preferred}) {
      const BackendOptions options = BackendOptions().protect(protection, mode);
      expect_modes(options, {{protection, mode}});
      EXPECT_TRUE(options.turned_off().empty());
      EXPECT_NO_THROW(options.validate());
    }
  }
}

TEST(BackendOptions, OffNeedsATokenAndKeepsItsReason) {
  for (const Protection protection : kAllProtections) {
    const auto told = told_by([&] { BackendOptions().protect(protection, Mode::off); });
    ASSERT_TRUE(told) << to_string(protection);
    EXPECT_EQ(told->code, errc::invalid_argument);
    EXPECT_THAT(told->what, HasSubstr(std::string(to_string(protection))));
    EXPECT_THAT(told->what, HasSubstr("turn_off()"));

    const BackendOptions options =
        BackendOptions().turn_off(unsafe::TurnOff(protection, "an old kernel"));
    expect_modes(options, {{protection, Mode::off}});
    EXPECT_EQ(options.turned_off(),
              (std::map<Protection, std::string>{{protection, "an old kernel"}}));
    EXPECT_NO_THROW(options.validate());
  }
}

TEST(BackendOptions, ARefusedModeChangesNothing) {
  BackendOptions options;
  options.protect(Protection::landlock, Mode::required);
  EXPECT_TRUE(told_by([&] { options.protect(Protection::landlock, Mode::off); }));
  expect_modes(options, {{Protection::landlock, Mode::required}});
}

TEST(BackendOptions, TheLastModeHolds) {
  const unsafe::TurnOff first(Protection::seccomp, "first");
  BackendOptions options;
  options.turn_off(first).protect(Protection::seccomp, Mode::preferred);
  expect_modes(options, {{Protection::seccomp, Mode::preferred}});
  EXPECT_TRUE(options.turned_off().empty()) << "it is on again";
  options.turn_off(first).turn_off(unsafe::TurnOff(Protection::seccomp, "second"));
  expect_modes(options, {{Protection::seccomp, Mode::off}});
  EXPECT_EQ(options.turned_off().at(Protection::seccomp), "second");
}

TEST(BackendOptions, SettersKeepWhatTheyAreGiven) {
  const BackendOptions options = BackendOptions()
                                     .name("mine")
                                     .image("dir:/srv/image")
                                     .profile("strict")
                                     .work_size(1_GiB)
                                     .default_limits(Limits().processes(7))
                                     .default_timeout(5s)
                                     .environment({{"A", "b"}})
                                     .outside_uid(4321)
                                     .cpus(1.5)
                                     .cgroup("/sys/fs/cgroup/mine");
  EXPECT_EQ(options.name(), "mine");
  EXPECT_EQ(options.image(), "dir:/srv/image");
  EXPECT_EQ(options.profile(), "strict");
  EXPECT_EQ(options.work_size(), 1_GiB);
  EXPECT_EQ(options.default_limits(), Limits().processes(7));
  EXPECT_EQ(options.default_timeout(), 5s);
  EXPECT_EQ(options.environment().at("A"), "b");
  EXPECT_EQ(options.outside_uid(), 4321U);
  EXPECT_EQ(options.cpus(), 1.5);
  EXPECT_EQ(options.cgroup(), "/sys/fs/cgroup/mine");
  EXPECT_NO_THROW(options.validate());
}

TEST(BackendOptions, EdgesOfEveryRangeAreAccepted) {
  for (const BackendOptions& options :
       {BackendOptions().name("x"), BackendOptions().work_size(1_MiB),
        BackendOptions().work_size(1024_GiB), BackendOptions().default_timeout(1ms),
        BackendOptions().profile("default"), BackendOptions().profile("strict"),
        BackendOptions().profile("loopback"), BackendOptions().environment({{"A", ""}}),
        BackendOptions().cpus(0.01), BackendOptions().cpus(1024), BackendOptions().cgroup("/"),
        BackendOptions().default_limits(Limits().memory(16_MiB))}) {
    EXPECT_NO_THROW(options.validate());
  }
}

struct BadOption {
  BackendOptions options;
  const char* option;
  const char* value;
  const char* range;
};

TEST(BackendOptions, WhatCannotBeIsNamedWithValueAndRange) {
  const std::string nul("a\0b", 3);
  const std::vector<BadOption> rows = {
      {BackendOptions().name(""), "name", "", "empty"},
      {BackendOptions().work_size(0_B), "work_size", "0 bytes", "1 MiB to 1 TiB"},
      {BackendOptions().work_size(Bytes((1ULL << 20U) - 1)), "work_size", "1048575",
       "1 MiB to 1 TiB"},
      {BackendOptions().work_size(Bytes((1ULL << 40U) + 1)), "work_size", "1099511627777",
       "1 MiB to 1 TiB"},
      {BackendOptions().default_timeout(0ms), "default_timeout", "0 ms", "positive"},
      {BackendOptions().default_timeout(-5ms), "default_timeout", "-5 ms", "positive"},
      {BackendOptions().default_limits(Limits().memory(1_B)), "memory", "1 B", "16 MiB"},
      {BackendOptions().default_limits(Limits().processes(0)), "processes", "0", "1 to 4096"},
      {BackendOptions().cpus(0), "cpus", "0.00", "0.01 to 1024"},
      {BackendOptions().cpus(0.009), "cpus", "0.009", "0.01 to 1024"},
      {BackendOptions().cpus(-1), "cpus", "-1", "0.01 to 1024"},
      {BackendOptions().cpus(1024.5), "cpus", "1024.5", "0.01 to 1024"},
      {BackendOptions().cpus(std::nan("")), "cpus", "nan", "0.01 to 1024"},
      {BackendOptions().cgroup(""), "cgroup", "''", "absolute"},
      {BackendOptions().cgroup("mine"), "cgroup", "mine", "absolute"},
      {BackendOptions().profile("none"), "profile", "none", "default"},
      {BackendOptions().profile(""), "profile", "''", "strict"},
      {BackendOptions().profile("Default"), "profile", "Default", "loopback"},
      {BackendOptions().environment({{"", "x"}}), "variable", "", "plain name"},
      {BackendOptions().environment({{"A=B", "x"}}), "variable", "A=B", "plain name"},
      {BackendOptions().environment({{"A", nul}}), "variable", "A", "NUL"},
      {BackendOptions().environment({{nul, "a"}}), "variable", "a", "NUL"},
  };
  for (const BadOption& row : rows) {
    SCOPED_TRACE(std::string(row.option) + " " + row.value);
    const auto told = told_by([&] { row.options.validate(); });
    ASSERT_TRUE(told) << "accepted";
    EXPECT_EQ(told->code, errc::invalid_argument);
    EXPECT_THAT(told->what, HasSubstr(row.option));
    EXPECT_THAT(told->what, HasSubstr(row.value));
    EXPECT_THAT(told->what, HasSubstr(row.range));
  }
}

}  // namespace
}  // namespace sandbox::runner::test
