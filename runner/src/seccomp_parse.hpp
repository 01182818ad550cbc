// Reads the OCI form of a seccomp policy.
// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

#include "seccomp_policy.hpp"

namespace sandbox::runner {

// Reads and checks `json`. `profile_name` stands in messages only. What would widen a policy
// without a word is refused: an allowing default, keys and actions that this compiler does not
// implement, a second answer for the same case. Whether the names exist is for the compiler to say.
// Errors: errc::config_error with the place ("syscalls[3].args[0].op", or line and column) and what
// to write instead.
SeccompPolicy parse_policy(std::string_view profile_name, std::string_view json);

// A config_error about a place in a profile, worded as those of parse_policy().
[[noreturn]] void throw_profile_error(std::string_view profile_name, std::string_view where,
                                      std::string_view text);

}  // namespace sandbox::runner
