// SPDX-License-Identifier: MIT
#include "memory_count.hpp"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "accounting.hpp"
#include "kernel.hpp"
#include "proc_text.hpp"

namespace sandbox::runner::launcher {
namespace {

constexpr int kSameMemory = 1;  // KCMP_VM of kcmp(2)

// Processes that live in one address space, as between vfork and exec: the kernel shows its pages
// in full for each.
bool is_shared_with_earlier(const SeenProcess* processes, std::uint32_t index) {
  for (std::uint32_t i = 0; i < index; ++i) {
    if (processes[i].mapped != processes[index].mapped) continue;
    if (syscall(SYS_kcmp, processes[i].reader, processes[index].reader, kSameMemory, 0, 0) == 0) {
      return true;
    }
  }
  return false;
}

}  // namespace

void SharedMappings::clear() {
  count_ = 0;
  others_ = 0;
}

void SharedMappings::add(int proc, std::uint32_t pid) {
  KernelLine path;
  path.add(pid).add("/maps");
  const int file = openat(proc, path.text(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return;
  char room[8192];
  std::size_t have = 0;
  ssize_t got = 0;
  while ((got = read(file, room + have, sizeof room - 1 - have)) > 0) {
    have += static_cast<std::size_t>(got);
    room[have] = 0;
    char* line = room;
    for (char* end = strchr(line, '\n'); end != nullptr; end = strchr(line, '\n')) {
      *end = 0;
      take_line(line);
      line = end + 1;
    }
    have -= static_cast<std::size_t>(line - room);
    memmove(room, line, have);
    if (have + 1 == sizeof room) have = 0;  // longer than a path can be
  }
  close(file);
}

std::uint64_t SharedMappings::bytes() const {
  std::uint64_t sum = others_;
  for (std::uint32_t i = 0; i < count_; ++i) sum += objects_[i].bytes;
  return sum;
}

// "7f00-8f00 rw-s 00000000 00:01 1234  /dev/zero (deleted)"
void SharedMappings::take_line(const char* line) {
  if (strstr(line, " /dev/zero (deleted)") == nullptr) return;
  const std::uint64_t begin = hexadecimal_at(line);
  ++line;
  const std::uint64_t end = hexadecimal_at(line);
  skip_words(line, 1);
  while (*line == ' ') ++line;
  const std::uint64_t offset = hexadecimal_at(line);
  skip_words(line, 1);
  const std::uint64_t inode = number_at(line);
  // A part of the object that is mapped alone says how large the object is at least.
  keep(inode, offset + (end - begin));
}

void SharedMappings::keep(std::uint64_t inode, std::uint64_t bytes) {
  for (std::uint32_t i = 0; i < count_; ++i) {
    if (objects_[i].inode != inode) continue;
    if (bytes > objects_[i].bytes) objects_[i].bytes = bytes;
    return;
  }
  if (count_ == kMaxObjects) {
    others_ += bytes;
    return;
  }
  objects_[count_].inode = inode;
  objects_[count_++].bytes = bytes;
}

void MemoryCount::start() {
  private_ = 0;
  shared_ = 0;
  mappings_.clear();
}

void MemoryCount::add(int proc, const SeenProcess& process) {
  char text[4096];
  if (read_of(proc, process.reader, "/smaps_rollup", text, sizeof text)) {
    private_ += kilobytes_of(text, "\nPss_Anon:");
    shared_ += kilobytes_of(text, "\nPss_Shmem:");
  } else if (errno == EACCES || errno == EPERM) {
    // A program whose file may not be read is not to be looked into: then all that is resident.
    // Any other errno: it has ended since, and its memory with it.
    private_ += process.pages * page_bytes();
  }
  mappings_.add(proc, process.reader);
}

bool MemoryCount::advance(int proc, const SeenProcess* processes, std::uint32_t count,
                          std::uint64_t deadline_ns) {
  if (next_pid_ == 0) start();
  for (std::uint32_t i = 0; i < count; ++i) {
    if (processes[i].pid < next_pid_) continue;
    if (now_ns() > deadline_ns) {
      next_pid_ = processes[i].pid;
      return false;
    }
    if (!is_shared_with_earlier(processes, i)) add(proc, processes[i]);
  }
  next_pid_ = 0;
  return true;
}

std::uint64_t MemoryCount::bytes(std::uint64_t files, std::uint64_t before) const {
  // Mapped files of a tmpfs are in `shared_` and in `files`; those of earlier runs only in the
  // first. Of shared memory without a file, what is mapped is taken: pages that nobody maps at the
  // moment are still there (adversarial 110).
  const std::uint64_t rest = files + mappings_.bytes();
  const std::uint64_t shared = shared_ > before ? shared_ - before : 0;
  return private_ + (shared > rest ? shared : rest);
}

}  // namespace sandbox::runner::launcher
