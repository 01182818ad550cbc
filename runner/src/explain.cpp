// SPDX-License-Identifier: MIT
#include "explain.hpp"

#include <array>
#include <cerrno>
#include <system_error>

namespace sandbox::runner {
namespace {

using launcher::Step;

struct StepRow {
  Step step;
  std::string_view name;
  std::string_view doing;
};

constexpr std::array kSteps = {
    StepRow{Step::read_request, "read_request", "read the request"},
    StepRow{Step::host_proc, "host_proc", "open the host's /proc"},
    StepRow{Step::fork_stage, "fork_stage", "start a process for the request"},
    StepRow{Step::open_source, "open_source", "open a path of the image"},
    StepRow{Step::clone_source, "clone_source", "make a read-only copy of a mount"},
    StepRow{Step::drop_groups, "drop_groups", "give up root's groups"},
    StepRow{Step::drop_gid, "drop_gid", "take the unprivileged gid"},
    StepRow{Step::drop_uid, "drop_uid", "take the unprivileged uid"},
    StepRow{Step::allow_map_write, "allow_map_write", "set the dumpable flag"},
    StepRow{Step::user_namespace, "user_namespace", "make a user namespace"},
    StepRow{Step::setgroups_deny, "setgroups_deny",
            "write /proc/self/setgroups (before gid_map and uid_map)"},
    StepRow{Step::uid_map, "uid_map", "write /proc/self/uid_map"},
    StepRow{Step::gid_map, "gid_map", "write /proc/self/gid_map"},
    StepRow{Step::time_namespace, "time_namespace", "make a time namespace"},
    StepRow{Step::time_offsets, "time_offsets", "write /proc/self/timens_offsets"},
    StepRow{Step::sandbox_namespaces, "sandbox_namespaces",
            "make mount, network, host name and pid namespaces"},
    StepRow{Step::spawn_builder, "spawn_builder", "start the process that builds the root"},
    StepRow{Step::die_with_parent, "die_with_parent", "tie the process to the launcher's life"},
    StepRow{Step::private_mounts, "private_mounts", "make all mounts private"},
    StepRow{Step::root_mount, "root_mount", "mount the guest's root"},
    StepRow{Step::tree_directory, "tree_directory", "make a directory in the guest's root"},
    StepRow{Step::tree_link, "tree_link", "make a link in the guest's root"},
    StepRow{Step::tree_file, "tree_file", "make a file in the guest's root"},
    StepRow{Step::tree_attach, "tree_attach", "attach a path of the image"},
    StepRow{Step::tree_prove, "tree_prove", "prove that a mount is read-only, nosuid and nodev"},
    StepRow{Step::tree_tmpfs, "tree_tmpfs", "mount a tmpfs"},
    StepRow{Step::tree_keep, "tree_keep", "keep a mount that /tmp covers"},
    StepRow{Step::proc_mount, "proc_mount", "mount the guest's own /proc"},
    StepRow{Step::pivot_root, "pivot_root", "change the root"},
    StepRow{Step::old_root_gone, "old_root_gone", "unmount the host's root"},
    StepRow{Step::root_read_only, "root_read_only", "make the guest's root read-only"},
    StepRow{Step::host_name, "host_name", "set the host name"},
    StepRow{Step::loopback_up, "loopback_up", "bring the loopback interface up"},
    StepRow{Step::mounts_proven, "mounts_proven",
            "prove that only the planned mounts are there, with the planned flags"},
    StepRow{Step::network_proven, "network_proven", "prove that no network interface is up"},
    StepRow{Step::open_namespaces, "open_namespaces", "open the new namespaces"},
    StepRow{Step::open_work, "open_work", "open the work directory"},
    StepRow{Step::join_user, "join_user", "join the sandbox's user namespace"},
    StepRow{Step::join_mount, "join_mount", "join the sandbox's mount namespace"},
    StepRow{Step::join_net, "join_net", "join the sandbox's network namespace"},
    StepRow{Step::join_uts, "join_uts", "join the sandbox's host name namespace"},
    StepRow{Step::join_time, "join_time", "join the sandbox's time namespace"},
    StepRow{Step::spawn_init, "spawn_init", "start pid 1 in namespaces of its own"},
    StepRow{Step::new_session, "new_session", "start a session"},
    StepRow{Step::session_keyring, "session_keyring", "join an empty session keyring"},
    StepRow{Step::core_scheduling, "core_scheduling", "ask for a core scheduling cookie"},
    StepRow{Step::own_cgroup, "own_cgroup", "prove that the run is in the cgroup made for it"},
    StepRow{Step::no_dump, "no_dump", "write /proc/self/coredump_filter"},
    StepRow{Step::oom_first, "oom_first", "write /proc/self/oom_score_adj"},
    StepRow{Step::inner_user_namespace, "inner_user_namespace", "make the second user namespace"},
    StepRow{Step::inner_uid_map, "inner_uid_map", "write the second uid_map"},
    StepRow{Step::inner_gid_map, "inner_gid_map", "write the second gid_map"},
    StepRow{Step::namespace_lock, "namespace_lock",
            "set the limits of namespaces in /proc/sys/user to zero"},
    StepRow{Step::drop_capabilities, "drop_capabilities", "drop all capabilities"},
    StepRow{Step::capabilities_gone, "capabilities_gone", "prove that no capability is left"},
    StepRow{Step::namespace_lock_proven, "namespace_lock_proven",
            "prove that no namespace can be made any more"},
    StepRow{Step::accounting, "accounting", "open a view on the run's processes"},
    StepRow{Step::signal_state, "signal_state", "set up signals"},
    StepRow{Step::status_pipe, "status_pipe", "make the socket between init and program"},
    StepRow{Step::spawn_workload, "spawn_workload", "start the program's process"},
    StepRow{Step::workload_proven, "workload_proven",
            "prove that the program's process has no privilege and is under the filter"},
    StepRow{Step::init_filter, "init_filter", "install init's own seccomp filter"},
    StepRow{Step::working_directory, "working_directory", "enter the working directory"},
    StepRow{Step::standard_streams, "standard_streams", "put stdin, stdout and stderr in place"},
    StepRow{Step::close_descriptors, "close_descriptors", "close all other descriptors"},
    StepRow{Step::descriptors_proven, "descriptors_proven",
            "prove that nothing but stdin, stdout and stderr is open"},
    StepRow{Step::resource_limit, "resource_limit", "set a resource limit"},
    StepRow{Step::identity, "identity", "prove that the program runs as uid and gid 1000"},
    StepRow{Step::no_new_privs, "no_new_privs", "set no_new_privs"},
    StepRow{Step::write_xor_execute, "write_xor_execute",
            "refuse memory that is writable and executable"},
    StepRow{Step::landlock, "landlock", "apply Landlock"},
    StepRow{Step::landlock_proven, "landlock_proven", "prove that Landlock is in force"},
    StepRow{Step::denied_calls, "denied_calls", "install the seccomp filter with an observer"},
    StepRow{Step::seccomp_filter, "seccomp_filter", "install the seccomp filter"},
    StepRow{Step::go, "go", "hear from init that all is as planned"},
    StepRow{Step::exec, "exec", "start the program"},
};

const StepRow* find_row(Step step) {
  for (const StepRow& row : kSteps) {
    if (row.step == step) return &row;
  }
  return nullptr;
}

bool is_refusal(int error) { return error == EPERM || error == EACCES || error == EROFS; }

bool is_user_namespace_step(Step step) {
  return step == Step::user_namespace || step == Step::setgroups_deny || step == Step::uid_map ||
         step == Step::gid_map || step == Step::inner_user_namespace ||
         step == Step::inner_uid_map || step == Step::inner_gid_map;
}

// Steps of protections that a kernel or host may simply not have.
bool is_of_the_kernel(Step step) {
  switch (step) {
    case Step::landlock:
    case Step::write_xor_execute:
    case Step::time_namespace:
    case Step::time_offsets:
    case Step::session_keyring:
    case Step::core_scheduling:
    case Step::namespace_lock:
    case Step::denied_calls:
      return true;
    default:
      return false;
  }
}

std::string_view user_namespace_fix(int error) {
  if (error == ENOSPC) {
    return "the limit of user namespaces is used up or nested too deep: raise sysctl "
           "user.max_user_namespaces, or run fewer sandboxes";
  }
  if (error == ENOSYS || error == EINVAL) return "this kernel is built without user namespaces";
  return "unprivileged user namespaces are restricted here: on Ubuntu load an AppArmor profile "
         "that "
         "allows userns for this program (or set sysctl "
         "kernel.apparmor_restrict_unprivileged_userns=0); "
         "on older Debian set sysctl kernel.unprivileged_userns_clone=1; in a container allow the "
         "calls in its seccomp profile and mount /proc writable";
}

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

std::string_view fix(Step step, int error) {
  if (is_proof(step) && error == EPERM) {
    return "something that was set is not in force, so nothing was run; please report it with the "
           "kernel's version and this line";
  }
  if (is_user_namespace_step(step)) return user_namespace_fix(error);
  if (error == ENOMEM) return "the host is out of memory, or a limit on it is reached";
  if (error == EAGAIN) return "a limit of processes is reached on the host (ulimit -u, pids.max)";
  if (error == EMFILE || error == ENFILE) return "raise the limit of open files (ulimit -n)";
  switch (step) {
    case Step::proc_mount:
      return "a fresh /proc may only be mounted where the host's own /proc is wholly visible; this "
             "container covers (masks) parts of it: run it with --security-opt "
             "systempaths=unconfined (Docker, podman) or procMount: Unmasked (Kubernetes)";
    case Step::landlock:
      return "Landlock needs Linux 5.13 with landlock in the lsm= list (/sys/kernel/security/lsm); "
             "make it preferred to go on without";
    case Step::namespace_lock:
      return "/proc/sys/user must be writable: containers mount /proc/sys read-only unless told "
             "otherwise (--security-opt systempaths=unconfined); make namespace_lock preferred to "
             "go on without";
    case Step::write_xor_execute:
      return "it needs Linux 6.3; make write_xor_execute preferred to go on without";
    case Step::time_namespace:
    case Step::time_offsets:
      return "time namespaces need Linux 5.6 with CONFIG_TIME_NS; make time_namespace preferred to "
             "go on without";
    case Step::core_scheduling:
      return "it needs a kernel with CONFIG_SCHED_CORE; make core_scheduling preferred to go on "
             "without";
    case Step::session_keyring:
      return "the kernel has no keys (CONFIG_KEYS), or a container's seccomp profile forbids "
             "keyctl; "
             "make session_keyring preferred to go on without";
    case Step::denied_calls:
      return "a filter with an observer needs Linux 5.0, and none in force already; make "
             "denied_calls preferred to go on without";
    case Step::own_cgroup:
      return "the run is not where it should be: is something else moving processes between "
             "cgroups?";
    case Step::host_proc:
      return "mount /proc (mount -t proc proc /proc) where this program runs";
    case Step::open_source:
      if (error == ESTALE) {
        return "the path changed since the backend started (an upgrade?): start the backend again";
      }
      return "the user that runs this must be able to reach the path";
    case Step::sandbox_namespaces:
    case Step::spawn_init:
      if (error == ENOSPC) {
        return "a limit of namespaces is used up: raise sysctl "
               "user.max_{mnt,net,pid,uts}_namespaces";
      }
      break;
    case Step::spawn_workload:
      return "the process was killed while it was set up; was the host out of memory?";
    case Step::clone_source:
    case Step::seccomp_filter:
      if (error == ENOSYS || error == EINVAL)
        return "the kernel is too old: 5.12 or newer is needed";
      break;
    default:
      break;
  }
  if (is_refusal(error)) {
    return "a security module or a container's seccomp profile on this host forbids it";
  }
  if (error == ENOSYS)
    return "the kernel is too old (5.12 or newer is needed), or a filter hides it";
  return "this is unexpected; the step's name and the errno are what a bug report needs";
}

}  // namespace

std::string step_name(Step step) {
  const StepRow* row = find_row(step);
  return row != nullptr ? std::string(row->name)
                        : "step " + std::to_string(static_cast<unsigned>(step));
}

Error explain(const launcher::Reply& failed, std::string_view subject) {
  const StepRow* row = find_row(failed.step);
  std::string what = "could not set up the sandbox: ";
  what += row != nullptr ? row->doing : "carry out an unknown step";
  if (!subject.empty()) what += " (" + std::string(subject) + ")";
  what += ": " + std::generic_category().message(failed.error) + " [step " +
          std::to_string(static_cast<unsigned>(failed.step)) + " " + step_name(failed.step) + "]; ";
  what += fix(failed.step, failed.error);
  const errc code = is_user_namespace_step(failed.step) ? errc::userns_unavailable
                    : is_of_the_kernel(failed.step)     ? errc::protection_unavailable
                                                        : errc::setup_failed;
  return {code, std::move(what)};
}

}  // namespace sandbox::runner
