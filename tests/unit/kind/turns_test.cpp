// Turns: order, cancellation, executors that go away.
// SPDX-License-Identifier: MIT
#include "turns.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/thread_pool.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <optional>
#include <string>
#include <vector>

#include "sandbox/error.hpp"

namespace sandbox::codeact {
namespace {

namespace net = boost::asio;
using ::testing::ElementsAre;

const SandboxKey kKey("scope", "thread", "agent");

class TurnsTest : public ::testing::Test {
 protected:
  // Takes a turn, says so, and gives it back when `go_on` says so.
  net::awaitable<void> visit(SandboxKey key, std::string name, bool& go_on) {
    const std::unique_ptr<Turns::Turn> turn = co_await turns_->take(std::move(key));
    seen_.push_back(name);
    const net::any_io_executor executor = co_await net::this_coro::executor;
    while (!go_on) co_await net::post(executor, net::use_awaitable);
  }
  void start(net::io_context& io, const SandboxKey& key, const std::string& name, bool& go_on) {
    net::co_spawn(io, visit(key, name, go_on),
                  [](const std::exception_ptr& error) { EXPECT_EQ(error, nullptr); });
  }
  static void settle(net::io_context& io) {
    for (int i = 0; i < 50; ++i) io.poll_one();
  }

  std::shared_ptr<Turns> turns_ = std::make_shared<Turns>();
  std::vector<std::string> seen_;
  bool yes_ = true;
};

TEST_F(TurnsTest, ComeInTheOrderOfAsking) {
  net::io_context io;
  bool first_may_end = false;
  start(io, kKey, "1", first_may_end);
  start(io, kKey, "2", yes_);
  start(io, kKey, "3", yes_);
  settle(io);
  EXPECT_THAT(seen_, ElementsAre("1"));
  first_may_end = true;
  io.run();
  EXPECT_THAT(seen_, ElementsAre("1", "2", "3"));
}

TEST_F(TurnsTest, OfDifferentKeysAreSeparate) {
  net::io_context io;
  bool first_may_end = false;
  start(io, kKey, "1", first_may_end);
  start(io, SandboxKey("scope", "other", "agent"), "2", yes_);
  settle(io);
  EXPECT_THAT(seen_, ElementsAre("1", "2"));
  first_may_end = true;
  io.run();
}

TEST_F(TurnsTest, PassOverAWaiterThatWasCancelled) {
  net::io_context io;
  net::cancellation_signal stop;
  std::exception_ptr error;
  bool first_may_end = false;
  start(io, kKey, "1", first_may_end);
  net::co_spawn(io, visit(kKey, "2", yes_),
                net::bind_cancellation_slot(stop.slot(), [&](std::exception_ptr e) { error = e; }));
  start(io, kKey, "3", yes_);
  settle(io);
  stop.emit(net::cancellation_type::terminal);
  settle(io);
  ASSERT_NE(error, nullptr);
  try {
    std::rethrow_exception(error);
  } catch (const Error& e) {
    EXPECT_EQ(e.sandbox_code(), errc::cancelled);
  }
  first_may_end = true;
  io.run();
  EXPECT_THAT(seen_, ElementsAre("1", "3"));
}

TEST_F(TurnsTest, PassOnTheTurnOfACallThatFailed) {
  net::io_context io;
  std::exception_ptr error;
  net::co_spawn(
      io,
      [&]() -> net::awaitable<void> {
        const std::unique_ptr<Turns::Turn> turn = co_await turns_->take(kKey);
        throw Error(errc::internal, "boom");
      },
      [&](std::exception_ptr e) { error = e; });
  start(io, kKey, "2", yes_);
  io.run();
  EXPECT_NE(error, nullptr);
  EXPECT_THAT(seen_, ElementsAre("2"));
}

TEST_F(TurnsTest, OutliveAnExecutorThatGoesAwayInTheMiddle) {
  {
    net::io_context gone;
    bool never = false;
    start(gone, kKey, "holder", never);
    start(gone, kKey, "waiter", never);
    settle(gone);
  }
  EXPECT_THAT(seen_, ElementsAre("holder"));
  net::io_context io;
  start(io, kKey, "next", yes_);
  io.run();
  EXPECT_THAT(seen_, ElementsAre("holder", "next"));
}

TEST_F(TurnsTest, AreTakenByOneCallAtATimeOnManyThreads) {
  std::atomic<int> inside = 0;
  std::atomic<int> most = 0;
  std::atomic<int> done = 0;
  net::thread_pool pool(4);
  const auto body = [&]() -> net::awaitable<void> {
    for (int i = 0; i < 20; ++i) {
      const std::unique_ptr<Turns::Turn> turn = co_await turns_->take(kKey);
      most = std::max(most.load(), ++inside);
      const net::any_io_executor executor = co_await net::this_coro::executor;
      co_await net::post(executor, net::use_awaitable);
      --inside;
      ++done;
    }
  };
  for (int i = 0; i < 8; ++i) {
    net::co_spawn(pool, body, [](const std::exception_ptr& error) { EXPECT_EQ(error, nullptr); });
  }
  pool.join();
  EXPECT_EQ(done, 160);
  EXPECT_EQ(most, 1);
}

}  // namespace
}  // namespace sandbox::codeact
