// SPDX-License-Identifier: MIT
#include "context.hpp"

#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

namespace sandbox::runner::launcher {

void Context::must(Step step, bool ok, std::uint32_t item) const {
  const int error = errno;
  const FailAt& wanted = header().fail_at;
  if (wanted.step == step) fail(step, wanted.error, item);
  if (!ok) fail(step, error, item);
}

bool Context::try_step(Guard guard, Step step, bool ok, std::uint32_t item) const {
  if ((header().required & bit(guard)) != 0) {
    must(step, ok, item);
    return true;
  }
  return ok && header().fail_at.step != step;
}

void Context::fail(Step step, int error, std::uint32_t item) const {
  Reply reply;
  reply.kind = ReplyKind::failed;
  reply.step = step;
  reply.error = error;
  reply.item = item;
  send_reply(reply_, reply, nullptr, 0);
  _exit(127);
}

bool send_reply(int socket, const Reply& reply, const int* descriptors, int count) {
  // Every byte of the message is set: padding must not carry what was on this stack before.
  alignas(Reply) unsigned char bytes[sizeof(Reply)];
  memcpy(bytes, &reply, sizeof bytes);
  iovec part{bytes, sizeof bytes};
  alignas(cmsghdr) unsigned char control[CMSG_SPACE(sizeof(int) * kMaxMadeDescriptors)];
  memset(control, 0, sizeof control);
  msghdr message;
  memset(&message, 0, sizeof message);
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  if (count > 0) {
    const std::size_t length = sizeof(int) * static_cast<std::size_t>(count);
    message.msg_control = control;
    message.msg_controllen = CMSG_SPACE(length);
    cmsghdr* head = CMSG_FIRSTHDR(&message);
    head->cmsg_level = SOL_SOCKET;
    head->cmsg_type = SCM_RIGHTS;
    head->cmsg_len = CMSG_LEN(length);
    memcpy(CMSG_DATA(head), descriptors, length);
  }
  ssize_t sent = -1;
  do {
    sent = sendmsg(socket, &message, MSG_NOSIGNAL);
  } while (sent < 0 && errno == EINTR);
  return sent == static_cast<ssize_t>(sizeof bytes);
}

bool receive_message(int socket, void* room, std::size_t size, Received& received) {
  iovec part{room, size};
  alignas(cmsghdr) unsigned char control[CMSG_SPACE(sizeof(int) * kMaxDescriptors)];
  msghdr message;
  memset(&message, 0, sizeof message);
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  message.msg_control = control;
  message.msg_controllen = sizeof control;
  ssize_t got = -1;
  do {
    got = recvmsg(socket, &message, MSG_CMSG_CLOEXEC);
  } while (got < 0 && errno == EINTR);
  if (got <= 0) return false;

  received.count = 0;
  for (cmsghdr* head = CMSG_FIRSTHDR(&message); head != nullptr;
       head = CMSG_NXTHDR(&message, head)) {
    if (head->cmsg_level != SOL_SOCKET || head->cmsg_type != SCM_RIGHTS) continue;
    const std::size_t count = (head->cmsg_len - CMSG_LEN(0)) / sizeof(int);
    for (std::size_t i = 0; i < count && received.count < kMaxDescriptors; ++i) {
      memcpy(&received.descriptors[received.count++], CMSG_DATA(head) + i * sizeof(int),
             sizeof(int));
    }
  }
  received.size = static_cast<std::size_t>(got);
  received.is_whole = (message.msg_flags & (MSG_TRUNC | MSG_CTRUNC)) == 0;
  return true;
}

bool receive_reply(int socket, Reply& reply, int* descriptor) {
  Received received;
  if (!receive_message(socket, &reply, sizeof reply, received)) return false;
  *descriptor = received.count > 0 ? received.descriptors[0] : -1;
  return received.size == sizeof reply;
}

}  // namespace sandbox::runner::launcher
