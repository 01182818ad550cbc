// The names in a directory, read through a descriptor.
// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "fd.hpp"

namespace sandbox::runner {

// Opens a directory below `parent` without following a link at its end; the descriptor is empty
// and errno set when that fails.
Fd open_directory(int parent, const std::string& name);

// All names but "." and "..", in no order. The descriptor stays as it is.
// Errors: errc::os_error; `what` says which directory.
std::vector<std::string> names_in(int directory, std::string_view what);

// Throws the errc::os_error for a failed call: "ACTION: strerror".
[[noreturn]] void throw_os_error(const std::string& action, int error);

}  // namespace sandbox::runner
