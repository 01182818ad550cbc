// A directory with a root file system as an image.
// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "image.hpp"

namespace sandbox::runner {

// `directory` is absolute. Its links are read as the guest will read them: they never lead out of
// it. Nothing in it is run. The version is the one in the interpreter's name ("3.11") or empty.
// Blocks.
// Errors: errc::image_unusable when it is no directory, when others may write to it or to its usr,
// or when it has no python3 that can be run.
Image directory_image_of(const std::string& directory);

}  // namespace sandbox::runner
