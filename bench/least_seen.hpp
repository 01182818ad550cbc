// An estimate of processor time that the kernel gives no account of.
// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <chrono>
#include <map>
#include <string>

namespace sandbox::bench {

// Work in sequence takes at least its processor time, and in a quiet moment hardly more: the
// shortest time seen stands for it. A longer one was waiting, maybe for foreign load.
class LeastSeen {
 public:
  std::chrono::nanoseconds of(const std::string& workload, std::chrono::nanoseconds seen) {
    std::chrono::nanoseconds& least = least_.try_emplace(workload, seen).first->second;
    least = std::min(least, seen);
    return least;
  }

 private:
  std::map<std::string, std::chrono::nanoseconds> least_;
};

}  // namespace sandbox::bench
