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

// The root of a sandbox: image, /dev, /etc, /proc, the work directory's tmpfs.
// Errors: errc::config_error for a work directory that cannot be one.
std::vector<PlannedOp> plan_sandbox_tree(const Image& image, const std::string& work_directory,
                                         Bytes work_size);

// What each run mounts over it: /tmp, /dev/shm, /proc.
std::vector<PlannedOp> plan_run_tree(const Image& image);

launcher::Span write_tree(RequestWriter& writer, const std::vector<PlannedOp>& ops);

}  // namespace sandbox::runner
