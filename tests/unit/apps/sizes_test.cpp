// Sizes, durations and counts as people type them.
// SPDX-License-Identifier: MIT
#include "sizes.hpp"

#include <gmock/gmock.h>

#include <string>
#include <utility>
#include <vector>

#include "sandbox/error.hpp"

namespace sandbox::ctl {
namespace {

using namespace std::chrono_literals;
using testing::AllOf;
using testing::HasSubstr;

template <class Parse>
std::string refusal_of(Parse parse, std::string_view text) {
  try {
    (void)parse("--some-option", text);
  } catch (const Error& error) {
    EXPECT_EQ(error.sandbox_code(), errc::invalid_argument) << text;
    return error.what();
  }
  return "accepted";
}

TEST(Sizes, AreWholeNumbersInPowersOf1024) {
  const std::vector<std::pair<std::string, std::uint64_t>> table = {
      {"1", 1},
      {"65536", 65536},
      {"7B", 7},
      {"64K", 65536},
      {"64k", 65536},
      {"64KiB", 65536},
      {"512M", 512ULL << 20U},
      {"512m", 512ULL << 20U},
      {"512MiB", 512ULL << 20U},
      {"1G", 1ULL << 30U},
      {"2GiB", 2ULL << 30U},
      {"1T", 1ULL << 40U},
      {"1024T", 1ULL << 50U},
      {"007", 7},
  };
  for (const auto& [text, bytes] : table) {
    EXPECT_EQ(parse_size("--memory", text).count(), bytes) << text;
  }
}

TEST(Sizes, RefusesWhatMakesNoSense) {
  for (const char* text : {"",
                           "0",
                           "0M",
                           "-1",
                           "-1M",
                           "+1",
                           " 1",
                           "1 M",
                           "12Q",
                           "1.5G",
                           "M",
                           "1KB",
                           "1MB",
                           "0x10",
                           "1e3",
                           "1M1",
                           "1025T",
                           "17179869184G",
                           "99999999999999999999999999",
                           "1\n"}) {
    EXPECT_THAT(refusal_of(parse_size, text),
                AllOf(HasSubstr("--some-option '"), HasSubstr("; give bytes")))
        << text;
  }
}

TEST(Sizes, NamesTheOptionTheValueAndTheReason) {
  EXPECT_THAT(refusal_of(parse_size, "12Q"),
              AllOf(HasSubstr("--some-option '12Q': the unit is not known"), HasSubstr("512M")));
  EXPECT_THAT(refusal_of(parse_size, "-1M"), HasSubstr("'-1M': it must be more than zero"));
  EXPECT_THAT(refusal_of(parse_size, "17179869184G"), HasSubstr("too large"));
  EXPECT_THAT(refusal_of(parse_size, "1\x1b[2J"), HasSubstr("\\x1b"));
}

TEST(Durations, TakeUnitsAndDecimals) {
  const std::vector<std::pair<std::string, std::chrono::milliseconds>> table = {
      {"500ms", 500ms}, {"1ms", 1ms}, {"5s", 5s}, {"5", 5s},     {"1.5s", 1500ms}, {"0.25", 250ms},
      {"0.001s", 1ms},  {"2m", 2min}, {"1h", 1h}, {"1.5m", 90s}, {"720h", 720h},   {"1.75ms", 1ms},
  };
  for (const auto& [text, time] : table) EXPECT_EQ(parse_duration("--timeout", text), time) << text;
}

TEST(Durations, RefusesWhatMakesNoSense) {
  for (const char* text : {"",
                           "0",
                           "0s",
                           "0.0s",
                           "0.5ms",
                           "-5s",
                           "-5",
                           "s",
                           ".5s",
                           "5.",
                           "5.s",
                           "1.2345s",
                           "5sec",
                           "5S",
                           "1d",
                           "721h",
                           "99999999999999999999s",
                           "1.5.5s",
                           "inf",
                           "nan",
                           " 5s"}) {
    EXPECT_THAT(refusal_of(parse_duration, text),
                AllOf(HasSubstr("--some-option '"), HasSubstr("500ms, 5s")))
        << text;
  }
}

TEST(Counts, AreWholeNumbersFromOneOn) {
  EXPECT_EQ(parse_count("--processes", "1"), 1U);
  EXPECT_EQ(parse_count("--processes", "4294967295"), 4294967295U);
  for (const char* text :
       {"", "0", "-1", "1.0", "4294967296", "many", "1K", "99999999999999999999"}) {
    EXPECT_THAT(refusal_of(parse_count, text), HasSubstr("--some-option '")) << text;
  }
}

}  // namespace
}  // namespace sandbox::ctl
