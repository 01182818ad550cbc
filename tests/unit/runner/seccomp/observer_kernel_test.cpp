// The observer with this kernel: each refused call gets the policy's errno, and is counted once for
// each kind.
// SPDX-License-Identifier: MIT
#include <fcntl.h>
#include <gmock/gmock.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "bpf_emulator.hpp"
#include "launcher/observer.hpp"
#include "policy_support.hpp"
#include "request_writer.hpp"

namespace sandbox::runner::test {
namespace {

using launcher::Reply;

// Puts this thread under the observed form of a policy. The listener, or -1.
int confine_thread(const FilterProgram& program) {
  sock_fprog filter{};
  filter.len = static_cast<unsigned short>(program.observed.size());
  filter.filter = const_cast<sock_filter*>(program.observed.data());
  if (::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return -1;
  return static_cast<int>(
      ::syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_NEW_LISTENER, &filter));
}

std::string request_with(const FilterProgram& program) {
  launcher::RunRequest flat;
  RequestWriter writer(sizeof flat);
  flat.verdicts = writer.array(program.instructions);
  return writer.finish(flat);
}

// What the observer has to tell after `body`, which ran in a thread under the policy.
class Watch {
 public:
  Watch(const FilterProgram& program, const std::function<void()>& body)
      : request_(request_with(program)) {
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0) return;
    std::thread thread([&] {
      int listener = confine_thread(program);
      (void)!::write(ends[1], &listener, sizeof listener);
      if (listener >= 0) body();
      (void)!::write(ends[1], &listener, sizeof listener);
    });
    int listener = -1;
    started = ::read(ends[0], &listener, sizeof listener) == sizeof listener && listener >= 0;
    if (started) answer_until_told(listener, ends[0]);
    thread.join();
    for (const int descriptor : {ends[0], ends[1], listener}) {
      if (descriptor >= 0) ::close(descriptor);
    }
  }

  bool started = false;
  Reply reply;

 private:
  void answer_until_told(int listener, int told) {
    const auto* bytes = reinterpret_cast<const unsigned char*>(request_.data());
    launcher::Observer observer(launcher::Context(bytes, -1), listener);
    EXPECT_EQ(observer.descriptor(), listener);
    pollfd waits[2] = {{listener, POLLIN, 0}, {told, POLLIN, 0}};
    while (::poll(waits, 2, -1) > 0) {
      if ((waits[0].revents & POLLIN) != 0) {
        observer.answer_one();
      }
      // What the end of the thread itself may be refused is not in question.
      if ((waits[1].revents & POLLIN) != 0 && reply.kind != launcher::ReplyKind::ended) {
        reply.kind = launcher::ReplyKind::ended;
        observer.write_to(reply);
        waits[1].fd = -1;
      }
      if ((waits[0].revents & POLLHUP) != 0) return;
    }
  }

