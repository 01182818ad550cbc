// Taking on the outside identity, and being mapped into a user namespace.
// SPDX-License-Identifier: MIT
#pragma once

#include "context.hpp"

namespace sandbox::runner::launcher {

// When the host is root: gives up its groups and ids for the unprivileged ones, for good.
void take_outside_identity(const Context& context);

// Enters a new user namespace in which the outside ids are kSetupId.
void enter_user_namespace(Context& context);

// SIGKILL when the launcher ends. The kernel forgets it when credentials change, so it is set
// after.
void die_with_launcher(const Context& context);

}  // namespace sandbox::runner::launcher
