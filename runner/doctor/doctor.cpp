// SPDX-License-Identifier: MIT
#include "sandbox/runner/doctor.hpp"

#include <boost/asio/experimental/awaitable_operators.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <chrono>
#include <exception>
#include <memory>
#include <utility>

#include "../src/cancellation.hpp"
#include "../src/core_life.hpp"
#include "../src/explain.hpp"
#include "../src/fixes.hpp"
#include "../src/kernel_calls.hpp"
#include "../src/reply_socket.hpp"
#include "../src/request_writer.hpp"
#include "findings.hpp"
#include "sandbox/runner/linux_backend.hpp"
#include "sandbox/sandbox.hpp"
#include "sandbox/spec.hpp"

namespace net = boost::asio;

namespace sandbox::runner {
namespace {

using launcher::Reply;
using launcher::ReplyKind;

constexpr std::chrono::seconds kProbeTime(20);

Finding works(std::string name, std::string found) {
  Finding finding;
  finding.name = std::move(name);
  finding.state = FindingState::ok;
  finding.found = std::move(found);
  return finding;
}

std::vector<Finding> findings_of_calls(const HostFacts& host) {
  std::vector<Finding> findings;
  for (const KernelCall& call : missing_kernel_calls()) {
    findings.push_back(
        refused_finding("system_calls", sentence_of(call) + "; " + call_fix(call.since, host)));
  }
  if (findings.empty()) {
    findings.push_back(works("system_calls", "all that are needed can be used"));
  }
  return findings;
}

// The launcher's answers to one probe request, as they come.
class ProbeAnswers {
 public:
  ProbeAnswers(const net::any_io_executor& executor, Fd socket)
      : replies_(executor, std::move(socket)), timer_(executor, kProbeTime) {}

  net::awaitable<std::vector<Reply>> all() {
    using namespace net::experimental::awaitable_operators;
    std::vector<Reply> answers;
    while (answers.size() < launcher::kProbes) {
      auto first = co_await (replies_.next() || timer_.async_wait(net::use_awaitable));
      if (first.index() == 1) break;
      const std::optional<ReceivedReply>& received = std::get<0>(first);
      if (!received || received->reply.kind != ReplyKind::probed) break;
      answers.push_back(received->reply);
    }
    co_return answers;
  }

 private:
  ReplySocket replies_;
  net::steady_timer timer_;
};

net::awaitable<std::vector<Reply>> ask_launcher(std::shared_ptr<BackendCore> core) {
  const net::any_io_executor executor = co_await net::this_coro::executor;
  launcher::ProbeRequest flat;
  flat.header = core->header(launcher::RequestKind::probe, core->identity.uid);
  flat.header.in_cgroup = 0;
  RequestWriter writer(sizeof flat);
  std::string request = writer.finish(flat);
  FdPair socket = make_packet_pair();
  ProbeAnswers answers(executor, std::move(socket.first));
  std::vector<int> descriptors(1, socket.second.get());
  co_await core->launcher.send(std::move(request), std::move(descriptors));
  socket.second.reset();
  co_return co_await answers.all();
}

// Everything that is looked at one by one, by a launcher of its own.
class Examination {
 public:
  Examination(BackendOptions options, const HostFacts& host)
      : options_(std::move(options)), host_(host) {}

  net::awaitable<void> run(std::vector<Finding>& findings) {
    // That none is to be had is one of the answers.
    BackendOptions lenient = options_;
    const Mode cgroup = options_.mode_of(Protection::cgroup);
    if (cgroup == Mode::required) lenient.protect(Protection::cgroup, Mode::preferred);
    std::shared_ptr<BackendCore> core;
    try {
      core = co_await start_core(std::move(lenient));
    } catch (const Error& error) {
      const bool about_cgroup = error.sandbox_code() == errc::protection_unavailable;
      findings.push_back(refused_finding(about_cgroup ? "cgroup" : "launcher_start", error.what()));
    }
    if (!core) co_return;
    findings.push_back(works("launcher_start", "the helper program starts from memory"));
    std::exception_ptr why;
    try {
      const std::vector<Reply> answers = co_await ask_launcher(core);
      add(findings, doctor::findings_of_probes(answers, options_, host_));
      const std::string path = core->cgroups ? core->cgroups->path() : std::string();
      findings.push_back(doctor::finding_of_cgroups(path, core->no_cgroups_reason, cgroup));
    } catch (...) {
      why = std::current_exception();
    }
    if (why) co_await net::this_coro::reset_cancellation_state(net::disable_cancellation());
    co_await end_core(core);
    if (why) std::rethrow_exception(why);
  }

