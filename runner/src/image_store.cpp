// The store, for users of the library: each call does its work on a thread of its own.
// SPDX-License-Identifier: MIT
#include "sandbox/runner/image_store.hpp"

#include <algorithm>
#include <utility>

#include "cancellation.hpp"
#include "image_place.hpp"
#include "image_recipe.hpp"
#include "sandbox/error.hpp"
#include "sandbox/utf8.hpp"
#include "stored_image.hpp"
#include "worker.hpp"

namespace net = boost::asio;

namespace sandbox::runner {
namespace {

template <class T>
net::awaitable<T> off_the_executor(std::function<T()> work) {
  Worker worker;
  auto call = worker.run(std::move(work));
  co_return co_await with_cancellation_told(std::move(call));
}

void check_name(const std::string& name) {
  if (is_image_name(name)) return;
  throw Error(errc::invalid_argument,
              "image name '" + escape_for_terminal(name) +
                  "': a name is 1 to 64 of a-z, 0-9, '.', '_' and '-', begins with a letter or "
                  "digit, and is not \"host\"");
}

[[noreturn]] void refuse(const std::string& option, const std::string& value,
                         const std::string& allowed) {
  throw Error(errc::invalid_argument,
              "image build: " + option + " '" + escape_for_terminal(value) + "': " + allowed);
}

bool all_of(std::string_view text, std::string_view allowed) {
  return text.find_first_not_of(allowed) == std::string_view::npos;
}

constexpr std::string_view kLowerAndDigits = "abcdefghijklmnopqrstuvwxyz0123456789";

void check_suite(const std::string& suite) {
  const bool plain = !suite.empty() && suite.size() <= 64 &&
                     all_of(suite, std::string(kLowerAndDigits) + "-.") &&
                     all_of(suite.substr(0, 1), kLowerAndDigits);
  if (!plain) refuse("suite", suite, "give the name of a Debian release: bookworm");
}

void check_package(const std::string& package) {
  const bool plain = package.size() > 1 && package.size() <= 200 &&
                     all_of(package, std::string(kLowerAndDigits) + "+-.:=~") &&
                     all_of(package.substr(0, 1), kLowerAndDigits);
  if (!plain) refuse("package", package, "give the name of a Debian package: python3-requests");
}

void check_mirror(const std::string& mirror) {
  const bool is_line = mirror.starts_with("deb ");
  const bool plain = std::all_of(mirror.begin(), mirror.end(), [is_line](char c) {
    return static_cast<unsigned char>(c) > 0x20 || (is_line && c == ' ');
  });
  const bool is_url = mirror.find("://") != std::string::npos || mirror.starts_with("copy:/");
  // Not shown: it may hold a password.
  if (!plain || !is_url) {
    throw Error(errc::invalid_argument,
                "image build: a mirror is a URL (https://deb.debian.org/debian) or a line of "
                "sources.list (deb [signed-by=...] URL SUITE main)");
  }
}

}  // namespace

ImageBuild& ImageBuild::name(std::string value) {
  name_ = std::move(value);
  return *this;
}

ImageBuild& ImageBuild::suite(std::string value) {
  suite_ = std::move(value);
  return *this;
}

ImageBuild& ImageBuild::mirrors(std::vector<std::string> values) {
  mirrors_ = std::move(values);
  return *this;
}

ImageBuild& ImageBuild::add(std::vector<std::string> packages) {
  add_ = std::move(packages);
  return *this;
}

ImageBuild& ImageBuild::on_progress(Listener listener) {
  on_progress_ = std::move(listener);
  return *this;
}

void ImageBuild::validate() const {
  if (!is_recipe(recipe_)) refuse("recipe", recipe_, "there are: " + recipe_names());
  check_name(name_);
  check_suite(suite_);
  for (const std::string& mirror : mirrors_) check_mirror(mirror);
  for (const std::string& package : add_) check_package(package);
}

net::awaitable<std::vector<ListedImage>> list_images() {
  std::function<std::vector<ListedImage>()> work = [] { return list_stored_images(); };
  co_return co_await off_the_executor(std::move(work));
}

net::awaitable<StoredImage> inspect_image(std::string name, ImageCheck check) {
  check_name(name);
  const Check depth = check == ImageCheck::contents ? Check::contents : Check::quick;
  std::function<StoredImage()> work = [name = std::move(name), depth] {
    return description_of(open_stored_image(name, depth));
  };
  co_return co_await off_the_executor(std::move(work));
}

net::awaitable<bool> remove_image(std::string name) {
  check_name(name);
  std::function<bool()> work = [name = std::move(name)] { return remove_stored_image(name); };
  co_return co_await off_the_executor(std::move(work));
}

}  // namespace sandbox::runner
