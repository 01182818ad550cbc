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
inline constexpr std::uint32_t kVersion = 1;
inline constexpr std::size_t kMaxRequestBytes = std::size_t{160}
                                                << 10U;  // below the socket's default buffer
inline constexpr std::size_t kMaxTreeOps = 512;
inline constexpr std::size_t kMaxArguments = 4096;
inline constexpr std::size_t kMaxFilterInstructions = 4096;  // BPF_MAXINSNS
inline constexpr int kRequestSocket = 3;                     // the launcher finds its socket here

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

enum class RequestKind : std::uint32_t { make_sandbox = 1, run = 2 };

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
  std::uint32_t reserved = 0;
  FailAt fail_at;
};

// Descriptors: reply. Answer: made, with {user, mount, net, uts} namespaces and the work directory.
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

// Descriptors: reply, stdin, stdout, stderr, user, mount, net, uts.
// Answers: spawned (with the pidfd of init), started, ended; or failed at any point.
// The host stops a run by sending one byte, or by closing its end.
struct RunRequest {
  Header header;
  Span tree;         // TreeOp
  Span argv;         // Text
  Span environment;  // Text
  Span candidates;   // Text: paths to try to exec, in order
  Span limits;       // ResourceLimit
  Span filter;       // sock_filter
  Text working_directory = 0;
  std::uint32_t reserved = 0;
};

inline constexpr int kRunDescriptors = 8;
inline constexpr int kMadeDescriptors = 5;

enum class ReplyKind : std::uint32_t { made = 1, spawned = 2, started = 3, ended = 4, failed = 5 };

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
};

static_assert(std::is_trivially_copyable_v<MakeRequest> && std::is_standard_layout_v<MakeRequest>);
static_assert(std::is_trivially_copyable_v<RunRequest> && std::is_standard_layout_v<RunRequest>);
static_assert(std::is_trivially_copyable_v<TreeOp> && std::is_trivially_copyable_v<Reply>);

}  // namespace sandbox::runner::launcher
