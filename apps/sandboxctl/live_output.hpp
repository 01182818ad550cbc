// Passes a program's output on while it runs.
// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>

#include "descriptor.hpp"
#include "sandbox/exec.hpp"

namespace sandbox::ctl {

// Control characters that a program prints can drive a terminal: its title, its clipboard, what it
// shows. Between chunks it keeps the begin of a character that is not whole yet.
class TerminalEscaper {
 public:
  [[nodiscard]] std::string add(std::string_view bytes);
  // What was kept back at the end.
  [[nodiscard]] std::string finish();

 private:
  std::string unfinished_;
};

// Where one stream goes.
class OutputTarget {
 public:
  enum class Form { as_is, escaped };
  OutputTarget(int descriptor, Form form) : descriptor_(descriptor), form_(form) {}

  [[nodiscard]] int descriptor() const { return descriptor_; }
  [[nodiscard]] Form form() const { return form_; }

 private:
  int descriptor_;
  Form form_;
};

// A reader that is slow, or never comes, must not hold up the clock of the run: a thread of its own
// writes. What waits is bounded by the run's output limit.
//
// Thread safety: write(), finish() and abandon() from one thread.
class LiveOutput {
 public:
  // Called once, from the writing thread, with the errno of the first write that failed; nothing is
  // written after it.
  using FailureHandler = std::function<void(int error)>;

  LiveOutput(OutputTarget standard_output, OutputTarget standard_error, FailureHandler on_failure);
  LiveOutput(const LiveOutput&) = delete;
  LiveOutput& operator=(const LiveOutput&) = delete;
  LiveOutput(LiveOutput&&) = delete;
  LiveOutput& operator=(LiveOutput&&) = delete;
  ~LiveOutput();  // abandons

  // Never blocks.
  void write(OutputChunk chunk);
  // Waits until all is written; the errno of the write that failed, or 0.
  int finish();
  // Writes what the readers take at once, and no more.
  void abandon();

 private:
  struct Piece {
    int descriptor;
    std::string bytes;
  };

  void push(const OutputTarget& target, std::string bytes);
  void write_until_closed();
  bool write_piece(const Piece& piece);
  // Whether the descriptor takes bytes now (or will only tell an error).
  bool wait_for_room(int descriptor) const;
  void end();

  OutputTarget standard_output_;
  OutputTarget standard_error_;
  FailureHandler on_failure_;
  TerminalEscaper escape_output_;
  TerminalEscaper escape_error_;

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Piece> pieces_;
  bool closed_ = false;
  std::atomic<bool> abandoned_{false};
  std::atomic<int> error_{0};
  Descriptor wake_;
  std::thread writer_;
};

}  // namespace sandbox::ctl
