// UTF-8 checks for bytes that came out of a guest.
// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

namespace sandbox {

// Strict: no surrogates, no overlong forms, nothing above U+10FFFF (RFC 3629).
bool is_utf8(std::string_view bytes);

// Each maximal bad part becomes one U+FFFD (Unicode standard, section 3.9).
std::string to_utf8_lossy(std::string_view bytes);

// Printable text for a terminal or a log line: control characters other than '\n' and '\t' are
// written as \xHH, bad bytes as U+FFFD.
std::string escape_for_terminal(std::string_view bytes);

}  // namespace sandbox
