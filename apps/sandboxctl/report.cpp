// What the command itself says.
// SPDX-License-Identifier: MIT
#include "report.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <boost/json/serialize.hpp>
#include <cerrno>
#include <system_error>

#include "sandbox/utf8.hpp"

namespace sandbox::ctl {
namespace {

// 0, or the error.
int write_all(int descriptor, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t wrote = ::write(descriptor, bytes.data(), bytes.size());
    if (wrote < 0 && errno != EINTR && errno != EAGAIN) return errno;
    if (wrote > 0) bytes.remove_prefix(static_cast<std::size_t>(wrote));
  }
  return 0;
}

// Boost.JSON escapes what JSON demands. DEL and C1 drive terminals too; outside of strings there
// are none of them.
std::string without_controls(std::string_view serialized) {
  std::string text;
  text.reserve(serialized.size());
  for (std::size_t i = 0; i < serialized.size(); ++i) {
    const auto byte = static_cast<unsigned char>(serialized[i]);
    const auto next =
        i + 1 < serialized.size() ? static_cast<unsigned char>(serialized[i + 1]) : '\0';
    if (byte == 0x7F) {
      text += "\\u007f";
    } else if (byte == 0xC2 && next >= 0x80 && next < 0xA0) {
      text += fmt::format("\\u{:04x}", next);
      ++i;
    } else {
      text += serialized[i];
    }
  }
  return text;
}

}  // namespace

void say(std::string_view text) {
  // Nobody is left to tell when stderr is gone.
  (void)write_all(STDERR_FILENO, "sandboxctl: " + escape_for_terminal(text) + "\n");
}

void print_text(std::string_view text) {
  if (const int error = write_all(STDOUT_FILENO, text); error != 0) {
    throw Error(errc::os_error,
                "write to standard output: " + std::generic_category().message(error));
  }
}

void print_json(const boost::json::object& object) {
  print_text(without_controls(boost::json::serialize(object)) + "\n");
}

LogSink log_for(Talk talk) {
  if (talk == Talk::quiet) return {};
  const LogLevel least = talk == Talk::verbose ? LogLevel::debug : LogLevel::warning;
  return [least](LogLevel level, const std::string& message) {
    if (level >= least) say(fmt::format("{}: {}", to_string(level), message));
  };
}

}  // namespace sandbox::ctl
