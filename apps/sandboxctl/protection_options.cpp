// --without and --require: the modes of single protections.
// SPDX-License-Identifier: MIT
#include "protection_options.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <string_view>

#include "repeatable.hpp"
#include "report.hpp"
#include "sandbox/error.hpp"
#include "sandbox/runner/protection.hpp"
#include "sandbox/runner/unsafe.hpp"
#include "sandbox/utf8.hpp"

namespace sandbox::ctl {
namespace {

runner::Protection protection_named(std::string_view option, const std::string& name) {
  if (const auto found = runner::protection_of(name)) return *found;
  std::string known;
  for (const runner::Protection one : runner::kAllProtections) {
    known += fmt::format("{}{}", known.empty() ? "" : ", ", to_string(one));
  }
  throw Error(errc::invalid_argument, fmt::format("{} '{}': this is no protection; there are {}",
                                                  option, escape_for_terminal(name), known));
}

void add(CLI::App& command, const char* name, std::vector<std::string>& values, const char* help) {
  add_repeatable(command, name, values, "PROTECTION", help)->group("Protections");
}

}  // namespace

void add_protection_options(CLI::App& command, ProtectionWords& words) {
  add(command, "--require", words.require,
      "Nothing runs where this one cannot be had (some are else left out on kernels without "
      "them), repeatable");
  add(command, "--without", words.without,
      "UNSAFE: runs with this one off, to try things out, repeatable");
}

void set_protections(runner::BackendOptions& options, const ProtectionWords& words) {
  for (const std::string& name : words.require) {
    options.protect(protection_named("--require", name), runner::Mode::required);
  }
  for (const std::string& name : words.without) {
    const runner::Protection which = protection_named("--without", name);
    if (std::find(words.require.begin(), words.require.end(), name) != words.require.end()) {
      throw Error(errc::invalid_argument,
                  fmt::format("--without {0} and --require {0}: give one of them", name));
    }
    options.turn_off(runner::unsafe::TurnOff(which, "sandboxctl --without " + name));
  }
}

void warn_of_turned_off(const runner::BackendOptions& options) {
  for (const auto& [protection, reason] : options.turned_off()) {
    say(fmt::format("warning: {} is off: the program is held by less than it should be",
                    to_string(protection)));
  }
}

}  // namespace sandbox::ctl
