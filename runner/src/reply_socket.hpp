// The host's end of one request's reply socket.
// SPDX-License-Identifier: MIT
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <optional>
#include <vector>

#include "../launcher/plan.hpp"
#include "fd.hpp"

namespace sandbox::runner {

// One message of the launcher's side.
class ReceivedReply {
 public:
  launcher::Reply reply;
  std::vector<Fd> descriptors;
};

// Thread safety: none; used on one strand.
class ReplySocket {
 public:
  ReplySocket(const boost::asio::any_io_executor& executor, Fd socket);

  // The next message; nullopt when the other side is gone.
  // Cancel: terminal; no message is lost by it.
  boost::asio::awaitable<std::optional<ReceivedReply>> next();

  // Asks init to end the run and to report. Nothing happens when it is gone.
  void ask_to_stop();
  // Ends our sending side: init takes that as the end of the host, kills everything and goes.
  void hang_up();

 private:
  // Outer nullopt: nothing there yet. Inner: end of file.
  std::optional<std::optional<ReceivedReply>> try_receive();

  boost::asio::posix::stream_descriptor socket_;
};

}  // namespace sandbox::runner
