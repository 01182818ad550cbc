// What `sandboxctl image` is asked for.
// SPDX-License-Identifier: MIT
#include "image_options.hpp"

#include <CLI/CLI.hpp>

#include "help.hpp"
#include "repeatable.hpp"

namespace sandbox::ctl {
namespace {

void add_build(CLI::App& image, ImageWords& words) {
  CLI::App* command = image.add_subcommand("build", "Builds one from Debian packages");
  command->get_formatter()->column_width(30);
  command
      ->add_option("RECIPE", words.recipe,
                   "data (numpy, pandas, matplotlib, scipy, pillow, openpyxl, lxml, sympy) or "
                   "python (Python alone)")
      ->type_name("")
      ->required();
  command->add_option("--name", words.name, "What it is to be called (default: as the recipe)")
      ->type_name("NAME");
  command->add_option("--suite", words.suite, "The Debian release (default bookworm)")
      ->type_name("NAME");
  add_repeatable(*command, "--mirror", words.mirrors, "URL",
                 "Where packages come from, or a whole line of sources.list; repeatable (default: "
                 "this machine's own sources when it is that Debian, else Debian's)");
  add_repeatable(*command, "--add", words.packages, "PACKAGE", "A Debian package more, repeatable");
  command->add_flag("--json", words.json, "Prints one JSON object, and nothing else on stdout");
  command->add_flag("--quiet", words.quiet, "No progress on stderr");
}

void add_name(CLI::App& command, ImageWords& words) {
  command.get_formatter()->column_width(30);
  command.add_option("NAME", words.image, "Its name, as list tells")->type_name("")->required();
}

}  // namespace

CLI::App* add_image(CLI::App& app, ImageWords& words) {
  CLI::App* image = app.add_subcommand("image", "Builds, lists, checks and removes images");
  image->require_subcommand(1);
  image->footer(std::string(kImageNotes));  // those below take it over
  add_build(*image, words);
  CLI::App* list = image->add_subcommand("list", "Tells which images there are");
  list->add_flag("--json", words.json, "Prints one JSON object");
  CLI::App* inspect = image->add_subcommand("inspect", "Tells what is in one, and checks it");
  add_name(*inspect, words);
  inspect->add_flag("--json", words.json, "Prints one JSON object");
  inspect->add_flag("--verify", words.verify, "Also compares the content of every file");
  CLI::App* remove = image->add_subcommand("remove", "Removes one");
  add_name(*remove, words);
  return image;
}

const CLI::App* named_below(const CLI::App& image) {
  const std::vector<const CLI::App*> parsed =
      image.get_subcommands([](const CLI::App* one) { return one->parsed(); });
  return parsed.empty() ? nullptr : parsed.front();
}

ImageCall image_call_of(const CLI::App& image, const ImageWords& words) {
  ImageCall call;
  call.json = words.json;
  call.quiet = words.quiet;
  call.name = words.image;
  call.verify = words.verify;
  const std::string verb = named_below(image)->get_name();
  if (verb == "inspect") call.what = ImageCall::What::inspect;
  if (verb == "remove") call.what = ImageCall::What::remove;
  if (verb != "build") return call;
  call.what = ImageCall::What::build;
  call.build.emplace(words.recipe);
  if (words.name) call.build->name(*words.name);
  if (words.suite) call.build->suite(*words.suite);
  call.build->mirrors(words.mirrors).add(words.packages);
  call.build->validate();
  return call;
}

}  // namespace sandbox::ctl
