// What init and the cgroup reported of a run, as status and usage.
// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <optional>
#include <string>

#include "../launcher/plan.hpp"
#include "cgroup_home.hpp"
#include "sandbox/exec.hpp"
#include "seccomp_profile.hpp"

namespace sandbox::runner {

// "5 s", "1500 ms"; "64 MiB", "1000 bytes".
std::string duration_text(std::chrono::milliseconds time);
std::string bytes_text(Bytes size);

// `stopped_for`: the limit for which we ended the run; `memory_killed`: the kernel did, for memory,
// and took the whole run.
ExitStatus status_of(const launcher::Reply& ended, const Limits& limits,
                     const std::optional<LimitHit>& stopped_for, bool memory_killed);

// Usage, denied calls, and whether the run's memory was watched at all.
void add_report(ExecResult& result, const launcher::Reply& ended, const Limits& limits);

// The kernel counted the run as a whole: better than what init saw.
void add_cgroup_facts(ExecResult& result, const CgroupFacts& facts, const Limits& limits);

}  // namespace sandbox::runner
