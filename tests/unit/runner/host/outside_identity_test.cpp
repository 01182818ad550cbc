// Ids outside: which ones a guest gets, and that none is root's.
// SPDX-License-Identifier: MIT
#include "outside_identity.hpp"

#include <gmock/gmock.h>
#include <unistd.h>

#include <algorithm>
#include <random>

#include "host_support.hpp"

namespace sandbox::runner::test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

using Map = std::vector<IdRange>;

constexpr std::uint32_t kPreferred = 1879048200;
const Map kFull = {{0, 4294967295U}};
const Map kContainer = {{0, 65536}};
const Map kOnlyRoot = {{0, 1}};

struct Row {
  const char* what;
  std::uint32_t euid;
  std::uint32_t egid;
  Map map;
  std::optional<std::uint32_t> wanted;
  OutsideIdentity expected;
};

OutsideIdentity keeps(std::uint32_t uid, std::uint32_t gid) { return {uid, gid, false, false, {}}; }
OutsideIdentity root_alone(std::uint32_t gid) { return {0, gid, false, true, {}}; }
// One for all sandboxes, or a range of them.
OutsideIdentity becomes(std::uint32_t id, UidRange pool = {}) {
  return {id, id, true, false, pool};
}

TEST(OutsideIdentity, EachKindOfHostProcessGetsItsIds) {
  const std::vector<Row> rows = {
      {"ordinary user", 1000, 100, kFull, std::nullopt, keeps(1000, 100)},
      {"ordinary user who names itself", 1000, 100, kFull, 1000, keeps(1000, 100)},
      {"user in a map of its own id", 1000, 1000, {{1000, 1}}, std::nullopt, keeps(1000, 1000)},
      {"user of root's group", 1000, 0, kFull, std::nullopt, keeps(1000, 0)},
      {"root of the machine", 0, 0, kFull, std::nullopt, becomes(kPreferred, {kPreferred, 4096})},
      {"root with another group", 0, 5, kFull, std::nullopt,
       becomes(kPreferred, {kPreferred, 4096})},
      {"root of a container", 0, 0, kContainer, std::nullopt, becomes(59999, {55904, 4096})},
      {"root of a rootless container",
       0,
       0,
       {{0, 1}, {1, 65536}},
       std::nullopt,
       becomes(59999, {55904, 4096})},
      {"ranges in any order",
       0,
       0,
       {{100000, 10}, {0, 1}},
       std::nullopt,
       becomes(100009, {100000, 10})},
      {"one id beside root", 0, 0, {{0, 2}}, std::nullopt, becomes(1, {1, 1})},
      {"root alone", 0, 7, kOnlyRoot, std::nullopt, root_alone(7)},
      {"root and an empty range", 0, 0, {{0, 1}, {5, 0}}, std::nullopt, root_alone(0)},
      {"root who chooses", 0, 0, kFull, 1234, becomes(1234)},
      {"root who chooses the last of a map", 0, 0, kContainer, 65535, becomes(65535)},
  };
  for (const Row& row : rows) {
    SCOPED_TRACE(row.what);
    const OutsideIdentity got = choose_outside_identity(row.euid, row.egid, row.map, row.wanted);
    EXPECT_EQ(got.uid, row.expected.uid);
    EXPECT_EQ(got.gid, row.expected.gid);
    EXPECT_EQ(got.switch_identity, row.expected.switch_identity);
    EXPECT_EQ(got.only_root_exists, row.expected.only_root_exists);
    EXPECT_EQ(got.pool.first, row.expected.pool.first);
    EXPECT_EQ(got.pool.count, row.expected.pool.count);
  }
}

struct PoolRow {
  const char* what;
  Map map;
  UidRange pool;
};

TEST(OutsideIdentity, ThePoolIsWhatOneRangeOfTheMapHas) {
  const std::vector<PoolRow> rows = {
      {"just enough from the preferred one on", {{0, kPreferred + 4096}}, {kPreferred, 4096}},
      {"one fewer", {{0, kPreferred + 4095}}, {kPreferred, 4095}},
      {"the preferred one is the last", {{0, kPreferred + 1}}, {kPreferred, 1}},
      {"the preferred one is missing", {{0, kPreferred}}, {kPreferred - 4096, 4096}},
      {"a range of its own", {{0, 1}, {kPreferred, 10}}, {kPreferred, 10}},
      {"up to the highest id",
       {{0, 1}, {kPreferred + 1, 4294967295U - kPreferred - 1}},
       {4294967295U - 4096, 4096}},
      {"never 0", {{0, 4096}}, {1, 4095}},
      {"one more than never 0", {{0, 4097}}, {1, 4096}},
      {"not over a gap", {{0, 10}, {20, 5}}, {20, 5}},
      {"not over a border of ranges", {{0, 10}, {10, 5}}, {10, 5}},
      {"of the highest range, in any order", {{20, 5}, {0, 10}}, {20, 5}},
      {"beside an empty range", {{0, 2}, {7, 0}}, {1, 1}},
  };
  for (const PoolRow& row : rows) {
    SCOPED_TRACE(row.what);
    const OutsideIdentity got = choose_outside_identity(0, 0, row.map, std::nullopt);
    EXPECT_EQ(got.pool.first, row.pool.first);
    EXPECT_EQ(got.pool.count, row.pool.count);
  }
}

