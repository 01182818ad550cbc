// A cgroup that systemd makes for the launcher and leaves to us: a transient scope.
// SPDX-License-Identifier: MIT
#pragma once

#include <sys/types.h>

#include <string>

namespace sandbox::runner {

// Has systemd move `launcher` into a new delegated scope, from there moves it on into a child, and
// gives the scope's directory, which then may hand its controllers to further children. Asks the
// system's service manager as root, the user's own as anyone else. systemd removes the scope, with
// all that we left below it, when the launcher has ended.
//
// Blocks, for a few seconds at most. Errors: errc::protection_unavailable, with what would mend it.
std::string enter_systemd_scope(pid_t launcher);

}  // namespace sandbox::runner
