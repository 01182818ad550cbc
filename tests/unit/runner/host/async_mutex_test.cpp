// The lock for coroutines: one holder, served in order, never lost.
// SPDX-License-Identifier: MIT
#include "async_mutex.hpp"

#include <gmock/gmock.h>

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/steady_timer.hpp>
#include <exception>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace net = boost::asio;

namespace sandbox::runner::test {
namespace {

using ::testing::ElementsAre;

class AsyncMutexTest : public ::testing::Test {
 protected:
  // Takes the lock and keeps it until let_go(name).
  void start(const std::string& name) {
    auto task = hold(name);
    net::co_spawn(
        io_, std::move(task),
        net::bind_cancellation_slot(cancel_[name].slot(), [this, name](std::exception_ptr error) {
          ended_.push_back(name + (error ? " cancelled" : ""));
        }));
    poll();
  }

  void let_go(const std::string& name) { wake_.at(name)->cancel(); }
  void cancel(const std::string& name) { cancel_.at(name).emit(net::cancellation_type::terminal); }

  void poll() {
    io_.restart();
    io_.poll();
  }

  net::awaitable<void> hold(std::string name) {
    const AsyncMutex::Guard guard = co_await mutex_.lock();
    EXPECT_EQ(holders_, 0) << "two holders at one time";
    ++holders_;
    got_.push_back(name);
    auto& timer = wake_[name];
    timer = std::make_unique<net::steady_timer>(io_, net::steady_timer::time_point::max());
    boost::system::error_code ignored;
    try {
      co_await timer->async_wait(net::redirect_error(net::use_awaitable, ignored));
    } catch (const boost::system::system_error&) {
      // Cancelled in the moment in which it got the lock: then it does not get to wait.
    }
    --holders_;
  }

  net::io_context io_;
  AsyncMutex mutex_{io_.get_executor()};
  std::map<std::string, net::cancellation_signal> cancel_;
  std::map<std::string, std::unique_ptr<net::steady_timer>> wake_;
  std::vector<std::string> got_;
  std::vector<std::string> ended_;
  int holders_ = 0;
};

TEST_F(AsyncMutexTest, ServesInTheOrderOfArrivalOneAtATime) {
  for (const char* name : {"a", "b", "c"}) start(name);
  EXPECT_THAT(got_, ElementsAre("a"));
  let_go("a");
  poll();
  EXPECT_THAT(got_, ElementsAre("a", "b"));
  start("d");
  let_go("b");
  poll();
  let_go("c");
  poll();
  let_go("d");
  poll();
  EXPECT_THAT(got_, ElementsAre("a", "b", "c", "d"));
  EXPECT_THAT(ended_, ElementsAre("a", "b", "c", "d"));
}

TEST_F(AsyncMutexTest, IsFreeAgainAfterTheLastHolder) {
  start("a");
  let_go("a");
  poll();
  start("b");
  EXPECT_THAT(got_, ElementsAre("a", "b"));
  let_go("b");
  poll();
}

TEST_F(AsyncMutexTest, AWaiterThatIsCancelledLeavesTheOthersInTheirOrder) {
  for (const char* name : {"a", "b", "c", "d"}) start(name);
  cancel("b");
  poll();
  EXPECT_THAT(ended_, ElementsAre("b cancelled"));
  let_go("a");
  poll();
  let_go("c");
  poll();
  let_go("d");
  poll();
  EXPECT_THAT(got_, ElementsAre("a", "c", "d"));
}

// Released to a waiter and taken away from it before it can run: the next one must get it.
TEST_F(AsyncMutexTest, AWaiterThatIsCancelledWhileItIsServedDoesNotLoseTheLock) {
  for (const char* name : {"a", "b", "c"}) start(name);
  let_go("a");
  while (ended_.empty() && io_.poll_one() > 0) {
  }
  ASSERT_THAT(ended_, ElementsAre("a")) << "the lock is on its way to b";
  cancel("b");
  poll();
  if (got_.back() == "b") {
    let_go("b");
    poll();
  }
  EXPECT_EQ(got_.back(), "c");
  let_go("c");
  poll();
  EXPECT_EQ(ended_.size(), 3U);
}

TEST_F(AsyncMutexTest, AnErrorOfTheHolderReleasesIt) {
  const auto fails = [this]() -> net::awaitable<void> {
    const AsyncMutex::Guard guard = co_await mutex_.lock();
    throw std::runtime_error("while holding");
  };
  std::exception_ptr error;
  net::co_spawn(io_, fails, [&error](std::exception_ptr e) { error = e; });
  poll();
  EXPECT_TRUE(error);
  start("next");
  EXPECT_THAT(got_, ElementsAre("next"));
  let_go("next");
  poll();
}

TEST_F(AsyncMutexTest, AMovedGuardReleasesOnce) {
  const auto moves = [this]() -> net::awaitable<void> {
    AsyncMutex::Guard first = co_await mutex_.lock();
    { const AsyncMutex::Guard second(std::move(first)); }
    const AsyncMutex::Guard third = co_await mutex_.lock();
    got_.emplace_back("again");
  };
  net::co_spawn(io_, moves, [](std::exception_ptr e) { EXPECT_FALSE(e); });
  poll();
  EXPECT_THAT(got_, ElementsAre("again"));
  // Had the first one released as well, two could hold it now.
  start("a");
  start("b");
  EXPECT_THAT(got_, ElementsAre("again", "a"));
  let_go("a");
  poll();
  let_go("b");
  poll();
}

}  // namespace
}  // namespace sandbox::runner::test
