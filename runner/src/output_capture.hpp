// Drains one stream of a run: all of it is counted, its first and last part are kept.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "sandbox/exec.hpp"

namespace sandbox::runner {

// Three quarters of the limit hold the start of the stream, the rest is a ring of its end.
class OutputCapture {
 public:
  explicit OutputCapture(std::uint64_t limit);

  // What of `bytes` falls in the part that live listeners get: the first `limit` bytes.
  std::string_view add(std::string_view bytes);

  [[nodiscard]] std::uint64_t total_bytes() const { return total_; }

  // Leaves this empty.
  CapturedOutput take();

 private:
  void add_to_ring(std::string_view bytes);

  std::uint64_t limit_;
  std::uint64_t head_limit_;
  std::uint64_t total_ = 0;
  std::string head_;
  std::string ring_;
  std::uint64_t ring_start_ = 0;  // place of the oldest byte once the ring is full
};

}  // namespace sandbox::runner
