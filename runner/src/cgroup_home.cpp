// SPDX-License-Identifier: MIT
#include "cgroup_home.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <chrono>
#include <filesystem>
#include <sstream>
#include <system_error>
#include <thread>

#include "sandbox/error.hpp"

namespace sandbox::runner {
namespace {

namespace fs = std::filesystem;

constexpr const char* kPrefix = "libsandbox-";
constexpr const char* kControllers = "+memory +pids +cpu";
constexpr std::chrono::milliseconds kRemovalStep(5);
constexpr int kRemovalTries = 100;

std::string reason_of(int error) { return std::generic_category().message(error); }

// A cgroup that has just become empty may be busy for a moment.
bool remove_directory(const std::string& path) {
  for (int i = 0; i < kRemovalTries; ++i) {
    if (::rmdir(path.c_str()) == 0 || errno == ENOENT) return true;
    if (errno != EBUSY) return false;
    std::this_thread::sleep_for(kRemovalStep);
  }
  return false;
}

void kill_all_in(const std::string& directory) {
  const Fd file(::open((directory + "/cgroup.kill").c_str(), O_WRONLY | O_CLOEXEC));
  if (file) (void)!::write(file.get(), "1", 1);
}

void remove_tree(const std::string& path) {
  std::error_code ignored;
  kill_all_in(path);
  for (const auto& entry : fs::directory_iterator(path, ignored)) {
    if (entry.is_directory(ignored)) remove_directory(entry.path().string());
  }
  remove_directory(path);
}

// Empty when somebody else holds it.
Fd lock_directory(const std::string& path) {
  Fd directory(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  if (!directory || ::flock(directory.get(), LOCK_EX | LOCK_NB) != 0) return Fd();
  return directory;
}

void sweep(const std::string& parent) {
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(parent, ignored)) {
    if (!entry.path().filename().string().starts_with(kPrefix)) continue;
    if (!entry.is_directory(ignored)) continue;
    const Fd lock = lock_directory(entry.path().string());
    if (lock) remove_tree(entry.path().string());
  }
}

// The number behind `key` in a file of "key number" lines.
std::uint64_t number_of(const std::optional<std::string>& text, std::string_view key) {
  if (!text) return 0;
  std::istringstream lines(*text);
  std::string name;
  std::uint64_t value = 0;
  while (lines >> name >> value) {
    if (name == key) return value;
  }
  return 0;
}

std::optional<std::uint64_t> whole_number(const std::optional<std::string>& text) {
  if (!text) return std::nullopt;
  std::uint64_t value = 0;
  const auto read = std::from_chars(text->data(), text->data() + text->size(), value);
  if (read.ec != std::errc()) return std::nullopt;
  return value;
}

}  // namespace

void write_cgroup_file(const std::string& directory, const char* file, const std::string& value) {
  const std::string path = directory + "/" + file;
  const Fd opened(::open(path.c_str(), O_WRONLY | O_CLOEXEC));
  const auto wanted = static_cast<ssize_t>(value.size());
  if (opened && ::write(opened.get(), value.data(), value.size()) == wanted) return;
  const int error = errno;
  throw Error(errc::setup_failed, "write '" + value + "' to " + path + ": " + reason_of(error) +
                                      "; the cgroup must be delegated to this user, with its "
                                      "controllers");
}

std::optional<std::string> read_cgroup_file(const std::string& directory, const char* file) {
  const Fd opened(::open((directory + "/" + file).c_str(), O_RDONLY | O_CLOEXEC));
  if (!opened) return std::nullopt;
  std::string text(4096, '\0');
  const ssize_t got = ::read(opened.get(), text.data(), text.size());
  if (got < 0) return std::nullopt;
  text.resize(static_cast<std::size_t>(got));
  return text;
}

RunCgroup::RunCgroup(std::string path, Fd directory)
    : path_(std::move(path)), directory_(std::move(directory)) {}

RunCgroup::~RunCgroup() { ::rmdir(path_.c_str()); }

void RunCgroup::remove() {
  directory_.reset();
  if (::rmdir(path_.c_str()) == 0) return;
  kill_all_in(path_);
  remove_directory(path_);
}

std::uint64_t RunCgroup::cpu_us() const {
  return number_of(read_cgroup_file(path_, "cpu.stat"), "usage_usec");
}

CgroupFacts RunCgroup::facts() const {
  CgroupFacts facts;
  const std::optional<std::string> cpu = read_cgroup_file(path_, "cpu.stat");
  facts.cpu_us = number_of(cpu, "usage_usec");
  facts.cpu_user_us = number_of(cpu, "user_usec");
  facts.cpu_system_us = number_of(cpu, "system_usec");
  facts.memory_peak_bytes = whole_number(read_cgroup_file(path_, "memory.peak"));
  facts.processes_peak = whole_number(read_cgroup_file(path_, "pids.peak"));
  facts.killed_for_memory = number_of(read_cgroup_file(path_, "memory.events"), "oom_kill");
  facts.forks_refused = number_of(read_cgroup_file(path_, "pids.events"), "max");
  return facts;
}

std::unique_ptr<CgroupHome> CgroupHome::make_below(const std::string& parent) {
  sweep(parent);
  const std::string stem = parent + "/" + kPrefix + std::to_string(::getpid()) + "-";
  try {
    write_cgroup_file(parent, "cgroup.subtree_control", kControllers);
    // One process may have several backends; and a directory that is not locked yet may be taken
    // for an abandoned one by another process.
    std::string path;
    Fd lock;
    for (int number = 0; !lock; ++number) {
      path = stem + std::to_string(number);
      if (::mkdir(path.c_str(), 0755) == 0) {
        lock = lock_directory(path);
      } else if (errno != EEXIST) {
        throw Error(errc::setup_failed, "make " + path + ": " + reason_of(errno));
      }
    }
    auto home = std::make_unique<CgroupHome>(path, std::move(lock));
    write_cgroup_file(path, "cgroup.subtree_control", kControllers);
    return home;
  } catch (const Error& error) {
    throw Error(errc::protection_unavailable, error.what());
  }
}

CgroupHome::CgroupHome(std::string path, Fd lock)
    : path_(std::move(path)), lock_(std::move(lock)) {}

CgroupHome::~CgroupHome() {
  kill_all_in(path_);
  ::rmdir(path_.c_str());
}

void CgroupHome::remove() { remove_tree(path_); }

std::unique_ptr<RunCgroup> CgroupHome::make_run(const Limits& limits, std::optional<double> cpus) {
  const std::string path = path_ + "/run-" + std::to_string(next_++);
  if (::mkdir(path.c_str(), 0755) != 0) {
    const int error = errno;
    throw Error(errc::setup_failed, "make the cgroup " + path + ": " + reason_of(error) +
                                        "; is cgroup.max.descendants reached above it?");
  }
  auto run = std::make_unique<RunCgroup>(
      path, Fd(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)));
  if (run->descriptor() < 0) throw Error(errc::setup_failed, "open " + path);
  write_cgroup_file(path, "memory.max", std::to_string(limits.memory()->count()));
  write_cgroup_file(path, "memory.oom.group", "1");
  // Not there on a machine without swap.
  if (::access((path + "/memory.swap.max").c_str(), F_OK) == 0) {
    write_cgroup_file(path, "memory.swap.max", "0");
  }
  // init, and for a moment the process that starts it, count as well.
  write_cgroup_file(path, "pids.max", std::to_string(*limits.processes() + 2ULL));
  if (cpus) {
    constexpr double kPeriodUs = 100000;
    const std::string period = std::to_string(static_cast<std::uint64_t>(kPeriodUs));
    const auto quota = static_cast<std::uint64_t>(*cpus * kPeriodUs);
    write_cgroup_file(path, "cpu.max", std::to_string(quota) + " " + period);
  }
  return run;
}

}  // namespace sandbox::runner
