// Puts a filter together: the front, libseccomp's decision tree, the argument blocks.
// SPDX-License-Identifier: MIT
#pragma once

#include <linux/filter.h>

#include <cstdint>
#include <vector>

#include "seccomp_profile.hpp"

namespace sandbox::runner {

// A run of system-call numbers, both ends included.
struct NumberRange {
  std::uint32_t first = 0;
  std::uint32_t last = 0;
};

// Which numbers libseccomp has a name for.
struct KnownNumbers {
  std::uint32_t highest = 0;
  std::vector<NumberRange> holes;  // below the highest, ascending
};

// The kernel's word for an architecture (AUDIT_ARCH_...).
std::uint32_t audit_arch(FilterArch arch);

// The first instructions: a foreign architecture is killed, and so is an x32 call on x86-64; a
// number that libseccomp does not know, -1 too, answers ENOSYS. Everything else runs off the end,
// into what is appended.
std::vector<sock_filter> make_front(FilterArch arch, const KnownNumbers& known);

// Stands in libseccomp's program for "go to argument block `index`".
std::uint32_t block_marker(std::size_t index);

// Appends `blocks` to `tree` and turns each marker into a jump to its block.
// REQUIRES: every return of `tree` is a marker of a block or a final verdict.
// Errors: errc::internal when a block is not reached, or a marker has no block.
std::vector<sock_filter> link_blocks(std::vector<sock_filter> tree,
                                     const std::vector<std::vector<sock_filter>>& blocks);

}  // namespace sandbox::runner
