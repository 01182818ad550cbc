// SPDX-License-Identifier: MIT
#include "run_outcome.hpp"

#include <signal.h>

#include <algorithm>

#include "denied_calls.hpp"

namespace sandbox::runner {

std::string duration_text(std::chrono::milliseconds time) {
  const auto count = time.count();
  if (count % 1000 == 0) return std::to_string(count / 1000) + " s";
  return std::to_string(count) + " ms";
}

std::string bytes_text(Bytes size) {
  const std::uint64_t count = size.count();
  if (count % (1ULL << 20U) == 0) return std::to_string(count >> 20U) + " MiB";
  return std::to_string(count) + " bytes";
}

ExitStatus status_of(const launcher::Reply& ended, const Limits& limits,
                     const std::optional<LimitHit>& stopped_for, bool memory_killed) {
  // A program that had ended by itself when the stop came has ended by itself.
  if (ended.code == CLD_EXITED && !memory_killed) return Exited(ended.status);
  if (stopped_for) return *stopped_for;
  if ((ended.met & launcher::bit(launcher::Met::memory)) != 0) {
    return LimitHit(Limit::memory, bytes_text(*limits.memory()));
  }
  if ((ended.met & launcher::bit(launcher::Met::cpu_time)) != 0) {
    return LimitHit(Limit::cpu_time, duration_text(*limits.cpu_time()));
  }
  // The kernel counts ticks for the limit and run time for the usage: on a busy machine the second
  // may be well below the first.
  const auto used = std::chrono::microseconds(ended.user_us + ended.system_us);
  const bool by_cpu_limit =
      limits.cpu_time() && ((ended.status == SIGXCPU && used * 2 >= *limits.cpu_time()) ||
                            (ended.status == SIGKILL && used >= *limits.cpu_time()));
  if (by_cpu_limit) return LimitHit(Limit::cpu_time, duration_text(*limits.cpu_time()));
  return Signaled(ended.status);
}

void add_report(ExecResult& result, const launcher::Reply& ended, const Limits& limits) {
  Usage& usage = result.usage;
  usage.wall = std::chrono::microseconds(ended.wall_ns / 1000);
  usage.cpu_user = std::chrono::microseconds(ended.user_us);
  usage.cpu_system = std::chrono::microseconds(ended.system_us);
  usage.memory_peak_bytes = std::max<std::uint64_t>(ended.max_rss_kib * 1024, ended.memory_peak);
  if (ended.processes_peak > 0) usage.processes_peak = ended.processes_peak;
  if (ended.accounting == 0 && result.enforced.memory == "rlimit") {
    result.enforced.protections["accounting"] = "unavailable";
  }
  const bool has_loopback = result.enforced.protections["network"] == "loopback";
  result.denied = denied_calls_of(ended, native_arch(), limits, has_loopback);
}

void add_cgroup_facts(ExecResult& result, const CgroupFacts& facts, const Limits& limits) {
  result.usage.cpu_user = std::chrono::microseconds(facts.cpu_user_us);
  result.usage.cpu_system = std::chrono::microseconds(facts.cpu_system_us);
  if (facts.memory_peak_bytes) result.usage.memory_peak_bytes = facts.memory_peak_bytes;
  const bool is_told = std::any_of(result.denied.begin(), result.denied.end(),
                                   [](const DeniedCall& call) { return call.call == "processes"; });
  if (facts.forks_refused > 0 && !is_told) {
    result.denied.push_back(processes_met(*limits.processes()));
  }
}

}  // namespace sandbox::runner
