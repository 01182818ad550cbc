// SPDX-License-Identifier: MIT
#include "reply_socket.hpp"

#include <sys/socket.h>

#include <boost/asio/use_awaitable.hpp>
#include <cerrno>
#include <cstring>

#include "adopt.hpp"

namespace net = boost::asio;

namespace sandbox::runner {

ReplySocket::ReplySocket(const net::any_io_executor& executor, Fd socket) : socket_(executor) {
  adopt(socket_, std::move(socket));
}

net::awaitable<std::optional<ReceivedReply>> ReplySocket::next() {
  for (;;) {
    std::optional<std::optional<ReceivedReply>> received = try_receive();
    if (received) co_return std::move(*received);
    co_await socket_.async_wait(net::posix::stream_descriptor::wait_read, net::use_awaitable);
  }
}

std::optional<std::optional<ReceivedReply>> ReplySocket::try_receive() {
  ReceivedReply received;
  iovec part{&received.reply, sizeof received.reply};
  alignas(cmsghdr) unsigned char control[CMSG_SPACE(sizeof(int) * launcher::kMaxMadeDescriptors)];
  msghdr message{};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  message.msg_control = control;
  message.msg_controllen = sizeof control;
  ssize_t got = -1;
  do {
    got = ::recvmsg(socket_.native_handle(), &message, MSG_CMSG_CLOEXEC | MSG_DONTWAIT);
    // ECONNRESET comes once, before what is still queued, when the other side ended without having
    // read our last byte.
  } while (got < 0 && (errno == EINTR || errno == ECONNRESET));
  if (got < 0 && errno == EAGAIN) return std::nullopt;
  if (got != static_cast<ssize_t>(sizeof received.reply)) return std::optional<ReceivedReply>();

  for (cmsghdr* head = CMSG_FIRSTHDR(&message); head != nullptr;
       head = CMSG_NXTHDR(&message, head)) {
    if (head->cmsg_level != SOL_SOCKET || head->cmsg_type != SCM_RIGHTS) continue;
    const std::size_t count = (head->cmsg_len - CMSG_LEN(0)) / sizeof(int);
    for (std::size_t i = 0; i < count; ++i) {
      int descriptor = -1;
      std::memcpy(&descriptor, CMSG_DATA(head) + i * sizeof(int), sizeof(int));
      received.descriptors.emplace_back(descriptor);
    }
  }
  return std::optional<ReceivedReply>(std::move(received));
}

void ReplySocket::ask_to_stop() {
  const char byte = 's';
  (void)!::send(socket_.native_handle(), &byte, 1, MSG_NOSIGNAL | MSG_DONTWAIT);
}

void ReplySocket::hang_up() { ::shutdown(socket_.native_handle(), SHUT_WR); }

}  // namespace sandbox::runner
