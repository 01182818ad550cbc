// Path algebra of the guest: pure text, no file system (SB-2 to SB-8).
// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sandbox/error.hpp"

namespace sandbox {

// POSIX normpath: "//" and "." collapse, "x/.." folds, no trailing "/", "" is ".", "/.." is "/".
// Exactly two leading slashes are kept, as POSIX allows them a meaning of their own.
std::string normalize_path(std::string_view path);

// The normalised absolute path of `path` seen from `working_directory`; an absolute `path` stands
// for itself. The working directory itself is a legal answer.
// Errors: errc::path_not_confined for a path outside, a backslash, a NUL, or text that is not
// UTF-8 (SB-7).
Result<std::string> confine(std::string_view path, std::string_view working_directory);

// `path` below `base`: "" for the base itself, the remainder for a descendant, else nullopt.
std::optional<std::string> relative_to(std::string_view path, std::string_view base);

// The directories to classify before an operation on `absolute_path`: from the first below the
// root down to the parent (SB-9). "/a/b/c" gives "/a", "/a/b".
std::vector<std::string> parents_from_root(std::string_view absolute_path);

}  // namespace sandbox
