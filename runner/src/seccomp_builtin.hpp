// The policies that are embedded at build time; the definition is generated from seccomp-profiles/.
// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <string_view>

namespace sandbox::runner {

struct BuiltinProfile {
  std::string_view name;
  std::string_view json;
};

std::span<const BuiltinProfile> builtin_profiles();

}  // namespace sandbox::runner
