// The machine's own Python as an image: the interpreter, its libraries, and nothing else.
// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

#include "image.hpp"

namespace sandbox::runner {

// The first `python3` on this search path (as in PATH) that can be run. Entries that are not
// absolute or cannot be used are passed over. Blocks.
// Errors: errc::image_unusable, with what was wrong with each entry; also when the first one that
// runs is no CPython 3.8 or newer.
Image host_image_on_path(std::string_view search_path);

// A given interpreter, by its absolute path. Blocks.
// Errors: errc::image_unusable.
Image host_image_of(const std::string& interpreter);

}  // namespace sandbox::runner
