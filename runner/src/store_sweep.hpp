// What is on its way into the store or out of it, and the removal of what nobody owns any more.
// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "fd.hpp"

namespace sandbox::runner {

// Nobody else makes, places or sweeps as long as it is held. Waits for it.
class StoreLock {
 public:
  explicit StoreLock(int store);
  StoreLock(const StoreLock&) = delete;
  StoreLock& operator=(const StoreLock&) = delete;
  StoreLock(StoreLock&&) = delete;
  StoreLock& operator=(StoreLock&&) = delete;
  ~StoreLock();

 private:
  int store_;
};

// Names that no image can have.
std::string new_building_name();
std::string new_removed_name();

// Removes what interrupted builds and removals left, unless someone holds a lock on it. Does
// nothing in a store that is not ours to write to, and passes over what cannot be removed.
void sweep_store(int store);

// Removes an entry that was renamed to new_removed_name(). False: it is in use.
bool remove_if_unused(int store, const std::string& name);

}  // namespace sandbox::runner
