// SPDX-License-Identifier: MIT
#include "fixes.hpp"

#include <cerrno>

namespace sandbox::runner {
namespace {

using launcher::Step;

bool is_refusal(int error) { return error == EPERM || error == EACCES || error == EROFS; }

// What was set is read back here; nothing on the host forbids that.
bool is_proof(Step step) {
  switch (step) {
    case Step::tree_prove:
    case Step::mounts_proven:
    case Step::network_proven:
    case Step::capabilities_gone:
    case Step::namespace_lock_proven:
    case Step::workload_proven:
    case Step::descriptors_proven:
    case Step::identity:
    case Step::landlock_proven:
      return true;
    default:
      return false;
  }
}

bool is_orchestrated(const HostFacts& host) { return host.container == "kubernetes"; }

std::string filter_fix(const HostFacts& host) {
  if (is_orchestrated(host)) {
    return "the pod's seccomp profile forbids the call: set securityContext.seccompProfile to "
           "Unconfined, or to a Localhost profile that allows it (docs/hosts.md)";
  }
  if (host.is_in_container) {
    return "the container's seccomp profile forbids the call: run it with --security-opt "
           "seccomp=unconfined, or with a profile that allows it (docs/hosts.md)";
  }
  return "a seccomp filter is in force over this program already (Seccomp in /proc/self/status) "
         "and forbids the call: a service, look at SystemCallFilter=, RestrictNamespaces=, "
         "ProtectHostname= and RestrictSUIDSGID= (also by DynamicUser=); a container, run it with "
         "--security-opt seccomp=unconfined or a profile that allows the call (docs/hosts.md)";
}

std::string apparmor_fix() {
  return "AppArmor keeps user namespaces from programs without a profile here (sysctl "
         "kernel.apparmor_restrict_unprivileged_userns is 1): install the profile of "
         "packaging/apparmor for this program and load it with apparmor_parser -r, or, for all "
         "programs, sysctl -w kernel.apparmor_restrict_unprivileged_userns=0";
}

// "NAME (mode)" is AppArmor's form of a label; of a profile that confines nothing the mode is
// "unconfined".
bool is_apparmor_label(const std::string& label) { return label.ends_with(")"); }

bool is_confined(const HostFacts& host) {
  const std::string& label = host.security_label;
  return !label.empty() && label != "unconfined" && !label.ends_with("(unconfined)") &&
         label.find("unconfined_t") == std::string::npos && label != "kernel";
}

std::string label_fix(const HostFacts& host) {
  const std::string label = "'" + host.security_label + "'";
  if (!is_apparmor_label(host.security_label)) {
    return "this program runs under the security label " + label +
           ", whose policy forbids it: let the policy allow it, or start the program outside of "
           "it (a container on SELinux: --security-opt label=disable)";
  }
  if (is_orchestrated(host)) {
    return "this pod runs under the AppArmor profile " + label +
           ", which forbids it: set securityContext.appArmorProfile.type: Unconfined";
  }
  if (host.is_in_container) {
    return "this container runs under the AppArmor profile " + label +
           ", which forbids it: run it with --security-opt apparmor=unconfined";
  }
  return "this program runs under the AppArmor profile " + label +
         ", which forbids it: install the profile of packaging/apparmor for this program and load "
         "it with apparmor_parser -r, or add the rules to that one";
}

std::string no_namespaces_left_fix(const HostFacts& host) {
  if (host.max_user_namespaces == 0U) {
    return "sysctl user.max_user_namespaces is 0 here, which turns user namespaces off: set it to "
           "some thousands";
  }
  const std::string nested = host.is_nested
                                 ? "; this program is in a user namespace already, and 32 levels "
                                   "and the limits of each level above count too"
                                 : "";
  return "the limit of user namespaces is used up: raise sysctl user.max_user_namespaces, or run "
         "fewer sandboxes" +
         nested;
}

// AppArmor lets the namespace be made and then takes all power in it away, or says EACCES at once;
// never EPERM to the making itself. A profile of one's own that confines nothing is not the cause.
bool is_apparmors_doing(Step step, int error, const HostFacts& host) {
  if (host.apparmor_restricts_userns.value_or(0) == 0) return false;
  if (is_apparmor_label(host.security_label)) return false;
  return error == EACCES || (step != Step::user_namespace && step != Step::inner_user_namespace);
}

std::string user_namespace_fix(Step step, int error, const HostFacts& host) {
  if (error == ENOSPC || error == EUSERS) return no_namespaces_left_fix(host);
  if (error == EROFS) {
    return "/proc is read-only here, and ids are mapped through it: mount it writable (a "
           "container: --security-opt systempaths=unconfined, of podman unmask=ALL)";
  }
  if (error == EINVAL || (error == ENOSYS && !host.is_filtered)) {
    return "this kernel is built without user namespaces (CONFIG_USER_NS)";
  }
  if (is_apparmors_doing(step, error, host)) return apparmor_fix();
  if (host.unprivileged_userns_clone == 0U) {
    return "sysctl kernel.unprivileged_userns_clone is 0 here, which keeps user namespaces from "
           "ordinary users, and from root as well, whose sandboxes are made by an unprivileged "
           "uid: sysctl -w kernel.unprivileged_userns_clone=1, and a file in /etc/sysctl.d to keep "
           "it";
  }
  if (is_confined(host)) return label_fix(host);
  if (host.is_filtered) return filter_fix(host);
  return "user namespaces are restricted here by something that does not say its name: a security "
         "module (dmesg tells of refusals), a chroot, in which none can be made, or a namespace "
         "that this program was started in";
}

std::string covered(const HostFacts& host) {
  if (host.covered_proc.empty()) return {};
  std::string list = host.covered_proc.front();
  if (host.covered_proc.size() > 1) {
    list += " and " + std::to_string(host.covered_proc.size() - 1) + " more";
  }
  return " (" + list + ")";
}

std::string proc_mount_fix(const HostFacts& host) {
  const std::string cause =
      "a fresh /proc may only be mounted where the host's own /proc is wholly visible";
  if (is_orchestrated(host)) {
    return cause + "; this pod covers parts of it" + covered(host) +
           ": set securityContext.procMount: Unmasked (with hostUsers: false)";
  }
  if (host.is_in_container) {
    return cause + "; this container covers (masks) parts of it" + covered(host) +
           ": run it with --security-opt systempaths=unconfined (Docker) or --security-opt "
           "unmask=ALL (podman)";
  }
  if (host.covered_proc.empty()) {
    return cause + ": is /proc of this program that of its own pid namespace?";
  }
  return cause + "; mounts cover parts of it here" + covered(host) +
         ": start the program where they are not, as a service without ProtectKernelTunables=, "
         "ProtectKernelLogs=, ProcSubset= and ProtectProc=; a container, run it with "
         "--security-opt systempaths=unconfined (podman: unmask=ALL)";
}

std::string namespace_lock_fix(int error, const HostFacts& host) {
  if (error == ENOENT) {
    return "/proc has no sys here: a service, leave out ProcSubset=pid; else mount a whole /proc";
  }
  if (is_orchestrated(host)) {
    return "/proc/sys is read-only in this pod: set securityContext.procMount: Unmasked";
  }
  if (host.is_in_container) {
    return "/proc/sys is read-only in this container: run it with --security-opt "
           "systempaths=unconfined (Docker) or --security-opt unmask=ALL (podman)";
  }
  return "/proc/sys/user must be writable, and it is not: is /proc/sys mounted read-only "
         "(ProtectKernelTunables= of a service does that)?";
}

// EACCES is what security modules say, EPERM what seccomp filters do.
std::string refusal_fix(int error, const HostFacts& host) {
  if (is_confined(host)) return label_fix(host);
  if (error == EACCES && host.apparmor_restricts_userns.value_or(0) != 0) return apparmor_fix();
  if (error == EPERM && host.is_filtered) return filter_fix(host);
  if (error == EACCES) {
    return "a security module on this host forbids it (dmesg tells of refusals); where that is "
           "AppArmor, install the profile of packaging/apparmor for this program (a container: "
           "--security-opt apparmor=unconfined)";
  }
  return "a security module on this host forbids it (dmesg tells of refusals), or this program "
         "lacks a right that the step needs";
}

std::string too_old(const HostFacts& host, const std::string& needed) {
  const std::string kernel = host.kernel.empty() ? "" : " (this is " + host.kernel + ")";
  const std::string old = "Linux " + needed + " or newer is needed" + kernel;
  return host.is_filtered ? filter_fix(host) + "; without such a filter, " + old : old;
}

std::string namespaces_fix(int error, const HostFacts& host) {
  if (error == ENOSPC || error == EUSERS) {
    return "a limit of namespaces is used up or zero: raise sysctl "
           "user.max_{mnt,net,pid,ipc,uts,cgroup,time}_namespaces";
  }
  return is_refusal(error) ? refusal_fix(error, host) : too_old(host, "5.14");
}

// Protections that may be missing, and are missed only when they are required.
std::string preferred_fix(Step step, int error, const HostFacts& host) {
  switch (step) {
    case Step::landlock:
      return error == ENOSYS ? too_old(host, "5.13 with Landlock")
                             : "Landlock is built in but not among the security modules in use: "
                               "add landlock to lsm= (/sys/kernel/security/lsm has the list)";
    case Step::write_xor_execute:
      return too_old(host, "6.3");
    case Step::time_namespace:
    case Step::time_offsets:
      if (error == ENOSPC || error == EUSERS) return namespaces_fix(error, host);
      return "time namespaces: " + too_old(host, "5.6 with CONFIG_TIME_NS");
    case Step::core_scheduling:
      return "a kernel with CONFIG_SCHED_CORE and a CPU with hyper-threads is needed";
    case Step::session_keyring:
      return host.is_filtered
                 ? "the seccomp filter over this program forbids keyctl (containers' do)"
                 : "the kernel has no keys (CONFIG_KEYS)";
    case Step::denied_calls:
      return error == EBUSY ? "a filter with an observer is in force over this program already, "
                              "and there can be one only"
                            : too_old(host, "5.0");
    case Step::namespace_lock:
      return namespace_lock_fix(error, host);
    default:
      return {};
  }
}

}  // namespace

bool is_user_namespace_step(Step step) {
  return step == Step::user_namespace || step == Step::setgroups_deny || step == Step::uid_map ||
         step == Step::gid_map || step == Step::inner_user_namespace ||
         step == Step::inner_uid_map || step == Step::inner_gid_map;
}

std::string fix_of(Step step, int error, const HostFacts& host) {
  if (is_proof(step) && error == EPERM) {
    return "something that was set is not in force, so nothing was run; please report it with the "
           "kernel's version and this line";
  }
  if (is_user_namespace_step(step)) return user_namespace_fix(step, error, host);
  if (error == ENOMEM) return "the host is out of memory, or a limit on it is reached";
  if (error == EAGAIN) return "a limit of processes is reached on the host (ulimit -u, pids.max)";
  if (error == EMFILE || error == ENFILE) return "raise the limit of open files (ulimit -n)";
  if (std::string fix = preferred_fix(step, error, host); !fix.empty()) return fix;
  switch (step) {
    case Step::proc_mount:
      return proc_mount_fix(host);
    case Step::own_cgroup:
      return "the run is not where it should be: is something else moving processes between "
             "cgroups?";
    case Step::host_proc:
      return "mount /proc (mount -t proc proc /proc) where this program runs";
    case Step::open_source:
      if (error == ESTALE) {
        return "the path changed since the backend started (an upgrade?): start the backend again";
      }
      return "the user that runs this must be able to reach the path; root without CAP_SYS_ADMIN "
             "comes to it as the unprivileged user that guests are (another python: --image "
             "host:/usr/bin/python3)";
    case Step::drop_groups:
    case Step::drop_gid:
    case Step::drop_uid:
      if (is_confined(host)) return label_fix(host);
      return "a program that runs as root needs CAP_SETUID, CAP_SETGID, CAP_CHOWN and "
             "CAP_DAC_OVERRIDE, to give its identity up for the guest and to handle the guest's "
             "files: give it these or, simpler, start it as an ordinary user";
    case Step::fork_stage:
    case Step::spawn_builder:
      if (error == ENOSYS) return "clone3 is not there: " + too_old(host, "5.14");
      break;
    case Step::clone_source:
      if (error == ENOSPC) return namespaces_fix(error, host);  // a copy is in a namespace, too
      break;
    case Step::sandbox_namespaces:
    case Step::spawn_init:
      return namespaces_fix(error, host);
    case Step::spawn_workload:
      return "the process was killed while it was set up; was the host out of memory?";
    default:
      break;
  }
  if (is_refusal(error)) return refusal_fix(error, host);
  if (error == ENOSYS || error == EINVAL) return too_old(host, "5.14");
  return "this is unexpected; the step's name and the errno are what a bug report needs";
}

std::string launcher_start_fix(int error, const HostFacts& host) {
  if (error == ENOENT) {
    return "it needs /dev/null and a mounted /proc: which of the two is missing here?";
  }
  if (error == EACCES && host.memfd_noexec.value_or(0) >= 2) {
    return "sysctl vm.memfd_noexec is 2 here, which forbids programs in memory: set it to 1 or 0";
  }
  if (error == EACCES && is_confined(host)) {
    return label_fix(host) +
           "; a profile that confines needs flags=(attach_disconnected) and an ix rule for "
           "what is in memory";
  }
  if (error == EAGAIN) return "a limit of processes is reached on the host (ulimit -u, pids.max)";
  if (error == ENOMEM) return "the host is out of memory, or a limit on it is reached";
  return "it is executed from memory through /proc/self/fd: does this host allow that?";
}

std::string call_fix(const std::string& since, const HostFacts& host) {
  return too_old(host, since);
}

}  // namespace sandbox::runner
