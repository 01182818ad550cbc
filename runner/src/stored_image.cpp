// Images in the store: opened and listed.
// SPDX-License-Identifier: MIT
#include "stored_image.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "directory_listing.hpp"
#include "host_path.hpp"
#include "image_place.hpp"
#include "image_recipe.hpp"
#include "sandbox/digest.hpp"
#include "sandbox/error.hpp"
#include "sandbox/utf8.hpp"
#include "store_sweep.hpp"
#include "whole_file.hpp"

namespace sandbox::runner {
namespace {

constexpr std::size_t kMostManifest = std::size_t{256} << 20U;
constexpr int kAttempts = 8;

[[noreturn]] void refuse_missing(const std::string& name) {
  std::string what = "there is no image '" + name + "' in " + image_store_directory() +
                     "; build it with: " + build_command(name);
  if (!is_recipe(name)) {
    what += R"(; other images are "host", "host:/path/to/python" and "dir:/path/to/root")";
  }
  throw Error(errc::image_unusable, what);
}

[[noreturn]] void refuse_damaged(const std::string& name, const std::string& why) {
  throw Error(errc::image_unusable, "the image '" + name + "' in " + image_store_directory() +
                                        " is not as it was built: " + why +
                                        "; build it again: " + build_command(name));
}

bool is_same_directory(int store, const std::string& name, int directory) {
  struct stat by_name {};
  struct stat opened {};
  return ::fstatat(store, name.c_str(), &by_name, AT_SYMLINK_NOFOLLOW) == 0 &&
         ::fstat(directory, &opened) == 0 && by_name.st_dev == opened.st_dev &&
         by_name.st_ino == opened.st_ino;
}

// The image's directory under a shared lock, taken before anybody could remove it.
Fd lease_of(int store, const std::string& name) {
  for (int i = 0; i < kAttempts; ++i) {
    Fd directory = open_directory(store, name);
    if (!directory && errno == ENOENT) refuse_missing(name);
    if (!directory) throw_os_error("open the image '" + name + "'", errno);
    const bool locked = ::flock(directory.get(), LOCK_SH | LOCK_NB) == 0;
    // Replaced meanwhile: the next look finds the new one.
    if (locked && is_same_directory(store, name, directory.get())) return directory;
  }
  refuse_missing(name);
}

// The manifest, when its bytes are those that were recorded.
Manifest read_manifest(int directory, const std::string& name, std::string& digest) {
  std::string text;
  std::string recorded;
  try {
    text = read_whole(directory, "manifest", kMostManifest);
    recorded = read_whole(directory, "digest", 4096);
  } catch (const Error& error) {
    refuse_damaged(name, error.what());
  }
  digest = sha256_hex(text);
  if (recorded != digest + "\n") {
    refuse_damaged(name, "manifest: its content is not the one that 'digest' tells");
  }
  try {
    Manifest manifest = Manifest::parse(std::move(text));
    if (manifest.head().name == name) return manifest;
  } catch (const Error& error) {
    refuse_damaged(name, error.what());
  }
  refuse_damaged(name, "its manifest is that of another image");
}

OpenedImage open_image(int store, const std::string& name) {
  auto lease = std::make_shared<const Fd>(lease_of(store, name));
  std::string directory = join_path(image_store_directory(), name);
  refuse_foreign(lease->get(), directory);
  std::string digest;
  Manifest manifest = read_manifest(lease->get(), name, digest);
  std::string root = join_path(directory, "root");
  return OpenedImage{std::move(directory), std::move(root), std::move(digest), std::move(manifest),
                     std::move(lease)};
}

}  // namespace

OpenedImage open_stored_image(const std::string& name, Check check) {
  const Fd store = open_store(IfMissing::none);
  if (!store) refuse_missing(name);
  OpenedImage image = open_image(store.get(), name);
  const Fd root = open_directory(image.lease->get(), "root");
  if (!root) refuse_damaged(name, "root: it is missing or no directory");
  refuse_foreign(root.get(), image.root);
  const auto difference = difference_of(root.get(), image.manifest, check);
  if (difference) refuse_damaged(name, *difference);
  return image;
}

StoredImage description_of(const OpenedImage& image) {
  const ManifestHead& head = image.manifest.head();
  StoredImage description;
  description.name = head.name;
  description.recipe = head.recipe;
  description.suite = head.suite;
  description.architecture = head.architecture;
  description.python = head.python;
  description.library = head.library;
  description.time = head.time;
  description.packages = head.packages;
  description.digest = image.digest;
  description.directory = image.directory;
  description.entries = image.manifest.entries().size();
  description.bytes = image.manifest.total_bytes();
  return description;
}

std::vector<ListedImage> list_stored_images() {
  const Fd store = open_store(IfMissing::none);
  if (!store) return {};
  sweep_store(store.get());
  std::vector<std::string> names = names_in(store.get(), image_store_directory());
  std::erase_if(names, [](const std::string& name) { return !is_image_name(name); });
  std::sort(names.begin(), names.end());
  std::vector<ListedImage> list;
  for (const std::string& name : names) {
    ListedImage& entry = list.emplace_back();
    entry.name = name;
    try {
      entry.image = description_of(open_image(store.get(), name));
    } catch (const Error& error) {
      entry.problem = error.what();
    }
  }
  return list;
}

}  // namespace sandbox::runner
