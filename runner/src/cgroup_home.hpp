// Cgroup v2: a directory of our own, and a leaf below it for each run.
// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "fd.hpp"
#include "sandbox/limits.hpp"

namespace sandbox::runner {

// What a run used and met, as its cgroup counted it.
class CgroupFacts {
 public:
  std::optional<std::uint64_t> memory_peak_bytes;  // since Linux 5.19
  std::optional<std::uint64_t> processes_peak;     // since Linux 6.2
  std::uint64_t cpu_us = 0;
  std::uint64_t cpu_user_us = 0;
  std::uint64_t cpu_system_us = 0;
  std::uint64_t killed_for_memory = 0;
  std::uint64_t forks_refused = 0;
};

// The cgroup of one run. The destructor removes it when it is empty by then; remove() waits for
// that.
//
// Thread safety: none. All methods touch the file system.
class RunCgroup {
 public:
  RunCgroup(std::string path, Fd directory);
  RunCgroup(const RunCgroup&) = delete;
  RunCgroup& operator=(const RunCgroup&) = delete;
  RunCgroup(RunCgroup&&) = delete;
  RunCgroup& operator=(RunCgroup&&) = delete;
  ~RunCgroup();

  [[nodiscard]] int descriptor() const { return directory_.get(); }
  [[nodiscard]] CgroupFacts facts() const;
  [[nodiscard]] std::uint64_t cpu_us() const;
  // Kills all that is in it (cgroup.kill, since Linux 5.14) and removes it; waits half a second at
  // most for the kernel to let go.
  void remove();

 private:
  std::string path_;
  Fd directory_;
};

// The directory below which a backend makes the cgroups of its runs.
//
// Thread safety: make_run() may be called from any thread. All methods touch the file system.
class CgroupHome {
 public:
  // Makes a directory below `parent`, in which the controllers can be used, and removes those that
  // nobody holds any more: each is locked by its owner, and the kernel lets a lock go however the
  // owner ends.
  // Errors: errc::protection_unavailable with the reason.
  static std::unique_ptr<CgroupHome> make_below(const std::string& parent);

  // `lock`: on the directory, for as long as this lives.
  CgroupHome(std::string path, Fd lock);
  CgroupHome(const CgroupHome&) = delete;
  CgroupHome& operator=(const CgroupHome&) = delete;
  CgroupHome(CgroupHome&&) = delete;
  CgroupHome& operator=(CgroupHome&&) = delete;
  ~CgroupHome();

  [[nodiscard]] const std::string& path() const { return path_; }

  // A new leaf with these limits, before any process is in it.
  // Errors: errc::setup_failed naming the file and the value.
  std::unique_ptr<RunCgroup> make_run(const Limits& limits, std::optional<double> cpus);
  // As RunCgroup::remove(), with all that is below. What the destructor cannot remove at once, the
  // next start does.
  void remove();

 private:
  std::string path_;
  Fd lock_;
  std::atomic<std::uint64_t> next_{0};
};

// One file of a cgroup. Errors: errc::setup_failed naming path and value.
void write_cgroup_file(const std::string& directory, const char* file, const std::string& value);
// nullopt when there is no such file.
std::optional<std::string> read_cgroup_file(const std::string& directory, const char* file);

}  // namespace sandbox::runner
