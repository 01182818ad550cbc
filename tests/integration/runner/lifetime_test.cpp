// Who ends when: cancellation, disposal, death of the launcher and of the host.
// SPDX-License-Identifier: MIT
#include <gmock/gmock.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/experimental/awaitable_operators.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <future>

#include "runner_fixture.hpp"

namespace net = boost::asio;

namespace sandbox::runner::testing {
namespace {

using namespace std::chrono_literals;

class LifetimeTest : public RunnerTest {
 protected:
  static ExecRequest sleeper() {
    return python_request("import time; print('up', flush=True); time.sleep(60)");
  }

  // A run that has printed something and goes on.
  std::future<ExecResult> start_sleeper(const std::shared_ptr<Sandbox>& box) {
    auto up = std::make_shared<std::promise<void>>();
    auto told = std::make_shared<std::atomic<bool>>(false);
    ExecRequest request = sleeper();
    request.on_output([up, told](OutputChunk) {
      if (!told->exchange(true)) up->set_value();
    });
    auto running = net::co_spawn(io(), box->exec(request), net::use_future);
    up->get_future().wait();
    return running;
  }

  static errc code_of(std::future<ExecResult>& running) {
    try {
      running.get();
    } catch (const Error& error) {
      return error.sandbox_code();
    }
    return errc::internal;
  }
};

// BE-2, BE-4.
TEST_F(LifetimeTest, OneKeyAndKindIsOneSandboxAlsoWhenAskedAtOnce) {
  backend();
  std::vector<std::future<std::shared_ptr<Sandbox>>> asked;
  SandboxSpec spec("kind");
  spec.work_dir("/work");
  for (int i = 0; i < 8; ++i) {
    asked.push_back(
        net::co_spawn(io(), backend().acquire(SandboxKey("s", "t", "a"), spec), net::use_future));
  }
  std::set<std::shared_ptr<Sandbox>> given;
  for (auto& future : asked) given.insert(future.get());
  EXPECT_EQ(given.size(), 1U);
  EXPECT_EQ(await(backend().dispose_scope("s", "t")), 1);
}

TEST_F(LifetimeTest, AnotherKeyOrKindIsAnotherSandbox) {
  SandboxSpec one("one");
  one.work_dir("/work");
  SandboxSpec two("two");
  two.work_dir("/work");
  const SandboxKey key("s", "t", "a");
  const auto first = await(backend().acquire(key, one));
  const auto second = await(backend().acquire(key, two));
  const auto third = await(backend().acquire(SandboxKey("s", "t", "b"), one));
  EXPECT_NE(first, second);
  EXPECT_NE(first, third);
  await(first->write_file("secret", "x", "/work"));
  EXPECT_TRUE(await(second->list_dir("", "/work")).empty());
  EXPECT_TRUE(await(third->list_dir("", "/work")).empty());
  EXPECT_EQ(await(backend().dispose_scope("s", "t")), 3);
  EXPECT_EQ(await(backend().dispose_scope("s", "t")), 0);
}

// WK-35.
TEST_F(LifetimeTest, AChangedSpecGetsANewSandbox) {
  SandboxSpec spec("kind");
  spec.work_dir("/work");
  const SandboxKey key("s", "t", "a");
  const auto first = await(backend().acquire(key, spec));
  EXPECT_EQ(await(backend().acquire(key, spec)), first);
  spec.work_dir("/elsewhere");
  const auto second = await(backend().acquire(key, spec));
  EXPECT_NE(second, first);
  EXPECT_EQ(error_of([&] { await(first->exec(ExecRequest({"true"}))); }), errc::sandbox_disposed);
}

TEST_F(LifetimeTest, TwelveRunsAtOnceDoNotMix) {
  const auto box = sandbox();
  std::vector<std::future<ExecResult>> running;
  for (int i = 0; i < 12; ++i) {
    const ExecRequest request = python_request("import sys; print('run', " + std::to_string(i) +
                                               "); sys.exit(" + std::to_string(i) + ")");
    running.push_back(net::co_spawn(io(), box->exec(request), net::use_future));
  }
  for (int i = 0; i < 12; ++i) {
    const ExecResult result = running[static_cast<std::size_t>(i)].get();
    EXPECT_TRUE(result.status.exited_with(i));
    EXPECT_EQ(result.standard_output.bytes(), "run " + std::to_string(i) + "\n");
  }
}

// SB-42: when the loser of a race is told, nothing of it is left.
TEST_F(LifetimeTest, ACancelledRunIsGoneAndTheSandboxGoesOn) {
  using namespace net::experimental::awaitable_operators;
  const auto box = sandbox();
  const HostWorld before = HostWorld::look();
  const auto race = [](std::shared_ptr<Sandbox> raced) -> net::awaitable<std::size_t> {
    net::steady_timer timer(co_await net::this_coro::executor, 500ms);
    ExecRequest request = sleeper();
    const auto first = co_await (raced->exec(request) || timer.async_wait(net::use_awaitable));
    co_return first.index();
  };
  EXPECT_EQ(await(race(box)), 1U);
  EXPECT_THAT(HostWorld::left_over(before), ::testing::IsEmpty());
  EXPECT_EQ(python("print(1)").standard_output.bytes(), "1\n");
}

TEST_F(LifetimeTest, CancellingAtAnyMomentLeavesNothing) {
  using namespace net::experimental::awaitable_operators;
  const auto box = sandbox();
  const HostWorld before = HostWorld::look();
  const auto race = [](std::shared_ptr<Sandbox> raced,
                       std::chrono::microseconds delay) -> net::awaitable<void> {
    net::steady_timer timer(co_await net::this_coro::executor, delay);
    ExecRequest request = sleeper();
    const auto first = co_await (raced->exec(request) || timer.async_wait(net::use_awaitable));
    EXPECT_EQ(first.index(), 1U);
  };
  for (int i = 0; i < 60; ++i) await(race(box, std::chrono::microseconds(i * 150)));
  EXPECT_THAT(HostWorld::left_over(before), ::testing::IsEmpty());
  EXPECT_EQ(python("print(1)").standard_output.bytes(), "1\n");
}

TEST_F(LifetimeTest, DisposingEndsARunningProgram) {
  const auto box = sandbox();
  std::future<ExecResult> running = start_sleeper(box);
  const SandboxKey key("scope", "thread", "agent");
  await(backend().dispose(key));
  EXPECT_EQ(code_of(running), errc::sandbox_disposed);
  EXPECT_EQ(error_of([&] { await(box->write_file("f", "x", "/work")); }), errc::sandbox_disposed);
  EXPECT_EQ(error_of([&] { await(box->exec(ExecRequest({"true"}))); }), errc::sandbox_disposed);
  await(backend().dispose(key));  // nothing to end is success
  EXPECT_NE(sandbox(), box);
}

TEST_F(LifetimeTest, AClosedBackendSaysSo) {
  LinuxBackend& closed = backend();
  const auto box = sandbox();
  await(closed.close());
  await(closed.close());
  const SandboxSpec spec("kind");
  EXPECT_EQ(error_of([&] { await(closed.acquire(SandboxKey("s", "t", "a"), spec)); }),
            errc::backend_closed);
  EXPECT_EQ(error_of([&] { await(box->exec(ExecRequest({"true"}))); }), errc::sandbox_disposed);
}

// The launcher is the one child of this process that is not a run.
TEST_F(LifetimeTest, TheDeathOfTheLauncherIsToldAndTakesTheRunsAlong) {
  const auto box = sandbox();
  // The process that made the sandbox may be on its way out still.
  std::set<int> launcher = descendants_of(::getpid());
  for (int i = 0; i < 100 && launcher.size() > 1; ++i) {
    std::this_thread::sleep_for(10ms);
    launcher = descendants_of(::getpid());
  }
  ASSERT_EQ(launcher.size(), 1U);
  std::future<ExecResult> running = start_sleeper(box);
  ::kill(*launcher.begin(), SIGKILL);
  EXPECT_EQ(code_of(running), errc::launcher_lost);
  EXPECT_EQ(error_of([&] { await(box->exec(ExecRequest({"true"}))); }), errc::launcher_lost);
  close_backend();
  EXPECT_THAT(descendants_of(::getpid()), ::testing::IsEmpty());
}

// The host process is killed in the middle of a run: no process of the run outlives it.
TEST_F(LifetimeTest, TheDeathOfTheHostTakesEverythingAlong) {
  int ready[2];
  ASSERT_EQ(::pipe(ready), 0);
  const pid_t host = ::fork();
  if (host == 0) {
    const auto serve = [&]() -> net::awaitable<void> {
      const auto started = co_await LinuxBackend::start(BackendOptions());
      SandboxSpec spec("kind");
      spec.work_dir("/work");
      SandboxKey key("s", "t", "a");
      const auto box = co_await started->acquire(key, spec);
      ExecRequest request = sleeper();
      request.on_output([&](OutputChunk) { (void)!::write(ready[1], "x", 1); });
      (void)co_await box->exec(request);
    };
    net::io_context context;
    net::co_spawn(context, serve(), [](std::exception_ptr) {});
    context.run();
    ::_exit(0);
  }
  ::close(ready[1]);
  char byte = 0;
  ASSERT_EQ(::read(ready[0], &byte, 1), 1);
  ::close(ready[0]);
  const std::set<int> below = descendants_of(host);
  EXPECT_GE(below.size(), 3U) << "launcher, init and the program";
  ::kill(host, SIGKILL);
  ::waitpid(host, nullptr, 0);
  const auto deadline = std::chrono::steady_clock::now() + 5s;
  std::set<int> alive = below;
  while (!alive.empty() && std::chrono::steady_clock::now() < deadline) {
    std::erase_if(alive, [](int pid) { return ::kill(pid, 0) != 0; });
    std::this_thread::sleep_for(10ms);
  }
  EXPECT_THAT(alive, ::testing::IsEmpty());
}

TEST_F(LifetimeTest, ManyRunsLeakNothing) {
  const auto box = sandbox();
  python("print(1)");
  const HostWorld before = HostWorld::look();
  for (int i = 0; i < 100; ++i) await(box->exec(ExecRequest({"true"})));
  EXPECT_THAT(HostWorld::left_over(before), ::testing::IsEmpty());
}

}  // namespace
}  // namespace sandbox::runner::testing
