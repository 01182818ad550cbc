// SPDX-License-Identifier: MIT
#include "explain.hpp"

#include <array>
#include <cerrno>
#include <system_error>

#include "fixes.hpp"

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

// The protection that a kernel or host may simply not have; empty: none of that kind.
std::string_view optional_protection(Step step) {
  switch (step) {
    case Step::landlock:
      return "landlock";
    case Step::write_xor_execute:
      return "write_xor_execute";
    case Step::time_namespace:
    case Step::time_offsets:
      return "time_namespace";
    case Step::session_keyring:
      return "session_keyring";
    case Step::core_scheduling:
      return "core_scheduling";
    case Step::namespace_lock:
      return "namespace_lock";
    case Step::denied_calls:
      return "denied_calls";
    default:
      return {};
  }
}

}  // namespace

std::string step_name(Step step) {
  const StepRow* row = find_row(step);
  return row != nullptr ? std::string(row->name)
                        : "step " + std::to_string(static_cast<unsigned>(step));
}

std::string tell_failure(const launcher::Reply& failed, std::string_view subject) {
  const StepRow* row = find_row(failed.step);
  std::string what(row != nullptr ? row->doing : "carry out an unknown step");
  if (!subject.empty()) what += " (" + std::string(subject) + ")";
  return what + ": " + std::generic_category().message(failed.error) + " [step " +
         std::to_string(static_cast<unsigned>(failed.step)) + " " + step_name(failed.step) + "]";
}

Error explain(const launcher::Reply& failed, std::string_view subject, const HostFacts& host) {
  const std::string_view optional = optional_protection(failed.step);
  std::string what = "could not set up the sandbox: " + tell_failure(failed, subject) + "; " +
                     fix_of(failed.step, failed.error, host);
  if (!optional.empty()) {
    what += "; to go on without, make " + std::string(optional) +
            " preferred (sandboxctl: " + "--without " + std::string(optional) + ")";
  }
  const errc code = is_user_namespace_step(failed.step) ? errc::userns_unavailable
                    : !optional.empty()                 ? errc::protection_unavailable
                                                        : errc::setup_failed;
  return {code, std::move(what)};
}

}  // namespace sandbox::runner
