// What `sandboxctl image` is asked for.
// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "sandbox/runner/image_store.hpp"

namespace CLI {
class App;
}

namespace sandbox::ctl {

class ImageCall {
 public:
  enum class What { build, list, inspect, remove };
  What what = What::list;
  std::optional<runner::ImageBuild> build;
  std::string name;     // inspect, remove
  bool verify = false;  // inspect: the contents as well
  bool json = false;
  bool quiet = false;  // no progress

  ImageCall() = default;
};
static_assert(!std::is_aggregate_v<ImageCall>);

// As typed.
class ImageWords {
 public:
  std::string recipe;
  std::optional<std::string> name, suite;
  std::vector<std::string> mirrors, packages;
  std::string image;
  bool verify = false;
  bool json = false;
  bool quiet = false;

  ImageWords() = default;
};

// `words` must outlive the parsing.
CLI::App* add_image(CLI::App& app, ImageWords& words);

// The sub-command's own sub-command that was named; null when none was.
const CLI::App* named_below(const CLI::App& image);

// REQUIRES: the command was parsed.
// Errors: errc::invalid_argument with the option, its value and what is allowed.
ImageCall image_call_of(const CLI::App& image, const ImageWords& words);

}  // namespace sandbox::ctl
