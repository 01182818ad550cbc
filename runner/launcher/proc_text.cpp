// SPDX-License-Identifier: MIT
#include "proc_text.hpp"

#include <errno.h>

#include "kernel.hpp"

namespace sandbox::runner::launcher {

std::uint64_t page_bytes() { return static_cast<std::uint64_t>(getpagesize()); }

std::uint64_t number_at(const char*& at) {
  while (*at == ' ' || *at == '\t') ++at;
  std::uint64_t value = 0;
  for (; *at >= '0' && *at <= '9'; ++at) value = value * 10 + static_cast<unsigned>(*at - '0');
  return value;
}

std::uint64_t hexadecimal_at(const char*& at) {
  std::uint64_t value = 0;
  for (;; ++at) {
    const char c = *at;
    const int digit = c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
    if (digit < 0) return value;
    value = value * 16 + static_cast<std::uint64_t>(digit);
  }
}

void skip_words(const char*& at, int count) {
  for (; count > 0; --count) {
    while (*at == ' ') ++at;
    while (*at != ' ' && *at != 0) ++at;
  }
}

std::uint64_t kilobytes_of(const char* text, const char* name) {
  const char* line = strstr(text, name);
  if (line == nullptr) return 0;
  line += strlen(name);
  return number_at(line) * 1024;
}

bool read_of(int proc, std::uint32_t pid, const char* file, char* room, std::size_t size) {
  KernelLine path;
  path.add(pid).add(file);
  errno = 0;
  return read_kernel_file(proc, path.text(), room, size) > 0;
}

}  // namespace sandbox::runner::launcher
