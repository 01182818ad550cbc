// SPDX-License-Identifier: MIT
#include "accounting.hpp"

#include <fcntl.h>
#include <string.h>
#include <sys/statfs.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "kernel.hpp"
#include "proc_text.hpp"

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
// The exact count takes a fifth of the time where the limit is near, else a fortieth, as long as
// the next one is not far away then; and one piece of it keeps init from its other duties for a
// moment only.
constexpr std::uint64_t kNearShare = 4;
constexpr std::uint64_t kFarShare = 40;
constexpr std::uint64_t kLongestWait = 200 * kMsNs;
constexpr std::uint64_t kLongestPiece = 50 * kMsNs;

// A process whose first thread has ended shows no memory; its other threads do.
std::uint32_t living_thread_of(int proc, std::uint32_t pid) {
  KernelLine path;
  path.add(pid).add("/task");
  const int threads = openat(proc, path.text(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (threads < 0) return pid;
  std::uint32_t found = pid;
  each_number(threads, [&](std::uint32_t thread) {
    if (thread != pid) found = thread;
  });
  close(threads);
  return found;
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
  each_number(proc_, [&](std::uint32_t pid) {
    if (pid > 1) take(pid, totals);
  });
  settle_cpu(totals);
  settle_memory(totals);
  if (totals.tasks > processes_peak_) processes_peak_ = totals.tasks;
  // init counts for the kernel, and not here.
  if (budget_.processes != 0 && totals.tasks >= budget_.processes) met_ |= bit(Met::processes);
}

// proc(5), /proc/PID/stat. The name in parentheses is the guest's to choose.
void Accounting::take(std::uint32_t pid, Totals& totals) {
  char text[1024];
  if (!read_of(proc_, pid, "/stat", text, sizeof text)) return;
  const char* at = strrchr(text, ')');
  if (at == nullptr || totals.count == kMaxProcesses) return;
  ++at;
  skip_words(at, 11);  // state (3) to cmajflt (13)
  const std::uint64_t own = number_at(at) + number_at(at);
  totals.children_ticks += number_at(at) + number_at(at);
  skip_words(at, 2);  // priority, nice
  const auto threads = static_cast<std::uint32_t>(number_at(at));
  totals.tasks += threads;
  skip_words(at, 1);  // itrealvalue
  SeenProcess& seen = seen_[current_][totals.count++];
  seen.pid = pid;
  seen.reader = pid;
  seen.started = number_at(at);
  seen.own_ticks = own;
  seen.mapped = number_at(at);
  seen.pages = number_at(at);
  if (seen.mapped == 0 && threads > 1) take_memory_of_a_thread(seen);
  totals.own_ticks += own;
  totals.mapped += seen.mapped;
  totals.pages += seen.pages;
}

void Accounting::take_memory_of_a_thread(SeenProcess& seen) const {
  seen.reader = living_thread_of(proc_, seen.pid);
  char text[1024];
  if (seen.reader == seen.pid || !read_of(proc_, seen.reader, "/stat", text, sizeof text)) return;
  const char* at = strrchr(text, ')');
  if (at == nullptr) return;
  ++at;
  skip_words(at, 20);  // state (3) to starttime (22)
  seen.mapped = number_at(at);
  seen.pages = number_at(at);
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
  const std::uint64_t quick = totals.pages * page_bytes() + files;
  if (budget_.memory_bytes == 0 || totals.mapped + files < budget_.memory_bytes) {
    if (quick > memory_peak_) memory_peak_ = quick;
    return;
  }
  if (page_tables() >= budget_.memory_bytes) met_ |= bit(Met::memory);
  // What came since the last count, if all of it were new.
  const std::uint64_t grown = quick > quick_then_ ? quick - quick_then_ : 0;
  const bool may_be_over = counted_ + grown >= budget_.memory_bytes;
  if (may_be_over || count_.is_under_way() || now_ns() >= next_count_ns_) {
    count_exactly(quick, files);
  }
}

void Accounting::count_exactly(std::uint64_t quick, std::uint64_t files) {
  const std::uint64_t begin = now_ns();
  const bool is_done = count_.advance(proc_, seen_[current_], seen_count_, begin + kLongestPiece);
  const std::uint64_t end = now_ns();
  count_took_ += end - begin;
  if (!is_done) return;
  counted_ = count_.bytes(files, work_at_start_) + page_tables();
  quick_then_ = quick;
  if (counted_ > memory_peak_) memory_peak_ = counted_;
  if (counted_ >= budget_.memory_bytes) met_ |= bit(Met::memory);
  const bool is_near = counted_ >= budget_.memory_bytes / 2;
  const std::uint64_t wait = count_took_ * (is_near ? kNearShare : kFarShare);
  next_count_ns_ = end + (wait < kLongestWait ? wait : kLongestWait);
  count_took_ = 0;
}

// They are the run's memory as well (adversarial 112), and quick to ask for.
std::uint64_t Accounting::page_tables() const {
  std::uint64_t sum = 0;
  for (std::uint32_t i = 0; i < seen_count_; ++i) {
    // The groups of an ordinary user stand before the line that counts, up to 65536 of them.
    static char text[std::size_t{512} << 10U];
    if (read_of(proc_, seen_[current_][i].reader, "/status", text, sizeof text)) {
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
