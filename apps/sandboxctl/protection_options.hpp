// --without and --require: the modes of single protections.
// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "sandbox/runner/backend_options.hpp"

namespace CLI {
class App;
}

namespace sandbox::ctl {

// As typed.
class ProtectionWords {
 public:
  std::vector<std::string> without;
  std::vector<std::string> require;

  ProtectionWords() = default;
};

// `words` must outlive the parsing.
void add_protection_options(CLI::App& command, ProtectionWords& words);

// Errors: errc::invalid_argument for a name that is no protection (all names are told), and for one
// that is both wanted and not.
void set_protections(runner::BackendOptions& options, const ProtectionWords& words);

// One line on stderr for each protection that was turned off.
void warn_of_turned_off(const runner::BackendOptions& options);

}  // namespace sandbox::ctl
