// SPDX-License-Identifier: MIT
#include "launcher_blob.hpp"

#include <cstddef>

// Defined by launcher_blob.S.
extern "C" {
extern const unsigned char sandbox_launcher_begin[];
extern const unsigned char sandbox_launcher_end[];
}

namespace sandbox::runner {

std::span<const unsigned char> launcher_program() {
  return {sandbox_launcher_begin,
          static_cast<std::size_t>(sandbox_launcher_end - sandbox_launcher_begin)};
}

}  // namespace sandbox::runner
