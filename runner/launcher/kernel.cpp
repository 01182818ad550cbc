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

IdMapLine::IdMapLine(std::uint32_t inside, std::uint32_t outside) {
  append(inside, ' ');
  append(outside, ' ');
  append(1, '\n');
}

void IdMapLine::append(std::uint32_t number, char end) {
  char digits[10];
  std::size_t count = 0;
  do {
    digits[count++] = static_cast<char>('0' + number % 10);
    number /= 10;
  } while (number != 0);
  while (count > 0) text_[length_++] = digits[--count];
  text_[length_++] = end;
}

}  // namespace sandbox::runner::launcher
