// An image's tree: brought into its final form, and compared with its manifest.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>

#include "image_manifest.hpp"

namespace sandbox::runner {

// Directories become 0555 and files 0444 or 0555, all of them ours and of one time; each is added
// to the manifest with its hash. Nothing but directories, files and links may be there. Blocks.
// Errors: errc::os_error; errc::cancelled when `stop` is asked for.
void seal_tree(int root, std::int64_t time, const std::stop_token& stop, ManifestWriter& manifest);

enum class Check {
  quick,     // every entry: type, mode, owner, size, time, target of a link; none missing or added
  contents,  // and the hash of every file
};

// The first path that is not as recorded, with what is wrong: "usr/bin/env: its size is 5, not 7".
// nullopt: all is well. Blocks; uses a few threads.
// Errors: errc::os_error.
std::optional<std::string> difference_of(int root, const Manifest& manifest, Check check);

}  // namespace sandbox::runner
