// What `sandboxctl selftest` is asked for.
// SPDX-License-Identifier: MIT
#include "selftest_options.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdint>
#include <string_view>

#include "help.hpp"
#include "sandbox/error.hpp"
#include "sizes.hpp"

namespace sandbox::ctl {
namespace {

constexpr std::uint32_t kMostNumber = 999;

std::set<int> numbers_of(std::string_view text) {
  std::set<int> numbers;
  for (;;) {
    const std::size_t comma = text.find(',');
    const std::string_view typed = text.substr(0, comma);
    const std::uint32_t number = parse_count("--only", typed);
    if (number > kMostNumber) {
      throw Error(errc::invalid_argument,
                  fmt::format("--only '{}': numbers go up to {}", typed, kMostNumber));
    }
    numbers.insert(static_cast<int>(number));
    if (comma == std::string_view::npos) return numbers;
    text.remove_prefix(comma + 1);
  }
}

}  // namespace

CLI::App* add_selftest(CLI::App& app, SelftestWords& words) {
  CLI::App* command = app.add_subcommand("selftest", "Tries to break out, and tells what held");
  command->get_formatter()->column_width(30);
  command->add_option("--only", words.only, "Only the attempts with these numbers")
      ->type_name("N[,N...]");
  command->add_flag("--layers", words.layers,
                    "Also tries the critical ones with each of seccomp, landlock, namespace_lock "
                    "and inner_user_namespace off: a second layer must hold");
  command
      ->add_option("--image", words.image,
                   "As for run: host, host:/path/to/python, dir:/path, or a name")
      ->type_name("REF");
  command->add_flag("--json", words.json, "Prints one JSON object, and nothing else on stdout");
  command->add_flag("--quiet", words.quiet, "Prints only what is not contained; no warnings");
  add_protection_options(*command, words.protections);
  command->footer(std::string(kSelftestNotes));
  return command;
}

SelftestCall selftest_call_of(const SelftestWords& words) {
  SelftestCall call;
  if (words.only) call.only = numbers_of(*words.only);
  if (words.image) call.backend.image(*words.image);
  set_protections(call.backend, words.protections);
  call.backend.validate();
  call.layers = words.layers;
  call.json = words.json;
  call.quiet = words.quiet;
  return call;
}

}  // namespace sandbox::ctl
