// Reading the numbers of /proc/PID files.
// SPDX-License-Identifier: MIT
#pragma once

#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>

namespace sandbox::runner::launcher {

// Both move `at` behind what they read.
std::uint64_t number_at(const char*& at);
std::uint64_t hexadecimal_at(const char*& at);
void skip_words(const char*& at, int count);

// "Name:   1234 kB", in bytes; 0 when the line is not there.
std::uint64_t kilobytes_of(const char* text, const char* name);

std::uint64_t page_bytes();

// The beginning of /proc/PID/FILE, ended with a NUL. False, with errno, when it cannot be read or
// is empty (errno 0).
bool read_of(int proc, std::uint32_t pid, const char* file, char* room, std::size_t size);

// Calls `take(number)` for each entry of the directory that is a number.
template <class Take>
void each_number(int directory, Take take) {
  alignas(8) char entries[4096];
  lseek(directory, 0, SEEK_SET);
  for (;;) {
    const long got = syscall(SYS_getdents64, directory, entries, sizeof entries);
    if (got <= 0) return;
    for (long at = 0; at < got;) {
      unsigned short length = 0;
      memcpy(&length, entries + at + 16, sizeof length);  // getdents(2): linux_dirent64
      const char* name = entries + at + 19;
      at += length;
      if (*name >= '0' && *name <= '9') take(static_cast<std::uint32_t>(number_at(name)));
    }
  }
}

}  // namespace sandbox::runner::launcher
