// A child process, timed from its spawn to its end.
// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "contestant.hpp"

namespace sandbox::bench {

// posix_spawn, read stdout to its end, wait4. Standard input is empty. What the process leaves
// running is waited for too, outside of the wall time, so that it does not slow the next one down:
// for that the harness adopts orphans, see adopt_orphans().
// Errors: std::system_error with the call that failed (the spawn's carries the errno of its exec);
// std::runtime_error when it has not ended after a minute; then it is killed.
Lap run_process(const std::vector<std::string>& argv, const std::vector<std::string>& environment);

// Orphaned descendants become children of this process, for its whole life.
void adopt_orphans();

}  // namespace sandbox::bench
