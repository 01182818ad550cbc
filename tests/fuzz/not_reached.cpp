// Stands in for what the code under test links to and no target reaches, so that neither the
// embedding of the policies nor the service manager's library has to be built in.
// SPDX-License-Identifier: MIT
#include <cstdlib>

#include "seccomp_builtin.hpp"
#include "systemd_scope.hpp"

namespace sandbox::runner {

std::span<const BuiltinProfile> builtin_profiles() { std::abort(); }

std::string enter_systemd_scope(pid_t) { std::abort(); }

}  // namespace sandbox::runner
