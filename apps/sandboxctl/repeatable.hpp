// Options that may stand on a line several times.
// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace sandbox::ctl {

// One value each time the option stands there, taken as it is: CLI11 would otherwise read "[a,b]"
// as a list. `values` must outlive the parsing.
CLI::Option* add_repeatable(CLI::App& command, const char* name, std::vector<std::string>& values,
                            const char* form, const char* help);

}  // namespace sandbox::ctl
