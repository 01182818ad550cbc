// Carries `sandboxctl selftest` out.
// SPDX-License-Identifier: MIT
#pragma once

#include "selftest_options.hpp"

namespace sandbox::ctl {

// The exit code: 0 only when all is good.
// Errors: those of runner::run_selftest, and a stdout that takes no text.
int run_selftest_call(const SelftestCall& call);

}  // namespace sandbox::ctl
