// The last steps of the program's process.
// SPDX-License-Identifier: MIT
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "landlock.hpp"
#include "process_guards.hpp"
#include "proof.hpp"
#include "run.hpp"

namespace sandbox::runner::launcher {
namespace {

constexpr int kStatus = 3;

void enter_working_directory(const Context& context) {
  context.must(Step::working_directory, chdir(context.text(context.run().working_directory)) == 0);
  // A directory outside of the root would be told as "(unreachable)" (hardening step 23).
  char path[4096];
  const bool inside = syscall(SYS_getcwd, path, sizeof path) > 0 && path[0] == '/';
  if (!inside) errno = EXDEV;
  context.must(Step::working_directory, inside);
}

void set_streams(const Context& context, const RunDescriptors& descriptors) {
  for (int stream = 0; stream < 3; ++stream) {
    context.must(Step::standard_streams, dup2(descriptors.standard[stream], stream) == stream,
                 static_cast<std::uint32_t>(stream));
  }
}

void close_all_others(Context& context, int status) {
  context.must(Step::close_descriptors, dup3(status, kStatus, O_CLOEXEC) == kStatus &&
                                            close_range(kHostProc + 1, ~0U, 0) == 0);
  context.answer_on(kStatus);
  prove_descriptors(context, kStatus);
}

void set_limits(const Context& context) {
  const Span& limits = context.run().limits;
  const auto* wanted = context.at<ResourceLimit>(limits.offset);
  for (std::uint32_t i = 0; i < limits.count; ++i) {
    const rlimit limit{wanted[i].soft, wanted[i].hard};
    const auto resource = static_cast<__rlimit_resource>(wanted[i].resource);
    rlimit now{};
    const bool set = setrlimit(resource, &limit) == 0 && getrlimit(resource, &now) == 0;
    if (set && (now.rlim_cur != limit.rlim_cur || now.rlim_max != limit.rlim_max)) errno = EPERM;
    context.must(Step::resource_limit,
                 set && now.rlim_cur == limit.rlim_cur && now.rlim_max == limit.rlim_max, i);
  }
}

void check_identity(const Context& context) {
  uid_t uids[3];
  gid_t gids[3];
  const bool known =
      getresuid(&uids[0], &uids[1], &uids[2]) == 0 && getresgid(&gids[0], &gids[1], &gids[2]) == 0;
  bool guest = known && getpid() > 1 && getppid() == 1;
  for (int i = 0; i < 3; ++i) guest = guest && uids[i] == kGuestId && gids[i] == kGuestId;
  if (!guest) errno = EPERM;
  context.must(Step::identity, guest);
}

// Returns the listener of refused calls, -1 when none is wanted or to be had.
int filter_calls(Context& context) {
  context.must(Step::no_new_privs, prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
                                       prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) == 1);
  if (!context.wants(Guard::seccomp)) return -1;
  const RunRequest& run = context.run();
  sock_fprog program;
  memset(&program, 0, sizeof program);
  program.len = static_cast<unsigned short>(run.filter.count);
  program.filter = const_cast<sock_filter*>(context.at<sock_filter>(run.filter.offset));
  if (context.wants(Guard::denied_calls)) {
    // Asked beforehand: a filter that nobody observes would hold the next refused call for ever.
    const bool may = context.try_step(Guard::denied_calls, Step::denied_calls, true);
    const int listener = may ? install_with_listener(program) : -1;
    if (may && context.try_step(Guard::denied_calls, Step::denied_calls, listener >= 0)) {
      context.add_applied(bit(Guard::denied_calls) | bit(Guard::seccomp));
      return listener;
    }
    // As it stands in the policy, with nobody to ask.
    program.len = static_cast<unsigned short>(run.verdicts.count);
    program.filter = const_cast<sock_filter*>(context.at<sock_filter>(run.verdicts.offset));
  }
  context.must(Step::seccomp_filter, install_filter(0, program) >= 0);
  context.add_applied(bit(Guard::seccomp));
  return -1;
}

// init looks at what was made, and says when to go on.
void agree_with_init(const Context& context, int listener) {
  Reply ready;
  ready.kind = ReplyKind::ready;
  ready.applied = context.applied();
  const bool sent = send_reply(kStatus, ready, &listener, listener >= 0 ? 1 : 0);
  if (listener >= 0) close(listener);
  char go = 0;
  context.must(Step::go, sent && read(kStatus, &go, 1) == 1);
}

// Texts of the plan as the pointer array that exec wants.
const char** pointers(const Context& context, const Span& texts, const char** room) {
  const auto* offsets = context.at<Text>(texts.offset);
  for (std::uint32_t i = 0; i < texts.count; ++i) room[i] = context.text(offsets[i]);
  room[texts.count] = nullptr;
  return room;
}

[[noreturn]] void exec_program(const Context& context) {
  const RunRequest& run = context.run();
  static const char* arguments[kMaxArguments + 1];
  static const char* environment[kMaxArguments + 1];
  char* const* argv = const_cast<char* const*>(pointers(context, run.argv, arguments));
  char* const* envp = const_cast<char* const*>(pointers(context, run.environment, environment));
  const auto* candidates = context.at<Text>(run.candidates.offset);
  // As execvp(3): a place where it is missing is passed over, one where it may not run is
  // remembered.
  int error = ENOENT;
  std::uint32_t item = 0;
  context.must(Step::exec, true);
  for (std::uint32_t i = 0; i < run.candidates.count; ++i) {
    execve(context.text(candidates[i]), argv, envp);
    if (errno == ENOENT || errno == ENOTDIR) continue;
    error = errno;
    item = i;
    if (errno != EACCES) break;
  }
  context.fail(Step::exec, error, item);
}

}  // namespace

void become_workload(Context& context, const RunDescriptors& descriptors, int status) {
  context.answer_on(status);
  context.must(Step::new_session, setsid() >= 0);
  enter_working_directory(context);
  set_streams(context, descriptors);
  close_all_others(context, status);
  check_identity(context);
  sigset_t none;
  sigemptyset(&none);
  context.must(Step::signal_state, sigprocmask(SIG_SETMASK, &none, nullptr) == 0);
  set_limits(context);
  refuse_writable_code(context);
  restrict_files(context);
  const int listener = filter_calls(context);
  agree_with_init(context, listener);
  exec_program(context);
}

}  // namespace sandbox::runner::launcher
