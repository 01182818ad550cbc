// One attempt: a sandbox, a run, a look at the host.
// SPDX-License-Identifier: MIT
#include <boost/asio/cancellation_state.hpp>
#include <boost/asio/this_coro.hpp>
#include <exception>
#include <optional>
#include <utility>

#include "host_state.hpp"
#include "sandbox/error.hpp"
#include "sandbox/runner/linux_backend.hpp"
#include "sandbox/runner/selftest.hpp"
#include "sandbox/tool_binding.hpp"
#include "verdict.hpp"

namespace net = boost::asio;

namespace sandbox::runner {
namespace {

constexpr const char* kWork = "/work";
constexpr const char* kFile = "attempt.py";

AttemptReport report_for(const Attempt& attempt) {
  AttemptReport report;
  report.number = attempt.number;
  report.name = attempt.name;
  report.title = attempt.title;
  report.group = attempt.group;
  std::set<Protection> layers = attempt.control.off();
  for (const auto& [protection, ignored] : attempt.expectations_without) layers.insert(protection);
  report.layers.assign(layers.begin(), layers.end());
  return report;
}

// The run that shows that sandboxes still work.
std::shared_ptr<const Attempt> next_run() {
  Attempt next;
  next.name = "next";
  next.expectations.emplace_back("next", std::vector<std::string>{"ok"});
  next.outcomes = {"exited"};
  next.program = "print('@@ next ok')\n";
  return std::make_shared<const Attempt>(std::move(next));
}

net::awaitable<ExecResult> run_in(std::shared_ptr<LinuxBackend> backend, SandboxKey key,
                                  std::shared_ptr<const Attempt> attempt) {
  SandboxSpec spec("selftest");
  spec.work_dir(kWork);
  const std::shared_ptr<Sandbox> box = co_await backend->acquire(std::move(key), std::move(spec));
  co_await box->write_file(kFile, attempt->program, kWork);
  std::vector<std::string> argv = {"python3", kFile};
  ExecRequest request(std::move(argv));
  request.working_directory(kWork).timeout(attempt->timeout).limits(attempt->limits);
  co_return co_await box->exec(std::move(request));
}

net::awaitable<ExecResult> run_in_fresh_sandbox(std::shared_ptr<LinuxBackend> backend,
                                                std::shared_ptr<const Attempt> attempt) {
  const SandboxKey key("selftest", attempt->name, "selftest");
  std::exception_ptr failure;
  std::optional<ExecResult> result;
  try {
    result = co_await run_in(backend, key, attempt);
    co_await backend->dispose(key);
  } catch (...) {
    failure = std::current_exception();
  }
  if (!failure) co_return std::move(*result);
  if (is_cancellation(failure)) {
    co_await net::this_coro::reset_cancellation_state(net::disable_cancellation());
  }
  try {
    co_await backend->dispose(key);
  } catch (const Error&) {
    // What failed first is what is told.
  }
  std::rethrow_exception(failure);
}

// The result, or why there is none. Only what ends the whole test is thrown.
class Ran {
 public:
  std::optional<ExecResult> result;
  std::optional<Error> error;

