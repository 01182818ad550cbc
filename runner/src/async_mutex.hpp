// A lock that a coroutine waits for without blocking a thread.
// SPDX-License-Identifier: MIT
#pragma once

#include <boost/asio/awaitable.hpp>
#include <boost/asio/experimental/channel.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <memory>
#include <utility>

namespace sandbox::runner {

// Holders are served in the order in which they came.
//
// Thread safety: none; all use is on one strand.
class AsyncMutex {
 public:
  // Released when it goes.
  class Guard {
   public:
    explicit Guard(AsyncMutex& mutex) : mutex_(&mutex) {}
    Guard(const Guard&) = delete;
    Guard& operator=(const Guard&) = delete;
    Guard(Guard&& other) noexcept : mutex_(std::exchange(other.mutex_, nullptr)) {}
    Guard& operator=(Guard&&) = delete;
    ~Guard() {
      if (mutex_ != nullptr) mutex_->free_.try_send(boost::system::error_code());
    }

   private:
    AsyncMutex* mutex_;
  };

  explicit AsyncMutex(const boost::asio::any_io_executor& executor) : free_(executor, 1) {
    free_.try_send(boost::system::error_code());
  }

  // Cancel: terminal; the lock is then not held.
  boost::asio::awaitable<Guard> lock() {
    co_await free_.async_receive(boost::asio::use_awaitable);
    co_return Guard(*this);
  }

 private:
  // Holds one token while the lock is free.
  boost::asio::experimental::channel<void(boost::system::error_code)> free_;
};

}  // namespace sandbox::runner
