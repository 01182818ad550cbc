// The launcher: one small single-threaded program between the host and everything that it runs.
// It keeps nothing between requests; each is carried out by a process of its own, which answers on
// the request's own socket. When the host ends, the request socket closes, this process ends, and
// the kernel kills each init with it.
// SPDX-License-Identifier: MIT
#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/types.h>
#include <unistd.h>

#include "kernel.hpp"
#include "make_sandbox.hpp"
#include "probe.hpp"
#include "run.hpp"

namespace sandbox::runner::launcher {
namespace {

class Request {
 public:
  alignas(16) unsigned char bytes[kMaxRequestBytes];
  Received received;

  // A message that is too long, or carries too many descriptors, has no valid size.
  [[nodiscard]] bool is_valid() const {
    return is_valid_request(bytes, received.is_whole ? received.size : 0, received.count);
  }
  [[nodiscard]] const int* descriptors() const { return received.descriptors; }
};

void close_descriptors(const Request& request) {
  for (int i = 0; i < request.received.count; ++i) close(request.descriptors()[i]);
}

void refuse(const Request& request, Step step, int error) {
  if (request.received.count == 0) return;
  Reply reply;
  reply.step = step;
  reply.error = error;
  send_reply(request.descriptors()[0], reply, nullptr, 0);
}

// The process that carries a request out, born in the request's cgroup, if it has one. A probe
// needs no clone3: whether there is one is what it asks.
pid_t start_stage(const Request& request) {
  Header header;
  memcpy(&header, request.bytes, sizeof header);
  if (header.kind == RequestKind::probe) return fork();
  return clone_process(0, nullptr, header.in_cgroup != 0 ? request.descriptors()[1] : -1);
}

// This process was born in the cgroup of the request, and all that come of it will be. The list is
// read as the user that may read it.
void prove_own_cgroup(Context& context, int cgroup) {
  char text[1024];
  const bool known = read_kernel_file(cgroup, "cgroup.procs", text, sizeof text) > 0;
  KernelLine own;
  own.add(static_cast<std::uint64_t>(getpid())).add("\n");
  const std::size_t length = strlen(own.text());
  bool found = false;
  for (const char* line = known ? text : nullptr; line != nullptr && !found;) {
    found = strncmp(line, own.text(), length) == 0;
    line = strchr(line, '\n');
    if (line != nullptr) ++line;
  }
  if (known && !found) errno = ESRCH;
  context.must(Step::own_cgroup, found);
  context.add_applied(bit(Guard::cgroup));
}

[[noreturn]] void carry_out(const Request& request) {
  close(kRequestSocket);
  Context context(request.bytes, request.descriptors()[0]);
  struct statfs state;
  const bool known = fstatfs(kHostProc, &state) == 0;
  if (known && state.f_type != PROC_SUPER_MAGIC) errno = ENOTDIR;
  context.must(Step::host_proc, known && state.f_type == PROC_SUPER_MAGIC);
  if (context.header().in_cgroup != 0) prove_own_cgroup(context, request.descriptors()[1]);
  if (context.header().kind == RequestKind::probe) try_all(context);
  if (context.header().kind == RequestKind::make_sandbox) make_sandbox(context);
  const int* first = request.descriptors() + (context.header().in_cgroup != 0 ? 2 : 1);
  start_run(context, RunDescriptors(first, context.run().has_time_namespace != 0));
}

// What is set up here cannot be looked into or traced by the user's other processes, leaves no
// dump, and can gain nothing by exec (hardening step 1).
bool protect_self() {
  rlimit core{};
  const bool known = getrlimit(RLIMIT_CORE, &core) == 0;
  core.rlim_cur = 0;  // the hard limit stays: a run sets its own
  for (int number = 1; number <= kLastSignal; ++number) reset_signal(number);
  umask(022);  // what the tree is made of does not depend on the host's
  return known && prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) == 0 &&
         prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && setrlimit(RLIMIT_CORE, &core) == 0 &&
         signal(SIGCHLD, SIG_IGN) != SIG_ERR && chdir("/") == 0 &&
         close_range(kRequestSocket + 1, ~0U, 0) == 0;
}

// All kernel files of a process are reached through this one, wherever the process has been rooted
// since. A host without /proc is told at the first request (hardening step 3).
void keep_host_proc() {
  const int found = open("/proc", O_PATH | O_DIRECTORY | O_CLOEXEC);
  if (found < 0 || found == kHostProc) return;
  dup3(found, kHostProc, O_CLOEXEC);
  close(found);
}

int serve() {
  if (!protect_self()) return 1;
  keep_host_proc();
  static Request request;  // too large for a stack that the host may have made small
  while (receive_message(kRequestSocket, request.bytes, sizeof request.bytes, request.received)) {
    if (!request.is_valid()) {
      refuse(request, Step::read_request, EINVAL);
    } else {
      const pid_t stage = start_stage(request);
      if (stage == 0) carry_out(request);
      if (stage < 0) refuse(request, Step::fork_stage, errno);
    }
    close_descriptors(request);
    // Nothing of one run stays here for the next one's processes to be born with.
    memset(request.bytes, 0, request.received.size);
  }
  return 0;
}

}  // namespace
}  // namespace sandbox::runner::launcher

int main() { return sandbox::runner::launcher::serve(); }
