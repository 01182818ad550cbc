// Removes directory trees of our own.
// SPDX-License-Identifier: MIT
#pragma once

#include <string>

namespace sandbox::runner {

// Removes `name` in the open directory `parent` and all below it. No link is followed; directories
// that their owner may not write to are made writable first. What is not there is no error. Blocks.
// Errors: errc::os_error naming the entry.
void remove_tree(int parent, const std::string& name);

}  // namespace sandbox::runner
