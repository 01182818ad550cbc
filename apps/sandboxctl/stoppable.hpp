// Runs one coroutine to its end, or until a signal stops it.
// SPDX-License-Identifier: MIT
#pragma once

#include <boost/asio/awaitable.hpp>
#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <exception>
#include <optional>
#include <utility>

#include "report.hpp"
#include "stop.hpp"

namespace sandbox::ctl {

// What became of it: a result, or the exit code of a call that was stopped (and told on stderr).
template <class T>
class Stoppable {
 public:
  std::optional<T> result;
  int exit_code = 0;
};

// Errors: what `work` throws, unless it was stopped.
template <class T>
Stoppable<T> run_stoppable(boost::asio::awaitable<T> work) {
  boost::asio::io_context io(1);
  Stopper stopper(io);
  std::exception_ptr failure;
  Stoppable<T> outcome;
  const auto ended = [&](std::exception_ptr why, T result) {
    failure = std::move(why);
    if (!failure) outcome.result = std::move(result);
    stopper.close();
  };
  boost::asio::co_spawn(io, std::move(work),
                        boost::asio::bind_cancellation_slot(stopper.slot(), ended));
  io.run();
  if (failure && stopper.reason()) {
    say(stopper.reason()->sentence());
    outcome.exit_code = stopper.reason()->exit_code();
    return outcome;
  }
  if (failure) std::rethrow_exception(failure);
  return outcome;
}

}  // namespace sandbox::ctl
