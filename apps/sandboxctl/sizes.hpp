// Sizes, durations and counts as people type them.
// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <cstdint>
#include <string_view>

#include "sandbox/units.hpp"

namespace sandbox::ctl {

// Errors (all three): errc::invalid_argument with the option, the value and the allowed forms.

// "65536", "64K", "512M", "2GiB": whole numbers, powers of 1024, from 1 byte to 1024T.
Bytes parse_size(std::string_view option, std::string_view text);

// "500ms", "5s", "1.5s", "2m", "1h"; a number alone is in seconds. From 1 ms to 30 days.
std::chrono::milliseconds parse_duration(std::string_view option, std::string_view text);

// A whole number from 1 to 4294967295.
std::uint32_t parse_count(std::string_view option, std::string_view text);

}  // namespace sandbox::ctl