  static void add(std::vector<Finding>& to, std::vector<Finding> more) {
    for (Finding& finding : more) to.push_back(std::move(finding));
  }

 private:
  BackendOptions options_;
  const HostFacts& host_;
};

net::awaitable<ExecResult> run_one(std::shared_ptr<LinuxBackend> backend) {
  SandboxKey key("doctor", "doctor", "doctor");
  SandboxSpec spec("doctor");
  const std::shared_ptr<Sandbox> box = co_await backend->acquire(std::move(key), std::move(spec));
  std::vector<std::string> argv;
  argv.emplace_back("python3");
  argv.emplace_back("-c");
  argv.emplace_back("import sys; print('.'.join(map(str, sys.version_info[:3])), sys.executable)");
  ExecRequest request(std::move(argv));
  co_return co_await box->exec(std::move(request));
}

// A program as any other, on a backend as any other.
net::awaitable<ExecResult> try_whole(BackendOptions options) {
  const std::shared_ptr<LinuxBackend> backend = co_await LinuxBackend::start(std::move(options));
  std::optional<ExecResult> result;
  std::exception_ptr why;
  try {
    result = co_await run_one(backend);
  } catch (...) {
    why = std::current_exception();
  }
  if (why) co_await net::this_coro::reset_cancellation_state(net::disable_cancellation());
  co_await backend->close();
  if (why) std::rethrow_exception(why);
  if (!result->status.exited_with(0)) {
    throw Error(errc::image_unusable,
                "python3 did not run to its end: " + result->status.sentence() +
                    "; it said: " + result->standard_error.text());
  }
  co_return std::move(*result);
}

Finding finding_of(const ExecResult& result) {
  std::string printed = result.standard_output.text();
  while (!printed.empty() && printed.back() == '\n') printed.pop_back();
  return works("program", "ran python3 " + printed);
}

}  // namespace

std::string_view to_string(FindingState state) {
  switch (state) {
    case FindingState::ok:
      return "ok";
    case FindingState::weaker:
      return "weaker";
    case FindingState::refused:
      return "refused";
    case FindingState::note:
      return "note";
  }
  return "unknown";
}

Finding refused_finding(std::string name, const std::string& message) {
  const std::size_t end = message.find("; ");
  Finding finding;
  finding.name = std::move(name);
  finding.state = FindingState::refused;
  finding.found = message.substr(0, end);
  if (end != std::string::npos) finding.fix = message.substr(end + 2);
  return finding;
}

void require_system_calls() { require_kernel_calls(); }

net::awaitable<Diagnosis> diagnose(BackendOptions options) {
  options.validate();
  Diagnosis diagnosis;
  const HostFacts host = HostFacts::read();
  try {
    const OutsideIdentity identity = find_outside_identity(options.outside_uid());
    diagnosis.findings = doctor::findings_of_host(host, identity);
  } catch (const Error& error) {
    diagnosis.findings.push_back(refused_finding("identity", error.what()));
  }
  Examination::add(diagnosis.findings, findings_of_calls(host));
  if (diagnosis.findings.back().state == FindingState::ok) {
    Examination examination(options, host);
    auto work = examination.run(diagnosis.findings);
    co_await with_cancellation_told(std::move(work));
  }
  try {
    diagnosis.run = co_await try_whole(std::move(options));
    diagnosis.findings.push_back(finding_of(*diagnosis.run));
  } catch (const Error& error) {
    if (error.sandbox_code() == errc::cancelled) throw;
    diagnosis.error = error;
    diagnosis.findings.push_back(refused_finding("program", error.what()));
  }
  co_return diagnosis;
}

}  // namespace sandbox::runner
