// SPDX-License-Identifier: MIT
#include "exec_session.hpp"

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <boost/asio/buffer.hpp>
#include <boost/asio/experimental/awaitable_operators.hpp>
#include <boost/asio/multiple_exceptions.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <cerrno>
#include <system_error>
#include <thread>

#include "adopt.hpp"
#include "explain.hpp"
#include "run_limits.hpp"
#include "run_outcome.hpp"
#include "run_request.hpp"

namespace net = boost::asio;

namespace sandbox::runner {
namespace {

using namespace net::experimental::awaitable_operators;
using std::chrono::steady_clock;

constexpr std::chrono::seconds kSetupTime(30);
// A year: more than that is no bound, and time points have an end.
constexpr std::chrono::milliseconds kLongestTimeout(std::chrono::hours(24 * 365));
constexpr std::size_t kPipeBytes = std::size_t{1} << 20U;  // as many as a pipe can hold
constexpr std::chrono::milliseconds kCpuLook(50);
constexpr std::chrono::milliseconds kStopGrace(500);  // for init to end the run and report
constexpr std::chrono::seconds kKillGrace(10);
// Far above what is kept, a flood is no output any more: the run is ended.
constexpr std::uint64_t kFloodFactor = 64;
constexpr std::uint64_t kFloodFloor = 64ULL << 20U;

Fd open_standard_input(const std::string& bytes) {
  // Empty too: the host's /dev/null would be a node, and a mount, of the host.
  return make_sealed_file("stdin", bytes.data(), bytes.size());
}

bool is_cancellation(const boost::system::error_code& code) {
  return code == net::error::operation_aborted;
}

}  // namespace

ExecSession::ExecSession(net::any_io_executor strand, RunPlace place, ExecRequest request)
    : strand_(strand),
      place_(std::move(place)),
      request_(std::move(request)),
      limits_(place_.core->limits_of(request_.limits())),
      timeout_(std::min(request_.timeout().value_or(place_.core->options.default_timeout()),
                        kLongestTimeout)),
      timer_(strand),
      init_(strand),
      out_(strand),
      err_(strand),
      captured_out_(limits_.output()->count()),
      captured_err_(limits_.output()->count()) {}

net::awaitable<ExecResult> ExecSession::run() {
  asked_at_ = steady_clock::now();
  std::exception_ptr why;
  try {
    co_await launch();
    co_await await_start();
    if (!never_started_) {
      co_await (watch() && drain(Stream::standard_output) && drain(Stream::standard_error));
    }
  } catch (const net::multiple_exceptions& all) {
    // One failed, and that ended the others.
    why = all.first_exception();
  } catch (...) {
    why = std::current_exception();
  }
  // Whatever happened, the run is over for good before the caller hears of it. No cancellation may
  // interrupt that.
  co_await net::this_coro::reset_cancellation_state(net::disable_cancellation());
  std::exception_ptr left;
  try {
    co_await tear_down();
  } catch (...) {
    left = std::current_exception();
  }
  // Kills what is left in the cgroup.
  co_await settle_cgroup();
  if (left) std::rethrow_exception(left);
  if (aborted_) throw Error(*aborted_, "the sandbox was disposed while the program ran");
  if (why) {
    try {
      std::rethrow_exception(why);
    } catch (const boost::system::system_error& error) {
      if (!is_cancellation(error.code())) throw;
      throw Error(errc::cancelled, "the run was cancelled; nothing of it is left running");
    }
  }
  co_return make_result();
}

void ExecSession::abort(errc why) {
  if (!aborted_) aborted_ = why;
  if (replies_) replies_->hang_up();
  if (init_.is_open()) signal_process(init_.native_handle(), SIGKILL);
}

// So that /dev/stdout and /dev/stderr can be opened by a guest that runs as another user.
void ExecSession::give_to_guest(const Fd& pipe) const {
  if (!place_.core->identity.switch_identity) return;
  if (::fchown(pipe.get(), place_.outside_uid(), place_.outside_uid()) != 0) {
    if (errno != EPERM) throw_errno("give a pipe to the guest's user", errno);
    throw Error(errc::setup_failed,
                "give a pipe to the guest's user: Operation not permitted; a program that runs as "
                "root needs CAP_CHOWN for that: give it that or, simpler, start it as an ordinary "
                "user");
  }
}

net::awaitable<void> ExecSession::launch() {
  const SandboxNamespaces& spaces = *place_.namespaces;
  if (place_.core->cgroups) co_await make_cgroup();
  const RunFacts facts{*place_.image, place_.work_directory, place_.outside_uid(),
                       static_cast<bool>(spaces.time), cgroup_ != nullptr};
  std::string request = write_run_request(*place_.core, facts, request_, limits_);
  FdPair socket = make_packet_pair();
  FdPair out = make_pipe();
  FdPair err = make_pipe();
  const Fd in = open_standard_input(request_.standard_input());
  give_to_guest(out.second);
  give_to_guest(err.second);
  adopt(out_, std::move(out.first));
  adopt(err_, std::move(err.first));
  replies_.emplace(strand_, std::move(socket.first));
  // In the order that launcher/plan.hpp names.
  std::vector<int> descriptors = {socket.second.get(), in.get(),          out.second.get(),
                                  err.second.get(),    spaces.user.get(), spaces.mount.get(),
                                  spaces.net.get(),    spaces.uts.get()};
  if (spaces.time) descriptors.push_back(spaces.time.get());
  if (cgroup_) descriptors.insert(descriptors.begin() + 1, cgroup_->descriptor());
  co_await place_.core->launcher.send(std::move(request), std::move(descriptors));
}

net::awaitable<void> ExecSession::make_cgroup() {
  std::function<std::shared_ptr<RunCgroup>()> work = [core = place_.core, limits = limits_] {
    return std::shared_ptr<RunCgroup>(core->cgroups->make_run(limits, core->options.cpus()));
  };
  cgroup_ = co_await place_.core->cgroup_worker.run(std::move(work));
}

// What the run used, once nothing of it is left; then the cgroup goes.
net::awaitable<void> ExecSession::settle_cgroup() {
  if (!cgroup_) co_return;
  std::function<CgroupFacts()> work = [cgroup = std::exchange(cgroup_, nullptr)]() mutable {
    const CgroupFacts facts = cgroup->facts();
    cgroup->remove();
    return facts;
  };
  cgroup_facts_ = co_await place_.core->cgroup_worker.run(std::move(work));
  if (cgroup_facts_->killed_for_memory > 0 && !stopped_for_) {
    stopped_for_.emplace(Limit::memory, bytes_text(*limits_.memory()));
    memory_killed_ = true;
  }
}

// A program can hide processes that it does not wait for from init's count, not from the cgroup's.
net::awaitable<bool> ExecSession::over_cpu_time() {
  if (!cgroup_ || !limits_.cpu_time()) co_return false;
  std::function<std::uint64_t()> work = [cgroup = cgroup_] { return cgroup->cpu_us(); };
  const std::uint64_t used = co_await place_.core->cgroup_worker.run(std::move(work));
  co_return std::chrono::microseconds(used) >= *limits_.cpu_time();
}

net::awaitable<void> ExecSession::await_start() {
  timer_.expires_after(kSetupTime);
  for (;;) {
    auto first = co_await (replies_->next() || wait_for_timer());
    if (first.index() == 1) {
      throw Error(errc::setup_failed, "setting up the run took longer than " +
                                          std::to_string(kSetupTime.count()) +
                                          " s; is the host overloaded, or a file system hung?");
    }
    std::optional<ReceivedReply>& received = std::get<0>(first);
    if (!received) throw_lost();
    const launcher::ReplyKind kind = received->reply.kind;
    if (kind == launcher::ReplyKind::failed) fail_setup(received->reply);
    if (kind == launcher::ReplyKind::spawned) take_pidfd(*received);
    const bool started = kind == launcher::ReplyKind::started;
    // The program may be so quick that its end is told before init's pidfd has come.
    if (started) {
      started_at_ = steady_clock::now();
      enforced_ = place_.core->enforced(received->reply);
    }
    if (started && init_.is_open()) co_return;
    if (kind == launcher::ReplyKind::ended) ended_ = received->reply;
    if (started_at_ != steady_clock::time_point() && init_.is_open()) co_return;
    if (never_started_) co_return;
  }
}

void ExecSession::take_pidfd(ReceivedReply& received) {
  if (received.descriptors.empty()) throw_lost();
  adopt(init_, std::move(received.descriptors.front()));
}

// When watch() looks next: at the deadline, or before it where the cgroup is to be asked.
steady_clock::time_point ExecSession::next_look() const {
  const auto deadline = started_at_ + timeout_;
  if (!cgroup_ || !limits_.cpu_time()) return deadline;
  return std::min(deadline, steady_clock::now() + kCpuLook);
}

net::awaitable<void> ExecSession::watch() {
  timer_.expires_at(next_look());
  bool killed = false;
  while (!ended_) {
    auto first = co_await (replies_->next() || wait_for_timer());
    if (first.index() == 0) {
      std::optional<ReceivedReply>& received = std::get<0>(first);
      if (!received) break;
      if (received->reply.kind == launcher::ReplyKind::ended) ended_ = received->reply;
    } else if (timer_.expiry() > steady_clock::now()) {
      continue;  // someone else stopped the run and set the timer to its grace
    } else if (!stopped_for_ && steady_clock::now() < started_at_ + timeout_) {
      if (co_await over_cpu_time()) {
        stop_for(Limit::cpu_time, duration_text(*limits_.cpu_time()));
      } else {
        timer_.expires_at(next_look());
      }
    } else if (!stopped_for_) {
      stop_for(Limit::wall_time, duration_text(timeout_));
    } else if (!killed) {
      killed = true;
      signal_process(init_.native_handle(), SIGKILL);
      timer_.expires_after(kKillGrace);
    } else {
      throw_lost();
    }
  }
  // Only now nothing of the run can write any more. An end of a pipe that it sent elsewhere is not
  // waited for.
  gone_ = co_await gone_within(kKillGrace);
  if (!gone_) throw_lost();
  boost::system::error_code ignored;
  out_.cancel(ignored);
  err_.cancel(ignored);
}

void ExecSession::stop_for(Limit limit, std::string limit_text) {
  if (stopped_for_) return;
  stopped_for_.emplace(limit, std::move(limit_text));
  replies_->ask_to_stop();
  timer_.expires_after(kStopGrace);
}

net::awaitable<void> ExecSession::wait_for_timer() {
  // An early return with an error means that the timer was set anew.
  boost::system::error_code ignored;
  co_await timer_.async_wait(net::redirect_error(net::use_awaitable, ignored));
}

net::awaitable<void> ExecSession::drain(Stream stream) {
  net::posix::stream_descriptor& pipe = stream == Stream::standard_output ? out_ : err_;
  std::vector<char> buffer(std::size_t{64} << 10U);
  for (;;) {
    boost::system::error_code error;
    const net::mutable_buffer room = net::buffer(buffer);
    const std::size_t got =
        co_await pipe.async_read_some(room, net::redirect_error(net::use_awaitable, error));
    if (got > 0) note_output(stream, std::string_view(buffer.data(), got));
    if (error == net::error::eof) co_return;
    if (gone_) co_return drain_rest(stream);
    if (error) throw boost::system::system_error(error);
  }
}

// What is in the pipe at this moment.
void ExecSession::drain_rest(Stream stream) {
  net::posix::stream_descriptor& pipe = stream == Stream::standard_output ? out_ : err_;
  pipe.native_non_blocking(true);
  std::vector<char> buffer(std::size_t{64} << 10U);
  for (std::size_t taken = 0; taken < kPipeBytes;) {
    const ssize_t got = ::read(pipe.native_handle(), buffer.data(), buffer.size());
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return;
    note_output(stream, std::string_view(buffer.data(), static_cast<std::size_t>(got)));
    taken += static_cast<std::size_t>(got);
  }
}

void ExecSession::note_output(Stream stream, std::string_view bytes) {
  OutputCapture& capture = stream == Stream::standard_output ? captured_out_ : captured_err_;
  const std::string_view live = capture.add(bytes);
  if (request_.on_output() && !live.empty()) request_.on_output()(OutputChunk{stream, live});
  const std::uint64_t flood = std::max(kFloodFloor, limits_.output()->count() * kFloodFactor);
  if (capture.total_bytes() > flood) {
    stop_for(Limit::output, std::to_string(flood >> 20U) + " MiB");
  }
}

net::awaitable<bool> ExecSession::gone_within(std::chrono::milliseconds time) {
  if (!init_.is_open()) co_return true;
  const auto deadline = steady_clock::now() + time;
  for (;;) {
    timer_.expires_at(deadline);
    auto first =
        co_await (init_.async_wait(net::posix::stream_descriptor::wait_read, net::use_awaitable) ||
                  wait_for_timer());
    if (first.index() == 0) co_return true;
    // Before its time: a flood of output has set the timer anew.
    if (steady_clock::now() >= deadline) co_return false;
  }
}

net::awaitable<void> ExecSession::tear_down() {
  if (!replies_) co_return;
  replies_->hang_up();
  if (init_.is_open()) {
    if (!ended_) signal_process(init_.native_handle(), SIGKILL);
    if (!co_await gone_within(kKillGrace)) throw_lost();
    co_return;
  }
  // No pidfd yet: the processes on the way end by themselves when they find us gone, and the last
  // of them closes the socket.
  timer_.expires_after(kKillGrace);
  for (;;) {
    auto first = co_await (replies_->next() || wait_for_timer());
    if (first.index() == 1 || !std::get<0>(first)) co_return;
    ReceivedReply& late = *std::get<0>(first);
    if (late.reply.kind != launcher::ReplyKind::spawned || late.descriptors.empty()) continue;
    take_pidfd(late);
    signal_process(init_.native_handle(), SIGKILL);
    if (!co_await gone_within(kKillGrace)) throw_lost();
    co_return;
  }
}

void ExecSession::fail_setup(const launcher::Reply& failed) {
  using launcher::Step;
  const std::string& program = request_.argv().front();
  if (failed.step == Step::exec && failed.error != E2BIG) {
    // What a shell would say, and its codes (SB-28).
    const bool missing = failed.error == ENOENT || failed.error == ENOTDIR;
    note_output(Stream::standard_error, "sandbox: cannot run '" + program + "': " +
                                            std::generic_category().message(failed.error) + "\n");
    never_started_ = Exited(missing ? 127 : 126);
    return;
  }
  if (failed.step == Step::working_directory) {
    const errc code = failed.error == ENOENT    ? errc::not_found
                      : failed.error == ENOTDIR ? errc::not_a_directory
                                                : errc::permission_denied;
    throw Error(code, "the working directory '" +
                          request_.working_directory().value_or(place_.work_directory) +
                          "' cannot be entered: " + std::generic_category().message(failed.error) +
                          "; write a file into it first, or use the work directory");
  }
  std::string subject;
  if (failed.step == Step::resource_limit) {
    subject = resource_limit_name(make_resource_limits(limits_, cgroup_ != nullptr), failed.item);
  } else if (failed.step == Step::exec) {
    subject = program;
  }
  throw explain(failed, subject);
}

void ExecSession::throw_lost() const {
  if (!place_.core->launcher.alive()) {
    throw Error(errc::launcher_lost,
                "the launcher process has ended, and the run with it; close this backend and start "
                "another");
  }
  throw Error(errc::guest_lost,
              "the run's init ended without a report; was the host out of memory?");
}

ExecResult ExecSession::make_result() {
  if (!ended_ && !stopped_for_ && !never_started_) throw_lost();
  const ExitStatus status = never_started_ ? *never_started_
                            : ended_ ? status_of(*ended_, limits_, stopped_for_, memory_killed_)
                                     : ExitStatus(*stopped_for_);
  ExecResult result(status);
  result.standard_output = captured_out_.take();
  result.standard_error = captured_err_.take();
  result.enforced = enforced_;
  const auto micros = [](auto time) {
    return std::chrono::duration_cast<std::chrono::microseconds>(time);
  };
  if (never_started_) {
    result.usage.setup = micros(steady_clock::now() - asked_at_);
    return result;
  }
  result.usage.setup = micros(started_at_ - asked_at_);
  if (ended_) {
    add_report(result, *ended_, limits_);
  } else {
    result.usage.wall = micros(steady_clock::now() - started_at_);
  }
  if (cgroup_facts_) add_cgroup_facts(result, *cgroup_facts_, limits_);
  return result;
}

}  // namespace sandbox::runner
