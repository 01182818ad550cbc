// What the command itself says.
// SPDX-License-Identifier: MIT
#pragma once

#include <boost/json/object.hpp>
#include <string>
#include <string_view>

#include "options.hpp"
#include "sandbox/error.hpp"
#include "sandbox/log.hpp"

namespace sandbox::ctl {

// One line on stderr: "sandboxctl: ...". Safe for a terminal whatever the text holds.
void say(std::string_view text);

// The object, one line, on stdout. Control characters are written as \u escapes.
// Errors: errc::os_error when stdout does not take it.
void print_json(const boost::json::object& object);

// Errors: errc::os_error when stdout does not take it.
void print_text(std::string_view text);

// The library's log on stderr: warnings as well as errors, all of it when verbose, none when quiet.
LogSink log_for(Talk talk);

}  // namespace sandbox::ctl
