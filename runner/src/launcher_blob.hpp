// The launcher program, embedded in the library.
// SPDX-License-Identifier: MIT
#pragma once

#include <span>

namespace sandbox::runner {

std::span<const unsigned char> launcher_program();

}  // namespace sandbox::runner
