// The request of a run as the backend writes it: what the launcher accepts, with each mode of each
// protection.
// SPDX-License-Identifier: MIT
#include "run_request.hpp"

#include <gmock/gmock.h>
#include <sys/resource.h>

#include <cstring>
#include <vector>

#include "core_support.hpp"
#include "plan_support.hpp"
#include "request_support.hpp"
#include "sandbox/runner/unsafe.hpp"

namespace sandbox::runner::test {
namespace {

using namespace literals;
using namespace std::chrono_literals;
using launcher::Guard;
using launcher::RunRequest;
using launcher::Span;

Limits asked() {
  return Limits().memory(256_MiB).processes(17).file_size(1_MiB).open_files(64).cpu_time(1500ms);
}

BackendOptions without(Protection protection) {
  return BackendOptions().turn_off(unsafe::TurnOff(protection, "a test"));
}

// A message and its parts.
class Written {
 public:
  explicit Written(std::string message)
      : flat(fixed_part<RunRequest>(message)), message_(std::move(message)) {}

  RunRequest flat;

  [[nodiscard]] std::string text(launcher::Text offset) const { return message_.data() + offset; }
  template <class Element>
  [[nodiscard]] std::vector<Element> list(const Span& span) const {
    std::vector<Element> elements(span.count);
    if (span.count == 0) return elements;
    std::memcpy(elements.data(), message_.data() + span.offset, span.count * sizeof(Element));
    return elements;
  }
  [[nodiscard]] bool is_accepted_with(int descriptors) const {
    return is_accepted(message_, descriptors);
  }
  [[nodiscard]] bool wants(Guard guard) const {
    return (flat.header.wanted & launcher::bit(guard)) != 0;
  }

