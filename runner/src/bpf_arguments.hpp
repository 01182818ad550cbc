// The part of a filter that looks at arguments: classic BPF for one system call's rules.
// SPDX-License-Identifier: MIT
#pragma once

#include <linux/filter.h>

#include <cstdint>
#include <vector>

#include "seccomp_policy.hpp"

namespace sandbox::runner {

// The value that a filter returns to the kernel for `action`.
std::uint32_t filter_return_value(FilterAction action);

// Code that tries `rules` in order and returns the action of the first that applies, else
// `otherwise`. It ends in a return and can stand anywhere in a program. Libseccomp could generate
// this too, but not "the rest of the values, under a mask", which every 32-bit argument needs.
std::vector<sock_filter> compile_arguments(const std::vector<ArgumentRule>& rules,
                                           FilterAction otherwise);

}  // namespace sandbox::runner
