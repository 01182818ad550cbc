// One sandbox: a conversation's place to run programs and keep files.
// SPDX-License-Identifier: MIT
#pragma once

#include <boost/asio/awaitable.hpp>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sandbox/entry.hpp"
#include "sandbox/exec.hpp"

namespace sandbox {

enum class RemoveMode { single, recursive };

// All methods exist on every sandbox; one whose capability the backend does not declare may fail
// with errc::not_supported (SB-1). Paths are POSIX; relative ones start at `working_directory`, and
// nothing outside of it can be named (SB-2 to SB-15). Which error stands for what: contract 3.9.
//
// Thread safety: methods may be called from any thread and run side by side.
// Lifetime: kept alive by the shared_ptr that Backend::acquire gave; after a disposal every method
// fails with errc::sandbox_disposed.
// Cancel (all methods): terminal; fails with errc::cancelled, leaves no half-written file and no
// running process (SB-42).
class Sandbox {
 public:
  Sandbox() = default;
  Sandbox(const Sandbox&) = delete;
  Sandbox& operator=(const Sandbox&) = delete;
  Sandbox(Sandbox&&) = delete;
  Sandbox& operator=(Sandbox&&) = delete;
  virtual ~Sandbox();

  // Replaces the file whole and at once; missing parents are made. Bytes are written as they are.
  virtual boost::asio::awaitable<void> write_file(std::string path, std::string content,
                                                  std::string working_directory) = 0;

  // A guest that fails, crashes or hits a limit is a value in the result, not an error.
  virtual boost::asio::awaitable<ExecResult> exec(ExecRequest request) = 0;

  // Evaluates `code` in the guest's own runtime; `timeout` counts from the call (SB-29).
  virtual boost::asio::awaitable<ExecResult> run_code(std::string code,
                                                      std::chrono::milliseconds timeout);

  // What stands there, links not followed; nullopt when nothing does. Moves no content.
  virtual boost::asio::awaitable<std::optional<SandboxEntry>> stat_file(
      std::string path, std::string working_directory);

  // Regular files only. More than `max_bytes` is errc::transfer_cap_exceeded, never a cut (SB-34).
  virtual boost::asio::awaitable<std::string> read_file(std::string path,
                                                        std::string working_directory,
                                                        std::uint64_t max_bytes);

  // Immediate children, sorted bytewise by path.
  virtual boost::asio::awaitable<std::vector<SandboxEntry>> list_dir(std::string path,
                                                                     std::string working_directory);

  // Missing is success; links are unlinked, never followed (SB-39).
  virtual boost::asio::awaitable<void> remove(std::string path, std::string working_directory,
                                              RemoveMode mode);
};

}  // namespace sandbox
