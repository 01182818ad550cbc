// A command line in front of the program: nothing, bubblewrap, or our own command.
// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "contestant.hpp"
#include "least_seen.hpp"

namespace sandbox::bench {

// Whether the kernel tells us all the processor time that a command's processes used.
enum class CpuAccount {
  whole,    // they are waited for, down to the last
  partial,  // some vanish without one: LeastSeen estimates it
};

class CommandContestant : public Contestant {
 public:
  // `front` is put before the workload's argv; empty for a bare run.
  CommandContestant(std::string name, std::vector<std::string> front,
                    std::vector<std::string> environment, CpuAccount account);

  [[nodiscard]] const std::string& name() const override { return name_; }
  Lap run(const Workload& workload) override;

 private:
  std::string name_;
  std::vector<std::string> front_;
  std::vector<std::string> environment_;
  CpuAccount account_;
  LeastSeen unaccounted_;
};

// The bubblewrap command line of the nearest boundary to ours: all namespaces fresh, the machine's
// /usr read-only, own /proc, /dev and /tmp.
std::vector<std::string> bubblewrap_front(const std::string& bwrap);

// The command, one-shot: it starts a backend, runs, and ends it.
std::vector<std::string> sandboxctl_front(const std::string& sandboxctl, const std::string& image);

}  // namespace sandbox::bench
