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

  // Reports {step, errno, item} and ends this process, unless `ok`. A step that the request wants
  // to fail (FailAt) fails here.
  void must(Step step, bool ok, std::uint32_t item = 0) const;

  [[noreturn]] void fail(Step step, int error, std::uint32_t item) const;

 private:
  const unsigned char* bytes_;
  int reply_;
};

// Sends one reply with `count` descriptors. False when the host is gone.
bool send_reply(int socket, const Reply& reply, const int* descriptors, int count);

// True when all offsets, counts and strings of the request lie inside it and `descriptors` is the
// number that the kind asks for.
bool is_valid_request(const unsigned char* bytes, std::size_t size, int descriptors);

}  // namespace sandbox::runner::launcher
