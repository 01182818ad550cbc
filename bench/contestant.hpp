// One way to run a program, timed.
// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <string>

#include "workload.hpp"

namespace sandbox::bench {

// One run by one contestant.
class Lap {
 public:
  // From just before the request until the output and the exit code are in hand.
  std::chrono::nanoseconds wall{0};
  // What the run cost this machine beside the harness's own thread.
  std::chrono::nanoseconds cpu{0};
  int exit_code = 0;  // as a shell shows it
  std::string output;
  std::string error_output;

  Lap() = default;
};

class Contestant {
 public:
  Contestant() = default;
  Contestant(const Contestant&) = delete;
  Contestant& operator=(const Contestant&) = delete;
  Contestant(Contestant&&) = delete;
  Contestant& operator=(Contestant&&) = delete;
  virtual ~Contestant() = default;

  [[nodiscard]] virtual const std::string& name() const = 0;
  // Errors: std::exception when nothing ran. Whether the answer is right is for the caller to say.
  virtual Lap run(const Workload& workload) = 0;
};

}  // namespace sandbox::bench
