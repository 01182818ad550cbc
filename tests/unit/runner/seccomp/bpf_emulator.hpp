// Runs a seccomp filter in user space, as the kernel would.
// SPDX-License-Identifier: MIT
#pragma once

#include <linux/filter.h>
#include <linux/seccomp.h>

#include <cstdint>
#include <span>
#include <stdexcept>

namespace sandbox::runner::test {

// The program is one that the kernel would refuse, or that would leave its own end.
class BadProgram : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// What the filter answers to one call (SECCOMP_RET_...). Only the instructions that the kernel
// accepts in seccomp filters and that our compiler uses are known.
// Errors: BadProgram.
std::uint32_t run_filter(std::span<const sock_filter> program, const seccomp_data& call);

// What the kernel checks when it takes a program in: length, known instructions, aligned loads
// inside seccomp_data, jumps inside the program, a return at the end.
// Errors: BadProgram.
void check_program(std::span<const sock_filter> program);

}  // namespace sandbox::runner::test
