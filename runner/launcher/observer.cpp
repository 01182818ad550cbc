// SPDX-License-Identifier: MIT
#include "observer.hpp"

#include <linux/seccomp.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

namespace sandbox::runner::launcher {

std::uint32_t verdict_of(const sock_filter* program, std::uint32_t length,
                         const seccomp_data& call) {
  const auto* bytes = reinterpret_cast<const unsigned char*>(&call);
  std::uint32_t value = 0;
  for (std::uint32_t at = 0; at < length; ++at) {
    const sock_filter& step = program[at];
    bool holds = false;
    switch (step.code) {
      case BPF_LD | BPF_W | BPF_ABS:
        if (step.k > sizeof call - sizeof value) return SECCOMP_RET_KILL_PROCESS;
        memcpy(&value, bytes + step.k, sizeof value);
        continue;
      case BPF_ALU | BPF_AND | BPF_K:
        value &= step.k;
        continue;
      case BPF_RET | BPF_K:
        return step.k;
      case BPF_JMP | BPF_JA:
        if (step.k >= length - at) return SECCOMP_RET_KILL_PROCESS;
        at += step.k;
        continue;
      case BPF_JMP | BPF_JEQ | BPF_K:
        holds = value == step.k;
        break;
      case BPF_JMP | BPF_JGT | BPF_K:
        holds = value > step.k;
        break;
      case BPF_JMP | BPF_JGE | BPF_K:
        holds = value >= step.k;
        break;
      case BPF_JMP | BPF_JSET | BPF_K:
        holds = (value & step.k) != 0;
        break;
      default:
        return SECCOMP_RET_KILL_PROCESS;
    }
    at += holds ? step.jt : step.jf;
  }
  return SECCOMP_RET_KILL_PROCESS;
}

Observer::Observer(const Context& context, int listener)
    : program_(context.at<sock_filter>(context.run().verdicts.offset)),
      length_(context.run().verdicts.count),
      listener_(listener) {}

void Observer::answer_one() {
  seccomp_notif call;
  memset(&call, 0, sizeof call);
  // Never blocks after poll() said that there is one: a caller that was killed meanwhile is ENOENT.
  if (ioctl(listener_, SECCOMP_IOCTL_NOTIF_RECV, &call) != 0) return;
  const std::uint32_t verdict = verdict_of(program_, length_, call.data);
  const bool is_errno = (verdict & SECCOMP_RET_ACTION_FULL) == SECCOMP_RET_ERRNO;
  const std::uint32_t error = is_errno ? verdict & SECCOMP_RET_DATA : EPERM;
  count(call.data, error);
  seccomp_notif_resp answer;
  memset(&answer, 0, sizeof answer);
  answer.id = call.id;
  answer.error = -static_cast<std::int32_t>(error);
  (void)ioctl(listener_, SECCOMP_IOCTL_NOTIF_SEND, &answer);  // ENOENT: the caller is gone
}

void Observer::count(const seccomp_data& call, std::uint32_t error) {
  const auto number = static_cast<std::uint32_t>(call.nr);
  for (std::uint32_t i = 0; i < count_; ++i) {
    if (calls_[i].number != number || calls_[i].error != error) continue;
    ++calls_[i].count;
    return;
  }
  if (count_ == kMaxDeniedCalls) {
    ++others_;
    return;
  }
  DeniedCall& first = calls_[count_++];
  first.number = number;
  first.error = error;
  first.count = 1;
  for (int i = 0; i < 3; ++i) first.arguments[i] = call.args[i];
}

void Observer::write_to(Reply& reply) const {
  reply.denied_count = count_;
  reply.denied_others = others_;
  for (std::uint32_t i = 0; i < count_; ++i) reply.denied[i] = calls_[i];
}

}  // namespace sandbox::runner::launcher
