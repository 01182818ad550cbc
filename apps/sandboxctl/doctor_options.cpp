// SPDX-License-Identifier: MIT
#include "doctor_options.hpp"

#include <CLI/CLI.hpp>

#include "help.hpp"

namespace sandbox::ctl {

CLI::App* add_doctor(CLI::App& app, DoctorWords& words) {
  CLI::App* command =
      app.add_subcommand("doctor", "Tells whether programs run here, and what to do if not");
  command->get_formatter()->column_width(30);
  command->add_option("--image", words.image, "As for run")->type_name("REF");
  command->add_flag("--json", words.json, "Prints one JSON object, and nothing else on stdout");
  command->add_flag("--quiet", words.quiet, "Prints only what is amiss");
  add_protection_options(*command, words.protections);
  command->footer(std::string(kDoctorNotes));
  return command;
}

DoctorCall doctor_call_of(const DoctorWords& words) {
  DoctorCall call;
  if (words.image) call.backend.image(*words.image);
  set_protections(call.backend, words.protections);
  call.backend.validate();
  call.json = words.json;
  call.quiet = words.quiet;
  return call;
}

}  // namespace sandbox::ctl
