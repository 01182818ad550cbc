// How much memory the processes of a run hold together, with what they share taken once.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

namespace sandbox::runner::launcher {

// One process as a sample saw it.
struct SeenProcess {
  std::uint32_t pid = 0;
  std::uint32_t reader = 0;  // whose files tell of its memory: itself, or a thread that outlives it
  std::uint64_t started = 0;  // tells a number that came again apart
  std::uint64_t own_ticks = 0;
  std::uint64_t mapped = 0;  // bytes of address space
  std::uint64_t pages = 0;   // resident
};

// The shared memory without a file that processes map, each object once, at its largest mapping.
class SharedMappings {
 public:
  void clear();
  // Reads a list of mappings line by line: proc(5), /proc/PID/maps.
  void add(int proc, std::uint32_t pid);
  [[nodiscard]] std::uint64_t bytes() const;

 private:
  struct Object {
    std::uint64_t inode = 0;
    std::uint64_t bytes = 0;
  };
  static constexpr std::uint32_t kMaxObjects = 512;

  void take_line(const char* line);
  void keep(std::uint64_t inode, std::uint64_t bytes);

  Object objects_[kMaxObjects];
  std::uint32_t count_ = 0;
  std::uint64_t others_ = 0;
};

// A count over all processes. It can take long, so it is made in pieces: init has other duties.
class MemoryCount {
 public:
  // Goes on with the processes of this sample, in their order by number, until all are done or the
  // time is over. True: done, and bytes() is the count.
  bool advance(int proc, const SeenProcess* processes, std::uint32_t count,
               std::uint64_t deadline_ns);
  // `files`: bytes in the run's file systems; `before`: those that were there before the run.
  [[nodiscard]] std::uint64_t bytes(std::uint64_t files, std::uint64_t before) const;
  [[nodiscard]] bool is_under_way() const { return next_pid_ != 0; }

 private:
  void start();
  void add(int proc, const SeenProcess& process);

  std::uint32_t next_pid_ = 0;  // 0: at the beginning
  std::uint64_t private_ = 0;
  std::uint64_t shared_ = 0;
  SharedMappings mappings_;
};

}  // namespace sandbox::runner::launcher
