// Plans a guest's file system: the tree of a sandbox, and what is fresh in each run.
// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "../launcher/plan.hpp"
#include "image.hpp"
#include "request_writer.hpp"
#include "sandbox/units.hpp"

namespace sandbox::runner {

// A tree operation with its texts in hand; the words are those of launcher::TreeOp.
struct PlannedOp {
  launcher::TreeKind kind = launcher::TreeKind::directory;
  std::string path;
  std::string text;
  std::uint32_t mode = 0;
  std::uint32_t flags = 0;
  std::uint64_t device = 0;
  std::uint64_t inode = 0;
};

// What the modes of the protections change in a tree.
class TreeRules {
 public:
  Bytes work_size;
  bool limits_inodes = true;
  bool allows_exec = false;     // in what the guest writes
  bool hides_processes = true;  // /proc shows processes only, and those of the run

  explicit TreeRules(Bytes size) : work_size(size) {}
};

// The root of a sandbox: image, /dev, /etc, /proc, the work directory's tmpfs.
// Errors: errc::config_error for a work directory that cannot be one.
std::vector<PlannedOp> plan_sandbox_tree(const Image& image, const std::string& work_directory,
                                         const TreeRules& rules);

// What each run mounts over it: /tmp, /dev/shm, /proc.
std::vector<PlannedOp> plan_run_tree(const Image& image, const TreeRules& rules);

// What Landlock grants in that tree; all else it refuses.
struct PlannedAccess {
  std::string path;
  launcher::LandlockAccess access = launcher::LandlockAccess::list;
};
std::vector<PlannedAccess> plan_landlock(const Image& image, const std::string& work_directory,
                                         const TreeRules& rules);

launcher::Span write_tree(RequestWriter& writer, const std::vector<PlannedOp>& ops);
launcher::Span write_landlock(RequestWriter& writer, const std::vector<PlannedAccess>& rules);

}  // namespace sandbox::runner
