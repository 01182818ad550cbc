// How messages write sizes, times and names.
// SPDX-License-Identifier: MIT
#include "format.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <utility>
#include <vector>

#include "sandbox/egress.hpp"

namespace sandbox::detail {
namespace {

using namespace literals;
using namespace std::chrono_literals;

TEST(FormatBytes, IsExactInTheLargestUnitThatDivides) {
  EXPECT_EQ(format_bytes(0_B), "0 B");
  EXPECT_EQ(format_bytes(1_B), "1 B");
  EXPECT_EQ(format_bytes(1023_B), "1023 B");
  EXPECT_EQ(format_bytes(1_KiB), "1 KiB");
  EXPECT_EQ(format_bytes(1025_B), "1025 B");
  EXPECT_EQ(format_bytes(1536_KiB), "1536 KiB");
  EXPECT_EQ(format_bytes(256_MiB), "256 MiB");
  EXPECT_EQ(format_bytes(3_GiB), "3 GiB");
  EXPECT_EQ(format_bytes(Bytes(1ULL << 60U)), "1048576 TiB");
  EXPECT_EQ(format_bytes(Bytes(UINT64_MAX)), "18446744073709551615 B");
}

TEST(FormatDuration, IsExactToTheMillisecond) {
  const std::vector<std::pair<std::chrono::milliseconds, std::string>> cases{
      {-5ms, "-5 ms"}, {0ms, "0 ms"},       {1ms, "1 ms"},     {999ms, "999 ms"},
      {1000ms, "1 s"}, {1001ms, "1.001 s"}, {1500ms, "1.5 s"}, {1050ms, "1.05 s"},
      {5s, "5 s"},     {90s, "90 s"},       {60s, "1 min"},    {120s, "2 min"},
      {61s, "61 s"},
  };
  for (const auto& [duration, text] : cases) EXPECT_EQ(format_duration(duration), text);
}

TEST(InQuotes, MakesHostileNamesVisibleAndShort) {
  EXPECT_EQ(in_quotes("codeact"), "\"codeact\"");
  EXPECT_EQ(in_quotes("a\nb\tc\x1B"), "\"a\\nb\\tc\\x1b\"");
  EXPECT_EQ(in_quotes("\xFF"), "\"\xEF\xBF\xBD\"");
  EXPECT_EQ(in_quotes(std::string(120, 'x')), '"' + std::string(120, 'x') + '"');
  EXPECT_EQ(in_quotes(std::string(121, 'x')), '"' + std::string(120, 'x') + "...\"");
}

TEST(JoinSorted, SortsByWordNotByNumber) {
  EXPECT_EQ(join_sorted(EgressSet{Egress::unrestricted, Egress::allowlist, Egress::closed}),
            "allowlist, closed, unrestricted");
  EXPECT_EQ(join_sorted(EgressSet{}), "nothing");
}

}  // namespace
}  // namespace sandbox::detail
