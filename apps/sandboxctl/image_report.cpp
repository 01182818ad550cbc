// How images are told to people and to programs.
// SPDX-License-Identifier: MIT
#include "image_report.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <boost/json/array.hpp>

#include "sandbox/utf8.hpp"

namespace sandbox::ctl {
namespace {

using runner::ListedImage;
using runner::StoredImage;

std::string time_of(const StoredImage& image) {
  constexpr std::int64_t kYear10000 = 253402300800;
  const std::int64_t seconds = std::clamp<std::int64_t>(image.time, 0, kYear10000 - 1);
  return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(static_cast<std::time_t>(seconds)));
}

std::string mebibytes(const StoredImage& image) {
  return fmt::format("{} MiB", (image.bytes + (1U << 19U)) >> 20U);
}

}  // namespace

boost::json::object image_json(const StoredImage& image) {
  boost::json::array packages;
  for (const auto& [name, version] : image.packages) {
    packages.push_back({{"name", name}, {"version", version}});
  }
  return {{"name", image.name},           {"recipe", image.recipe},
          {"suite", image.suite},         {"architecture", image.architecture},
          {"python", image.python},       {"built", time_of(image)},
          {"library", image.library},     {"digest", image.digest},
          {"directory", image.directory}, {"entries", image.entries},
          {"bytes", image.bytes},         {"packages", packages}};
}

boost::json::object images_json(const std::vector<ListedImage>& images) {
  boost::json::array list;
  for (const ListedImage& one : images) {
    boost::json::object entry;
    if (one.image) {
      entry = image_json(*one.image);
      entry["problem"] = nullptr;
    } else {
      entry = {{"name", one.name}, {"problem", one.problem}};
    }
    list.push_back(std::move(entry));
  }
  return {{"store", runner::image_store_directory()}, {"images", list}};
}

std::string image_text(const StoredImage& image) {
  std::string text;
  const auto line = [&text](std::string_view name, std::string_view value) {
    text += fmt::format("{:<13}{}\n", name, escape_for_terminal(value));
  };
  line("name", image.name);
  line("recipe", image.recipe);
  line("suite", fmt::format("{} ({})", image.suite, image.architecture));
  line("python", image.python);
  line("built", fmt::format("{} by libsandbox {}", time_of(image), image.library));
  line("digest", image.digest);
  line("directory", image.directory);
  line("size", fmt::format("{} in {} entries", mebibytes(image), image.entries));
  line("packages", std::to_string(image.packages.size()));
  for (const auto& [name, version] : image.packages) {
    text += fmt::format("  {} {}\n", escape_for_terminal(name), escape_for_terminal(version));
  }
  return text;
}

std::string images_text(const std::vector<ListedImage>& images) {
  if (images.empty()) {
    return fmt::format("no images in {}\nbuild one with: sandboxctl image build data\n",
                       escape_for_terminal(runner::image_store_directory()));
  }
  constexpr std::string_view kForm = "{:<16} {:<10} {:<8} {:>9}  {:<20}  {}\n";
  std::string text =
      fmt::format(fmt::runtime(kForm), "NAME", "SUITE", "PYTHON", "SIZE", "BUILT", "DIGEST");
  for (const ListedImage& one : images) {
    if (!one.image) {
      text += fmt::format("{:<16} {}\n", escape_for_terminal(one.name),
                          escape_for_terminal(one.problem));
      continue;
    }
    const StoredImage& image = *one.image;
    text += fmt::format(fmt::runtime(kForm), image.name, image.suite, image.python,
                        mebibytes(image), time_of(image), image.digest.substr(0, 12));
  }
  return text;
}

}  // namespace sandbox::ctl