struct Refusal {
  const char* what;
  std::uint32_t euid;
  Map map;
  std::uint32_t wanted;
  const char* hint;
};

TEST(OutsideIdentity, AnIdThatCannotBeIsRefusedWithTheFix) {
  const std::vector<Refusal> rows = {
      {"0 for a user", 1000, kFull, 0, "never runs as root"},
      {"0 for root", 0, kFull, 0, "never runs as root"},
      {"0 where nothing else exists", 0, kOnlyRoot, 0, "never runs as root"},
      {"another user's", 1000, kFull, 1001, "leave the option out"},
      {"just past the map", 0, kContainer, 65536, "/proc/self/uid_map"},
      {"any where only root exists", 0, kOnlyRoot, 1, "/proc/self/uid_map"},
      {"in a gap of the map", 0, {{0, 10}, {20, 10}}, 15, "/proc/self/uid_map"},
      {"below a range", 0, {{0, 1}, {20, 10}}, 19, "/proc/self/uid_map"},
  };
  for (const Refusal& row : rows) {
    SCOPED_TRACE(row.what);
    const auto told =
        told_by([&] { (void)choose_outside_identity(row.euid, 0, row.map, row.wanted); });
    ASSERT_TRUE(told);
    EXPECT_EQ(told->code, errc::config_error);
    EXPECT_THAT(told->what, AllOf(HasSubstr("outside_uid"), HasSubstr(std::to_string(row.wanted)),
                                  HasSubstr(row.hint)));
  }
}

// An unreadable map must not look like a machine that knows no other user.
TEST(OutsideIdentity, RootWithoutAMapIsAnErrorAndNotRootAlone) {
  for (const Map& map : {Map{}, Map{{5, 10}}}) {
    const auto told = told_by([&] { (void)choose_outside_identity(0, 0, map, std::nullopt); });
    ASSERT_TRUE(told);
    EXPECT_EQ(told->code, errc::setup_failed);
    EXPECT_THAT(told->what, HasSubstr("/proc"));
  }
}

TEST(OutsideIdentity, WhateverTheMapRootIsNeverSwitchedTo) {
  std::mt19937 random(20240501);  // NOLINT(cert-msc51-cpp): the same cases each time
  for (int round = 0; round < 2000; ++round) {
    Map map = {{0, 1}};
    bool has_other = false;
    std::uint32_t next = 1;
    for (auto ranges = random() % 4; ranges > 0; --ranges) {
      const IdRange range{next + static_cast<std::uint32_t>(random() % 1000U),
                          static_cast<std::uint32_t>(random() % 3U)};
      next = range.inside + range.count;
      has_other = has_other || range.count > 0;
      map.push_back(range);
    }
    std::shuffle(map.begin(), map.end(), random);
    const OutsideIdentity got = choose_outside_identity(0, 0, map, std::nullopt);
    ASSERT_EQ(got.switch_identity, has_other);
    ASSERT_EQ(got.only_root_exists, !has_other);
    if (!has_other) continue;
    ASSERT_NE(got.uid, 0U);
    ASSERT_NE(got.gid, 0U);
    ASSERT_TRUE(std::any_of(map.begin(), map.end(), [&](const IdRange& range) {
      return got.uid >= range.inside && got.uid - range.inside < range.count;
    }));
    ASSERT_GT(got.pool.first, 0U);
    ASSERT_GT(got.pool.count, 0U);
    for (const std::uint32_t uid : {got.pool.first, got.pool.first + got.pool.count - 1}) {
      ASSERT_TRUE(std::any_of(map.begin(), map.end(), [&](const IdRange& range) {
        return uid >= range.inside && uid - range.inside < range.count;
      }));
    }
    ASSERT_TRUE(got.uid >= got.pool.first && got.uid - got.pool.first < got.pool.count);
  }
}

TEST(OutsideIdentity, ThisProcessHasOne) {
  const OutsideIdentity got = find_outside_identity(std::nullopt);
  if (::geteuid() != 0) {
    EXPECT_EQ(got.uid, ::geteuid());
    EXPECT_EQ(got.gid, ::getegid());
    EXPECT_FALSE(got.switch_identity || got.only_root_exists);
  } else {
    EXPECT_NE(got.switch_identity, got.only_root_exists);
    EXPECT_EQ(got.uid != 0, got.switch_identity);
  }
}

struct MapText {
  const char* text;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> ranges;
};

TEST(OutsideIdentity, MapsAreReadUpToTheFirstPartThatIsNone) {
  const std::vector<MapText> rows = {
      {"", {}},
      {"\n", {}},
      {"         0          0 4294967295\n", {{0, 4294967295U}}},
      {"0 1000 1\n1 100000 65536\n", {{0, 1}, {1, 65536}}},
      {"5 6 7", {{5, 7}}},
      {"junk", {}},
      {"0 0", {}},
      {"0 1000 1\njunk 2 3\n", {{0, 1}}},
      {"0 1000 1\n1 2 4294967296\n", {{0, 1}}},
      {"0 1000 1\n1 2\n", {{0, 1}}},
  };
  for (const MapText& row : rows) {
    std::vector<std::pair<std::uint32_t, std::uint32_t>> got;
    for (const IdRange& range : parse_id_map(row.text)) got.emplace_back(range.inside, range.count);
    EXPECT_EQ(got, row.ranges) << row.text;
  }
}

}  // namespace
}  // namespace sandbox::runner::test
