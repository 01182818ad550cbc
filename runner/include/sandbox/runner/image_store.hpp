// Images that are built once and kept: where they are, what they hold, and how they come and go.
// SPDX-License-Identifier: MIT
#pragma once

#include <boost/asio/awaitable.hpp>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace sandbox::runner {

// $XDG_DATA_HOME/libsandbox/images, else ~/.local/share/libsandbox/images.
// Errors: errc::config_error when there is no home directory.
std::string image_store_directory();

// An image as its manifest describes it. BackendOptions().image(name) uses it.
class StoredImage {
 public:
  std::string name;
  std::string recipe;
  std::string suite;
  std::string architecture;
  std::string python;     // version
  std::string library;    // version of the library that built it
  std::int64_t time = 0;  // when it was built, Unix seconds
  std::vector<std::pair<std::string, std::string>> packages;  // name and version
  std::string digest;                                         // SHA-256 of its manifest
  std::string directory;                                      // of the host
  std::size_t entries = 0;                                    // directories, files and links
  std::uint64_t bytes = 0;                                    // of all files

  StoredImage() = default;
};
static_assert(!std::is_aggregate_v<StoredImage>);

class ListedImage {
 public:
  std::string name;
  std::optional<StoredImage> image;
  std::string problem;  // why there is none

  ListedImage() = default;
};
static_assert(!std::is_aggregate_v<ListedImage>);

// All images by name. Only manifests are read; what an interrupted build left behind is removed.
// Errors: errc::image_unusable for a store that others may write to; errc::os_error.
boost::asio::awaitable<std::vector<ListedImage>> list_images();

enum class ImageCheck {
  quick,     // each entry's type, mode, size, time and link target, as when a backend starts
  contents,  // and the hash of every file
};

// Errors: errc::image_unusable when there is no such image, or naming the first path that is not
// as recorded.
boost::asio::awaitable<StoredImage> inspect_image(std::string name, ImageCheck check);

// It is gone under its name afterwards. False: a sandbox still uses it; its files are removed by a
// later list, build or removal, once that has ended.
// Errors: as inspect_image, but for what is in the image.
boost::asio::awaitable<bool> remove_image(std::string name);

// How to build an image.
//
// Thread safety: as a plain value.
class ImageBuild {
 public:
  using Listener = std::function<void(const std::string&)>;

  // A recipe: "data" (Python with numpy, pandas, matplotlib, scipy, pillow, openpyxl, lxml, sympy)
  // or "python" (Python alone).
  explicit ImageBuild(std::string recipe) : recipe_(std::move(recipe)), name_(recipe_) {}

  // What it is to be called. Default: as the recipe.
  ImageBuild& name(std::string value);
  // The Debian release. Default: bookworm, on every host: it is the one that the test suite runs
  // and docs/compatibility.md describes.
  ImageBuild& suite(std::string value);
  // Where packages come from, each a URL or a "deb ..." line. Default: the host's own sources when
  // it is a Debian of that suite, else Debian's.
  ImageBuild& mirrors(std::vector<std::string> values);
  // Debian packages beside those of the recipe.
  ImageBuild& add(std::vector<std::string> packages);
  // Told a line for each step, on the executor. Must not throw or block.
  ImageBuild& on_progress(Listener listener);

  [[nodiscard]] const std::string& recipe() const { return recipe_; }
  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] const std::string& suite() const { return suite_; }
  [[nodiscard]] const std::vector<std::string>& mirrors() const { return mirrors_; }
  [[nodiscard]] const std::vector<std::string>& add() const { return add_; }
  [[nodiscard]] const Listener& on_progress() const { return on_progress_; }

  // Errors: errc::invalid_argument naming the option, the value and what is allowed.
  void validate() const;

 private:
  std::string recipe_;
  std::string name_;
  std::string suite_ = "bookworm";
  std::vector<std::string> mirrors_;
  std::vector<std::string> add_;
  Listener on_progress_;
};
static_assert(!std::is_aggregate_v<ImageBuild>);

// Builds an image with mmdebstrap and puts it into the store in one step; an older one of the name
// is replaced, and sandboxes that run keep theirs. No script of a package is run; the interpreter
// compiles its modules inside a sandbox.
// Errors: errc::invalid_argument; errc::not_supported without mmdebstrap; errc::setup_failed with
// the last words of what failed; errc::os_error; those of LinuxBackend::start.
// Cancel: terminal; nothing is left running, and nothing is left in the store.
boost::asio::awaitable<StoredImage> build_image(ImageBuild build);

}  // namespace sandbox::runner
