// Files that are read and written as a whole.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace sandbox::runner {

// The content of a regular file below `directory`, no link followed at its end. Blocks.
// Errors: errc::os_error naming the file; errc::too_large past `limit`.
std::string read_whole(int directory, const std::string& name,
                       std::size_t limit = std::size_t{1} << 32U);

// Makes a file that must not be there yet. Blocks.
// Errors: errc::os_error naming the file.
void write_whole(int directory, const std::string& name, std::string_view content, unsigned mode);

}  // namespace sandbox::runner
