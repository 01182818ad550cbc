// SHA-256, for identities and receipts.
// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace sandbox {

// 64 lower-case hex digits.
std::string sha256_hex(std::string_view bytes);

// Over length-prefixed fields, so ("a|b","c") and ("a","b|c") differ (BE-5).
std::string sha256_hex_of_fields(const std::vector<std::string_view>& fields);

}  // namespace sandbox
