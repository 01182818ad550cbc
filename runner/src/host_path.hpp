// Where a path of the host really leads, and what stands there.
// SPDX-License-Identifier: MIT
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "fd.hpp"
#include "image.hpp"

namespace sandbox::runner {

// A path followed one component at a time.
struct HostWalk {
  std::string real_path = "/";   // no component is a link
  std::vector<ImageLink> links;  // each link on the way, in order, at its own real path
  std::string failure;           // why it leads nowhere; empty: it does
};

// REQUIRES: `path` is absolute.
HostWalk walk_host_path(std::string_view path);

// A thing of the file system, held open so that its device and inode number stay its own.
struct PinnedPath {
  Fd descriptor;  // O_PATH
  mode_t mode = 0;
  std::uint64_t device = 0;
  std::uint64_t inode = 0;
  int error = 0;  // errno; zero: the rest is valid

  [[nodiscard]] bool same_as(const PinnedPath& other) const {
    return error == 0 && other.error == 0 && device == other.device && inode == other.inode;
  }
};

// Opens `path` below the directory `at` (AT_FDCWD for an absolute one) with the RESOLVE_* flags of
// openat2(2). A link at the end is not followed unless `follow_last`.
PinnedPath pin_path(int at, const std::string& path, std::uint64_t resolve,
                    bool follow_last = false);

// The name under which the kernel knows an open descriptor; empty if it cannot be told.
std::string path_of_descriptor(int descriptor);

// True when `path` is `directory` or lies below it. Both are normalised.
bool is_within(std::string_view path, std::string_view directory);

// "/a" and "b" give "/a/b".
std::string join_path(std::string_view directory, std::string_view name);
std::string parent_of(std::string_view path);
std::string last_name_of(std::string_view path);

// Absolute, without empty, "." components and trailing slashes. ".." stays: it needs the disk.
std::string without_dots(std::string_view path);

// A newline or any other control character could forge a line in a log or a list.
bool has_control_characters(std::string_view text);

}  // namespace sandbox::runner
