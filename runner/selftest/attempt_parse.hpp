// An attempt's file, taken apart.
// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

#include "sandbox/runner/selftest.hpp"

namespace sandbox::runner {

// `file_name` is "NNN_what.py"; README.md has the form of the header. The program is `prelude`
// and then the whole text.
// Errors: errc::config_error: file, line, what is wrong there and what is allowed.
Attempt parse_attempt(std::string_view file_name, std::string_view text, std::string_view prelude);

}  // namespace sandbox::runner
