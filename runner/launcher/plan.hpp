// What the host asks of the launcher, and what it hears back: flat, position-independent bytes.
//
// A request is one SOCK_SEQPACKET message: a header, arrays, and a string arena. Every reference is
// an offset from the start of the message; the launcher checks each before it uses it. Descriptors
// travel beside it by SCM_RIGHTS; the first one is the reply socket of this request.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "steps.hpp"

namespace sandbox::runner::launcher {

inline constexpr std::uint32_t kMagic = 0x4c534258;  // "XBSL"
inline constexpr std::uint32_t kVersion = 2;
inline constexpr std::size_t kMaxRequestBytes = std::size_t{160}
                                                << 10U;  // below the socket's default buffer
inline constexpr std::size_t kMaxTreeOps = 512;
inline constexpr std::size_t kMaxArguments = 4096;
inline constexpr std::size_t kMaxFilterInstructions = 4096;  // BPF_MAXINSNS
inline constexpr std::size_t kMaxLandlockRules = kMaxTreeOps + 16;
inline constexpr int kRequestSocket = 3;  // the launcher finds its socket here
inline constexpr int kHostProc = 4;       // and keeps the host's /proc here

// The ids of a guest. Inside its own user namespace the set-up acts as 0; the program is 1000 in a
// second one, which has no power over the first.
inline constexpr std::uint32_t kSetupId = 0;
inline constexpr std::uint32_t kGuestId = 1000;

// `count` elements at `offset`.
struct Span {
  std::uint32_t offset = 0;
  std::uint32_t count = 0;
};

// A NUL-terminated string at this offset. Zero: none.
using Text = std::uint32_t;

// The protections that have a mode, as bits; the same order as sandbox/runner/protection.hpp.
enum class Guard : std::uint32_t {
  seccomp = 1U << 0U,
  denied_calls = 1U << 1U,
  landlock = 1U << 2U,
  inner_user_namespace = 1U << 3U,
  namespace_lock = 1U << 4U,
  capabilities = 1U << 5U,
  process_view = 1U << 6U,
  no_exec = 1U << 7U,
  write_xor_execute = 1U << 8U,
  time_namespace = 1U << 9U,
  session_keyring = 1U << 10U,
  core_scheduling = 1U << 11U,
  cgroup = 1U << 12U,
  resource_limits = 1U << 13U,
  inode_limits = 1U << 14U,
};

constexpr std::uint32_t bit(Guard guard) { return static_cast<std::uint32_t>(guard); }

enum class RequestKind : std::uint32_t { make_sandbox = 1, run = 2, probe = 3 };

enum class TreeKind : std::uint32_t {
  directory = 1,  // path, mode
  link = 2,       // path, text = target
  file = 3,       // path, text = content, mode
  bind = 4,       // path, text = host path, device, inode; flags
  tmpfs = 5,      // path, text = mount options; flags
  proc = 6,       // path, text = mount options
  keep = 7,       // path: the mount that stands there now is put back after a tmpfs covered it
};

inline constexpr std::uint32_t kTreeIsDirectory = 1;  // bind, keep: a directory, not a file
inline constexpr std::uint32_t kTreeIsDevice = 2;     // bind: a device node, so without nodev
inline constexpr std::uint32_t kTreeAllowExec = 4;    // tmpfs: without noexec

struct TreeOp {
  TreeKind kind = TreeKind::directory;
  Text path = 0;
  Text text = 0;
  std::uint32_t mode = 0;
  std::uint32_t flags = 0;
  std::uint32_t reserved = 0;
  std::uint64_t device = 0;
  std::uint64_t inode = 0;
};

// Makes a step fail with an errno of choice, to test that each failure is told and leaves nothing.
struct FailAt {
  Step step = Step::none;
  std::uint16_t reserved = 0;
  std::int32_t error = 0;
};

struct Header {
  std::uint32_t magic = kMagic;
  std::uint32_t version = kVersion;
  RequestKind kind = RequestKind::make_sandbox;
  std::uint32_t size = 0;
  // The ids outside. With switch_identity the launcher is root and takes them on first.
  std::uint32_t outside_uid = 0;
  std::uint32_t outside_gid = 0;
  std::uint32_t switch_identity = 0;
  // Guard bits: what to apply, and what of it to fail without.
  std::uint32_t wanted = 0;
  std::uint32_t required = 0;
  // A descriptor of a cgroup directory follows the reply socket: the process of this request and
  // all that come of it are born in there.
  std::uint32_t in_cgroup = 0;
  FailAt fail_at;
};

// Descriptors: reply. Answer: made, with {user, mount, net, uts} namespaces, the work directory
// and, when `applied` has time_namespace, the time namespace.
struct MakeRequest {
  Header header;
  Span tree;  // TreeOp
  Text host_name = 0;
  Text work_path = 0;
  std::uint32_t loopback = 0;
  std::uint32_t reserved = 0;
};

struct ResourceLimit {
  std::uint32_t resource = 0;
  std::uint32_t reserved = 0;
  std::uint64_t soft = 0;
  std::uint64_t hard = 0;
};

enum class LandlockAccess : std::uint32_t {
  list = 1,          // names of directories
  read = 2,          // contents and names
  read_execute = 3,  //
  device = 4,        // reading and writing of one device
  write = 5,         // everything but executing
  write_execute = 6,
};

struct LandlockRule {
  Text path = 0;
  LandlockAccess access = LandlockAccess::list;
};

// What the run as a whole may use. Zero: not limited here.
struct RunBudget {
  std::uint64_t memory_bytes = 0;
  std::uint64_t cpu_us = 0;
  std::uint64_t processes = 0;
};

// Descriptors: reply, [cgroup], stdin, stdout, stderr, user, mount, net, uts, [time].
// Answers: spawned (with the pidfd of init), started, ended; or failed at any point.
// The host stops a run by sending one byte, or by closing its end.
struct RunRequest {
  Header header;
  Span tree;         // TreeOp
  Span argv;         // Text
  Span environment;  // Text
  Span candidates;   // Text: paths to try to exec, in order
  Span limits;       // ResourceLimit
  Span filter;       // sock_filter: what is installed
  Span verdicts;     // sock_filter: what an observed call is answered with (denied_calls)
  Span landlock;     // LandlockRule
  RunBudget budget;
  Text working_directory = 0;
  Text work_path = 0;
  std::uint32_t handles_network = 0;  // Landlock refuses TCP
  std::uint32_t has_time_namespace = 0;
};

inline constexpr int kRunDescriptors = 8;  // without the two that are optional
inline constexpr int kMaxDescriptors = kRunDescriptors + 2;
inline constexpr int kMadeDescriptors = 5;
inline constexpr int kMaxMadeDescriptors = kMadeDescriptors + 1;

// What a host lets a sandbox do. Each is tried as a run would come to it.
enum class Probe : std::uint32_t {
  clone3,
  user_namespace,
  id_map,
  mount_namespace,
  net_namespace,
  pid_namespace,
  ipc_namespace,
  uts_namespace,
  cgroup_namespace,
  time_namespace,
  image_mount,
  root_mount,
  process_view,  // a /proc with processes only
  full_proc,     // for the operator to know; a run has no use for it
  second_user_namespace,
  namespace_lock,
  session_keyring,
  core_scheduling,
  write_xor_execute,
  landlock,
  seccomp,
  denied_calls,
};
inline constexpr std::uint32_t kProbes = 22;

// Descriptors: reply. Answers: probed, once for each Probe, in order: `item` is the Probe; a step
// and an error say what it failed at, none that it works. `wanted` and `required` are not looked
// at.
struct ProbeRequest {
  Header header;
};

// `ready` goes from the workload to init, and init answers with one byte: exec.
enum class ReplyKind : std::uint32_t {
  made = 1,
  spawned = 2,
  started = 3,
  ended = 4,
  failed = 5,
  ready = 6,
  probed = 7
};

// A system call that the filter refused, as often as it was tried; the arguments of the first time.
struct DeniedCall {
  std::uint32_t number = 0;
  std::uint32_t error = 0;
  std::uint64_t count = 0;
  std::uint64_t arguments[3] = {};
};
inline constexpr std::size_t kMaxDeniedCalls = 24;

// Which limit of the whole run was met. The first two end the run.
enum class Met : std::uint32_t {
  memory = 1U << 0U,
  cpu_time = 1U << 1U,
  processes = 1U << 2U,
  work_full = 1U << 3U,
  tmp_full = 1U << 4U,
  shm_full = 1U << 5U,
};
constexpr std::uint32_t bit(Met met) { return static_cast<std::uint32_t>(met); }

struct Reply {
  ReplyKind kind = ReplyKind::failed;
  // failed: which step, why, and which element of the plan (tree op, limit, candidate)
  Step step = Step::none;
  std::uint16_t reserved = 0;
  std::int32_t error = 0;
  std::uint32_t item = 0;
  // ended: siginfo's si_code and si_status of the program, and what the whole run used
  std::int32_t code = 0;
  std::int32_t status = 0;
  std::uint64_t wall_ns = 0;
  std::uint64_t user_us = 0;
  std::uint64_t system_us = 0;
  std::uint64_t max_rss_kib = 0;
  std::uint64_t memory_peak = 0;  // bytes, as sampled; 0: never sampled
  std::uint64_t cpu_us = 0;       // of the whole run, as sampled
  std::uint32_t processes_peak = 0;
  std::uint32_t met = 0;  // Met bits
  // made, started: Guard bits that this request applied, and the Landlock ABI (0: none)
  std::uint32_t applied = 0;
  std::uint32_t landlock_abi = 0;
  // ended: refused calls; what did not fit in is only counted
  std::uint32_t denied_count = 0;
  std::uint32_t accounting = 0;  // 1: the run's memory and cpu time were sampled
  std::uint64_t denied_others = 0;
  DeniedCall denied[kMaxDeniedCalls];
};

static_assert(std::is_trivially_copyable_v<MakeRequest> && std::is_standard_layout_v<MakeRequest>);
static_assert(std::is_trivially_copyable_v<RunRequest> && std::is_standard_layout_v<RunRequest>);
static_assert(std::is_trivially_copyable_v<TreeOp> && std::is_trivially_copyable_v<Reply>);

}  // namespace sandbox::runner::launcher
