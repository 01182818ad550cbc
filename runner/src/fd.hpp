// Owners of file descriptors.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <utility>

namespace sandbox::runner {

// Owns one descriptor, or none (-1). Closes it; a close error is not interesting for anything that
// we open.
class Fd {
 public:
  Fd() = default;
  explicit Fd(int descriptor) : descriptor_(descriptor) {}
  Fd(const Fd&) = delete;
  Fd& operator=(const Fd&) = delete;
  Fd(Fd&& other) noexcept : descriptor_(other.release()) {}
  Fd& operator=(Fd&& other) noexcept {
    Fd(std::move(other)).swap(*this);
    return *this;
  }
  ~Fd() { reset(); }

  void swap(Fd& other) noexcept { std::swap(descriptor_, other.descriptor_); }
  void reset();

  [[nodiscard]] int get() const { return descriptor_; }
  [[nodiscard]] int release() { return std::exchange(descriptor_, -1); }
  explicit operator bool() const { return descriptor_ >= 0; }

 private:
  int descriptor_ = -1;
};

struct FdPair {
  Fd first;
  Fd second;
};

// Errors (all three): sandbox::Error of errc::too_many when descriptors are used up, else internal.
FdPair make_pipe();         // first reads, second writes; close-on-exec
FdPair make_packet_pair();  // AF_UNIX SOCK_SEQPACKET, close-on-exec
// A sealed, read-only file in memory that holds `bytes`; close-on-exec, at offset 0.
Fd make_sealed_file(const char* name, const void* bytes, std::size_t size);
// The same, but executable.
Fd make_sealed_program(const char* name, const void* bytes, std::size_t size);

void set_nonblocking(int descriptor);

// Throws the Error for a failed call: "ACTION: strerror".
[[noreturn]] void throw_errno(const char* action, int error);

}  // namespace sandbox::runner
