// Runs a short program of the host and keeps what it printed.
// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace sandbox::runner {

struct CapturedRun {
  int start_error = 0;  // errno; not zero: nothing ran
  bool timed_out = false;
  bool too_much_output = false;  // killed for it
  // As a shell would say it (128 + signal). nullopt: someone else in this process collected it.
  std::optional<int> exit_code;
  std::string out;
  std::string err;
};

// Runs arguments[0] (a path) with exactly this environment, stdin from /dev/null, no other
// descriptor, default signal state, "/" as working directory, in a session of its own. Past the
// deadline, or with more than `output_cap` bytes on one stream, it is killed; so is what it left
// behind in its process group. Blocks.
// Errors: errc::too_many when descriptors are used up, errc::internal when they cannot be had.
CapturedRun run_captured(const std::vector<std::string>& arguments,
                         const std::vector<std::string>& environment,
                         std::chrono::milliseconds deadline, std::size_t output_cap);

}  // namespace sandbox::runner
