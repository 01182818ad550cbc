// A sandbox of the Linux backend.
// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/strand.hpp>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "exec_session.hpp"
#include "sandbox/sandbox.hpp"
#include "work_files.hpp"

namespace sandbox::runner {

// Holds the namespaces and /work by descriptors; at rest it needs no process.
//
// Thread safety: as Sandbox.
class LinuxSandbox : public Sandbox, public std::enable_shared_from_this<LinuxSandbox> {
 public:
  // Errors: errc::setup_failed, errc::userns_unavailable, errc::launcher_lost, errc::config_error.
  // Cancel: terminal; what was made so far is gone with its descriptors.
  static boost::asio::awaitable<std::shared_ptr<LinuxSandbox>> make(
      std::shared_ptr<BackendCore> core, std::shared_ptr<const Image> image,
      std::string work_directory);

  LinuxSandbox(boost::asio::any_io_executor executor, RunPlace place,
               std::shared_ptr<const WorkFiles> files);
  LinuxSandbox(const LinuxSandbox&) = delete;
  LinuxSandbox& operator=(const LinuxSandbox&) = delete;
  LinuxSandbox(LinuxSandbox&&) = delete;
  LinuxSandbox& operator=(LinuxSandbox&&) = delete;
  ~LinuxSandbox() override;

  boost::asio::awaitable<void> write_file(std::string path, std::string content,
                                          std::string working_directory) override;
  boost::asio::awaitable<ExecResult> exec(ExecRequest request) override;
  boost::asio::awaitable<std::optional<SandboxEntry>> stat_file(
      std::string path, std::string working_directory) override;
  boost::asio::awaitable<std::string> read_file(std::string path, std::string working_directory,
                                                std::uint64_t max_bytes) override;
  boost::asio::awaitable<std::vector<SandboxEntry>> list_dir(
      std::string path, std::string working_directory) override;

  // Ends all runs, waits until they are gone, and lets the namespaces and /work go. Idempotent.
  boost::asio::awaitable<void> dispose();

 private:
  boost::asio::awaitable<ExecResult> run_on_strand(ExecRequest request);
  boost::asio::awaitable<void> dispose_on_strand();
  // The files, or the error of a disposed sandbox.
  [[nodiscard]] std::shared_ptr<const WorkFiles> files() const;

  boost::asio::strand<boost::asio::any_io_executor> strand_;
  RunPlace place_;
  // Replaced by null at disposal; read from any thread.
  std::atomic<std::shared_ptr<const WorkFiles>> files_;
  std::set<ExecSession*> running_;       // on the strand
  bool disposed_ = false;                // on the strand
  boost::asio::steady_timer all_ended_;  // on the strand; cancelled when running_ gets empty
};

}  // namespace sandbox::runner
