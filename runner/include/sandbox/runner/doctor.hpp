// What this host lets a sandbox do, found by doing it, and what mends the rest.
// SPDX-License-Identifier: MIT
#pragma once

#include <boost/asio/awaitable.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sandbox/error.hpp"
#include "sandbox/exec.hpp"
#include "sandbox/runner/backend_options.hpp"

namespace sandbox::runner {

enum class FindingState : std::uint8_t {
  ok,       // it works
  weaker,   // it does not, and programs run without it; their receipts say so
  refused,  // it does not, and nothing runs without it
  note,     // a fact about the host, of no weight by itself
};

// "ok", "weaker", "refused", "note".
std::string_view to_string(FindingState state);

class Finding {
 public:
  std::string name;  // stable: "user_namespace", "landlock", "cgroup", ...
  FindingState state = FindingState::note;
  std::string found;  // a sentence
  std::string fix;    // what to do; empty when nothing is amiss
};

// Of a message of the form "what failed; what to do".
Finding refused_finding(std::string name, const std::string& message);

class Diagnosis {
 public:
  std::vector<Finding> findings;  // what later ones need comes first
  // A small program that was run as any other: `run->enforced` is what will be in force. Set when
  // it ended well.
  std::optional<ExecResult> run;
  std::optional<Error> error;  // else: why not

  // Programs run here, perhaps weaker than they could (findings tell).
  [[nodiscard]] bool works() const { return run.has_value(); }
};

// Tries each thing that a sandbox needs in a process of its own, looks for a cgroup, and runs a
// program in a sandbox with these options. Nothing is left behind. What does not work is a finding,
// not an error.
//
// Errors: errc::invalid_argument (options).
// Cancel: terminal; nothing is left running.
boost::asio::awaitable<Diagnosis> diagnose(BackendOptions options);

// Throws what LinuxBackend::start() would for system calls that a kernel or a filter does not have,
// before anything is started. For programs that start threads of their own first: where clone3 is
// forbidden, that is what fails. Costs some microseconds.
// Errors: errc::setup_failed naming the call and the fix.
void require_system_calls();

}  // namespace sandbox::runner