 private:
  std::string message_;
};

Written write(const BackendOptions& options, const Limits& limits = asked(), bool in_cgroup = false,
              bool has_time = false, const std::string& directory = "") {
  CoreForTest core(options);
  const Image image = hand_made_image();
  const std::string work = "/work";
  ExecRequest request({"python3", "-c", "print(1)"});
  if (!directory.empty()) request.working_directory(directory);
  return Written(
      write_run_request(*core, RunFacts{image, work, 5000, has_time, in_cgroup}, request, limits));
}

bool is_same(const std::vector<sock_filter>& one, const std::vector<sock_filter>& other) {
  return one.size() == other.size() &&
         std::memcmp(one.data(), other.data(), one.size() * sizeof(sock_filter)) == 0;
}

TEST(RunRequestWriter, TheLauncherTakesIt) {
  for (const char* profile : {"default", "strict", "loopback"}) {
    const Written got = write(BackendOptions().profile(profile));
    EXPECT_TRUE(got.is_accepted_with(launcher::kRunDescriptors)) << profile;
    EXPECT_EQ(got.flat.header.outside_uid, 5000U);
    EXPECT_EQ(got.flat.handles_network, std::string(profile) == "loopback" ? 0U : 1U) << profile;
    EXPECT_EQ(got.text(got.flat.working_directory), "/work");
    EXPECT_EQ(got.text(got.flat.work_path), "/work");
  }
}

TEST(RunRequestWriter, TheLauncherTakesItWithEachProtectionOffOrInAnotherMode) {
  for (const Protection protection : kAllProtections) {
    SCOPED_TRACE(std::string(to_string(protection)));
    for (const BackendOptions& options :
         {without(protection), BackendOptions().protect(protection, Mode::required),
          BackendOptions().protect(protection, Mode::preferred)}) {
      EXPECT_TRUE(write(options).is_accepted_with(launcher::kRunDescriptors));
    }
  }
}

TEST(RunRequestWriter, AnObservedFilterComesWithItsVerdicts) {
  const FilterProgram program =
      compile_profile("default", builtin_profile("default"), native_arch());
  const Written observed = write(BackendOptions());
  EXPECT_TRUE(is_same(observed.list<sock_filter>(observed.flat.filter), program.observed));
  EXPECT_TRUE(is_same(observed.list<sock_filter>(observed.flat.verdicts), program.instructions));
  const Written alone = write(without(Protection::denied_calls));
  EXPECT_TRUE(is_same(alone.list<sock_filter>(alone.flat.filter), program.instructions));
  EXPECT_EQ(alone.flat.verdicts.count, 0U);
  const Written none = write(without(Protection::seccomp));
  EXPECT_EQ(none.flat.filter.count, 0U);
  EXPECT_EQ(none.flat.verdicts.count, 0U);
  EXPECT_FALSE(none.wants(Guard::denied_calls));
}

TEST(RunRequestWriter, LandlockHasTheRulesOfThePlan) {
  const Written got = write(BackendOptions());
  const auto rules = got.list<launcher::LandlockRule>(got.flat.landlock);
  const auto planned = plan_landlock(hand_made_image(), "/work", TreeRules(256_MiB));
  ASSERT_EQ(rules.size(), planned.size());
  for (std::size_t i = 0; i < rules.size(); ++i) {
    EXPECT_EQ(got.text(rules[i].path), planned[i].path);
    EXPECT_EQ(rules[i].access, planned[i].access);
  }
  EXPECT_EQ(write(without(Protection::landlock)).flat.landlock.count, 0U);
}

TEST(RunRequestWriter, TheTreeFollowsTheModes) {
  const Written got = write(without(Protection::no_exec));
  int executable = 0;
  for (const launcher::TreeOp& op : got.list<launcher::TreeOp>(got.flat.tree)) {
    if (op.kind == launcher::TreeKind::tmpfs) {
      EXPECT_EQ(op.flags, launcher::kTreeAllowExec);
      ++executable;
    }
  }
  EXPECT_EQ(executable, 2);
}

TEST(RunRequestWriter, TheBudgetIsTheLimitsOfTheRun) {
  const Written got = write(BackendOptions());
  EXPECT_EQ(got.flat.budget.memory_bytes, 256U << 20U);
  EXPECT_EQ(got.flat.budget.cpu_us, 1500000U);
  EXPECT_EQ(got.flat.budget.processes, 17U);
  const Limits no_cpu = Limits().memory(16_MiB).processes(1).file_size(1_MiB).open_files(64);
  EXPECT_EQ(write(BackendOptions(), no_cpu).flat.budget.cpu_us, 0U);
}

TEST(RunRequestWriter, WithoutResourceLimitsOnlyTheCoreDumpIsLimited) {
  const Written got = write(without(Protection::resource_limits));
  EXPECT_EQ(got.flat.budget.memory_bytes, 0U);
  EXPECT_EQ(got.flat.budget.cpu_us, 0U);
  EXPECT_EQ(got.flat.budget.processes, 0U);
  const auto limits = got.list<launcher::ResourceLimit>(got.flat.limits);
  ASSERT_EQ(limits.size(), 1U);
  EXPECT_EQ(limits[0].resource, static_cast<std::uint32_t>(RLIMIT_CORE));
}

TEST(RunRequestWriter, DescriptorsThatMayBeMissingAreTold) {
  for (const bool cgroup : {false, true}) {
    for (const bool time : {false, true}) {
      const Written got = write(BackendOptions(), asked(), cgroup, time);
      EXPECT_EQ(got.flat.header.in_cgroup, cgroup ? 1U : 0U);
      EXPECT_EQ(got.flat.has_time_namespace, time ? 1U : 0U);
      const int expected = launcher::kRunDescriptors + (cgroup ? 1 : 0) + (time ? 1 : 0);
      for (int count = 0; count <= launcher::kMaxDescriptors + 1; ++count) {
        EXPECT_EQ(got.is_accepted_with(count), count == expected) << count;
      }
      int data_limits = 0;
      for (const auto& limit : got.list<launcher::ResourceLimit>(got.flat.limits)) {
        data_limits += limit.resource == static_cast<std::uint32_t>(RLIMIT_DATA) ? 1 : 0;
      }
      EXPECT_EQ(data_limits, cgroup ? 0 : 1);
      // The cgroup limits the memory; cpu time and processes are still init's.
      EXPECT_EQ(got.flat.budget.memory_bytes, cgroup ? 0U : 256U << 20U);
      EXPECT_EQ(got.flat.budget.cpu_us, 1500000U);
      EXPECT_EQ(got.flat.budget.processes, 17U);
    }
  }
}

// A backend for which it is required has refused to start without one.
TEST(RunRequestWriter, ACgroupIsRequiredOnlyWhereTheRunIsInOne) {
  const BackendOptions options = BackendOptions().protect(Protection::cgroup, Mode::required);
  const std::uint32_t bit = launcher::bit(Guard::cgroup);
  EXPECT_EQ(write(options, asked(), true).flat.header.required & bit, bit);
  EXPECT_EQ(write(options, asked(), false).flat.header.required & bit, 0U);
}

TEST(RunRequestWriter, AWorkingDirectoryIsOfTheWorkDirectory) {
  const std::pair<const char*, const char*> rows[] = {
      {"sub", "/work/sub"}, {"./a//b", "/work/a/b"}, {"/tmp", "/tmp"}, {"/", "/"}};
  for (const auto& [given, expected] : rows) {
    const Written got = write(BackendOptions(), asked(), false, false, given);
    EXPECT_EQ(got.text(got.flat.working_directory), expected) << given;
    EXPECT_EQ(got.text(got.flat.work_path), "/work");
  }
}

}  // namespace
}  // namespace sandbox::runner::test
