// Path grammar and argument quoting of a guest; nothing else (contract section 1.1).
// SPDX-License-Identifier: MIT
#pragma once

#include <boost/system/result.hpp>
#include <set>
#include <string_view>

namespace sandbox {

enum class OsFamily { posix, windows };

using OsFamilySet = std::set<OsFamily>;

bool is_known(OsFamily family);
std::string_view to_string(OsFamily family);

// Errors: errc::config_error for any other string.
boost::system::result<OsFamily> os_family_from_string(std::string_view text);

}  // namespace sandbox
