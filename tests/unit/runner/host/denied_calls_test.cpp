// What a run was refused, in words that a model can act on.
// SPDX-License-Identifier: MIT
#include "denied_calls.hpp"

#include <gmock/gmock.h>
#include <seccomp.h>
#include <sys/socket.h>

#include <cerrno>

namespace sandbox::runner::test {
namespace {

using launcher::Met;
using launcher::Reply;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

std::uint32_t libseccomp_arch(FilterArch arch) {
  return arch == FilterArch::x86_64 ? SCMP_ARCH_X86_64 : SCMP_ARCH_AARCH64;
}

std::uint32_t number_of(const char* name, FilterArch arch) {
  const int number = seccomp_syscall_resolve_name_arch(libseccomp_arch(arch), name);
  EXPECT_GE(number, 0) << name;
  return static_cast<std::uint32_t>(number);
}

void add_call(Reply& reply, const char* name, std::uint32_t error, std::uint64_t first_argument,
              FilterArch arch) {
  launcher::DeniedCall& call = reply.denied[reply.denied_count++];
  call.number = number_of(name, arch);
  call.error = error;
  call.count = 3;
  call.arguments[0] = first_argument;
  call.arguments[1] = 0x1122334455667788U;
  call.arguments[2] = ~std::uint64_t{0};
}

const Limits& limits() {
  static const Limits asked = Limits().processes(17);
  return asked;
}

struct Row {
  const char* call;
  std::uint32_t error;
  std::uint64_t first_argument;
  const char* sentence;
};

TEST(DeniedCalls, EachIsToldInASentence) {
  const Row rows[] = {
      {"socket", EAFNOSUPPORT, AF_INET,
       "tried to open a network socket; this sandbox has no network"},
      {"socket", EAFNOSUPPORT, AF_INET6,
       "tried to open a network socket; this sandbox has no network"},
      {"socket", EAFNOSUPPORT, AF_NETLINK,
       "tried to ask the kernel about the network; this sandbox has none"},
      {"socket", EAFNOSUPPORT, AF_PACKET,
       "tried to open a raw network socket; this sandbox has no network"},
      {"socket", EAFNOSUPPORT, AF_ALG,
       "tried to open a socket of family 38; only local (unix) sockets work here"},
      {"socketpair", EAFNOSUPPORT, AF_INET,
       "tried to open a network socket; this sandbox has no network"},
      {"socketpair", EAFNOSUPPORT, AF_TIPC,
       "tried to open a socket of family 30; only local (unix) sockets work here"},
      {"unshare", EPERM, 0x10000000, "tried to make a namespace; this sandbox lets none be made"},
      {"ptrace", EPERM, 0, "tried to trace a process; processes here may not look into each other"},
      {"memfd_create", ENOSYS, 0,
       "tried to make a file in memory; use one in the work directory or /tmp; callbacks of ctypes "
       "and compilers that write code need a host that allows that (without write_xor_execute)"},
      {"fcntl", EPERM, 5,
       "tried the system call fcntl, which this sandbox does not allow in this way"},
      {"fcntl", EINVAL, 5,
       "tried the system call fcntl, which this sandbox does not allow in this way"},
      {"vmsplice", ENOSYS, 1, "tried the system call vmsplice, which this sandbox does not have"},
  };
  for (const FilterArch arch : {FilterArch::x86_64, FilterArch::aarch64}) {
    for (const Row& row : rows) {
      SCOPED_TRACE(row.call);
      Reply reply;
      add_call(reply, row.call, row.error, row.first_argument, arch);
      const std::vector<DeniedCall> got = denied_calls_of(reply, arch, limits(), false);
      ASSERT_EQ(got.size(), 1U);
      EXPECT_EQ(got[0].call, row.call);
      EXPECT_EQ(got[0].count, 3U);
      EXPECT_THAT(got[0].arguments,
                  ElementsAre(row.first_argument, 0x1122334455667788U, ~std::uint64_t{0}));
      EXPECT_EQ(got[0].sentence, row.sentence);
    }
  }
}

TEST(DeniedCalls, ANumberWithoutANameIsToldByTheNumber) {
  Reply reply;
  reply.denied_count = 1;
  reply.denied[0].number = 999;
  reply.denied[0].error = ENOSYS;
  const auto got = denied_calls_of(reply, FilterArch::x86_64, limits(), false);
  ASSERT_EQ(got.size(), 1U);
  EXPECT_EQ(got[0].call, "call 999");
  EXPECT_THAT(got[0].sentence, ::testing::HasSubstr("call 999, which this sandbox does not have"));
}

TEST(DeniedCalls, NumbersAreReadForTheirArchitecture) {
  Reply reply;
  reply.denied_count = 1;
  reply.denied[0].number = number_of("unshare", FilterArch::aarch64);
  EXPECT_EQ(denied_calls_of(reply, FilterArch::aarch64, limits(), false).at(0).call, "unshare");
  EXPECT_NE(denied_calls_of(reply, FilterArch::x86_64, limits(), false).at(0).call, "unshare");
}

TEST(DeniedCalls, NothingDeniedIsNothingTold) {
  EXPECT_THAT(denied_calls_of(Reply(), FilterArch::x86_64, limits(), false), IsEmpty());
}

std::vector<std::string> calls_of(const std::vector<DeniedCall>& denied) {
  std::vector<std::string> names;
  for (const DeniedCall& call : denied) names.push_back(call.call);
  return names;
}

TEST(DeniedCalls, CallsComeFirstInTheirOrderThenTheRestThenLimits) {
  Reply reply;
  add_call(reply, "unshare", EPERM, 0, FilterArch::x86_64);
  add_call(reply, "socket", EPERM, AF_INET, FilterArch::x86_64);
  add_call(reply, "mount", EPERM, 0, FilterArch::x86_64);
  reply.denied_others = 12;
  reply.met = launcher::bit(Met::work_full) | launcher::bit(Met::processes);
  const auto got = denied_calls_of(reply, FilterArch::x86_64, limits(), false);
  EXPECT_THAT(calls_of(got),
              ElementsAre("unshare", "socket", "mount", "others", "processes", "disk"));
  EXPECT_EQ(got.at(3).count, 12U);
  EXPECT_EQ(got.at(3).sentence, "tried further system calls that this sandbox does not allow");
  EXPECT_THAT(got.at(3).arguments, IsEmpty());
}

struct MetRow {
  Met met;
  const char* call;
  const char* sentence;
};

TEST(DeniedCalls, LimitsThatEndedNothingAreTold) {
  const MetRow rows[] = {
      {Met::processes, "processes", "reached the limit of 17 processes and threads"},
      {Met::work_full, "disk", "filled the work directory; it takes no more bytes or files"},
      {Met::tmp_full, "disk", "filled /tmp; it takes no more bytes or files"},
      {Met::shm_full, "disk", "filled /dev/shm; it takes no more bytes or files"},
  };
  for (const MetRow& row : rows) {
    Reply reply;
    reply.met = launcher::bit(row.met);
    const auto got = denied_calls_of(reply, FilterArch::x86_64, limits(), false);
    ASSERT_EQ(got.size(), 1U) << row.sentence;
    EXPECT_EQ(got[0].call, row.call);
    EXPECT_EQ(got[0].count, 1U);
    EXPECT_THAT(got[0].arguments, IsEmpty());
    EXPECT_EQ(got[0].sentence, row.sentence);
  }
  Reply all;
  all.met = ~0U;
  EXPECT_EQ(denied_calls_of(all, FilterArch::x86_64, limits(), false).size(), std::size(rows));
}

TEST(DeniedCalls, TheLimitOfProcessesIsToldTheSameWayFromElsewhere) {
  Reply reply;
  reply.met = launcher::bit(Met::processes);
  const auto got = denied_calls_of(reply, FilterArch::x86_64, limits(), false);
  const DeniedCall alone = processes_met(17);
  EXPECT_EQ(alone.call, got.at(0).call);
  EXPECT_EQ(alone.count, got.at(0).count);
  EXPECT_EQ(alone.arguments, got.at(0).arguments);
  EXPECT_EQ(alone.sentence, got.at(0).sentence);
}

// They are the outcome of the run.
TEST(DeniedCalls, LimitsThatEndedTheRunAreNot) {
  Reply reply;
  reply.met = launcher::bit(Met::memory) | launcher::bit(Met::cpu_time);
  EXPECT_THAT(denied_calls_of(reply, FilterArch::x86_64, limits(), false), IsEmpty());
}

// The number comes from the other side of a socket.
TEST(DeniedCalls, NoMoreAreReadThanAReplyHolds) {
  for (const std::uint32_t count : {std::uint32_t{launcher::kMaxDeniedCalls}, 25U, 1000U, ~0U}) {
    Reply reply;
    reply.denied_count = count;
    for (launcher::DeniedCall& call : reply.denied) call.count = 5;
    const auto got = denied_calls_of(reply, FilterArch::x86_64, limits(), false);
    ASSERT_EQ(got.size(), launcher::kMaxDeniedCalls) << count;
    EXPECT_EQ(got.back().count, 5U);
  }
}

}  // namespace
}  // namespace sandbox::runner::test
