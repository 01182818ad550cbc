// SPDX-License-Identifier: MIT
#include "denied_calls.hpp"

#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <string_view>

namespace sandbox::runner {
namespace {

struct Row {
  std::string_view call;
  std::string_view tried;
  std::string_view because;
};

constexpr std::string_view kNoNamespaces = "this sandbox lets none be made";
constexpr std::string_view kNoMounts = "the file system of this sandbox is fixed";
constexpr std::string_view kNoTracing = "processes here may not look into each other";
constexpr std::string_view kFixedIds = "this sandbox has one user without privileges";
constexpr std::string_view kNoKernel = "a sandbox may not change the machine";
constexpr std::string_view kNoWatching = "watching files is not allowed here; look again instead";
constexpr std::string_view kNoKeys = "this sandbox has no keyring";
constexpr std::string_view kNoClock = "the clock is the machine's";
constexpr std::string_view kNoPriority = "priorities are not the program's to set";
constexpr std::string_view kNoAttributes = "files here have no extended attributes";
constexpr std::string_view kNoUring = "use ordinary reads and writes";

constexpr std::array kRows = {
    Row{"unshare", "tried to make a namespace", kNoNamespaces},
    Row{"setns", "tried to enter a namespace", kNoNamespaces},
    Row{"clone", "tried to start a process in namespaces of its own", kNoNamespaces},
    Row{"mount", "tried to mount a file system", kNoMounts},
    Row{"umount2", "tried to unmount a file system", kNoMounts},
    Row{"pivot_root", "tried to change the root directory", kNoMounts},
    Row{"chroot", "tried to change the root directory", kNoMounts},
    Row{"fsopen", "tried to mount a file system", kNoMounts},
    Row{"open_tree", "tried to copy a mount", kNoMounts},
    Row{"move_mount", "tried to move a mount", kNoMounts},
    Row{"mount_setattr", "tried to change a mount", kNoMounts},
    Row{"mknod", "tried to make a device file", kNoMounts},
    Row{"mknodat", "tried to make a device file", kNoMounts},
    Row{"open_by_handle_at", "tried to open a file by its handle", kNoMounts},
    Row{"ptrace", "tried to trace a process", kNoTracing},
    Row{"process_vm_readv", "tried to read another process's memory", kNoTracing},
    Row{"process_vm_writev", "tried to write another process's memory", kNoTracing},
    Row{"kcmp", "tried to compare processes", kNoTracing},
    Row{"pidfd_getfd", "tried to take another process's file", kNoTracing},
    Row{"setuid", "tried to change the user", kFixedIds},
    Row{"setgid", "tried to change the group", kFixedIds},
    Row{"setresuid", "tried to change the user", kFixedIds},
    Row{"setresgid", "tried to change the group", kFixedIds},
    Row{"setgroups", "tried to change the groups", kFixedIds},
    Row{"capset", "tried to change its capabilities", kFixedIds},
    Row{"bpf", "tried to load a program into the kernel", kNoKernel},
    Row{"init_module", "tried to load a kernel module", kNoKernel},
    Row{"finit_module", "tried to load a kernel module", kNoKernel},
    Row{"delete_module", "tried to remove a kernel module", kNoKernel},
    Row{"kexec_load", "tried to load another kernel", kNoKernel},
    Row{"reboot", "tried to restart the machine", kNoKernel},
    Row{"swapon", "tried to change the swap space", kNoKernel},
    Row{"syslog", "tried to read the kernel's log", kNoKernel},
    Row{"perf_event_open", "tried to watch the processor's counters", kNoKernel},
    Row{"sethostname", "tried to change the host name", kNoKernel},
    Row{"iopl", "tried to reach hardware", kNoKernel},
    Row{"ioperm", "tried to reach hardware", kNoKernel},
    Row{"inotify_init1", "tried to watch files", kNoWatching},
    Row{"inotify_init", "tried to watch files", kNoWatching},
    Row{"fanotify_init", "tried to watch files", kNoWatching},
    Row{"keyctl", "tried to use the kernel's keys", kNoKeys},
    Row{"add_key", "tried to use the kernel's keys", kNoKeys},
    Row{"request_key", "tried to use the kernel's keys", kNoKeys},
    Row{"settimeofday", "tried to set the clock", kNoClock},
    Row{"clock_settime", "tried to set the clock", kNoClock},
    Row{"adjtimex", "tried to set the clock", kNoClock},
    Row{"setpriority", "tried to change its priority", kNoPriority},
    Row{"sched_setscheduler", "tried to change its priority", kNoPriority},
    Row{"setxattr", "tried to set an extended attribute", kNoAttributes},
    Row{"lsetxattr", "tried to set an extended attribute", kNoAttributes},
    Row{"fsetxattr", "tried to set an extended attribute", kNoAttributes},
    Row{"io_uring_setup", "tried to use io_uring", kNoUring},
    Row{"memfd_create", "tried to make a file in memory",
        "use one in the work directory or /tmp; callbacks of ctypes and compilers that write code "
        "need a host that allows that (without write_xor_execute)"},
    Row{"userfaultfd", "tried to handle page faults", "memory here is the kernel's to manage"},
    Row{"seccomp", "tried to change the filter of system calls", "it is fixed for the run"},
    Row{"setrlimit", "tried to change a limit", "the limits of this sandbox are fixed"},
    Row{"prlimit64", "tried to change a limit", "the limits of this sandbox are fixed"},
    Row{"personality", "tried to change how programs are run", "that is fixed for the run"},
};

std::string socket_sentence(std::uint64_t family, bool has_loopback) {
  if (has_loopback) {
    return "tried to open a socket of another kind; TCP and UDP on 127.0.0.1 and local (unix) "
           "sockets work here";
  }
  // socket(2) takes an int.
  switch (static_cast<std::uint32_t>(family)) {
    case AF_INET:
    case AF_INET6:
      return "tried to open a network socket; this sandbox has no network";
    case AF_NETLINK:
      return "tried to ask the kernel about the network; this sandbox has none";
    case AF_PACKET:
      return "tried to open a raw network socket; this sandbox has no network";
    default:
      return "tried to open a socket of family " +
             std::to_string(static_cast<std::uint32_t>(family)) +
             "; only local (unix) sockets work here";
  }
}

std::string sentence_of(const DeniedCall& call, std::uint32_t error, bool has_loopback) {
  if (call.call == "socket" || call.call == "socketpair") {
    return socket_sentence(call.arguments.front(), has_loopback);
  }
  const auto row = std::find_if(kRows.begin(), kRows.end(),
                                [&](const Row& candidate) { return candidate.call == call.call; });
  if (row != kRows.end()) return std::string(row->tried) + "; " + std::string(row->because);
  const bool has_name = !call.call.starts_with("call ");
  return "tried the system " + std::string(has_name ? "call " : "") + call.call +
         ", which this sandbox " +
         (error == ENOSYS ? "does not have" : "does not allow in this way");
}

DeniedCall limit_met(const char* what, std::string sentence) {
  DeniedCall met;
  met.call = what;
  met.count = 1;
  met.sentence = std::move(sentence);
  return met;
}

void add_limits_met(std::vector<DeniedCall>& list, std::uint32_t met, const Limits& limits) {
  using launcher::Met;
  const auto is_met = [met](Met which) { return (met & launcher::bit(which)) != 0; };
  if (is_met(Met::processes)) {
    list.push_back(processes_met(*limits.processes()));
  }
  if (is_met(Met::work_full)) {
    list.push_back(limit_met("disk", "filled the work directory; it takes no more bytes or files"));
  }
  if (is_met(Met::tmp_full)) {
    list.push_back(limit_met("disk", "filled /tmp; it takes no more bytes or files"));
  }
  if (is_met(Met::shm_full)) {
    list.push_back(limit_met("disk", "filled /dev/shm; it takes no more bytes or files"));
  }
}

}  // namespace

DeniedCall processes_met(std::uint32_t limit) {
  return limit_met("processes",
                   "reached the limit of " + std::to_string(limit) + " processes and threads");
}

std::vector<DeniedCall> denied_calls_of(const launcher::Reply& ended, FilterArch arch,
                                        const Limits& limits, bool has_loopback) {
  std::vector<DeniedCall> list;
  const std::size_t count = std::min<std::size_t>(ended.denied_count, launcher::kMaxDeniedCalls);
  for (std::size_t i = 0; i < count; ++i) {
    const launcher::DeniedCall& told = ended.denied[i];
    DeniedCall call;
    call.call = system_call_name(arch, told.number);
    call.count = told.count;
    call.arguments.assign(std::begin(told.arguments), std::end(told.arguments));
    call.sentence = sentence_of(call, told.error, has_loopback);
    list.push_back(std::move(call));
  }
  if (ended.denied_others > 0) {
    DeniedCall rest;
    rest.call = "others";
    rest.count = ended.denied_others;
    rest.sentence = "tried further system calls that this sandbox does not allow";
    list.push_back(std::move(rest));
  }
  add_limits_met(list, ended.met, limits);
  return list;
}

}  // namespace sandbox::runner
