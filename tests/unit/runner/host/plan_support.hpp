// An image with one of everything.
// SPDX-License-Identifier: MIT
#pragma once

#include "image.hpp"

namespace sandbox::runner::test {

// Directories and files, links to and beside them, and late parts below /tmp and /work.
Image hand_made_image();

}  // namespace sandbox::runner::test
