// The steps of a build that work on files: before the packages come, and after they are unpacked.
// All of it blocks.
// SPDX-License-Identifier: MIT
#pragma once

#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "image_finish.hpp"

namespace sandbox::runner {

// Names and versions of the packages in the cache of apt, sorted; and their architecture.
struct UnpackedPackages {
  std::vector<std::pair<std::string, std::string>> packages;
  std::string architecture;
};
UnpackedPackages packages_in(int root);

// Leaves what a guest sees and needs, and makes the links that maintainer scripts would.
// Errors: errc::os_error; errc::cancelled when `stop` is asked for.
void trim_tree(int root, const std::stop_token& stop);

// Puts files into the tree, no link followed on the way; those that are there already stay.
void add_made_files(int root, const std::vector<MadeFile>& files);

}  // namespace sandbox::runner
