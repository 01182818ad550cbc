// The few system calls that init needs once the program runs.
// SPDX-License-Identifier: MIT
#pragma once

namespace sandbox::runner::launcher {

// Everything else ends init, and with it the run (hardening step 29). REQUIRES: no_new_privs.
bool install_init_filter();

}  // namespace sandbox::runner::launcher
