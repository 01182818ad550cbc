// Where the figures come from: without it they say nothing.
// SPDX-License-Identifier: MIT
#pragma once

#include <string>

namespace sandbox::bench {

class Machine {
 public:
  std::string kernel;       // "Linux 6.1.0-18-amd64 x86_64"
  std::string processor;    // model name; "unknown" when the kernel does not tell
  unsigned processors = 1;  // that this process may use
  unsigned uid = 0;         // effective
  double load = 0;          // average of the last minute, at the start
  bool optimised = false;   // this build
  std::string build;        // compiler and its version

  Machine() = default;
};

Machine this_machine();

}  // namespace sandbox::bench
