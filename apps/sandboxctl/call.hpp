// One call of the command: a backend, a sandbox, a run, and what it left.
// SPDX-License-Identifier: MIT
#pragma once

#include <boost/asio/awaitable.hpp>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "inputs.hpp"
#include "options.hpp"
#include "outputs.hpp"
#include "sandbox/exec.hpp"
#include "sandbox/runner/linux_backend.hpp"
#include "sandbox/sandbox.hpp"

namespace sandbox::ctl {

// All that a call takes from the host, read before anything is started.
class HostFiles {
 public:
  std::string program;
  std::string standard_input;
  std::vector<Input> inputs;

  // Errors: as read_host_file and read_inputs.
  explicit HostFiles(const Options& options);
};

// Thread safety: none; it lives and ends on the thread that runs the io_context.
// Lifetime: outlives run().
class Call {
 public:
  // Errors: those of the --out directory.
  Call(Options options, HostFiles files, ExecRequest::OutputCallback on_output);

  // Nothing is left running afterwards, however it ends.
  // Errors: the backend's, the router's and the sandbox's; those of writing outputs. result() tells
  // whether the program had ended before.
  // Cancel: terminal; fails with errc::cancelled or operation_aborted.
  boost::asio::awaitable<void> run();

  [[nodiscard]] const std::optional<ExecResult>& result() const { return result_; }
  [[nodiscard]] const std::optional<Outputs>& outputs() const { return outputs_; }
  // Files that were left where they are: "name: reason".
  [[nodiscard]] const std::vector<std::string>& left_out() const { return left_out_; }

 private:
  boost::asio::awaitable<void> carry_out();
  boost::asio::awaitable<void> acquire();
  boost::asio::awaitable<void> copy_in();
  boost::asio::awaitable<void> bring_back();
  [[nodiscard]] SandboxSpec spec() const;
  [[nodiscard]] ExecRequest request();

  Options options_;
  HostFiles files_;
  ExecRequest::OutputCallback on_output_;
  std::optional<Outputs> outputs_;
  std::shared_ptr<runner::LinuxBackend> backend_;
  std::shared_ptr<Sandbox> sandbox_;
  std::optional<ExecResult> result_;
  std::vector<std::string> left_out_;
};

}  // namespace sandbox::ctl
