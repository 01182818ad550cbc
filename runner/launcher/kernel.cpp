// SPDX-License-Identifier: MIT
#include "kernel.hpp"

#include <fcntl.h>

#include <cstdint>

namespace sandbox::runner::launcher {

bool write_kernel_file(int directory, const char* path, const char* text) {
  const int file = openat(directory, path, O_WRONLY | O_CLOEXEC);
  if (file < 0) return false;
  const std::size_t length = strlen(text);
  // A kernel file takes its text in one write or not at all.
  const bool ok = write(file, text, length) == static_cast<ssize_t>(length);
  const int error = errno;
  close(file);
  errno = error;
  return ok;
}

ssize_t read_kernel_file(int directory, const char* path, char* room, std::size_t size) {
  const int file = openat(directory, path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return -1;
  std::size_t have = 0;
  ssize_t got = 0;
  while (have + 1 < size && (got = read(file, room + have, size - 1 - have)) > 0) {
    have += static_cast<std::size_t>(got);
  }
  const int error = errno;
  close(file);
  errno = error;
  room[have] = 0;
  return got < 0 ? -1 : static_cast<ssize_t>(have);
}

KernelLine& KernelLine::add(const char* word) {
  for (; *word != 0 && length_ + 1 < sizeof text_; ++word) text_[length_++] = *word;
  return *this;
}

KernelLine& KernelLine::add(std::uint64_t number) {
  char digits[21] = {};
  std::size_t first = sizeof digits - 1;
  do {
    digits[--first] = static_cast<char>('0' + number % 10);
    number /= 10;
  } while (number != 0);
  return add(&digits[first]);
}

}  // namespace sandbox::runner::launcher
