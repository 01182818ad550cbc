// What every step works with: the request, checked, and the socket to answer on.
// SPDX-License-Identifier: MIT
#pragma once

#include <errno.h>

#include "plan.hpp"

namespace sandbox::runner::launcher {

class Context {
 public:
  // REQUIRES: is_valid_request(bytes, size, ...) was true.
  Context(const unsigned char* bytes, int reply) : bytes_(bytes), reply_(reply) {}

  [[nodiscard]] const Header& header() const { return at<Header>(0)[0]; }
  [[nodiscard]] const MakeRequest& make() const { return at<MakeRequest>(0)[0]; }
  [[nodiscard]] const RunRequest& run() const { return at<RunRequest>(0)[0]; }

  template <class T>
  [[nodiscard]] const T* at(std::uint32_t offset) const {
    return reinterpret_cast<const T*>(bytes_ + offset);
  }
  [[nodiscard]] const char* text(Text offset) const {
    return reinterpret_cast<const char*>(bytes_ + offset);
  }
  [[nodiscard]] int reply() const { return reply_; }
  void answer_on(int socket) { reply_ = socket; }

  [[nodiscard]] bool wants(Guard guard) const { return (header().wanted & bit(guard)) != 0; }
  [[nodiscard]] std::uint32_t applied() const { return applied_; }
  void add_applied(std::uint32_t guards) { applied_ |= guards; }

  // Reports {step, errno, item} and ends this process, unless `ok`. A step that the request wants
  // to fail (FailAt) fails here.
  void must(Step step, bool ok, std::uint32_t item = 0) const;

  // A step of a protection: without `ok` it fails as must() does when the protection is required,
  // and returns false when it is only preferred.
  [[nodiscard]] bool try_step(Guard guard, Step step, bool ok, std::uint32_t item = 0) const;

  [[noreturn]] void fail(Step step, int error, std::uint32_t item) const;

 private:
  const unsigned char* bytes_;
  int reply_;
  std::uint32_t applied_ = 0;
};

// Sends one reply with `count` descriptors. False when the other side is gone.
bool send_reply(int socket, const Reply& reply, const int* descriptors, int count);

// A message and what came along with it.
class Received {
 public:
  std::size_t size = 0;
  bool is_whole = false;  // false: it was longer than the room, or carried more descriptors
  int count = 0;
  int descriptors[kMaxDescriptors] = {};
};

// Receives one message into `room`. False at the end.
bool receive_message(int socket, void* room, std::size_t size, Received& received);

// Receives one reply; a descriptor that came along goes to `*descriptor`, else -1. False at the
// end.
bool receive_reply(int socket, Reply& reply, int* descriptor);

// True when all offsets, counts and strings of the request lie inside it and `descriptors` is the
// number that the kind asks for.
bool is_valid_request(const unsigned char* bytes, std::size_t size, int descriptors);

}  // namespace sandbox::runner::launcher
