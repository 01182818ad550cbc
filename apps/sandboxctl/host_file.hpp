// Files of the host that go into a sandbox.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace sandbox::ctl {

// The most that one file, and all of them together, may hold: what the backend takes in (its
// declared transfer limits).
inline constexpr std::uint64_t kMostFileBytes = 64ULL << 20U;
inline constexpr std::uint64_t kMostInputBytes = 256ULL << 20U;
inline constexpr std::uint32_t kMostInputs = 256;

// The whole content of the file, pipe or device; "-" is standard input. `what` names it in errors
// ("the program").
// Errors: errc::not_found, errc::is_a_directory, errc::permission_denied, errc::os_error,
// errc::too_large for more than kMostFileBytes.
std::string read_host_file(const std::string& path, std::string_view what);

}  // namespace sandbox::ctl
