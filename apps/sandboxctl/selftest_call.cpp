// Carries `sandboxctl selftest` out.
// SPDX-License-Identifier: MIT
#include "selftest_call.hpp"

#include <array>
#include <boost/asio/awaitable.hpp>
#include <string>
#include <utility>
#include <vector>

#include "report.hpp"
#include "sandbox/runner/selftest.hpp"
#include "sandbox/runner/unsafe.hpp"
#include "selftest_report.hpp"
#include "stoppable.hpp"

namespace net = boost::asio;

namespace sandbox::ctl {
namespace {

using runner::Protection;
using runner::SelftestOptions;
using runner::SelftestReport;

// The critical ones must hold with any one of them off (adversarial 13).
constexpr std::array kLayers = {Protection::seccomp, Protection::landlock,
                                Protection::namespace_lock, Protection::inner_user_namespace};

std::vector<SelftestOptions> runs_of(const SelftestCall& call) {
  SelftestOptions options;
  options.backend(call.backend).only(call.only);
  std::vector<SelftestOptions> runs{options};
  if (!call.layers) return runs;
  for (const Protection layer : kLayers) {
    if (call.backend.turned_off().contains(layer)) continue;
    runner::BackendOptions weaker = call.backend;
    weaker.turn_off(runner::unsafe::TurnOff(layer, "sandboxctl selftest --layers"));
    runs.push_back(options);
    runs.back().backend(std::move(weaker)).critical_only(true);
  }
  return runs;
}

net::awaitable<std::vector<SelftestReport>> run_all(std::vector<SelftestOptions> runs) {
  std::vector<SelftestReport> reports;
  for (SelftestOptions& run : runs) {
    SelftestReport report = co_await runner::run_selftest(std::move(run));
    // --only may name none of the critical ones.
    if (reports.empty() || !report.attempts.empty()) reports.push_back(std::move(report));
  }
  co_return reports;
}

}  // namespace

int run_selftest_call(const SelftestCall& call) {
  if (!call.quiet) warn_of_turned_off(call.backend);
  const auto outcome = run_stoppable(run_all(runs_of(call)));
  if (!outcome.result) return outcome.exit_code;
  const std::vector<SelftestReport>& reports = *outcome.result;
  if (call.json) {
    print_json(selftest_json(reports));
  } else {
    print_text(selftest_text(reports, call.quiet));
  }
  return all_good(reports) ? 0 : 1;
}

}  // namespace sandbox::ctl
