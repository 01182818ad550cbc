// Words of the log levels.
// SPDX-License-Identifier: MIT
#include "sandbox/log.hpp"

#include "words.hpp"

namespace sandbox {
namespace {

constexpr detail::WordTable<LogLevel, 4> kWords{{
    {LogLevel::debug, "debug"},
    {LogLevel::info, "info"},
    {LogLevel::warning, "warning"},
    {LogLevel::error, "error"},
}};

}  // namespace

std::string_view to_string(LogLevel level) { return detail::word_of(kWords, level); }

}  // namespace sandbox
