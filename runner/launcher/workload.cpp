// The last steps of the program's process.
// SPDX-License-Identifier: MIT
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "run.hpp"

namespace sandbox::runner::launcher {
namespace {

// Like Context::must, but towards init: the reply socket is closed by then.
class Status {
 public:
  Status(const Context& context, int pipe) : context_(context), pipe_(pipe) {}

  void must(Step step, bool ok, std::uint32_t item = 0) const {
    const int error = errno;
    const FailAt& wanted = context_.header().fail_at;
    if (wanted.step == step) fail(step, wanted.error, item);
    if (!ok) fail(step, error, item);
  }

  [[noreturn]] void fail(Step step, int error, std::uint32_t item) const {
    Reply reply;
    reply.step = step;
    reply.error = error;
    reply.item = item;
    (void)!write(pipe_, &reply, sizeof reply);  // smaller than PIPE_BUF: whole or not at all
    _exit(127);
  }

  void about_to_exec() const {
    const char byte = 'x';
    (void)!write(pipe_, &byte, 1);
  }

 private:
  const Context& context_;
  int pipe_;
};

constexpr int kStatusPipe = 3;

void set_streams(const Status& status, const RunDescriptors& descriptors) {
  for (int stream = 0; stream < 3; ++stream) {
    status.must(Step::standard_streams, dup2(descriptors.standard[stream], stream) == stream,
                static_cast<std::uint32_t>(stream));
  }
}

void set_limits(const Context& context, const Status& status) {
  const Span& limits = context.run().limits;
  const auto* wanted = context.at<ResourceLimit>(limits.offset);
  for (std::uint32_t i = 0; i < limits.count; ++i) {
    const rlimit limit{wanted[i].soft, wanted[i].hard};
    const auto resource = static_cast<__rlimit_resource>(wanted[i].resource);
    rlimit now{};
    const bool set = setrlimit(resource, &limit) == 0 && getrlimit(resource, &now) == 0;
    if (set && (now.rlim_cur != limit.rlim_cur || now.rlim_max != limit.rlim_max)) errno = EPERM;
    status.must(Step::resource_limit,
                set && now.rlim_cur == limit.rlim_cur && now.rlim_max == limit.rlim_max, i);
  }
}

void check_identity(const Status& status) {
  uid_t uids[3];
  gid_t gids[3];
  const bool known =
      getresuid(&uids[0], &uids[1], &uids[2]) == 0 && getresgid(&gids[0], &gids[1], &gids[2]) == 0;
  bool guest = known;
  for (int i = 0; i < 3; ++i) guest = guest && uids[i] == kGuestId && gids[i] == kGuestId;
  if (!guest) errno = EPERM;
  status.must(Step::identity, guest);
}

void install_filter(const Context& context, const Status& status) {
  status.must(Step::no_new_privs, prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
                                      prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) == 1);
  const Span& filter = context.run().filter;
  sock_fprog program;
  memset(&program, 0, sizeof program);
  program.len = static_cast<unsigned short>(filter.count);
  program.filter = const_cast<sock_filter*>(context.at<sock_filter>(filter.offset));
  status.must(Step::seccomp_filter,
              syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program) == 0);
}

// Texts of the plan as the pointer array that exec wants.
const char** pointers(const Context& context, const Span& texts, const char** room) {
  const auto* offsets = context.at<Text>(texts.offset);
  for (std::uint32_t i = 0; i < texts.count; ++i) room[i] = context.text(offsets[i]);
  room[texts.count] = nullptr;
  return room;
}

[[noreturn]] void exec_program(const Context& context, const Status& status) {
  const RunRequest& run = context.run();
  const char* arguments[kMaxArguments + 1];
  const char* environment[kMaxArguments + 1];
  char* const* argv = const_cast<char* const*>(pointers(context, run.argv, arguments));
  char* const* envp = const_cast<char* const*>(pointers(context, run.environment, environment));
  const auto* candidates = context.at<Text>(run.candidates.offset);
  // As execvp(3): a place where it is missing is passed over, one where it may not run is
  // remembered.
  int error = ENOENT;
  std::uint32_t item = 0;
  status.must(Step::exec, true);
  status.about_to_exec();
  for (std::uint32_t i = 0; i < run.candidates.count; ++i) {
    execve(context.text(candidates[i]), argv, envp);
    if (errno == ENOENT || errno == ENOTDIR) continue;
    error = errno;
    item = i;
    if (errno != EACCES) break;
  }
  status.fail(Step::exec, error, item);
}

}  // namespace

void become_workload(const Context& context, const RunDescriptors& descriptors, int status_pipe) {
  const Status early(context, status_pipe);
  early.must(Step::new_session, setsid() >= 0);
  early.must(Step::working_directory, chdir(context.text(context.run().working_directory)) == 0);
  set_streams(early, descriptors);
  early.must(Step::close_descriptors, dup3(status_pipe, kStatusPipe, O_CLOEXEC) == kStatusPipe &&
                                          close_range(kStatusPipe + 1, ~0U, 0) == 0);
  const Status status(context, kStatusPipe);
  check_identity(status);
  sigset_t none;
  sigemptyset(&none);
  status.must(Step::signal_state, sigprocmask(SIG_SETMASK, &none, nullptr) == 0);
  set_limits(context, status);
  install_filter(context, status);
  exec_program(context, status);
}

}  // namespace sandbox::runner::launcher
