// SPDX-License-Identifier: MIT
#include "backend_core.hpp"

#include <sys/utsname.h>

namespace sandbox::runner {

launcher::Header BackendCore::header(launcher::RequestKind kind) const {
  launcher::Header header;
  header.kind = kind;
  header.outside_uid = identity.uid;
  header.outside_gid = identity.gid;
  header.switch_identity = identity.switch_identity ? 1 : 0;
  header.fail_at = fail_at;
  return header;
}

Enforced BackendCore::enforced() const {
  Enforced enforced;
  enforced.profile = filter.name;
  enforced.profile_sha256 = filter.sha256;
  enforced.memory = "rlimit";
  enforced.proc = "subset";
  utsname kernel{};
  if (::uname(&kernel) == 0) enforced.kernel = &kernel.release[0];
  enforced.protections = {
      {"namespaces", "user,pid,mount,net,ipc,uts,cgroup"},
      {"inner_user_namespace", "on"},
      {"network", filter.name == "loopback" ? "loopback" : "none"},
      {"root", "read-only"},
      {"capabilities", "none"},
      {"no_new_privs", "on"},
      {"seccomp", "on"},
      {"cpu_time", "rlimit of each process"},
      {"processes", identity.only_root_exists ? "none" : "rlimit"},
  };
  return enforced;
}

Limits BackendCore::limits_of(const Limits& asked) const {
  Limits built_in;
  built_in.memory(Bytes(1ULL << 30U))
      .processes(64)
      .output(Bytes(1ULL << 20U))
      .file_size(options.work_size())
      .open_files(1024);
  return asked.or_else(options.default_limits()).or_else(built_in);
}

}  // namespace sandbox::runner
