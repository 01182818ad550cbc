// A sandbox inside the test's own process: no boundary, scripted answers (SB-40).
// SPDX-License-Identifier: MIT
#pragma once

#include <boost/asio/awaitable.hpp>
#include <chrono>
#include <cstdint>
#include <exception>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "sandbox/sandbox.hpp"
#include "sandbox/testing/fake_file_store.hpp"

namespace sandbox::testing {

enum class FakeOperation {
  write_file,
  exec,
  run_code,
  stat_file,
  read_file,
  list_dir,
  remove,
};

std::string_view to_string(FakeOperation operation);

// One exec, as it was asked for.
class FakeCommand {
 public:
  explicit FakeCommand(ExecRequest request);

  [[nodiscard]] const std::string& joined() const { return joined_; }  // argv with single spaces
  [[nodiscard]] const std::vector<std::string>& argv() const { return request_.argv(); }
  [[nodiscard]] const std::optional<std::string>& working_directory() const {
    return request_.working_directory();
  }
  [[nodiscard]] std::optional<std::chrono::milliseconds> timeout() const {
    return request_.timeout();
  }
  [[nodiscard]] const ExecRequest& request() const { return request_; }

 private:
  ExecRequest request_;
  std::string joined_;
};

// One run_code.
class FakeProgram {
 public:
  FakeProgram(std::string code, std::chrono::milliseconds timeout)
      : code_(std::move(code)), timeout_(timeout) {}

  [[nodiscard]] const std::string& code() const { return code_; }
  [[nodiscard]] std::chrono::milliseconds timeout() const { return timeout_; }

 private:
  std::string code_;
  std::chrono::milliseconds timeout_;
};

// Serves all seven methods. Nothing runs: a command or program answers with the first scripted
// result whose marker is part of it, else with exit code 0 and no output.
//
// Thread safety: all methods may be called from any thread; what is asked back is a copy.
class FakeSandbox final : public Sandbox {
 public:
  // Awaited before the operation's own work, with the path, the joined command or the code. It may
  // throw, wait, or change this sandbox (a file that grows after its stat, a link that appears).
  using Hook = std::function<boost::asio::awaitable<void>(std::string subject)>;

  explicit FakeSandbox(std::string work_directory = "/maf-sandbox/work");

  // Files, by absolute guest path; see FakeFileStore.
  void seed_file(std::string path, std::string content);
  void seed_link(std::string path);
  void seed_other(std::string path);
  void seed_directory(std::string path);
  // Looks without confinement; nullopt for anything but a regular file.
  [[nodiscard]] std::optional<std::string> file(const std::string& absolute_path) const;
  [[nodiscard]] std::optional<EntryKind> kind_of(const std::string& absolute_path) const;
  [[nodiscard]] std::vector<std::string> paths() const;

  // The answer to a command or program that contains `marker`, or whose argv names a file that
  // contains it. Scripts are tried in the order in which they were given.
  void script(std::string marker, ExecResult result);
  void script_output(std::string marker, std::string standard_output);

  // The operation fails with this error from now on; a null pointer ends that.
  void fail(FakeOperation operation, std::exception_ptr error);
  template <class E>
  void fail_with(FakeOperation operation, E error) {
    fail(operation, std::make_exception_ptr(std::move(error)));
  }
  // An empty function takes the hook away. The hook runs before a failure set by fail().
  void on(FakeOperation operation, Hook hook);

  // Where relative paths of an exec without a working directory start.
  [[nodiscard]] std::string work_directory() const;
  void set_work_directory(std::string path);  // made, as a real backend makes it at acquire

  // From now on every method fails with errc::sandbox_disposed.
  void mark_disposed();
  [[nodiscard]] bool disposed() const;

  [[nodiscard]] std::vector<FakeCommand> commands() const;
  [[nodiscard]] std::vector<FakeProgram> programs() const;
  // Every call in order: "stat_file a.txt", "exec python3 /work/program.py" (PIN-17). A call is
  // recorded when it begins, so one that fails is there too.
  [[nodiscard]] std::vector<std::string> operations() const;

  boost::asio::awaitable<void> write_file(std::string path, std::string content,
                                          std::string working_directory) override;
  boost::asio::awaitable<ExecResult> exec(ExecRequest request) override;
  boost::asio::awaitable<ExecResult> run_code(std::string code,
                                              std::chrono::milliseconds timeout) override;
  boost::asio::awaitable<std::optional<SandboxEntry>> stat_file(
      std::string path, std::string working_directory) override;
  boost::asio::awaitable<std::string> read_file(std::string path, std::string working_directory,
                                                std::uint64_t max_bytes) override;
  boost::asio::awaitable<std::vector<SandboxEntry>> list_dir(
      std::string path, std::string working_directory) override;
  boost::asio::awaitable<void> remove(std::string path, std::string working_directory,
                                      RemoveMode mode) override;

 private:
  class Script {
   public:
    Script(std::string marker, ExecResult result)
        : marker_(std::move(marker)), result_(std::move(result)) {}
    [[nodiscard]] const std::string& marker() const { return marker_; }
    [[nodiscard]] const ExecResult& result() const { return result_; }

   private:
    std::string marker_;
    ExecResult result_;
  };

  boost::asio::awaitable<void> begin(FakeOperation operation, std::string subject);
  [[nodiscard]] ExecResult answer_to(const FakeCommand& command) const;
  [[nodiscard]] ExecResult answer_to(const FakeProgram& program) const;
  [[nodiscard]] bool command_has(const FakeCommand& command, const std::string& marker) const;

  mutable std::mutex mutex_;
  FakeFileStore files_;
  std::string work_directory_;
  bool disposed_ = false;
  std::vector<Script> scripts_;
  std::map<FakeOperation, std::exception_ptr> failures_;
  std::map<FakeOperation, Hook> hooks_;
  std::vector<FakeCommand> commands_;
  std::vector<FakeProgram> programs_;
  std::vector<std::string> operations_;
};

}  // namespace sandbox::testing
