// Images in the store: opened, listed, put in place and removed. All of it blocks.
// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "fd.hpp"
#include "image_manifest.hpp"
#include "image_tree.hpp"
#include "sandbox/runner/image_store.hpp"

namespace sandbox::runner {

// An image that may be used as long as `lease` is held: nobody removes its files meanwhile.
struct OpenedImage {
  std::string directory;  // of the host
  std::string root;       // the tree in it
  std::string digest;     // of the manifest
  Manifest manifest;
  std::shared_ptr<const Fd> lease;
};

// Checks the manifest against its digest, and the tree against the manifest.
// Errors: errc::image_unusable with what is wrong and how to build it again; errc::os_error.
OpenedImage open_stored_image(const std::string& name, Check check);

StoredImage description_of(const OpenedImage& image);

std::vector<ListedImage> list_stored_images();

// False when it is still in use.
bool remove_stored_image(const std::string& name);

// Files of an image in the making, invisible to all but sweeps. Owned by who holds the lock, so
// that a sweep takes what the dead left behind.
//
// Thread safety: none.
class Staging {
 public:
  // Sweeps first.
  Staging();
  Staging(const Staging&) = delete;
  Staging& operator=(const Staging&) = delete;
  Staging(Staging&&) = delete;
  Staging& operator=(Staging&&) = delete;
  ~Staging() = default;  // remove() is the owner's to call: it blocks and may fail

  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] int directory() const { return directory_.get(); }

  // Makes it the image of this name, in one step.
  void install(const std::string& name);
  void remove();

 private:
  Fd store_;
  Fd directory_;
  std::string name_;
  std::string path_;
};

}  // namespace sandbox::runner
