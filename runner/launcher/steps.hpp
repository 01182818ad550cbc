// The numbered steps of the boundary, in the order in which they happen.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

namespace sandbox::runner::launcher {

// Numbers are stable and therefore not in order: they stand in logs and bug reports. Names:
// step_name() on the host side.
enum class Step : std::uint16_t {
  none = 0,
  // the launcher itself
  read_request = 1,
  host_proc = 3,    // the host's /proc is one
  own_cgroup = 78,  // the process of the request is in the cgroup made for it
  fork_stage = 2,
  // making a sandbox
  open_source = 10,   // an image path, opened and compared with what the host saw
  clone_source = 11,  // a detached read-only copy of that mount
  drop_groups = 12,
  drop_gid = 13,
  drop_uid = 14,
  allow_map_write = 15,
  user_namespace = 16,
  setgroups_deny = 17,
  uid_map = 18,
  gid_map = 19,
  time_namespace = 40,
  time_offsets = 41,
  sandbox_namespaces = 20,  // mount, net, uts, and a pid namespace for the template's /proc
  spawn_builder = 21,
  die_with_parent = 22,
  private_mounts = 23,
  root_mount = 24,
  tree_directory = 25,
  tree_link = 26,
  tree_file = 27,
  tree_attach = 28,  // an image path, put in its place
  tree_prove = 29,   // the mount there is read-only, nosuid and, unless a device, nodev
  tree_tmpfs = 30,
  tree_keep = 31,  // a mount that a run's own /tmp is about to cover
  proc_mount = 32,
  pivot_root = 33,
  old_root_gone = 34,
  root_read_only = 35,
  host_name = 36,
  loopback_up = 37,
  mounts_proven = 42,   // only the planned mounts, with the planned flags
  network_proven = 43,  // no interface is up, unless asked for
  open_namespaces = 38,
  open_work = 39,
  // one run: the stage process
  join_user = 50,
  join_mount = 51,
  join_net = 52,
  join_uts = 53,
  join_time = 55,
  spawn_init = 54,
  // one run: init, pid 1
  new_session = 60,
  session_keyring = 73,
  core_scheduling = 74,
  no_dump = 63,
  oom_first = 64,
  inner_user_namespace = 65,
  inner_uid_map = 66,
  inner_gid_map = 67,
  namespace_lock = 75,
  drop_capabilities = 68,
  capabilities_gone = 69,
  namespace_lock_proven = 76,
  accounting = 79,  // a view on the run's processes, for init alone
  signal_state = 70,
  status_pipe = 71,
  spawn_workload = 72,
  workload_proven = 94,  // what init sees of the program's process: no privilege, the filter is on
  init_filter = 77,
  // one run: the workload's last steps
  working_directory = 80,
  standard_streams = 81,
  close_descriptors = 82,
  descriptors_proven = 91,
  resource_limit = 83,
  identity = 84,
  no_new_privs = 85,
  write_xor_execute = 90,
  landlock = 88,
  landlock_proven = 89,
  denied_calls = 93,  // the filter with an observer
  seccomp_filter = 86,
  go = 95,  // init has agreed
  exec = 87,
};

}  // namespace sandbox::runner::launcher
