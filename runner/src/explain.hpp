// Turns {step, errno, item} of the launcher into an error that a person can act on.
// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

#include "../launcher/plan.hpp"
#include "host_facts.hpp"
#include "sandbox/error.hpp"

namespace sandbox::runner {

// "uid_map" for Step::uid_map; "step N" for a number without a name.
std::string step_name(launcher::Step step);

// "make a user namespace: Operation not permitted [step 16 user_namespace]".
std::string tell_failure(const launcher::Reply& failed, std::string_view subject);

// `subject`: what the step was about (a path, a limit), or "".
// The message: which step, on what, why it failed, the cause that `host` shows or the likely ones,
// and the fix.
Error explain(const launcher::Reply& failed, std::string_view subject,
              const HostFacts& host = HostFacts::read());

}  // namespace sandbox::runner
