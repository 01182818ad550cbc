// Attempts to break out, run through the public way on the machine where it is to hold.
// SPDX-License-Identifier: MIT
#pragma once

#include <boost/asio/awaitable.hpp>
#include <chrono>
#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "sandbox/limits.hpp"
#include "sandbox/runner/backend_options.hpp"
#include "sandbox/runner/protection.hpp"

namespace sandbox::runner {

class LinuxBackend;

// What a program met at one of its labels: an errno's name, or a word; "worked" when it got
// through.
class Met {
 public:
  Met(std::string label, std::string word) : label_(std::move(label)), word_(std::move(word)) {}

  [[nodiscard]] const std::string& label() const { return label_; }
  [[nodiscard]] const std::string& word() const { return word_; }
  friend bool operator==(const Met&, const Met&) = default;

 private:
  std::string label_;
  std::string word_;
};

// A label that must be met, and the words that count as contained.
class Expectation {
 public:
  Expectation(std::string label, std::vector<std::string> accepted)
      : label_(std::move(label)), accepted_(std::move(accepted)) {}

  [[nodiscard]] const std::string& label() const { return label_; }
  [[nodiscard]] const std::vector<std::string>& accepted() const { return accepted_; }
  friend bool operator==(const Expectation&, const Expectation&) = default;

 private:
  std::string label_;
  std::vector<std::string> accepted_;
};

// How it is shown that the first label can be met as "worked" at all.
class PositiveControl {
 public:
  enum class Kind {
    without,  // in a sandbox with just the named protections off
    plain,    // with the machine's python3 and throw-away namespaces, no sandbox
    vm,       // could harm the machine
    never,    // nothing can show it
  };
  PositiveControl() = default;
  PositiveControl(Kind kind, std::set<Protection> off, std::string reason)
      : kind_(kind), off_(std::move(off)), reason_(std::move(reason)) {}

  [[nodiscard]] Kind kind() const { return kind_; }
  [[nodiscard]] const std::set<Protection>& off() const { return off_; }  // Kind::without
  [[nodiscard]] const std::string& reason() const { return reason_; }     // Kind::vm, Kind::never

 private:
  Kind kind_ = Kind::never;
  std::set<Protection> off_;
  std::string reason_;
};

// One technique as a guest program, with what must become of it. runner/selftest/README.md has the
// form in which it is written down.
class Attempt {
 public:
  int number = 0;
  std::string name;  // of the file, without its suffix: "055_unshare_user"
  std::string title;
  std::string group;
  bool critical = false;  // must be stopped by two layers
  std::vector<Expectation> expectations;
  // Labels whose accepted words differ while a protection is off.
  std::map<Protection, std::vector<Expectation>> expectations_without;
  std::vector<std::string> outcomes;  // "exited", "timeout", "signaled:SIGSYS"
  Limits limits;
  std::optional<Bytes> work_size;
  std::chrono::milliseconds timeout{30000};
  PositiveControl control;
  std::string program;  // complete, as it is run

  Attempt() = default;
};
static_assert(!std::is_aggregate_v<Attempt>);

// All attempts that the library holds, by name.
// Errors: errc::config_error naming file and line; a library that was built right never throws.
std::vector<Attempt> builtin_attempts();

enum class Verdict {
  contained,
  escaped,  // a label worked that must not, or the host is not as it was
  broken,   // a label was not met, or met in a way that nobody foresaw
  skipped,  // this machine or this image lacks what the attempt needs
};

// "contained", "escaped", "broken", "skipped".
std::string_view to_string(Verdict value);

class AttemptReport {
 public:
  int number = 0;
  std::string name;
  std::string title;
  std::string group;
  std::vector<Protection> layers;   // those that the attempt's file says it is stopped by
  std::vector<Protection> lacking;  // those of them that cannot be had on this machine
  Verdict verdict = Verdict::broken;
  std::vector<Met> met;
  std::string reason;             // why it is not contained; else empty
  std::vector<std::string> harm;  // what is not as before on the host, a line each
  std::chrono::microseconds time{0};

  AttemptReport() = default;
};
static_assert(!std::is_aggregate_v<AttemptReport>);

// Runs one attempt in a sandbox of its own, then looks at the host: a canary file, the mounts, the
// descriptors of this process and the processes below it must be as before (those get 4 s to go),
// and a new sandbox must work. Do nothing else in this process meanwhile. `off` names what the
// backend was started without.
//
// An attempt with a work_size needs a backend of that size.
// Errors: none of the attempt's own, they are verdicts; errc::backend_closed.
// Cancel: terminal; the sandboxes are gone afterwards.
boost::asio::awaitable<AttemptReport> run_attempt(std::shared_ptr<LinuxBackend> backend,
                                                  Attempt attempt, std::set<Protection> off);

// As above with a backend of its own, made of `options` and the attempt's work_size.
// Errors: also those of LinuxBackend::start.
boost::asio::awaitable<AttemptReport> run_attempt(BackendOptions options, Attempt attempt);

class SelftestOptions {
 public:
  using Listener = std::function<void(const AttemptReport&)>;

  SelftestOptions() = default;

  // Protections that are off here are off for every attempt.
  SelftestOptions& backend(BackendOptions options);
  // Only attempts with these numbers; empty is all.
  SelftestOptions& only(std::set<int> numbers);
  // Only those that two layers must stop.
  SelftestOptions& critical_only(bool value);
  // Called after each attempt, on the executor; must not throw.
  SelftestOptions& on_attempt(Listener listener);

  [[nodiscard]] const BackendOptions& backend() const { return backend_; }
  [[nodiscard]] const std::set<int>& only() const { return only_; }
  [[nodiscard]] bool critical_only() const { return critical_only_; }
  [[nodiscard]] const Listener& on_attempt() const { return on_attempt_; }

 private:
  BackendOptions backend_;
  std::set<int> only_;
  bool critical_only_ = false;
  Listener on_attempt_;
};

class SelftestReport {
 public:
  std::string kernel;  // release, as uname tells
  std::set<Protection> off;
  std::vector<AttemptReport> attempts;

  SelftestReport() = default;

  [[nodiscard]] std::size_t count(Verdict verdict) const;
  // Something was run, and every attempt was contained.
  [[nodiscard]] bool all_good() const;
};
static_assert(!std::is_aggregate_v<SelftestReport>);

// Runs them one after another, in one backend as long as that stays well.
// Errors: errc::invalid_argument for a number that no attempt has; those of LinuxBackend::start.
// Cancel: terminal; nothing is left running.
boost::asio::awaitable<SelftestReport> run_selftest(SelftestOptions options);

}  // namespace sandbox::runner
