// What mends a step that failed.
// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "../launcher/steps.hpp"
#include "host_facts.hpp"

namespace sandbox::runner {

// One that makes a user namespace or gives it its ids.
bool is_user_namespace_step(launcher::Step step);

// The cause where `host` shows it, else the likely ones, and what to do; never empty.
std::string fix_of(launcher::Step step, int error, const HostFacts& host);

// For a launcher that could not be executed.
std::string launcher_start_fix(int error, const HostFacts& host);

// For a system call that Linux has since that version, and that is not there or not allowed.
std::string call_fix(const std::string& since, const HostFacts& host);

}  // namespace sandbox::runner
