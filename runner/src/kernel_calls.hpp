// The system calls that nothing here can do without.
// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

namespace sandbox::runner {

struct KernelCall {
  const char* name;
  const char* since;  // "5.6"
  int error;
};

// Those that cannot be used here. Each is tried with arguments that change nothing; no thread is
// started, nothing blocks.
std::vector<KernelCall> missing_kernel_calls();

// "the system call openat2 cannot be used: Function not implemented"
std::string sentence_of(const KernelCall& call);

// So that the first one that is missing is told by its name, and not by what broke for want of it.
// Errors: errc::setup_failed naming the call, since when Linux has it, and what may hide it.
void require_kernel_calls();

}  // namespace sandbox::runner
