// What the boundary refused a run, in words.
// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "../launcher/plan.hpp"
#include "sandbox/exec.hpp"
#include "seccomp_profile.hpp"

namespace sandbox::runner {

// Refused system calls first, in the order of their first time, then the limits that were met and
// ended nothing.
// `has_loopback`: the profile lets programs talk to themselves on 127.0.0.1.
std::vector<DeniedCall> denied_calls_of(const launcher::Reply& ended, FilterArch arch,
                                        const Limits& limits, bool has_loopback);

// "Reached the limit of 64 processes", as the element of such a list.
DeniedCall processes_met(std::uint32_t limit);

}  // namespace sandbox::runner
