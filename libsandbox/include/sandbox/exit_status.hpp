// How a run ended.
// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <string>
#include <string_view>
#include <variant>

namespace sandbox {

// The limits whose breach ends a run. A disk or process limit is met by the program as an errno.
enum class Limit { wall_time, cpu_time, memory, output };

std::string_view to_string(Limit limit);

class Exited {
 public:
  explicit constexpr Exited(int code) : code_(code) {}
  [[nodiscard]] constexpr int code() const { return code_; }  // 0 to 255
  friend constexpr bool operator==(Exited, Exited) = default;

 private:
  int code_;
};

// Ended by a signal that no limit of ours sent.
class Signaled {
 public:
  explicit constexpr Signaled(int signal) : signal_(signal) {}
  [[nodiscard]] constexpr int signal() const { return signal_; }  // 1 to 64
  friend constexpr bool operator==(Signaled, Signaled) = default;

 private:
  int signal_;
};

// Ended by us because a limit was reached. `limit_text` is the limit as people write it ("5 s").
class LimitHit {
 public:
  LimitHit(Limit which, std::string limit_text)
      : which_(which), limit_text_(std::move(limit_text)) {}
  [[nodiscard]] Limit which() const { return which_; }
  [[nodiscard]] const std::string& limit_text() const { return limit_text_; }
  friend bool operator==(const LimitHit&, const LimitHit&) = default;

 private:
  Limit which_;
  std::string limit_text_;
};

// The caller's wish. Only receipts carry it: the operation itself fails with errc::cancelled.
class Cancelled {
 public:
  friend constexpr bool operator==(Cancelled, Cancelled) = default;
};

// Nothing ran. Only receipts carry it: the operation itself throws sandbox::Error.
class Refused {
 public:
  friend constexpr bool operator==(Refused, Refused) = default;
};

// Our own failure after the start. Only receipts carry it.
class Lost {
 public:
  friend constexpr bool operator==(Lost, Lost) = default;
};

// The status as a value; a number in the manner of 128+N is only a way to show it.
class ExitStatus {
 public:
  using Variant = std::variant<Exited, Signaled, LimitHit, Cancelled, Refused, Lost>;

  // Implicit: each alternative is a status. NOLINTBEGIN(google-explicit-constructor)
  ExitStatus(Variant value) : value_(std::move(value)) {}
  template <class Alternative>
  requires std::is_constructible_v<Variant, Alternative> ExitStatus(Alternative value)
      : value_(std::move(value)) {}
  // NOLINTEND(google-explicit-constructor)

  [[nodiscard]] const Variant& value() const { return value_; }

  [[nodiscard]] bool exited_with(int code) const;
  [[nodiscard]] bool hit(Limit limit) const;

  // exited, signaled, timeout, cpu_limit, memory_limit, output_limit, cancelled, refused or lost.
  [[nodiscard]] std::string_view outcome() const;

  // One plain sentence: "exited with code 3", "stopped after 5 s of wall time".
  [[nodiscard]] std::string sentence() const;

  // For a shell: the code, 128+N for a signal, 137 for memory, cpu and output limits, 124 for the
  // wall-clock limit, 130 cancelled, 125 for refused and lost.
  [[nodiscard]] int shell_code() const;

  friend bool operator==(const ExitStatus&, const ExitStatus&) = default;

 private:
  Variant value_;
};

// "SIGKILL" for 9, "SIGRTMIN+3" for a real-time signal; "signal N" for a number without a name.
std::string signal_name(int signal);

}  // namespace sandbox
