// The host's end of the launcher.
// SPDX-License-Identifier: MIT
#pragma once

#include <sys/types.h>

#include <boost/asio/awaitable.hpp>
#include <string>
#include <vector>

#include "fd.hpp"

namespace sandbox::runner {

// Starts the launcher from a sealed file in memory and sends it requests. It runs in a session of
// its own, with an empty environment, no descriptor but its socket, and default signal state.
//
// Thread safety: send() may be called from any thread, also side by side: a packet goes out whole.
// Lifetime: the destructor closes the socket, upon which the launcher and all guests end.
class LauncherClient {
 public:
  // Errors: errc::setup_failed with the reason. Takes about a millisecond.
  static LauncherClient start();

  // Errors: errc::launcher_lost.
  // Cancel: terminal; the request was then not sent.
  boost::asio::awaitable<void> send(std::string request, std::vector<int> descriptors) const;

  [[nodiscard]] pid_t pid() const { return pid_; }
  // False once the process has ended.
  [[nodiscard]] bool alive() const;

  // Closes the socket and waits until the process is gone; kills it when it does not go by itself.
  boost::asio::awaitable<void> close();

 private:
  LauncherClient(Fd socket, Fd process, pid_t pid);

  Fd socket_;
  Fd process_;  // pidfd
  pid_t pid_;
};

// A signal by pidfd; a process that has ended already is fine.
void signal_process(int pidfd, int signal);

// True when the process of the pidfd has ended.
bool has_ended(int pidfd);

}  // namespace sandbox::runner
