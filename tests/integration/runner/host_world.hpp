// What a run must leave as it found it: descriptors, children, mounts.
// SPDX-License-Identifier: MIT
#pragma once

#include <set>
#include <string>
#include <vector>

namespace sandbox::runner::testing {

class HostWorld {
 public:
  static HostWorld look();

  // What is there now and was not in `before`, a line each; waits a moment for what is on its way
  // out.
  static std::vector<std::string> left_over(const HostWorld& before);

 private:
  std::set<std::string> descriptors_;  // "7 -> pipe:[1234]"
  std::set<int> descendants_;
  std::size_t mounts_ = 0;
};

// All live processes below `pid`, zombies not counted.
std::set<int> descendants_of(int pid);

}  // namespace sandbox::runner::testing
