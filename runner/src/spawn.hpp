// Starts a program of the host.
// SPDX-License-Identifier: MIT
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

namespace sandbox::runner {

// Descriptors that become the new process's 1, 2 and 3; stdin is /dev/null, all others are closed.
struct SpawnStreams {
  int out = -1;
  int err = -1;
  int third = -1;  // none
};

// Runs arguments[0] (a path) with exactly this environment, default signal state, "/" as working
// directory, in a session of its own. 0, or the errno when nothing was started.
// Errors: errc::too_many when descriptors are used up, errc::internal when they cannot be had.
int spawn_in_session(const std::vector<std::string>& arguments,
                     const std::vector<std::string>& environment, const SpawnStreams& streams,
                     pid_t& pid);

}  // namespace sandbox::runner