  Ran() = default;
};

net::awaitable<Ran> try_to_run(std::shared_ptr<LinuxBackend> backend,
                               std::shared_ptr<const Attempt> attempt) {
  Ran ran;
  try {
    ran.result = co_await run_in_fresh_sandbox(std::move(backend), std::move(attempt));
  } catch (const Error& error) {
    if (error.sandbox_code() == errc::cancelled || error.sandbox_code() == errc::backend_closed) {
      throw;
    }
    ran.error = error;
  }
  co_return ran;
}

// Preferred protections that this machine does not have, as the receipt tells.
std::set<Protection> unavailable(const Enforced& enforced) {
  std::set<Protection> found;
  for (const Protection protection : kAllProtections) {
    const auto state = enforced.protections.find(std::string(to_string(protection)));
    if (state != enforced.protections.end() && state->second == "unavailable") {
      found.insert(protection);
    }
  }
  return found;
}

Judgement judge_error(const Error& error) {
  if (error.sandbox_code() == errc::launcher_lost) {
    return {Verdict::escaped, std::string("the launcher was lost: ") + error.what()};
  }
  const bool lacking = error.what_to_do() == condition::unsupported;
  return {lacking ? Verdict::skipped : Verdict::broken, error.what()};
}

void set_judgement(AttemptReport& report, const Attempt& attempt, std::set<Protection> off,
                   const Ran& ran) {
  if (!ran.result) {
    const Judgement judgement = judge_error(*ran.error);
    report.verdict = judgement.verdict();
    report.reason = judgement.reason();
    return;
  }
  // It meets what it would meet if they had been turned off.
  const std::set<Protection> missing = unavailable(ran.result->enforced);
  off.insert(missing.begin(), missing.end());
  const Told told(ran.result->standard_output);
  const Judgement judgement = judge(attempt, off, told, *ran.result);
  report.met = told.met();
  report.verdict = judgement.verdict();
  report.reason = judgement.reason();
  for (const Protection layer : report.layers) {
    if (!missing.contains(layer)) continue;
    report.lacking.push_back(layer);
    if (report.verdict == Verdict::contained) continue;
    report.reason += "; " + std::string(to_string(layer)) + " cannot be had on this machine";
  }
}

// A sentence when it did not go as it must.
std::optional<std::string> next_problem(const Attempt& next, const Ran& ran) {
  AttemptReport report;
  set_judgement(report, next, {}, ran);
  if (report.verdict == Verdict::contained) return std::nullopt;
  return "a new sandbox does not work any more: " + report.reason;
}

void set_harm(AttemptReport& report, std::vector<std::string> harm) {
  report.harm = std::move(harm);
  if (report.harm.empty()) return;
  std::string reason = "the host is not as it was: " + report.harm.front();
  if (report.harm.size() > 1) {
    reason += " (and " + std::to_string(report.harm.size() - 1) + " more)";
  }
  if (!report.reason.empty()) reason = report.reason + "; " + reason;
  report.verdict = Verdict::escaped;
  report.reason = std::move(reason);
}

}  // namespace

net::awaitable<AttemptReport> run_attempt(std::shared_ptr<LinuxBackend> backend, Attempt attempt,
                                          std::set<Protection> off) {
  AttemptReport report = report_for(attempt);
  const auto shared = std::make_shared<const Attempt>(std::move(attempt));
  const auto canaries = std::make_shared<const HostCanaries>();
  const auto begin = std::chrono::steady_clock::now();

  const Ran ran = co_await try_to_run(backend, shared);
  set_judgement(report, *shared, off, ran);
  std::optional<std::string> problem;
  if (ran.result) {
    const std::shared_ptr<const Attempt> next = next_run();
    const Ran again = co_await try_to_run(backend, next);
    problem = next_problem(*next, again);
  }
  std::vector<std::string> harm = co_await HostCanaries::harm(canaries);
  if (problem) harm.push_back(*problem);
  set_harm(report, std::move(harm));
  report.time = std::chrono::duration_cast<std::chrono::microseconds>(
      std::chrono::steady_clock::now() - begin);
  co_return report;
}

net::awaitable<AttemptReport> run_attempt(BackendOptions options, Attempt attempt) {
  std::set<Protection> off;
  for (const auto& [protection, reason] : options.turned_off()) off.insert(protection);
  if (attempt.work_size) options.work_size(*attempt.work_size);
  const std::shared_ptr<LinuxBackend> backend = co_await LinuxBackend::start(std::move(options));
  AttemptReport report;
  std::exception_ptr failure;
  try {
    report = co_await run_attempt(backend, std::move(attempt), std::move(off));
  } catch (...) {
    failure = std::current_exception();
  }
  if (failure) co_await net::this_coro::reset_cancellation_state(net::disable_cancellation());
  co_await backend->close();
  if (failure) std::rethrow_exception(failure);
  co_return report;
}

}  // namespace sandbox::runner
