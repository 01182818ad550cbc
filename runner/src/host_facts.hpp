// What this host says of itself that decides whether programs can be boxed.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace sandbox::runner {

// Read from /proc and a few files; what cannot be read is unknown, never guessed. These are causes
// to name once something has failed: whether it works is found by trying.
class HostFacts {
 public:
  std::string kernel;  // "6.1.0-13-cloud-amd64"
  // sysctl kernel.apparmor_restrict_unprivileged_userns, kernel.unprivileged_userns_clone,
  // user.max_user_namespaces, vm.memfd_noexec; nullopt: the kernel has no such setting.
  std::optional<std::uint64_t> apparmor_restricts_userns;
  std::optional<std::uint64_t> unprivileged_userns_clone;
  std::optional<std::uint64_t> max_user_namespaces;
  std::optional<std::uint64_t> memfd_noexec;
  std::string security_label;    // of this process, as AppArmor or SELinux tell it; may be empty
  bool is_filtered = false;      // a seccomp filter is in force over this process
  bool is_in_container = false;  //
  std::string container;         // "docker", "podman", "kubernetes", ...; empty: not known or none
  bool is_nested = false;        // in a user namespace that is not the machine's first
  std::vector<std::string> covered_proc;  // mounts over parts of /proc

  // `root`: "" for this machine; tests give a directory of theirs. Blocks for a moment.
  static HostFacts read(const std::string& root = "");
};

}  // namespace sandbox::runner
