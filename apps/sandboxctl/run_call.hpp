// Carries a call out and tells how it went.
// SPDX-License-Identifier: MIT
#pragma once

#include "options.hpp"
#include "sandbox/error.hpp"

namespace sandbox::ctl {

// The exit code of the command. Output of the program and our own words have gone where they
// belong.
// Errors: what keeps us from starting at all, and a stdout that takes no JSON.
int run_call(const Options& options);

// Tells why nothing ran, as a receipt when `json`; the exit code.
int tell_refusal(const Error& error, bool json);

}  // namespace sandbox::ctl
