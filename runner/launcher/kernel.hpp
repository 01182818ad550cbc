// Thin calls that libc has no wrapper for, or whose glibc header C++ cannot use.
// SPDX-License-Identifier: MIT
#pragma once

#include <errno.h>
#include <linux/sched.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>

namespace sandbox::runner::launcher {

// clone3(2), as fork: the child goes on here with a copy of everything. CLONE_PARENT makes it a
// sibling, so that whoever made the stage is the one whose death it follows. `cgroup` is a
// descriptor of the cgroup that it is born in, -1 for ours.
inline pid_t clone_process(std::uint64_t flags, int* pidfd, int cgroup = -1) {
  clone_args args;
  memset(&args, 0, sizeof args);
  args.flags = flags | CLONE_CLEAR_SIGHAND;
  if (cgroup >= 0) {
    args.flags |= CLONE_INTO_CGROUP;
    args.cgroup = static_cast<std::uint64_t>(cgroup);
  }
  args.exit_signal = (flags & CLONE_PARENT) != 0 ? 0U : 17U /* SIGCHLD */;
  if (pidfd != nullptr) {
    args.flags |= CLONE_PIDFD;
    args.pidfd = reinterpret_cast<std::uint64_t>(pidfd);
  }
  return static_cast<pid_t>(syscall(SYS_clone3, &args, sizeof args));
}

inline constexpr int kCloneNewTime = 0x80;  // CLONE_NEWTIME, for unshare and setns only
inline constexpr int kLastSignal = 64;

// The default action for any signal, also the two that libc keeps for itself and its posix_spawn
// leaves ignored. SIGKILL and SIGSTOP have no other, and say EINVAL.
inline void reset_signal(int number) {
  struct {
    void (*handler)(int);
    unsigned long flags;
    void (*restorer)();
    std::uint64_t mask;
  } action = {nullptr, 0, nullptr, 0};  // the kernel's struct sigaction; SIG_DFL is 0
  syscall(SYS_rt_sigaction, number, &action, nullptr, sizeof action.mask);
}

// Writes the whole text to a kernel file below `directory` (AT_FDCWD for an absolute path).
bool write_kernel_file(int directory, const char* path, const char* text);

// Reads a kernel file, or the beginning of one, into `room` and ends it with a NUL. -1 on failure.
ssize_t read_kernel_file(int directory, const char* path, char* room, std::size_t size);

// A short line of numbers and words, put together without the heap.
class KernelLine {
 public:
  KernelLine& add(const char* word);
  KernelLine& add(std::uint64_t number);
  [[nodiscard]] const char* text() const { return text_; }

 private:
  char text_[96] = {};
  std::size_t length_ = 0;
};

// The one line of a map with one id.
inline KernelLine id_map_line(std::uint32_t inside, std::uint32_t outside) {
  return KernelLine().add(inside).add(" ").add(outside).add(" 1\n");
}

}  // namespace sandbox::runner::launcher
