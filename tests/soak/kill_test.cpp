// SIGKILL to the host, the launcher or an init at any moment: no process, mount or cgroup stays,
// and the next start is clean. SANDBOX_SOAK_KILLS says how often (default 40).
// SPDX-License-Identifier: MIT
#include <gmock/gmock.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>
#include <random>
#include <set>
#include <thread>

#include "count.hpp"
#include "host_world.hpp"
#include "sandbox/error.hpp"
#include "sandbox/runner/linux_backend.hpp"

namespace net = boost::asio;

namespace sandbox::runner::testing {
namespace {

using std::chrono::milliseconds;

constexpr const char* kBusyProgram =
    "i=0; while [ $i -lt 5 ]; do (while :; do :; done) & i=$((i+1)); done; echo up; wait";

net::awaitable<void> be_busy() {
  const BackendOptions options;
  for (;;) {
    try {
      const std::shared_ptr<LinuxBackend> backend = co_await LinuxBackend::start(options);
      const SandboxKey key("scope", "thread", "agent");
      SandboxSpec spec("soak");
      spec.work_dir("/work");
      const std::shared_ptr<Sandbox> box = co_await backend->acquire(key, spec);
      std::vector<std::string> argv = {"sh", "-c", kBusyProgram};
      ExecRequest request(std::move(argv));
      co_await box->exec(std::move(request));
    } catch (const std::exception&) {
      // The launcher or an init was killed: a host goes on with another backend.
    }
  }
}

net::awaitable<void> run_once(bool& ran) {
  const BackendOptions options;
  const std::shared_ptr<LinuxBackend> backend = co_await LinuxBackend::start(options);
  const SandboxKey key("scope", "thread", "agent");
  SandboxSpec spec("soak");
  spec.work_dir("/work");
  const std::shared_ptr<Sandbox> box = co_await backend->acquire(key, spec);
  std::vector<std::string> argv(1, "true");
  ExecRequest request(std::move(argv));
  const ExecResult result = co_await box->exec(std::move(request));
  ran = result.status.exited_with(0);
  co_await backend->close();
}

// A host process of its own, as this one has to survive.
pid_t start_host() {
  const pid_t host = ::fork();
  if (host != 0) return host;
  net::io_context io;
  net::co_spawn(io, be_busy(), [](const std::exception_ptr&) {});
  io.run();
  ::_exit(0);
}

bool next_start_is_clean() {
  const pid_t host = ::fork();
  if (host == 0) {
    bool ran = false;
    net::io_context io;
    net::co_spawn(io, run_once(ran), [](const std::exception_ptr&) {});
    io.run();
    ::_exit(ran ? 0 : 1);
  }
  int status = 0;
  ::waitpid(host, &status, 0);
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

// Whatever has been reparented to us and has ended.
void reap_all() {
  while (::waitpid(-1, nullptr, WNOHANG) > 0) {
  }
}

bool all_gone_within(milliseconds time) {
  const auto deadline = std::chrono::steady_clock::now() + time;
  while (std::chrono::steady_clock::now() < deadline) {
    reap_all();
    if (descendants_of(::getpid()).empty()) return true;
    std::this_thread::sleep_for(milliseconds(2));
  }
  return false;
}

class KillTest : public ::testing::Test {
 protected:
  // What a dead parent leaves comes to us, so that nothing can hide.
  void SetUp() override { ASSERT_EQ(::prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0), 0); }
  void TearDown() override { ::prctl(PR_SET_CHILD_SUBREAPER, 0, 0, 0, 0); }
};

TEST_F(KillTest, NothingSurvivesASigkillAtAnyMoment) {
  const int kills = count_from("SANDBOX_SOAK_KILLS", 40);
  std::mt19937 random(20240607);  // the same moments each time, as far as the machine lets them be
  const HostWorld before = HostWorld::look();
  std::map<std::string, int> tally;
  for (int i = 0; i < kills; ++i) {
    const pid_t host = start_host();
    // From before the launcher to well into the run.
    std::this_thread::sleep_for(milliseconds(random() % 180));
    std::set<int> below = descendants_of(host);
    const bool at_host = below.empty() || random() % 3 == 0;
    if (!at_host) {
      auto victim = below.begin();
      std::advance(victim, static_cast<long>(random() % below.size()));
      ::kill(*victim, SIGKILL);
      std::this_thread::sleep_for(milliseconds(random() % 20));
    }
    ++tally[at_host ? "host" : "a process below it, then the host"];
    ::kill(host, SIGKILL);
    ASSERT_TRUE(all_gone_within(milliseconds(4000)))
        << "after kill " << i << ": " << descendants_of(::getpid()).size() << " processes live";
    if (i % 10 == 9) {
      ASSERT_TRUE(next_start_is_clean()) << "after kill " << i;
      reap_all();
    }
  }
  EXPECT_THAT(HostWorld::left_over(before), ::testing::IsEmpty());
  for (const auto& [what, count] : tally) std::cout << count << " times: " << what << '\n';
}

}  // namespace
}  // namespace sandbox::runner::testing
