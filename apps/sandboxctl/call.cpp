// One call of the command: a backend, a sandbox, a run, and what it left.
// SPDX-License-Identifier: MIT
#include "call.hpp"

#include <boost/asio/this_coro.hpp>
#include <exception>
#include <utility>

#include "host_file.hpp"
#include "report.hpp"
#include "sandbox/codeact/codeact.hpp"
#include "sandbox/collect.hpp"
#include "sandbox/router.hpp"

namespace net = boost::asio;

namespace sandbox::ctl {
namespace {

constexpr const char* kWorkDirectory = "/work";

}  // namespace

HostFiles::HostFiles(const Options& options) {
  if (options.verb == Verb::run) program = read_host_file(options.program_file, "the program");
  inputs = read_inputs(options.inputs);
  if (options.stdin_file) {
    standard_input = read_host_file(*options.stdin_file, "the program's input");
  }
}

Call::Call(Options options, HostFiles files, ExecRequest::OutputCallback on_output)
    : options_(std::move(options)), files_(std::move(files)), on_output_(std::move(on_output)) {
  if (options_.out_directory) outputs_.emplace(options_, files_.inputs);
}

net::awaitable<void> Call::run() {
  std::exception_ptr failure;
  try {
    co_await carry_out();
  } catch (...) {
    failure = std::current_exception();
  }
  if (backend_) {
    co_await net::this_coro::reset_cancellation_state(net::disable_cancellation());
    co_await backend_->close();
  }
  if (failure) std::rethrow_exception(failure);
}

net::awaitable<void> Call::carry_out() {
  co_await acquire();
  co_await copy_in();
  ExecRequest asked = request();
  result_ = co_await sandbox_->exec(std::move(asked));
  if (outputs_) co_await bring_back();
}

net::awaitable<void> Call::acquire() {
  runner::BackendOptions backend_options = options_.backend;
  backend_options.log(log_for(options_.talk));
  backend_ = co_await runner::LinuxBackend::start(std::move(backend_options));

  RouterOptions policy;
  policy.min_isolation(Isolation::container).log(log_for(options_.talk));
  const Router router(backend_, std::move(policy));
  SandboxKey key("sandboxctl", "one call", "sandboxctl");
  SandboxSpec needs = spec();
  sandbox_ = co_await router.acquire(std::move(key), std::move(needs));
}

SandboxSpec Call::spec() const {
  SandboxSpec needs = options_.verb == Verb::run ? codeact::codeact_spec(codeact::CodeactOptions())
                                                 : SandboxSpec("exec");
  needs.work_dir(kWorkDirectory);
  needs.files_in(TransferLimits(Bytes(kMostFileBytes), Bytes(kMostInputBytes), kMostInputs));
  if (outputs_) needs.files_out(options_.out_limits);
  return needs;
}

net::awaitable<void> Call::copy_in() {
  for (const Input& input : files_.inputs) {
    co_await sandbox_->write_file(input.name(), input.content(), kWorkDirectory);
  }
  files_.inputs.clear();  // their hashes are enough from here on
  if (options_.verb == Verb::run) {
    co_await codeact::write_program(sandbox_, std::move(files_.program));
  }
}

ExecRequest Call::request() {
  ExecRequest asked = options_.verb == Verb::run ? codeact::program_request()
                                                 : ExecRequest(std::move(options_.argv));
  asked.working_directory(options_.working_directory.value_or(kWorkDirectory))
      .timeout(options_.timeout)
      .limits(options_.limits)
      .environment(options_.environment)
      .standard_input(std::move(files_.standard_input))
      .on_output(on_output_);
  return asked;
}

net::awaitable<void> Call::bring_back() {
  auto receiver = outputs_->receiver();
  CollectOptions collect = outputs_->collect_options();
  const CollectReport report =
      co_await collect_files(sandbox_, kWorkDirectory, std::move(collect), std::move(receiver));
  left_out_ = report.skipped;
  left_out_.insert(left_out_.end(), outputs_->left_out().begin(), outputs_->left_out().end());
  outputs_->throw_if_failed();
}

}  // namespace sandbox::ctl
