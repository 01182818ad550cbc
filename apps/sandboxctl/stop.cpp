// What can end a call from outside: a signal, or an output that nobody reads.
// SPDX-License-Identifier: MIT
#include "stop.hpp"

#include <fmt/format.h>

#include <boost/system/error_code.hpp>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <system_error>

#include "sandbox/exit_status.hpp"

namespace net = boost::asio;

namespace sandbox::ctl {
namespace {

constexpr int kSignalBase = 128;
constexpr int kOwnFailure = 125;

bool is_ignored(int number) {
  struct sigaction now {};
  return ::sigaction(number, nullptr, &now) == 0 && now.sa_handler == SIG_IGN;
}

}  // namespace

StopReason StopReason::signal(int number) {
  return {fmt::format("stopped by {}", signal_name(number)), kSignalBase + number};
}

StopReason StopReason::output_failed(int error) {
  if (error == EPIPE) return {"stopped: nobody reads the output any more", kSignalBase + SIGPIPE};
  return {
      fmt::format("stopped: cannot write the output: {}", std::generic_category().message(error)),
      kOwnFailure};
}

Stopper::Stopper(net::io_context& io) : signals_(io) {
  for (const int number : {SIGINT, SIGTERM, SIGHUP}) {
    if (!is_ignored(number)) signals_.add(number);
  }
  listen();
}

void Stopper::listen() {
  signals_.async_wait([this](const boost::system::error_code& error, int number) {
    if (error || closed_) return;
    if (reason_) std::_Exit(kSignalBase + number);
    stop(StopReason::signal(number));
    listen();
  });
}

void Stopper::stop(StopReason reason) {
  if (reason_ || closed_) return;
  reason_ = std::move(reason);
  cancel_.emit(net::cancellation_type::terminal);
}

void Stopper::close() {
  closed_ = true;
  boost::system::error_code ignored;
  signals_.clear(ignored);
  signals_.cancel(ignored);
}

}  // namespace sandbox::ctl
