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

// Of a run outside of any cgroup.
std::vector<ResourceLimit> limits_of(const Limits& limits) {
  return make_resource_limits(limits, false);
}

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
  const std::vector<ResourceLimit> got = limits_of(asked());
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
    const auto got = limits_of(asked().processes(processes));
    EXPECT_EQ(find(got, RLIMIT_NPROC)->hard,
              std::min<std::uint64_t>(processes + 1U, hard_now(RLIMIT_NPROC)));
  }
}

struct CpuRow {
  std::chrono::milliseconds asked;
  std::uint64_t seconds;
};

// A backstop: init acts at the time itself, the kernel a second later and kills in one more.
TEST(RunLimits, CpuTimeIsRoundedUpToSecondsAndHasOneSecondMore) {
  EXPECT_EQ(find(limits_of(asked()), RLIMIT_CPU), nullptr) << "none was asked for";
  constexpr auto kLongest = std::chrono::milliseconds::max();
  const CpuRow rows[] = {
      {1ms, 2},    {999ms, 2}, {1000ms, 2},
      {1001ms, 3}, {60s, 61},  {kLongest, static_cast<std::uint64_t>(kLongest.count()) / 1000 + 2}};
  for (const CpuRow& row : rows) {
    SCOPED_TRACE(row.asked.count());
    const auto got = limits_of(asked().cpu_time(row.asked));
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
    const auto got = limits_of(asked().cpu_time(60s));
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

// A limit of each process would be met before that of their sum.
TEST(RunLimits, ACgroupLimitsTheMemoryInsteadOfEachProcess) {
  const std::vector<ResourceLimit> outside = limits_of(asked().cpu_time(60s));
  const std::vector<ResourceLimit> inside = make_resource_limits(asked().cpu_time(60s), true);
  EXPECT_EQ(find(inside, RLIMIT_DATA), nullptr);
  EXPECT_EQ(inside.size() + 1, outside.size());
  for (const ResourceLimit& limit : outside) {
    if (limit.resource == static_cast<std::uint32_t>(RLIMIT_DATA)) continue;
    const ResourceLimit* same = find(inside, static_cast<int>(limit.resource));
    ASSERT_NE(same, nullptr) << limit.resource;
    EXPECT_EQ(same->soft, limit.soft);
    EXPECT_EQ(same->hard, limit.hard);
  }
}

// Without resource limits a run has this one still: it keeps the host's dump handler out.
TEST(RunLimits, TheLimitOfCoreDumpsStaysWhenTheOthersAreOff) {
  const std::vector<ResourceLimit> got = make_core_dump_limit();
  ASSERT_EQ(got.size(), 1U);
  EXPECT_EQ(got[0].resource, static_cast<std::uint32_t>(RLIMIT_CORE));
  EXPECT_EQ(got[0].soft, std::min<std::uint64_t>(1, hard_now(RLIMIT_CORE)));
  EXPECT_EQ(got[0].hard, got[0].soft);
}

TEST(RunLimits, EveryElementHasItsName) {
  const auto got = limits_of(asked().cpu_time(1s));
  const std::set<std::string> expected = {"RLIMIT_DATA",    "RLIMIT_NPROC",    "RLIMIT_NOFILE",
                                          "RLIMIT_FSIZE",   "RLIMIT_CORE",     "RLIMIT_STACK",
                                          "RLIMIT_MEMLOCK", "RLIMIT_MSGQUEUE", "RLIMIT_SIGPENDING",
                                          "RLIMIT_NICE",    "RLIMIT_RTPRIO",   "RLIMIT_CPU"};
  std::set<std::string> names;
  for (std::uint32_t i = 0; i < got.size(); ++i) names.insert(resource_limit_name(got, i));
  EXPECT_EQ(names, expected);
  EXPECT_EQ(got.size(), expected.size());
  EXPECT_EQ(resource_limit_name({{RLIMIT_FSIZE, 0, 1, 1}, {RLIMIT_CORE, 0, 1, 1}}, 1),
            "RLIMIT_CORE");
  EXPECT_EQ(resource_limit_name(got, static_cast<std::uint32_t>(got.size())), "");
  EXPECT_EQ(resource_limit_name(got, ~0U), "");
  EXPECT_EQ(resource_limit_name({{9999, 0, 1, 1}}, 0), "") << "a resource that is none";
}

}  // namespace
}  // namespace sandbox::runner::test
