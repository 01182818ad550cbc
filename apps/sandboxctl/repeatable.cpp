// SPDX-License-Identifier: MIT
#include "repeatable.hpp"

#include <CLI/CLI.hpp>

namespace sandbox::ctl {

CLI::Option* add_repeatable(CLI::App& command, const char* name, std::vector<std::string>& values,
                            const char* form, const char* help) {
  return command.add_option(name, values, help)
      ->type_name(form)
      ->expected(1)
      ->allow_extra_args(false)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
}

}  // namespace sandbox::ctl
