// A sandbox inside the test's own process.
// SPDX-License-Identifier: MIT
#include "sandbox/testing/fake_sandbox.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

#include "sandbox/error.hpp"
#include "sandbox/path.hpp"

namespace sandbox::testing {

namespace net = boost::asio;

namespace {

std::string join_argv(const std::vector<std::string>& argv) {
  std::string joined;
  for (const std::string& argument : argv) {
    if (!joined.empty()) joined += ' ';
    joined += argument;
  }
  return joined;
}

// The bytes of one stream that a live listener sees: what was kept, in order.
void replay(const ExecRequest& request, Stream stream, const CapturedOutput& output) {
  if (!request.on_output()) return;
  for (const std::string* part : {&output.head(), &output.tail()}) {
    if (!part->empty()) request.on_output()(OutputChunk{stream, *part});
  }
}

}  // namespace

std::string_view to_string(FakeOperation operation) {
  switch (operation) {
    case FakeOperation::write_file:
      return "write_file";
    case FakeOperation::exec:
      return "exec";
    case FakeOperation::run_code:
      return "run_code";
    case FakeOperation::stat_file:
      return "stat_file";
    case FakeOperation::read_file:
      return "read_file";
    case FakeOperation::list_dir:
      return "list_dir";
    case FakeOperation::remove:
      return "remove";
  }
  return "?";
}

FakeCommand::FakeCommand(ExecRequest request)
    : request_(std::move(request)), joined_(join_argv(request_.argv())) {}

FakeSandbox::FakeSandbox(std::string work_directory) {
  set_work_directory(std::move(work_directory));
}

void FakeSandbox::seed_file(std::string path, std::string content) {
  const std::lock_guard lock(mutex_);
  files_.seed_file(path, std::move(content));
}

void FakeSandbox::seed_link(std::string path) {
  const std::lock_guard lock(mutex_);
  files_.seed_link(path);
}

void FakeSandbox::seed_other(std::string path) {
  const std::lock_guard lock(mutex_);
  files_.seed_other(path);
}

void FakeSandbox::seed_directory(std::string path) {
  const std::lock_guard lock(mutex_);
  files_.seed_directory(path);
}

std::optional<std::string> FakeSandbox::file(const std::string& absolute_path) const {
  const std::lock_guard lock(mutex_);
  return files_.content(absolute_path);
}

std::optional<EntryKind> FakeSandbox::kind_of(const std::string& absolute_path) const {
  const std::lock_guard lock(mutex_);
  return files_.kind(absolute_path);
}

std::vector<std::string> FakeSandbox::paths() const {
  const std::lock_guard lock(mutex_);
  return files_.paths();
}

void FakeSandbox::script(std::string marker, ExecResult result) {
  const std::lock_guard lock(mutex_);
  scripts_.emplace_back(std::move(marker), std::move(result));
}

void FakeSandbox::script_output(std::string marker, std::string standard_output) {
  ExecResult result{ExitStatus(Exited(0))};
  result.standard_output = CapturedOutput(std::move(standard_output));
  script(std::move(marker), std::move(result));
}

void FakeSandbox::fail(FakeOperation operation, std::exception_ptr error) {
  const std::lock_guard lock(mutex_);
  failures_[operation] = std::move(error);
}

void FakeSandbox::on(FakeOperation operation, Hook hook) {
  const std::lock_guard lock(mutex_);
  hooks_[operation] = std::move(hook);
}

std::string FakeSandbox::work_directory() const {
  const std::lock_guard lock(mutex_);
  return work_directory_;
}

void FakeSandbox::set_work_directory(std::string path) {
  const std::lock_guard lock(mutex_);
  // A foreign grammar ("D:\work") is carried as it is and has no place in this store (RT-10).
  if (path.starts_with('/') && !files_.kind(path)) files_.seed_directory(path);
  work_directory_ = std::move(path);
}

void FakeSandbox::mark_disposed() {
  const std::lock_guard lock(mutex_);
  disposed_ = true;
}

bool FakeSandbox::disposed() const {
  const std::lock_guard lock(mutex_);
  return disposed_;
}

std::vector<FakeCommand> FakeSandbox::commands() const {
  const std::lock_guard lock(mutex_);
  return commands_;
}

std::vector<FakeProgram> FakeSandbox::programs() const {
  const std::lock_guard lock(mutex_);
  return programs_;
}

std::vector<std::string> FakeSandbox::operations() const {
  const std::lock_guard lock(mutex_);
  return operations_;
}

// Records, refuses a disposed sandbox, runs the hook, then the failure that was asked for.
net::awaitable<void> FakeSandbox::begin(FakeOperation operation, std::string subject) {
  Hook hook;
  {
    const std::lock_guard lock(mutex_);
    operations_.push_back(std::string(to_string(operation)) + " " + subject);
    const auto found = hooks_.find(operation);
    if (found != hooks_.end()) hook = found->second;
    if (disposed_) {
      throw Error(errc::sandbox_disposed, std::string(to_string(operation)) +
                                              ": the sandbox was disposed; acquire a new one");
    }
  }
  try {
    if (hook) co_await hook(std::move(subject));
  } catch (const boost::system::system_error& error) {
    if (error.code() != boost::system::errc::operation_canceled) throw;
    throw Error(errc::cancelled, std::string(to_string(operation)) + ": cancelled by the caller");
  }
  std::exception_ptr failure;
  {
    const std::lock_guard lock(mutex_);
    const auto found = failures_.find(operation);
    if (found != failures_.end()) failure = found->second;
  }
  if (failure) std::rethrow_exception(failure);
}

// A program that was written to a file answers for itself, whatever the command line says.
bool FakeSandbox::command_has(const FakeCommand& command, const std::string& marker) const {
  if (command.joined().find(marker) != std::string::npos) return true;
  const std::string directory = command.working_directory().value_or(work_directory_);
  return std::any_of(
      command.argv().begin(), command.argv().end(), [&](const std::string& argument) {
        const std::string path = argument.starts_with('/') ? argument : directory + "/" + argument;
        if (!path.starts_with('/')) return false;
        const std::optional<std::string> content = files_.content(path);
        return content && content->find(marker) != std::string::npos;
      });
}

ExecResult FakeSandbox::answer_to(const FakeCommand& command) const {
  for (const Script& script : scripts_) {
    if (command_has(command, script.marker())) return script.result();
  }
  return ExecResult{ExitStatus(Exited(0))};
}

ExecResult FakeSandbox::answer_to(const FakeProgram& program) const {
  for (const Script& script : scripts_) {
    if (program.code().find(script.marker()) != std::string::npos) return script.result();
  }
  return ExecResult{ExitStatus(Exited(0))};
}

net::awaitable<void> FakeSandbox::write_file(std::string path, std::string content,
                                             std::string working_directory) {
  co_await begin(FakeOperation::write_file, path);
  const std::lock_guard lock(mutex_);
  files_.write_file(path, std::move(content), working_directory);
}

net::awaitable<ExecResult> FakeSandbox::exec(ExecRequest request) {
  request.validate();
  const FakeCommand command(std::move(request));
  {
    const std::lock_guard lock(mutex_);
    commands_.push_back(command);
  }
  co_await begin(FakeOperation::exec, command.joined());
  ExecResult result(Exited(0));
  {
    const std::lock_guard lock(mutex_);
    result = answer_to(command);
  }
  replay(command.request(), Stream::standard_output, result.standard_output);
  replay(command.request(), Stream::standard_error, result.standard_error);
  co_return result;
}

net::awaitable<ExecResult> FakeSandbox::run_code(std::string code,
                                                 std::chrono::milliseconds timeout) {
  const FakeProgram program(std::move(code), timeout);
  {
    const std::lock_guard lock(mutex_);
    programs_.push_back(program);
  }
  co_await begin(FakeOperation::run_code, program.code());
  const std::lock_guard lock(mutex_);
  co_return answer_to(program);
}

net::awaitable<std::optional<SandboxEntry>> FakeSandbox::stat_file(std::string path,
                                                                   std::string working_directory) {
  co_await begin(FakeOperation::stat_file, path);
  const std::lock_guard lock(mutex_);
  co_return files_.stat_file(path, working_directory);
}

net::awaitable<std::string> FakeSandbox::read_file(std::string path, std::string working_directory,
                                                   std::uint64_t max_bytes) {
  co_await begin(FakeOperation::read_file, path);
  const std::lock_guard lock(mutex_);
  co_return files_.read_file(path, working_directory, max_bytes);
}

net::awaitable<std::vector<SandboxEntry>> FakeSandbox::list_dir(std::string path,
                                                                std::string working_directory) {
  co_await begin(FakeOperation::list_dir, path);
  const std::lock_guard lock(mutex_);
  co_return files_.list_dir(path, working_directory);
}

net::awaitable<void> FakeSandbox::remove(std::string path, std::string working_directory,
                                         RemoveMode mode) {
  co_await begin(FakeOperation::remove, path);
  const std::lock_guard lock(mutex_);
  files_.remove(path, working_directory, mode);
}

}  // namespace sandbox::testing
