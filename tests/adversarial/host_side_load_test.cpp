// Much at once: the host's memory, descriptors, processes and uids stay what they were.
// SPDX-License-Identifier: MIT
#include <gmock/gmock.h>
#include <unistd.h>

#include <boost/asio/experimental/awaitable_operators.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <chrono>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "host_side_fixture.hpp"

namespace net = boost::asio;

namespace sandbox::runner::testing {
namespace {

using namespace std::chrono_literals;
using std::chrono::steady_clock;

class HostLoad : public TwoSidedTest {
 protected:
  std::future<ExecResult> begin(const std::shared_ptr<Sandbox>& box, ExecRequest request) {
    return net::co_spawn(io(), box->exec(std::move(request)), net::use_future);
  }
};

// A line "VmRSS:  1234 kB" of /proc/self/status, in bytes.
std::uint64_t own_memory(const std::string& name) {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.rfind(name, 0) == 0) return std::stoull(line.substr(name.size())) << 10U;
  }
  return 0;
}

void forget_the_peak() { std::ofstream("/proc/self/clear_refs") << "5"; }

TEST_F(HostLoad, N124_AFloodOfOutputCostsNoMemoryAndStopsNobodyElse) {
  constexpr std::uint64_t kMiB = 1ULL << 20U;
  const auto noisy = sandbox("noisy");
  const auto quiet = sandbox("quiet");
  EXPECT_EQ(output_of(quiet, "print('up')"), "up\n");
  ExecRequest flood = program(R"py(
os.fork(), os.fork()
while True: os.write(1, b'x' * (1 << 20))
)py");
  flood.limits(Limits().output(Bytes(8 * kMiB))).timeout(20s);
  forget_the_peak();
  const std::uint64_t before = own_memory("VmRSS:");
  std::future<ExecResult> flooding = begin(noisy, flood);
  int answered = 0;
  while (flooding.wait_for(0s) != std::future_status::ready) {
    const auto asked = steady_clock::now();
    EXPECT_EQ(output_of(quiet, "print('here')"), "here\n");
    EXPECT_LT(steady_clock::now() - asked, 5s);
    ++answered;
  }
  const ExecResult result = flooding.get();
  const std::uint64_t peak = own_memory("VmHWM:");
  EXPECT_TRUE(result.status.hit(Limit::output)) << result.status.sentence();
  EXPECT_GT(result.standard_output.total_bytes(), 500 * kMiB) << "it must have been a flood";
  EXPECT_LE(result.standard_output.head().size() + result.standard_output.tail().size(), 8 * kMiB);
  EXPECT_GE(peak, before);
  EXPECT_LT(peak - before, 64 * kMiB);
  EXPECT_GT(answered, 0);
}

class UnreadInput : public HostLoad {
 protected:
  static ExecRequest never_reads() {
    ExecRequest request = python_request("import time; time.sleep(60)");
    request.standard_input(std::string(100'000'000, 'x'));
    return request;
  }
  std::chrono::nanoseconds since_start() const { return steady_clock::now() - start_; }

 private:
  steady_clock::time_point start_ = steady_clock::now();
};

TEST_F(UnreadInput, N127_DoesNotHoldTheTimeoutUp) {
  const auto box = sandbox();
  const ExecResult result = await(box->exec(never_reads().timeout(300ms)));
  EXPECT_TRUE(result.status.hit(Limit::wall_time)) << result.status.sentence();
  EXPECT_LT(since_start(), 15s);
  ExecRequest reads = python_request("import sys; print(len(sys.stdin.buffer.read()))");
  reads.standard_input(never_reads().standard_input());
  EXPECT_EQ(await(box->exec(reads)).standard_output.bytes(), "100000000\n");
}

TEST_F(UnreadInput, N127_DoesNotHoldACancellationUp) {
  using namespace net::experimental::awaitable_operators;
  const auto race = [](std::shared_ptr<Sandbox> box, ExecRequest request) -> net::awaitable<bool> {
    net::steady_timer timer(co_await net::this_coro::executor, 300ms);
    const auto first = co_await (box->exec(request) || timer.async_wait(net::use_awaitable));
    co_return first.index() == 1;
  };
  const auto box = sandbox();
  const HostWorld before = HostWorld::look();
  EXPECT_TRUE(await(race(box, never_reads())));
  EXPECT_LT(since_start(), 15s);
  EXPECT_THAT(HostWorld::left_over(before), ::testing::IsEmpty());
  EXPECT_EQ(output_of(box, "print('next')"), "next\n");
}

// Each uid that a root-launched host has lent is a lock on a file.
int locks_of_this_process() {
  int count = 0;
  std::ifstream locks("/proc/locks");
  for (std::string line; std::getline(locks, line);) {
    std::istringstream words(line);
    std::string number;
    std::string kind;
    std::string mode;
    std::string access;
    int pid = 0;
    words >> number >> kind >> mode >> access >> pid;
    if (kind == "FLOCK" && pid == ::getpid()) ++count;
  }
  return count;
}

TEST_F(HostLoad, N132_AStormOfSandboxesLeavesNothing) {
  constexpr int kRounds = 38;
  constexpr int kAtOnce = 8;
  backend();
  EXPECT_EQ(output_of(sandbox(), "print('up')"), "up\n");
  const HostWorld before = HostWorld::look();
  const int locks = locks_of_this_process();
  SandboxSpec spec("storm");
  spec.work_dir("/work");
  for (int round = 0; round < kRounds; ++round) {
    std::vector<std::future<std::shared_ptr<Sandbox>>> made;
    for (int i = 0; i < kAtOnce; ++i) {
      const SandboxKey key("storm", "t", std::to_string(i));
      made.push_back(net::co_spawn(io(), backend().acquire(key, spec), net::use_future));
    }
    std::set<std::shared_ptr<Sandbox>> given;
    for (auto& one : made) given.insert(one.get());
    EXPECT_EQ(given.size(), static_cast<std::size_t>(kAtOnce));
    if (round == 0 && ::geteuid() == 0) {
      EXPECT_GE(locks_of_this_process(), locks + kAtOnce) << "uids must be locks here";
    }
    given.clear();
    std::vector<std::future<void>> gone;
    for (int i = 0; i < kAtOnce; ++i) {
      SandboxKey key("storm", "t", std::to_string(i));
      gone.push_back(net::co_spawn(io(), backend().dispose(std::move(key)), net::use_future));
    }
    for (auto& one : gone) one.get();
  }
  EXPECT_THAT(HostWorld::left_over(before), ::testing::IsEmpty());
  EXPECT_EQ(locks_of_this_process(), locks);
  EXPECT_EQ(output_of(sandbox(), "print('next')"), "next\n");
}

}  // namespace
}  // namespace sandbox::runner::testing
