// How often: a small number for every day, a large one when asked for.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdlib>
#include <string>

namespace sandbox::runner::testing {

inline int count_from(const char* variable, int usual) {
  const char* asked = std::getenv(variable);
  return asked == nullptr ? usual : std::stoi(asked);
}

}  // namespace sandbox::runner::testing
