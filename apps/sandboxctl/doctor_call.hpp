// Carries `sandboxctl doctor` out.
// SPDX-License-Identifier: MIT
#pragma once

#include "doctor_options.hpp"

namespace sandbox::ctl {

// The exit code: 0 when programs run here, if weaker than they could; 1 when they do not.
// Errors: those of runner::diagnose, and a stdout that takes no text.
int run_doctor_call(const DoctorCall& call);

}  // namespace sandbox::ctl
