// Blocking work off the executor.
// SPDX-License-Identifier: MIT
#pragma once

#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/thread_pool.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <functional>

namespace sandbox::runner {

// One thread for calls that may block for a moment: files of a work directory, looking for an
// interpreter.
//
// Thread safety: run() may be called from any thread.
class Worker {
 public:
  // Errors: errc::setup_failed when no thread can be started.
  Worker();

  // What `work` returns or throws. Cancel: the work is carried out all the same, so nothing is half
  // done; the caller gets operation_aborted.
  template <class T>
  boost::asio::awaitable<T> run(std::function<T()> work) {
    auto call = carry_out<T>(std::move(work));
    co_return co_await boost::asio::co_spawn(pool_, std::move(call), boost::asio::use_awaitable);
  }

 private:
  template <class T>
  static boost::asio::awaitable<T> carry_out(std::function<T()> work) {
    co_return work();
  }

  boost::asio::thread_pool pool_;
};

}  // namespace sandbox::runner
