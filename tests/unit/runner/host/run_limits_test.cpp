// Limits of a run as resource limits.
// SPDX-License-Identifier: MIT
#include "run_limits.hpp"

#include <gmock/gmock.h>
#include <sys/resource.h>

#include <algorithm>
#include <limits>
#include <set>

#include "host_support.hpp"

namespace sandbox::runner::test {
namespace {

using namespace literals;
using namespace std::chrono_literals;
using launcher::ResourceLimit;

Limits asked() { return Limits().memory(256_MiB).processes(64).file_size(100_MiB).open_files(256); }

const ResourceLimit* find(const std::vector<ResourceLimit>& limits, int resource) {
  const auto found = std::find_if(limits.begin(), limits.end(), [&](const ResourceLimit& limit) {
    return limit.resource == static_cast<std::uint32_t>(resource);
  });
  return found == limits.end() ? nullptr : &*found;
}

std::uint64_t hard_now(__rlimit_resource resource) {
  rlimit now{};
  EXPECT_EQ(::getrlimit(resource, &now), 0);
  return now.rlim_max;
}

struct Row {
  __rlimit_resource resource;
  std::uint64_t value;
};

TEST(RunLimits, EveryLimitHasItsValue) {
  const Row rows[] = {
      {RLIMIT_DATA, 256ULL << 20U},
      {RLIMIT_NPROC, 65},
      {RLIMIT_NOFILE, 256},
      {RLIMIT_FSIZE, 100ULL << 20U},
      {RLIMIT_CORE, 1},
      {RLIMIT_STACK, 8ULL << 20U},
      {RLIMIT_MEMLOCK, 64ULL << 10U},
      {RLIMIT_MSGQUEUE, 0},
      {RLIMIT_SIGPENDING, 256},
      {RLIMIT_NICE, 0},
      {RLIMIT_RTPRIO, 0},
  };
  const std::vector<ResourceLimit> got = make_resource_limits(asked());
  EXPECT_EQ(got.size(), std::size(rows));
  for (const Row& row : rows) {
    SCOPED_TRACE(row.resource);
    const ResourceLimit* limit = find(got, row.resource);
    ASSERT_NE(limit, nullptr);
    // Where this test itself runs below the value, that is what a child can have.
    const std::uint64_t expected = std::min(row.value, hard_now(row.resource));
    EXPECT_EQ(limit->soft, expected);
    EXPECT_EQ(limit->hard, expected) << "the program could raise it again";
  }
}

// init is a process of the run, but none of the program's.
TEST(RunLimits, TheProgramGetsAsManyProcessesAsItWasPromised) {
  for (const std::uint32_t processes : {1U, 2U, 64U, 4096U}) {
    const auto got = make_resource_limits(asked().processes(processes));
    EXPECT_EQ(find(got, RLIMIT_NPROC)->hard,
              std::min<std::uint64_t>(processes + 1U, hard_now(RLIMIT_NPROC)));
  }
}

struct CpuRow {
  std::chrono::milliseconds asked;
  std::uint64_t seconds;
};

TEST(RunLimits, CpuTimeIsRoundedUpToSecondsWithOneMoreUntilTheKill) {
  EXPECT_EQ(find(make_resource_limits(asked()), RLIMIT_CPU), nullptr) << "none was asked for";
  constexpr auto kLongest = std::chrono::milliseconds::max();
  const CpuRow rows[] = {
      {1ms, 1},    {999ms, 1}, {1000ms, 1},
      {1001ms, 2}, {60s, 60},  {kLongest, static_cast<std::uint64_t>(kLongest.count()) / 1000 + 1}};
  for (const CpuRow& row : rows) {
    SCOPED_TRACE(row.asked.count());
    const auto got = make_resource_limits(asked().cpu_time(row.asked));
    const ResourceLimit* limit = find(got, RLIMIT_CPU);
    ASSERT_NE(limit, nullptr);
    EXPECT_EQ(limit->soft, row.seconds);
    EXPECT_EQ(limit->hard, row.seconds + 1);
  }
}

// What the launcher would have to raise would fail the run.
TEST(RunLimits, AHardLimitThatIsLowerAlreadyStays) {
  const int result = run_in_child([] {
    const rlimit files{32, 64};
    const rlimit cpu{5, 5};
    const rlimit core{0, 0};
    if (::setrlimit(RLIMIT_NOFILE, &files) != 0 || ::setrlimit(RLIMIT_CORE, &core) != 0 ||
        ::setrlimit(RLIMIT_CPU, &cpu) != 0) {
      return 100;
    }
    const auto got = make_resource_limits(asked().cpu_time(60s));
    int wrong = 0;
    const auto check = [&](int resource, std::uint64_t value, int bit) {
      const ResourceLimit* limit = find(got, resource);
      if (limit == nullptr || limit->soft != value || limit->hard != value) wrong |= bit;
    };
    check(RLIMIT_NOFILE, 64, 1);
    check(RLIMIT_CPU, 5, 2);
    check(RLIMIT_CORE, 0, 4);
    // And all of them can be set, in this order, by a process that may only lower.
    for (const ResourceLimit& limit : got) {
      const rlimit set{limit.soft, limit.hard};
      if (limit.resource == RLIMIT_DATA || limit.resource == RLIMIT_NPROC) continue;
      if (::setrlimit(static_cast<__rlimit_resource>(limit.resource), &set) != 0) wrong |= 8;
    }
    return wrong;
  });
  EXPECT_EQ(result, 0) << "bits: 1 open files, 2 cpu, 4 core, 8 setting them";
}

TEST(RunLimits, EveryElementHasItsName) {
  const auto got = make_resource_limits(asked().cpu_time(1s));
  const char* expected[] = {"RLIMIT_DATA",    "RLIMIT_NPROC",    "RLIMIT_NOFILE",
                            "RLIMIT_FSIZE",   "RLIMIT_CORE",     "RLIMIT_STACK",
                            "RLIMIT_MEMLOCK", "RLIMIT_MSGQUEUE", "RLIMIT_SIGPENDING",
                            "RLIMIT_NICE",    "RLIMIT_RTPRIO",   "RLIMIT_CPU"};
  ASSERT_EQ(got.size(), std::size(expected));
  for (std::uint32_t i = 0; i < got.size(); ++i) {
    EXPECT_EQ(resource_limit_name(got, i), expected[i]);
  }
  EXPECT_EQ(resource_limit_name(got, static_cast<std::uint32_t>(got.size())), "");
  EXPECT_EQ(resource_limit_name(got, ~0U), "");
  EXPECT_EQ(resource_limit_name({{9999, 0, 1, 1}}, 0), "") << "a resource that is none";
}

}  // namespace
}  // namespace sandbox::runner::test
