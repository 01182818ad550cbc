// The protections of the boundary that have a mode of their own.
// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace sandbox::runner {

// What the boundary is made of and what has no mode, because nothing is left without it: the user,
// pid, mount, network, ipc, uts and cgroup namespaces, the private read-only root, closed
// descriptors, no_new_privs. These are always required.
enum class Protection : std::uint8_t {
  seccomp,               // the allowlist of system calls
  denied_calls,          // calls that the allowlist refuses are counted and told
  landlock,              // a second file system layer; signals and abstract sockets stay inside
  inner_user_namespace,  // the program's user namespace has no power over the mounts
  namespace_lock,        // no namespace can be made inside, by the kernel's own count
  capabilities,          // none, and none to be had
  process_view,          // /proc shows the run's own processes and nothing else
  no_exec,               // what the program wrote cannot be executed
  write_xor_execute,     // memory is writable or executable, never both (kernel 6.3)
  time_namespace,        // the host's uptime is not to be seen
  session_keyring,       // an empty keyring of its own
  core_scheduling,       // shares no core with others at the same moment
  cgroup,                // memory, processes and cpu time of the whole run are limited by cgroup v2
  resource_limits,       // of each process: memory, processes, descriptors, file size and more
  inode_limits,          // of each tmpfs; without them its size is no bound
};

inline constexpr std::array kAllProtections = {
    Protection::seccomp,
    Protection::denied_calls,
    Protection::landlock,
    Protection::inner_user_namespace,
    Protection::namespace_lock,
    Protection::capabilities,
    Protection::process_view,
    Protection::no_exec,
    Protection::write_xor_execute,
    Protection::time_namespace,
    Protection::session_keyring,
    Protection::core_scheduling,
    Protection::cgroup,
    Protection::resource_limits,
    Protection::inode_limits,
};

enum class Mode : std::uint8_t {
  off,        // not applied; needs a token of unsafe.hpp
  preferred,  // applied where the kernel has it; the receipt says whether
  required,   // without it nothing runs, and the error names the step and the fix
};

// As in receipts and on command lines: "no_exec", "required".
std::string_view to_string(Protection value);
std::string_view to_string(Mode value);
// nullopt for a name that is none.
std::optional<Protection> protection_of(std::string_view name);

// Preferred: denied_calls, landlock, write_xor_execute, time_namespace, session_keyring,
// core_scheduling and cgroup, which depend on the kernel or the host. Required: all others.
Mode default_mode(Protection value);

}  // namespace sandbox::runner
