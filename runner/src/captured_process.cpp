// Runs a short program of the host and keeps what it printed.
// SPDX-License-Identifier: MIT
#include "captured_process.hpp"

#include <poll.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>

#include "fd.hpp"
#include "spawn.hpp"

namespace sandbox::runner {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::seconds kKillGrace{5};

// `first` is read here, `second` written there.
FdPair make_output_pipe() {
  FdPair ends = make_pipe();
  set_nonblocking(ends.first.get());
  return ends;
}

enum class ReadOut { more_may_come, at_end, over_cap };

ReadOut read_available(int descriptor, std::string& into, std::size_t cap) {
  std::array<char, 16384> buffer{};
  while (true) {
    const ssize_t count = ::read(descriptor, buffer.data(), buffer.size());
    if (count == 0) return ReadOut::at_end;
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return errno == EAGAIN ? ReadOut::more_may_come : ReadOut::at_end;
    const std::size_t room = cap - into.size();
    into.append(buffer.data(), std::min(room, static_cast<std::size_t>(count)));
    if (static_cast<std::size_t>(count) > room) return ReadOut::over_cap;
  }
}

// Waits until the process has ended or must end.
class Supervisor {
 public:
  Supervisor(pid_t pid, Fd pidfd, FdPair out, FdPair err)
      : pid_(pid), pidfd_(std::move(pidfd)), out_(std::move(out)), err_(std::move(err)) {}

  void collect(CapturedRun& run, Clock::time_point deadline, std::size_t cap) {
    while (true) {
      const bool ended = wait(deadline, run);
      const bool out_over = drain(out_, run.out, cap);
      const bool err_over = drain(err_, run.err, cap);
      run.too_much_output = out_over || err_over;
      if (ended || run.too_much_output || run.timed_out) break;
    }
    if (run.too_much_output || run.timed_out) kill_and_wait();
    reap(run);
  }

 private:
  // True when the process has ended.
  bool wait(Clock::time_point deadline, CapturedRun& run) const {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - Clock::now()).count();
    std::array<pollfd, 3> events{pollfd{pidfd_.get(), POLLIN, 0},
                                 pollfd{out_.first.get(), POLLIN, 0},
                                 pollfd{err_.first.get(), POLLIN, 0}};
    const int ready =
        ::poll(events.data(), events.size(), static_cast<int>(std::max<decltype(left)>(left, 0)));
    run.timed_out = ready == 0 || (left <= 0 && events[0].revents == 0);
    return ready > 0 && events[0].revents != 0;
  }

  static bool drain(FdPair& pipe, std::string& into, std::size_t cap) {
    if (!pipe.first) return false;
    const ReadOut result = read_available(pipe.first.get(), into, cap);
    if (result == ReadOut::at_end) pipe.first.reset();
    return result == ReadOut::over_cap;
  }

  void kill_and_wait() const {
    ::kill(-pid_, SIGKILL);
    ::syscall(SYS_pidfd_send_signal, pidfd_.get(), SIGKILL, nullptr, 0);
    pollfd event{pidfd_.get(), POLLIN, 0};
    const auto until = Clock::now() + kKillGrace;
    while (::poll(&event, 1, 1000) <= 0 && Clock::now() < until) {
    }
  }

  void reap(CapturedRun& run) const {
    siginfo_t info{};
    const auto which = static_cast<id_t>(pidfd_.get());
    // As long as the leader is not collected its number is its own, and so is the group's.
    if (::waitid(P_PIDFD, which, &info, WEXITED | WNOHANG | WNOWAIT) != 0 || info.si_pid == 0) {
      return;
    }
    ::kill(-pid_, SIGKILL);
    info = siginfo_t{};
    if (::waitid(P_PIDFD, which, &info, WEXITED | WNOHANG) != 0 || info.si_pid == 0) return;
    run.exit_code = info.si_code == CLD_EXITED ? info.si_status : 128 + info.si_status;
  }

  pid_t pid_;
  Fd pidfd_;
  FdPair out_;
  FdPair err_;
};

}  // namespace

CapturedRun run_captured(const std::vector<std::string>& arguments,
                         const std::vector<std::string>& environment,
                         std::chrono::milliseconds deadline, std::size_t output_cap) {
  FdPair out = make_output_pipe();
  FdPair err = make_output_pipe();
  SpawnStreams streams;
  streams.out = out.second.get();
  streams.err = err.second.get();

  CapturedRun run;
  pid_t pid = -1;
  const auto until = Clock::now() + deadline;
  run.start_error = spawn_in_session(arguments, environment, streams, pid);
  if (run.start_error != 0) return run;
  out.second.reset();
  err.second.reset();
  Fd pidfd(static_cast<int>(::syscall(SYS_pidfd_open, pid, 0)));
  if (pidfd) {
    Supervisor(pid, std::move(pidfd), std::move(out), std::move(err))
        .collect(run, until, output_cap);
    return run;
  }
  const int error = errno;
  if (error != ESRCH) {
    ::kill(-pid, SIGKILL);
    ::waitpid(pid, nullptr, 0);
    throw_errno("watch an interpreter (pidfd_open)", error);
  }
  // Already over and collected: this process ignores SIGCHLD. Its output is in the pipes.
  const ReadOut out_end = read_available(out.first.get(), run.out, output_cap);
  const ReadOut err_end = read_available(err.first.get(), run.err, output_cap);
  run.too_much_output = out_end == ReadOut::over_cap || err_end == ReadOut::over_cap;
  return run;
}

}  // namespace sandbox::runner
