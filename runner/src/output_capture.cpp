// SPDX-License-Identifier: MIT
#include "output_capture.hpp"

#include <algorithm>
#include <utility>

namespace sandbox::runner {

OutputCapture::OutputCapture(std::uint64_t limit) : limit_(limit), head_limit_(limit - limit / 4) {}

std::string_view OutputCapture::add(std::string_view bytes) {
  const std::uint64_t room_for_listeners = limit_ - std::min(limit_, total_);
  const std::string_view live = bytes.substr(0, room_for_listeners);
  total_ += bytes.size();

  const std::uint64_t room_in_head = head_limit_ - head_.size();
  head_.append(bytes.substr(0, room_in_head));
  if (bytes.size() > room_in_head) add_to_ring(bytes.substr(room_in_head));
  return live;
}

void OutputCapture::add_to_ring(std::string_view bytes) {
  const std::uint64_t capacity = limit_ - head_limit_;
  if (capacity == 0) return;
  if (bytes.size() > capacity) bytes.remove_prefix(bytes.size() - capacity);
  const std::uint64_t room = capacity - ring_.size();
  ring_.append(bytes.substr(0, room));
  bytes.remove_prefix(std::min<std::uint64_t>(room, bytes.size()));
  while (!bytes.empty()) {
    const std::uint64_t piece = std::min<std::uint64_t>(bytes.size(), capacity - ring_start_);
    ring_.replace(ring_start_, piece, bytes.substr(0, piece));
    ring_start_ = (ring_start_ + piece) % capacity;
    bytes.remove_prefix(piece);
  }
}

CapturedOutput OutputCapture::take() {
  std::rotate(ring_.begin(), ring_.begin() + static_cast<std::ptrdiff_t>(ring_start_), ring_.end());
  ring_start_ = 0;
  return {std::exchange(head_, {}), std::exchange(ring_, {}), std::exchange(total_, 0)};
}

}  // namespace sandbox::runner
