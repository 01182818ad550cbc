// Where this library tells the operator what it cannot tell the caller.
// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace sandbox {

enum class LogLevel { debug, info, warning, error };

std::string_view to_string(LogLevel level);

// May hold host facts; must never reach a model. Called from any thread; must not throw.
// An empty function drops the records.
using LogSink = std::function<void(LogLevel, const std::string& message)>;

inline void write_log(const LogSink& sink, LogLevel level, const std::string& message) {
  if (sink) sink(level, message);
}

}  // namespace sandbox
