// SPDX-License-Identifier: MIT
#include "accounting.hpp"

#include <fcntl.h>
#include <string.h>
#include <sys/statfs.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "kernel.hpp"

namespace sandbox::runner::launcher {

struct Accounting::Totals {
  std::uint64_t pages = 0;           // resident, what is shared counted each time
  std::uint64_t mapped = 0;          // bytes of address space
  std::uint64_t own_ticks = 0;       // of the processes that live
  std::uint64_t children_ticks = 0;  // of those that they waited for
  std::uint32_t tasks = 0;           // processes and threads
  std::uint32_t count = 0;
};

namespace {

constexpr std::uint64_t kTickUs = 10000;  // USER_HZ is 100 in every ABI
constexpr std::uint64_t kMsNs = 1000000;
// An exact count may take a fifth of the time where the limit is near, else a fortieth.
constexpr std::uint64_t kNearShare = 4;
constexpr std::uint64_t kFarShare = 40;

std::uint64_t page_bytes() { return static_cast<std::uint64_t>(getpagesize()); }

std::uint64_t number_at(const char*& at) {
  while (*at == ' ' || *at == '\t') ++at;
  std::uint64_t value = 0;
  for (; *at >= '0' && *at <= '9'; ++at) value = value * 10 + static_cast<unsigned>(*at - '0');
  return value;
}

void skip_words(const char*& at, int count) {
  for (; count > 0; --count) {
    while (*at == ' ') ++at;
    while (*at != ' ' && *at != 0) ++at;
  }
}

// "Name:   1234 kB" of smaps_rollup, in bytes; 0 when the line is not there.
std::uint64_t kilobytes_of(const char* text, const char* name) {
  const char* line = strstr(text, name);
  if (line == nullptr) return 0;
  line += strlen(name);
  return number_at(line) * 1024;
}

// False when the file cannot be read.
bool read_of(int proc, std::uint32_t pid, const char* file, char* room, std::size_t size) {
  KernelLine path;
  path.add(pid).add(file);
  return read_kernel_file(proc, path.text(), room, size) > 0;
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

// The shared memory without a file that processes map, each object once, at its largest mapping.
class SharedMappings {
 public:
  // Reads the process's list of mappings line by line: proc(5), /proc/PID/maps.
  void add(int proc, std::uint32_t pid) {
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

  [[nodiscard]] std::uint64_t bytes() const {
    std::uint64_t sum = others_;
    for (std::uint32_t i = 0; i < count_; ++i) sum += objects_[i].bytes;
    return sum;
  }

 private:
  struct Object {
    std::uint64_t inode = 0;
    std::uint64_t bytes = 0;
  };
  static constexpr std::uint32_t kMaxObjects = 512;

  // "7f00-8f00 rw-s 00000000 00:01 1234  /dev/zero (deleted)"
  void take_line(const char* line) {
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

  void keep(std::uint64_t inode, std::uint64_t bytes) {
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

  Object objects_[kMaxObjects];
  std::uint32_t count_ = 0;
  std::uint64_t others_ = 0;
};

// Calls `take(pid)` for each process below `proc` but pid 1.
template <class Take>
void each_process(int proc, Take take) {
  alignas(8) char entries[4096];
  lseek(proc, 0, SEEK_SET);
  for (;;) {
    const long got = syscall(SYS_getdents64, proc, entries, sizeof entries);
    if (got <= 0) return;
    for (long at = 0; at < got;) {
      unsigned short length = 0;
      memcpy(&length, entries + at + 16, sizeof length);  // getdents(2): linux_dirent64
      const char* name = entries + at + 19;
      at += length;
      if (*name < '0' || *name > '9') continue;
      const auto pid = static_cast<std::uint32_t>(number_at(name));
      if (pid > 1) take(pid);
    }
  }
}

struct FileSystemUse {
  std::uint64_t bytes = 0;
  bool is_full = false;
};

FileSystemUse use_of(const char* path) {
  struct statfs state;
  FileSystemUse use;
  if (statfs(path, &state) != 0) return use;
  use.bytes = static_cast<std::uint64_t>(state.f_blocks - state.f_bfree) *
              static_cast<std::uint64_t>(state.f_bsize);
  use.is_full = state.f_bavail == 0 || (state.f_files > 0 && state.f_ffree == 0);
  return use;
}

}  // namespace

std::uint64_t now_ns() {
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<std::uint64_t>(now.tv_sec) * 1000000000ULL +
         static_cast<std::uint64_t>(now.tv_nsec);
}

Accounting::Accounting(const Context& context, int proc)
    : context_(context), budget_(context.run().budget), proc_(proc) {
  // What earlier runs left in the work directory is not this one's.
  work_at_start_ = use_of(context.text(context.run().work_path)).bytes;
  next_ns_ = now_ns() + kIntervalMs * kMsNs;
}

int Accounting::wait_ms() const {
  if (!is_on()) return -1;
  const std::uint64_t now = now_ns();
  return now >= next_ns_ ? 0 : static_cast<int>((next_ns_ - now) / kMsNs) + 1;
}

bool Accounting::check() {
  if (is_on() && now_ns() >= next_ns_) {
    sample();
    next_ns_ = now_ns() + kIntervalMs * kMsNs;
  }
  return (met_ & (bit(Met::memory) | bit(Met::cpu_time))) != 0;
}

void Accounting::sample() {
  Totals totals;
  current_ = 1 - current_;
  each_process(proc_, [&](std::uint32_t pid) { take(pid, totals); });
  settle_cpu(totals);
  settle_memory(totals);
  if (totals.tasks > processes_peak_) processes_peak_ = totals.tasks;
  // init counts for the kernel, and not here.
  if (budget_.processes != 0 && totals.tasks >= budget_.processes) met_ |= bit(Met::processes);
}

// proc(5), /proc/PID/stat. The name in parentheses is the guest's to choose.
void Accounting::take(std::uint32_t pid, Totals& totals) {
  KernelLine path;
  path.add(pid).add("/stat");
  char text[1024];
  if (read_kernel_file(proc_, path.text(), text, sizeof text) <= 0) return;
  const char* at = strrchr(text, ')');
  if (at == nullptr || totals.count == kMaxProcesses) return;
  ++at;
  skip_words(at, 11);  // state (3) to cmajflt (13)
  const std::uint64_t own = number_at(at) + number_at(at);
  totals.children_ticks += number_at(at) + number_at(at);
  skip_words(at, 2);  // priority, nice
  totals.tasks += static_cast<std::uint32_t>(number_at(at));
  skip_words(at, 1);  // itrealvalue
  SeenProcess& seen = seen_[current_][totals.count++];
  seen.pid = pid;
  seen.started = number_at(at);
  seen.own_ticks = own;
  totals.own_ticks += own;
  totals.mapped += number_at(at);
  seen.pages = number_at(at);
  totals.pages += seen.pages;
}

// Two counts, each of which misses something: what was waited for is exact but a parent that
// ignores SIGCHLD hides it; what was seen alive misses the end of each process. The higher holds.
void Accounting::settle_cpu(const Totals& totals) {
  const SeenProcess* before = seen_[1 - current_];
  const SeenProcess* now = seen_[current_];
  std::uint32_t next = 0;
  for (std::uint32_t i = 0; i < seen_count_; ++i) {
    // Both lists are in the order of /proc, by number.
    while (next < totals.count && now[next].pid < before[i].pid) ++next;
    const bool lives = next < totals.count && now[next].pid == before[i].pid &&
                       now[next].started == before[i].started;
    if (!lives) vanished_ticks_ += before[i].own_ticks;
  }
  seen_count_ = totals.count;
  const std::uint64_t seen = (vanished_ticks_ + totals.own_ticks) * kTickUs;
  const std::uint64_t waited = (totals.own_ticks + totals.children_ticks) * kTickUs + reaped_us_;
  const std::uint64_t used = seen > waited ? seen : waited;
  if (used > cpu_us_) cpu_us_ = used;
  if (budget_.cpu_us != 0 && cpu_us_ >= budget_.cpu_us) met_ |= bit(Met::cpu_time);
}

std::uint64_t Accounting::files_in_memory() {
  const FileSystemUse work = use_of(context_.text(context_.run().work_path));
  const FileSystemUse tmp = use_of("/tmp");
  const FileSystemUse shm = use_of("/dev/shm");
  if (work.is_full) met_ |= bit(Met::work_full);
  if (tmp.is_full) met_ |= bit(Met::tmp_full);
  if (shm.is_full) met_ |= bit(Met::shm_full);
  const std::uint64_t grown = work.bytes > work_at_start_ ? work.bytes - work_at_start_ : 0;
  return grown + tmp.bytes + shm.bytes;
}

// The quick count takes pages that processes share once for each, and does not see what they have
// mapped but let go of. Only where the address space has room for too much is that told apart,
// which takes the kernel longer.
void Accounting::settle_memory(const Totals& totals) {
  const std::uint64_t files = files_in_memory();
  std::uint64_t used = totals.pages * page_bytes() + files;
  if (budget_.memory_bytes != 0 && totals.mapped + files >= budget_.memory_bytes) {
    const std::uint64_t tables = page_tables();
    if (tables >= budget_.memory_bytes) met_ |= bit(Met::memory);
    const std::uint64_t begin = now_ns();
    if (begin < next_precise_ns_) return;
    used = precise_memory(files) + tables;
    const std::uint64_t end = now_ns();
    const bool is_near = used >= budget_.memory_bytes / 2;
    next_precise_ns_ = end + (end - begin) * (is_near ? kNearShare : kFarShare);
    if (used >= budget_.memory_bytes) met_ |= bit(Met::memory);
  }
  if (used > memory_peak_) memory_peak_ = used;
}

std::uint64_t Accounting::precise_memory(std::uint64_t files) {
  std::uint64_t anonymous = 0;
  std::uint64_t shared = 0;
  SharedMappings mappings;
  for (std::uint32_t i = 0; i < seen_count_; ++i) {
    const SeenProcess& process = seen_[current_][i];
    char text[4096];
    if (read_of(proc_, process.pid, "/smaps_rollup", text, sizeof text)) {
      anonymous += kilobytes_of(text, "\nPss_Anon:");
      shared += kilobytes_of(text, "\nPss_Shmem:");
    } else {
      // A program whose file may not be read is not to be looked into: then as the quick count.
      anonymous += process.pages * page_bytes();
    }
    mappings.add(proc_, process.pid);
  }
  // Of shared memory without a file, what is mapped is taken: pages that nobody maps at the moment
  // are still there (adversarial 110). Mapped files of a tmpfs are in `shared` and in `files`.
  const std::uint64_t rest = files + mappings.bytes();
  return anonymous + (shared > rest ? shared : rest);
}

// They are the run's memory as well (adversarial 112), and quick to ask for.
std::uint64_t Accounting::page_tables() const {
  std::uint64_t sum = 0;
  for (std::uint32_t i = 0; i < seen_count_; ++i) {
    char text[4096];
    if (read_of(proc_, seen_[current_][i].pid, "/status", text, sizeof text)) {
      sum += kilobytes_of(text, "\nVmPTE:");
    }
  }
  return sum;
}

void Accounting::finish(Reply& reply) {
  (void)files_in_memory();
  reply.met = met_;
  reply.memory_peak = memory_peak_;
  reply.cpu_us = cpu_us_;
  reply.processes_peak = processes_peak_;
  reply.accounting = is_on() ? 1 : 0;
}

}  // namespace sandbox::runner::launcher
