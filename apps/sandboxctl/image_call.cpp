// Carries `sandboxctl image` out.
// SPDX-License-Identifier: MIT
#include "image_call.hpp"

#include <fmt/format.h>

#include <utility>

#include "image_report.hpp"
#include "report.hpp"
#include "stoppable.hpp"

namespace sandbox::ctl {
namespace {

int build(const ImageCall& call) {
  runner::ImageBuild asked = *call.build;
  if (!call.quiet) {
    asked.on_progress([](const std::string& line) { say(line); });
  }
  const auto outcome = run_stoppable(runner::build_image(std::move(asked)));
  if (!outcome.result) return outcome.exit_code;
  if (call.json) print_json(image_json(*outcome.result));
  return 0;
}

int list(const ImageCall& call) {
  const auto outcome = run_stoppable(runner::list_images());
  if (!outcome.result) return outcome.exit_code;
  if (call.json) {
    print_json(images_json(*outcome.result));
  } else {
    print_text(images_text(*outcome.result));
  }
  return 0;
}

int inspect(const ImageCall& call) {
  const auto check = call.verify ? runner::ImageCheck::contents : runner::ImageCheck::quick;
  const auto outcome = run_stoppable(runner::inspect_image(call.name, check));
  if (!outcome.result) return outcome.exit_code;
  if (call.json) {
    boost::json::object told = image_json(*outcome.result);
    told["checked"] = call.verify ? "contents" : "quick";
    print_json(told);
    return 0;
  }
  print_text(image_text(*outcome.result));
  print_text(call.verify ? "checked      every entry, and the content of every file\n"
                         : "checked      every entry (--verify: contents too)\n");
  return 0;
}

int remove(const ImageCall& call) {
  const auto outcome = run_stoppable(runner::remove_image(call.name));
  if (!outcome.result) return outcome.exit_code;
  if (!*outcome.result) {
    say(
        fmt::format("'{}' is still used by a sandbox; its files go when that has ended, with the "
                    "next 'sandboxctl image list'",
                    call.name));
  }
  return 0;
}

}  // namespace

int run_image_call(const ImageCall& call) {
  switch (call.what) {
    case ImageCall::What::build:
      return build(call);
    case ImageCall::What::inspect:
      return inspect(call);
    case ImageCall::What::remove:
      return remove(call);
    case ImageCall::What::list:
      break;
  }
  return list(call);
}

}  // namespace sandbox::ctl
