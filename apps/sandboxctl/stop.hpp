// What can end a call from outside: a signal, or an output that nobody reads.
// SPDX-License-Identifier: MIT
#pragma once

#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/signal_set.hpp>
#include <optional>
#include <string>

namespace sandbox::ctl {

// The first reason to stop, as it reads on stderr and in the exit code.
class StopReason {
 public:
  static StopReason signal(int number);
  static StopReason output_failed(int error);

  [[nodiscard]] const std::string& sentence() const { return sentence_; }
  [[nodiscard]] int exit_code() const { return exit_code_; }

 private:
  StopReason(std::string sentence, int exit_code)
      : sentence_(std::move(sentence)), exit_code_(exit_code) {}

  std::string sentence_;
  int exit_code_;
};

// Listens to SIGINT, SIGTERM and SIGHUP from construction on, save those that the caller of the
// command ignores (nohup, background jobs). The first one cancels; the second ends the process at
// once, and the kernel ends what it had started.
//
// Thread safety: all on the thread that runs the io_context.
class Stopper {
 public:
  explicit Stopper(boost::asio::io_context& io);
  Stopper(const Stopper&) = delete;
  Stopper& operator=(const Stopper&) = delete;
  Stopper(Stopper&&) = delete;
  Stopper& operator=(Stopper&&) = delete;
  ~Stopper() = default;

  // What is to be cancelled.
  [[nodiscard]] boost::asio::cancellation_slot slot() { return cancel_.slot(); }
  void stop(StopReason reason);
  // No signal is listened to any more, and the io_context may come to its end.
  void close();

  [[nodiscard]] const std::optional<StopReason>& reason() const { return reason_; }

 private:
  void listen();

  boost::asio::signal_set signals_;
  boost::asio::cancellation_signal cancel_;
  std::optional<StopReason> reason_;
  bool closed_ = false;
};

}  // namespace sandbox::ctl