  std::string request_;
};

int error_of_call(long result) { return result < 0 ? errno : 0; }

const FilterProgram& native_program(const std::string& name) {
  return builtin_program(name, native_arch());
}

TEST(ObserverKernel, CallersGetTheErrnoOfThePolicyAndTheFirstArgumentsAreKept) {
  std::vector<int> errors;
  const Watch watch(native_program("loopback"), [&] {
    for (const int flag : {CLONE_NEWUSER, CLONE_NEWNS, CLONE_NEWUSER}) {
      errors.push_back(error_of_call(::unshare(flag)));
    }
    errors.push_back(error_of_call(::socket(AF_INET, SOCK_RAW, 17)));
    errors.push_back(error_of_call(::socket(AF_NETLINK, SOCK_RAW, 0)));
    errors.push_back(error_of_call(::socket(AF_NETLINK, SOCK_DGRAM, 0)));
  });
  ASSERT_TRUE(watch.started) << "the kernel gave no listener";
  EXPECT_EQ(errors,
            (std::vector<int>{EPERM, EPERM, EPERM, EPROTONOSUPPORT, EAFNOSUPPORT, EAFNOSUPPORT}));
  const Reply& reply = watch.reply;
  ASSERT_EQ(reply.denied_count, 3U);
  EXPECT_EQ(reply.denied_others, 0U);
  EXPECT_EQ(reply.denied[0].number, static_cast<std::uint32_t>(SYS_unshare));
  EXPECT_EQ(reply.denied[0].error, static_cast<std::uint32_t>(EPERM));
  EXPECT_EQ(reply.denied[0].count, 3U);
  EXPECT_EQ(reply.denied[0].arguments[0], static_cast<std::uint64_t>(CLONE_NEWUSER));
  // One call that was refused in two ways.
  EXPECT_EQ(reply.denied[1].number, static_cast<std::uint32_t>(SYS_socket));
  EXPECT_EQ(reply.denied[1].error, static_cast<std::uint32_t>(EPROTONOSUPPORT));
  EXPECT_EQ(reply.denied[1].count, 1U);
  EXPECT_THAT(reply.denied[1].arguments,
              ::testing::ElementsAre(static_cast<std::uint64_t>(AF_INET),
                                     static_cast<std::uint64_t>(SOCK_RAW), 17U));
  EXPECT_EQ(reply.denied[2].number, static_cast<std::uint32_t>(SYS_socket));
  EXPECT_EQ(reply.denied[2].error, static_cast<std::uint32_t>(EAFNOSUPPORT));
  EXPECT_EQ(reply.denied[2].count, 2U);
}

// Calls that are refused whatever their arguments are, and do no harm without any: this test must
// be safe as root with a policy that is broken.
std::vector<std::uint32_t> refused_numbers(const FilterProgram& program) {
  std::vector<std::uint32_t> numbers;
  for (const char* name : {"unshare",
                           "setns",
                           "mount",
                           "umount2",
                           "pivot_root",
                           "chroot",
                           "swapon",
                           "swapoff",
                           "init_module",
                           "delete_module",
                           "bpf",
                           "add_key",
                           "perf_event_open",
                           "request_key",
                           "keyctl",
                           "fsopen",
                           "fsconfig",
                           "fspick",
                           "open_tree",
                           "move_mount",
                           "process_vm_readv",
                           "shmget",
                           "process_vm_writev",
                           "semget",
                           "msgget",
                           "kcmp",
                           "pidfd_getfd",
                           "open_by_handle_at",
                           "quotactl",
                           "userfaultfd",
                           "fanotify_init",
                           "io_uring_setup",
                           "mount_setattr",
                           "clock_settime",
                           "kexec_load"}) {
    const auto number = number_of(native_arch(), name);
    if (!number) continue;
    const seccomp_data call = call_of(native_arch(), *number);
    if (run_filter(program.observed, call) == SECCOMP_RET_USER_NOTIF) numbers.push_back(*number);
  }
  return numbers;
}

TEST(ObserverKernel, OnlySoManyKindsAreKeptAndTheRestIsCounted) {
  constexpr std::size_t kMost = launcher::kMaxDeniedCalls;
  const FilterProgram& program = native_program("default");
  std::vector<std::uint32_t> numbers = refused_numbers(program);
  ASSERT_GE(numbers.size(), kMost + 6);
  numbers.resize(kMost + 6);
  int let_through = 0;
  const Watch watch(program, [&] {
    for (int round = 0; round < 3; ++round) {
      for (const std::uint32_t number : numbers) {
        if (::syscall(static_cast<long>(number), 0, 0, 0, 0, 0, 0) >= 0) ++let_through;
      }
    }
  });
  ASSERT_TRUE(watch.started);
  EXPECT_EQ(let_through, 0);
  EXPECT_EQ(watch.reply.denied_count, kMost);
  EXPECT_EQ(watch.reply.denied_others, 3U * 6U);
  for (std::size_t i = 0; i < kMost; ++i) {
    EXPECT_EQ(watch.reply.denied[i].number, numbers[i]);
    EXPECT_EQ(watch.reply.denied[i].count, 3U) << numbers[i];
  }
}

TEST(ObserverKernel, WhatTheKernelAnswersItselfIsNotSeen) {
  std::vector<int> errors;
  const Watch watch(native_program("default"), [&] {
    errors.push_back(error_of_call(::syscall(SYS_clone3, nullptr, 0)));
    errors.push_back(error_of_call(::syscall(9999)));
    errors.push_back(error_of_call(::syscall(SYS_sync)));
    errors.push_back(error_of_call(::syscall(SYS_getppid)));
  });
  ASSERT_TRUE(watch.started);
  EXPECT_EQ(errors, (std::vector<int>{ENOSYS, ENOSYS, 0, 0}));
  EXPECT_EQ(watch.reply.denied_count, 0U);
  EXPECT_EQ(watch.reply.denied_others, 0U);
}

}  // namespace
}  // namespace sandbox::runner::test
