// A long-running program of the host, watched without blocking and ended with all that it started.
// SPDX-License-Identifier: MIT
#include "builder_process.hpp"

#include <fcntl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <boost/asio/buffer.hpp>
#include <boost/asio/cancellation_state.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <exception>
#include <memory>
#include <utility>

#include "directory_listing.hpp"
#include "fd.hpp"
#include "sandbox/error.hpp"
#include "spawn.hpp"

namespace net = boost::asio;

namespace sandbox::runner {
namespace {

constexpr std::size_t kKept = 16384;
constexpr std::chrono::seconds kKillGrace{10};

// The watcher in the group reads descriptor 3, whose other end is ours alone: it comes to its end
// when we do, even by SIGKILL, and takes the group along. It holds none of the group's output.
constexpr const char* kScript =
    "umask 022; { read -r line; kill -KILL 0; } <&3 >/dev/null 2>&1 & exec \"$@\" 3<&-";

class Builder {
 public:
  Builder(const net::any_io_executor& executor, const std::vector<std::string>& arguments,
          const std::vector<std::string>& environment)
      : output_(executor), ended_(executor), timer_(executor) {
    FdPair out = make_pipe();
    FdPair lifeline = make_pipe();
    std::vector<std::string> command = {"/bin/sh", "-c", kScript, "sh"};
    command.insert(command.end(), arguments.begin(), arguments.end());
    SpawnStreams streams;
    streams.out = out.second.get();
    streams.err = out.second.get();
    streams.third = lifeline.first.get();
    const int error = spawn_in_session(command, environment, streams, pid_);
    if (error != 0) throw_os_error("start " + arguments.front(), error);
    Fd pidfd(static_cast<int>(::syscall(SYS_pidfd_open, pid_, 0)));
    if (!pidfd) {
      const int why = errno;
      kill_group();
      ::waitpid(pid_, nullptr, 0);
      throw_os_error("watch " + arguments.front(), why);
    }
    lifeline_ = std::move(lifeline.second);
    set_nonblocking(out.first.get());
    output_.assign(out.first.release());
    ended_.assign(pidfd.release());
  }

  // The group lasts as long as its leader is not collected, so its number is its own.
  void kill_group() const { ::kill(-pid_, SIGKILL); }

  // Everything that it prints, until nobody can print any more.
  net::awaitable<void> read_all() {
    boost::system::error_code error;
    while (!error) {
      const std::size_t count = co_await output_.async_read_some(
          net::buffer(piece_), net::redirect_error(net::use_awaitable, error));
      last_words_.append(piece_.data(), count);
      if (last_words_.size() > 2 * kKept) last_words_.erase(0, last_words_.size() - kKept);
    }
    if (error == net::error::operation_aborted) throw boost::system::system_error(error);
  }

  net::awaitable<void> wait_for_leader() {
    co_await ended_.async_wait(net::posix::descriptor_base::wait_read, net::use_awaitable);
  }

  // When the leader has ended, what it left in its group must not hold up the end of its output.
  void kill_group_at_end(const std::shared_ptr<Builder>& self) {
    ended_.async_wait(net::posix::descriptor_base::wait_read,
                      [self](const boost::system::error_code& error) {
                        if (!error) self->kill_group();
                      });
  }

  void give_up_reading_after_grace(const std::shared_ptr<Builder>& self) {
    timer_.expires_after(kKillGrace);
    timer_.async_wait([self](const boost::system::error_code& error) {
      if (!error) self->output_.cancel();
    });
  }

  void collect(BuilderEnd& end) {
    timer_.cancel();
    kill_group();
    siginfo_t info{};
    const auto which = static_cast<id_t>(ended_.native_handle());
    if (::waitid(P_PIDFD, which, &info, WEXITED | WNOHANG) == 0 && info.si_pid != 0) {
      end.exit_code = info.si_code == CLD_EXITED ? info.si_status : 128 + info.si_status;
    }
    end.last_words = std::move(last_words_);
  }

 private:
  net::posix::stream_descriptor output_;
  net::posix::stream_descriptor ended_;
  net::steady_timer timer_;
  Fd lifeline_;
  pid_t pid_ = -1;
  std::array<char, 4096> piece_{};
  std::string last_words_;
};

}  // namespace

net::awaitable<BuilderEnd> run_builder(std::vector<std::string> arguments,
                                       std::vector<std::string> environment) {
  const net::any_io_executor executor = co_await net::this_coro::executor;
  const auto builder = std::make_shared<Builder>(executor, arguments, environment);
  builder->kill_group_at_end(builder);
  std::exception_ptr stopped;
  try {
    co_await builder->read_all();
  } catch (...) {
    stopped = std::current_exception();
  }
  if (stopped) {
    co_await net::this_coro::reset_cancellation_state(net::disable_cancellation());
    builder->kill_group();
    builder->give_up_reading_after_grace(builder);
    try {
      co_await builder->read_all();
    } catch (const boost::system::system_error&) {
      builder->kill_group();
    }
  }
  co_await builder->wait_for_leader();
  BuilderEnd end;
  builder->collect(end);
  if (stopped) std::rethrow_exception(stopped);
  co_return end;
}

}  // namespace sandbox::runner
