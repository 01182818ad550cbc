// One run: what is asked, what comes back.
// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "sandbox/exit_status.hpp"
#include "sandbox/limits.hpp"

namespace sandbox {

enum class Stream { standard_output, standard_error };

// A piece of live output, as bytes. Valid during the callback only.
struct OutputChunk {
  Stream stream;
  std::string_view bytes;
};

// A class with setters, never an aggregate: an aggregate temporary in a statement with co_await is
// destroyed twice by g++ 12.2.
//
// Thread safety: as a plain value.
class ExecRequest {
 public:
  using OutputCallback = std::function<void(OutputChunk)>;

  // `argv` reaches the program element for element; there is no shell (SB-20).
  explicit ExecRequest(std::vector<std::string> argv) : argv_(std::move(argv)) {}

  // `sh -c template`: for fixed templates of a kind only, never for text that a model wrote.
  static ExecRequest shell(std::string fixed_template);

  // Guest path; default: the sandbox's work directory.
  ExecRequest& working_directory(std::string path);
  // Wall clock from the start of the run (SB-23). Unset: the backend's default.
  ExecRequest& timeout(std::chrono::milliseconds value);
  ExecRequest& limits(Limits value);
  // Added to the backend's fixed environment; the same name replaces.
  ExecRequest& environment(std::map<std::string, std::string> variables);
  // Bytes on stdin, then end of file. Unset: end of file at once (SB-25).
  ExecRequest& standard_input(std::string bytes);
  // Called in order, on the sandbox's strand, while the run goes on, up to the output limit of each
  // stream. Must not throw or block.
  ExecRequest& on_output(OutputCallback callback);

  [[nodiscard]] const std::vector<std::string>& argv() const { return argv_; }
  [[nodiscard]] const std::optional<std::string>& working_directory() const {
    return working_directory_;
  }
  [[nodiscard]] std::optional<std::chrono::milliseconds> timeout() const { return timeout_; }
  [[nodiscard]] const Limits& limits() const { return limits_; }
  [[nodiscard]] const std::map<std::string, std::string>& environment() const {
    return environment_;
  }
  [[nodiscard]] const std::string& standard_input() const { return standard_input_; }
  [[nodiscard]] const OutputCallback& on_output() const { return on_output_; }

  // Errors: errc::invalid_argument for an empty argv, a NUL in any text, a variable name that is
  // empty or holds '=', a timeout that is not positive, or limits out of range.
  void validate() const;

 private:
  std::vector<std::string> argv_;
  std::optional<std::string> working_directory_;
  std::optional<std::chrono::milliseconds> timeout_;
  Limits limits_;
  std::map<std::string, std::string> environment_;
  std::string standard_input_;
  OutputCallback on_output_;
};
static_assert(!std::is_aggregate_v<ExecRequest>);

// One stream of a run: counted in full, kept up to the limit as its first and its last part.
class CapturedOutput {
 public:
  CapturedOutput() = default;
  // Nothing was left out: `bytes` is all of it.
  explicit CapturedOutput(std::string bytes);
  CapturedOutput(std::string head, std::string tail, std::uint64_t total_bytes);

  [[nodiscard]] const std::string& head() const { return head_; }
  [[nodiscard]] const std::string& tail() const { return tail_; }
  [[nodiscard]] std::uint64_t total_bytes() const { return total_bytes_; }
  [[nodiscard]] bool truncated() const { return total_bytes_ > head_.size() + tail_.size(); }

  // What was kept, as it came: head then tail.
  [[nodiscard]] std::string bytes() const;
  // For people and models: bytes that are not UTF-8 become U+FFFD (WK-13), and where bytes were
  // left out one line says how many (at most 64 bytes long).
  [[nodiscard]] std::string text() const;
  // True when bytes() is UTF-8 as it stands, apart from characters that the cut itself split.
  [[nodiscard]] bool is_utf8() const;

 private:
  std::string head_;
  std::string tail_;
  std::uint64_t total_bytes_ = 0;
};

// What a run used. Times in microseconds; what could not be measured is nullopt.
class Usage {
 public:
  std::chrono::microseconds queue{0};  // waiting for a place to run
  std::chrono::microseconds setup{0};  // from the request to the program's exec
  std::chrono::microseconds wall{0};   // from the program's exec to its end
  std::optional<std::chrono::microseconds> cpu_user;
  std::optional<std::chrono::microseconds> cpu_system;
  std::optional<std::uint64_t> memory_peak_bytes;
  std::optional<std::uint32_t> processes_peak;

  Usage() = default;
};

// What was really in force, told by the backend that enforced it.
class Enforced {
 public:
  std::string profile;         // name of the seccomp policy; "none" where there is none
  std::string profile_sha256;  // of the compiled program
  std::string memory;          // "cgroup", "rlimit" or "none"
  std::optional<int> landlock_abi;
  bool wx = false;     // writable-and-executable memory refused
  std::string proc;    // "subset", "full" or "none"
  std::string kernel;  // release, as uname tells
  // Further protections by name with their state: "on", "off", or a word that says how.
  std::map<std::string, std::string> protections;

  Enforced() = default;
};

// Something that the boundary refused the program, told once for each kind.
class DeniedCall {
 public:
  // The system call by name ("socket"), or what met a limit that ends no run: "processes", "disk".
  std::string call;
  std::uint64_t count = 0;  // how often; of a limit, 1
  // Of the first time, as the program passed them; empty for a limit.
  std::vector<std::uint64_t> arguments;
  // Plain words, without any fact of the host: "tried to open a network socket; this sandbox has no
  // network".
  std::string sentence;

  DeniedCall() = default;
};

class ExecResult {
 public:
  ExitStatus status;
  CapturedOutput standard_output;
  CapturedOutput standard_error;
  Usage usage;
  Enforced enforced;
  std::vector<DeniedCall> denied;

  ExecResult() : status(Refused()) {}  // nothing ran; co_spawn of Boost 1.81 needs a default
  explicit ExecResult(ExitStatus how) : status(std::move(how)) {}
};

}  // namespace sandbox
