// One run, from the request to the last byte of its output.
// SPDX-License-Identifier: MIT
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <memory>
#include <optional>
#include <string>

#include "backend_core.hpp"
#include "fd.hpp"
#include "output_capture.hpp"
#include "reply_socket.hpp"
#include "sandbox/error.hpp"
#include "sandbox/exec.hpp"

namespace sandbox::runner {

// The namespaces of a sandbox, as descriptors.
struct SandboxNamespaces {
  Fd user;
  Fd mount;
  Fd net;
  Fd uts;
  Fd time;  // empty where the sandbox has none of its own
};

// Everything that a run needs to know of its sandbox.
struct RunPlace {
  std::shared_ptr<BackendCore> core;
  std::shared_ptr<const SandboxNamespaces> namespaces;
  std::shared_ptr<const Image> image;
  std::string work_directory;
  std::shared_ptr<const UidLease> lease;  // null: the backend's one identity

  [[nodiscard]] std::uint32_t outside_uid() const {
    return lease ? lease->uid() : core->identity.uid;
  }
};

// Used once, on one strand.
class ExecSession {
 public:
  ExecSession(boost::asio::any_io_executor strand, RunPlace place, ExecRequest request);

  // Errors: sandbox::Error. Cancel: terminal; when the error is delivered, nothing of the run is
  // left.
  boost::asio::awaitable<ExecResult> run();

  // Ends the run from outside: run() then throws an Error of `why`.
  void abort(errc why);

 private:
  boost::asio::awaitable<void> launch();
  boost::asio::awaitable<void> make_cgroup();
  boost::asio::awaitable<void> settle_cgroup();
  boost::asio::awaitable<bool> over_cpu_time();
  [[nodiscard]] std::chrono::steady_clock::time_point next_look() const;
  boost::asio::awaitable<void> await_start();
  boost::asio::awaitable<void> watch();
  boost::asio::awaitable<void> drain(Stream stream);
  boost::asio::awaitable<void> wait_for_timer();
  boost::asio::awaitable<void> tear_down();
  boost::asio::awaitable<bool> gone_within(std::chrono::milliseconds time);

  void give_to_guest(const Fd& pipe) const;
  void drain_rest(Stream stream);
  void note_output(Stream stream, std::string_view bytes);
  void stop_for(Limit limit, std::string limit_text);
  void fail_setup(const launcher::Reply& failed);
  void take_pidfd(ReceivedReply& received);
  [[nodiscard]] ExecResult make_result();
  [[noreturn]] void throw_lost() const;

  boost::asio::any_io_executor strand_;
  RunPlace place_;
  ExecRequest request_;
  Limits limits_;
  std::chrono::milliseconds timeout_;
  std::chrono::steady_clock::time_point asked_at_;
  std::chrono::steady_clock::time_point started_at_;

  std::optional<ReplySocket> replies_;
  boost::asio::steady_timer timer_;
  boost::asio::posix::stream_descriptor init_;  // pidfd
  boost::asio::posix::stream_descriptor out_;
  boost::asio::posix::stream_descriptor err_;
  OutputCapture captured_out_;
  OutputCapture captured_err_;

  std::shared_ptr<RunCgroup> cgroup_;  // null: none, or gone already
  std::optional<CgroupFacts> cgroup_facts_;
  bool memory_killed_ = false;
  bool gone_ = false;  // nothing of the run is left
  Enforced enforced_;
  std::optional<LimitHit> stopped_for_;
  std::optional<errc> aborted_;
  std::optional<launcher::Reply> ended_;
  std::optional<ExitStatus> never_started_;  // the program could not be found or executed
};

}  // namespace sandbox::runner
