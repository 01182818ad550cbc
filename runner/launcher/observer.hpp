// Refused system calls, answered and counted by init (seccomp_unotify(2)).
// SPDX-License-Identifier: MIT
#pragma once

#include <linux/filter.h>

#include "context.hpp"

struct seccomp_data;

namespace sandbox::runner::launcher {

// What a filter of ours returns for a call: SECCOMP_RET_... with its data. A program that does what
// ours never do is answered with SECCOMP_RET_KILL_PROCESS.
std::uint32_t verdict_of(const sock_filter* program, std::uint32_t length,
                         const seccomp_data& call);

class Observer {
 public:
  // `listener`: -1 when nothing is observed.
  Observer(const Context& context, int listener);

  [[nodiscard]] int descriptor() const { return listener_; }
  // Takes one notification and answers it with the errno that the policy names for it; the call is
  // never let through.
  void answer_one();
  void write_to(Reply& reply) const;

 private:
  void count(const seccomp_data& call, std::uint32_t error);

  const sock_filter* program_;
  std::uint32_t length_;
  int listener_;
  std::uint32_t count_ = 0;
  std::uint64_t others_ = 0;
  DeniedCall calls_[kMaxDeniedCalls];
};

}  // namespace sandbox::runner::launcher
