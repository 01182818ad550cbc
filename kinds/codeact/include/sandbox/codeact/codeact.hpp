// The execute_code kind: a model's program goes in, what it printed comes out (contract 6.2).
// SPDX-License-Identifier: MIT
#pragma once

#include <boost/asio/awaitable.hpp>
#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sandbox/caller_context.hpp"
#include "sandbox/exec.hpp"
#include "sandbox/log.hpp"
#include "sandbox/router.hpp"
#include "sandbox/sandbox.hpp"
#include "sandbox/spec.hpp"
#include "sandbox/tool.hpp"

namespace sandbox::codeact {

// The `list_files` of a caller that has no file channel.
inline constexpr auto no_files = &list_no_files;

class CodeactOptions {
 public:
  CodeactOptions() = default;

  // The backend's name of a root file system with a python3. Unset: the spec names none, and the
  // backend uses its own default.
  CodeactOptions& image(std::string reference);
  CodeactOptions& image_id(std::string pinned);
  // Wall clock of one program. Positive. Default 120 s.
  CodeactOptions& exec_timeout(std::chrono::milliseconds value);
  CodeactOptions& log(LogSink sink);

  [[nodiscard]] const std::optional<std::string>& image() const { return image_; }
  [[nodiscard]] const std::optional<std::string>& image_id() const { return image_id_; }
  [[nodiscard]] std::chrono::milliseconds exec_timeout() const { return exec_timeout_; }
  [[nodiscard]] const LogSink& log() const { return log_; }

 private:
  std::optional<std::string> image_;
  std::optional<std::string> image_id_;
  std::chrono::milliseconds exec_timeout_{120000};
  LogSink log_;
};

// What the kind asks of a backend (CA0-2).
SandboxSpec codeact_spec(const CodeactOptions& options);

// The tool `execute_code(code: string)`, or nothing when no sandbox is configured.
//
// A call writes the program to /work/program.py and runs the fixed argv
// ["python3", "/work/program.py"]; the source is only ever file content (CA0-4, CA0-5). The reply
// has the sections `stdout:`, `stderr:` and, when not zero, `exit code:`; a failure is one sentence
// that starts with "Error:", with the detail in the log only.
//
// Calls of one tool that reach the same sandbox run one after the other, as they share that path.
// Two tools know nothing of each other: make one for each agent, not one for each request.
//
// Cancel: propagates as an error, never as a reply.
// Errors: the router's, when the backend cannot serve the kind; errc::config_error for a timeout
// that is not positive.
std::vector<Tool> make_codeact_tools(std::optional<Router> router, std::string agent_dir,
                                     CallerContext context,
                                     CodeactOptions options = CodeactOptions());

// The two steps of a call, for a host that wants the ExecResult and not a tool's text.

// Writes the source to /work/program.py, byte for byte.
// Errors and Cancel: as Sandbox::write_file.
boost::asio::awaitable<void> write_program(std::shared_ptr<Sandbox> sandbox, std::string source);

// The request that runs it: the fixed argv, in /work. Timeout, limits and the rest are open.
ExecRequest program_request();

}  // namespace sandbox::codeact
