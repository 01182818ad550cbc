// Puts an image together from paths of the host that shall look the same in the guest.
// SPDX-License-Identifier: MIT
#include "image_builder.hpp"

#include <fcntl.h>
#include <linux/openat2.h>
#include <sys/stat.h>

#include <algorithm>
#include <system_error>
#include <utility>

#include "host_path.hpp"

namespace sandbox::runner {
namespace {

const std::string kHiddenInGuest =
    " cannot be had in a guest, which has a file system of its own there; move the interpreter";

}  // namespace

std::string ImageBuilder::refusal_of_links(const std::vector<ImageLink>& links) const {
  for (const ImageLink& link : links) {
    if (shows(link.guest_path)) continue;
    if (place_of(link.guest_path) == GuestPlace::impossible) {
      return "the link " + link.guest_path + kHiddenInGuest;
    }
    if (has_control_characters(link.guest_path) || has_control_characters(link.target)) {
      return "a link on the way has control characters in its name";
    }
  }
  return {};
}

// Empty: bound, or visible before.
std::string ImageBuilder::bind_real(const std::string& real_path, What what) {
  if (shows(real_path)) return {};
  if (has_control_characters(real_path)) return "its name has control characters";
  if (place_of(real_path) == GuestPlace::impossible) return real_path + kHiddenInGuest;
  const PinnedPath pin = pin_path(AT_FDCWD, real_path, RESOLVE_NO_SYMLINKS);
  if (pin.error != 0) return real_path + ": " + std::generic_category().message(pin.error);
  const bool is_directory = S_ISDIR(pin.mode);
  if (!is_directory && !S_ISREG(pin.mode)) {
    return real_path + " is neither a directory nor a regular file";
  }
  if (what == What::with_bind && is_directory) {
    if (const std::string why = policy_.refusal(real_path); !why.empty()) {
      return real_path + " is not shown to guests as a whole: " + why;
    }
  }
  binds_.push_back(ImageBind{real_path, real_path, is_directory, pin.device, pin.inode});
  return {};
}

ImageBuilder::Outcome ImageBuilder::put(std::string_view path, What what) {
  HostWalk walk = walk_host_path(path);
  Outcome outcome{std::move(walk.real_path), std::move(walk.failure)};
  if (outcome.ok()) outcome.refusal = refusal_of_links(walk.links);
  if (outcome.ok() && what != What::links) outcome.refusal = bind_real(outcome.real_path, what);
  if (!outcome.ok()) return outcome;
  for (ImageLink& link : walk.links) {
    if (!has(link.guest_path)) links_.push_back(std::move(link));
  }
  return outcome;
}

ImageBuilder::Outcome ImageBuilder::follow(std::string_view path) { return put(path, What::links); }

ImageBuilder::Outcome ImageBuilder::expose(std::string_view path) {
  return put(path, What::with_bind);
}

ImageBuilder::Outcome ImageBuilder::expose_system(std::string_view path) {
  return put(path, What::with_system_bind);
}

void ImageBuilder::add_link(std::string guest_path, std::string target) {
  links_.push_back(ImageLink{std::move(guest_path), std::move(target)});
}

void ImageBuilder::add_bind(ImageBind bind) { binds_.push_back(std::move(bind)); }

void ImageBuilder::note(std::string text) {
  if (std::find(notes_.begin(), notes_.end(), text) == notes_.end()) {
    notes_.push_back(std::move(text));
  }
}

bool ImageBuilder::shows(std::string_view real_path) const {
  return std::any_of(binds_.begin(), binds_.end(),
                     [&](const ImageBind& bind) { return is_within(real_path, bind.guest_path); });
}

bool ImageBuilder::has(std::string_view guest_path) const {
  return shows(guest_path) || std::any_of(links_.begin(), links_.end(), [&](const ImageLink& link) {
           return link.guest_path == guest_path;
         });
}

void ImageBuilder::finish(Image& image) const {
  // A path that sorts before another is its parent or stands elsewhere.
  std::vector<ImageBind> binds = binds_;
  std::sort(binds.begin(), binds.end(),
            [](const ImageBind& a, const ImageBind& b) { return a.guest_path < b.guest_path; });
  std::vector<ImageBind> kept;
  for (ImageBind& bind : binds) {
    const bool below = std::any_of(kept.begin(), kept.end(), [&](const ImageBind& other) {
      return is_within(bind.guest_path, other.guest_path);
    });
    if (!below) kept.push_back(std::move(bind));
  }
  std::vector<ImageLink> links = links_;
  std::sort(links.begin(), links.end(),
            [](const ImageLink& a, const ImageLink& b) { return a.guest_path < b.guest_path; });
  for (ImageBind& bind : kept) {
    const bool late = place_of(bind.guest_path) == GuestPlace::late;
    (late ? image.late_binds : image.binds).push_back(std::move(bind));
  }
  for (ImageLink& link : links) {
    if (shows(link.guest_path)) continue;
    const bool late = place_of(link.guest_path) == GuestPlace::late;
    (late ? image.late_links : image.links).push_back(std::move(link));
  }
  image.notes = notes_;
}

}  // namespace sandbox::runner
