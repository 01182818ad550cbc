// Building a file system tree from the plan's operations.
// SPDX-License-Identifier: MIT
#pragma once

#include "context.hpp"

namespace sandbox::runner::launcher {

// The mounts of a tree that exist only as descriptors yet, one place for each operation (-1: none).
class DetachedMounts {
 public:
  DetachedMounts();
  // Opens each bind's source, compares it with what the host saw, and clones it read-only.
  // Must run where the host's paths can be seen, as the user that may see them.
  void open_binds(const Context& context, const Span& tree);
  // Clones each mount that a run's own tmpfs is going to cover.
  void open_kept(const Context& context, const Span& tree);
  // The descriptor of operation `index`; the caller closes it.
  [[nodiscard]] int take(std::uint32_t index);

 private:
  int descriptors_[kMaxTreeOps];
};

// Carries out all operations, in order, below the current root.
void build_tree(Context& context, const Span& tree, DetachedMounts& mounts);

}  // namespace sandbox::runner::launcher
