// What a guest's root file system is made of.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace sandbox::runner {

// A file or directory of the host that appears read-only in the guest. Device and inode number pin
// what was looked at when the image was resolved; the launcher refuses anything else at that path.
struct ImageBind {
  std::string host_path;   // absolute, links resolved
  std::string guest_path;  // absolute, normalised
  bool is_directory = true;
  std::uint64_t device = 0;
  std::uint64_t inode = 0;

  friend bool operator==(const ImageBind&, const ImageBind&) = default;
};

// A symbolic link made in the guest's root. No part of guest_path but the last is a link.
struct ImageLink {
  std::string guest_path;
  std::string target;

  friend bool operator==(const ImageLink&, const ImageLink&) = default;
};

// A resolved image. All lists of binds and links are sorted by guest path, so a parent comes before
// what is below it; no bind lies under another one, and no link lies under a bind. Parents of guest
// paths that are not bound themselves are fresh empty directories.
struct Image {
  std::string reference;  // as given: "host", "host:/path", "dir:/path", or a name in the store
  // None of these lies in /tmp, /work, /var/tmp, /dev, /proc or /sys of the guest.
  std::vector<ImageBind> binds;
  std::vector<ImageLink> links;
  // Guest paths strictly below /tmp or /work, where the guest's own mounts would hide them: they
  // are put in place after those mounts are made. Empty unless the interpreter really lives there.
  std::vector<ImageBind> late_binds;
  std::vector<ImageLink> late_links;
  std::string interpreter;  // guest path, not link-resolved; started when argv[0] is "python3"
  std::vector<std::string> path_directories;  // guest PATH, the interpreter's directory first
  std::string version;                        // "3.11.2"; of a directory at most "3.11"
  std::string manifest_digest;                // of an image of the store; else empty
  std::string digest;                         // image_digest(): part of a sandbox's identity
  // Of an image of the store: its files stay as long as this is held.
  std::shared_ptr<const void> lease;
  // What was left out of the image and why, for the operator.
  std::vector<std::string> notes;
};

// Resolves an image reference by looking at the host; blocking (it may run an interpreter for a
// moment), so call it on a worker thread.
// Errors: errc::config_error for a reference that is not of a known form; errc::image_unusable with
// what was tried, why it failed and what to do.
Image resolve_image(std::string_view reference);

// SHA-256 over everything in the image but its digest and notes. For a backend that has found the
// version of a directory's interpreter by running it.
std::string image_digest(const Image& image);

}  // namespace sandbox::runner
