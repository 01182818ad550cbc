// SPDX-License-Identifier: MIT
#include "run.hpp"

#include <sched.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "identity.hpp"
#include "kernel.hpp"

namespace sandbox::runner::launcher {

RunDescriptors::RunDescriptors(const int* received, bool has_time_namespace)
    : standard{received[0], received[1], received[2]},
      user_namespace(received[3]),
      mount_namespace(received[4]),
      net_namespace(received[5]),
      uts_namespace(received[6]),
      time_namespace(has_time_namespace ? received[7] : -1) {}

void start_run(Context& context, const RunDescriptors& descriptors) {
  take_outside_identity(context);
  // Joining the user namespace first gives the rights that the others ask for.
  context.must(Step::join_user, setns(descriptors.user_namespace, CLONE_NEWUSER) == 0);
  context.must(Step::join_mount, setns(descriptors.mount_namespace, CLONE_NEWNS) == 0);
  context.must(Step::join_net, setns(descriptors.net_namespace, CLONE_NEWNET) == 0);
  context.must(Step::join_uts, setns(descriptors.uts_namespace, CLONE_NEWUTS) == 0);
  if (descriptors.time_namespace >= 0) {
    context.must(Step::join_time, setns(descriptors.time_namespace, kCloneNewTime) == 0);
    context.add_applied(bit(Guard::time_namespace));
  }

  constexpr std::uint64_t kFresh =
      CLONE_NEWPID | CLONE_NEWNS | CLONE_NEWIPC | CLONE_NEWCGROUP | CLONE_PARENT;
  int pidfd = -1;
  const pid_t init = clone_process(kFresh, &pidfd);
  context.must(Step::spawn_init, init >= 0);
  if (init == 0) be_init(context, descriptors);

  Reply reply;
  reply.kind = ReplyKind::spawned;
  send_reply(context.reply(), reply, &pidfd, 1);
  _exit(0);
}

}  // namespace sandbox::runner::launcher
