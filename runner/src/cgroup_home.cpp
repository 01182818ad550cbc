// SPDX-License-Identifier: MIT
#include "cgroup_home.hpp"

#include <fcntl.h>
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

// The twenty-second field of /proc/PID/stat: with it a process number is unique for as long as the
// machine is up. Empty: there is no such process.
std::string start_time_of(const std::string& pid) {
  const Fd file(::open(("/proc/" + pid + "/stat").c_str(), O_RDONLY | O_CLOEXEC));
  std::string text(1024, '\0');
  const ssize_t got = file ? ::read(file.get(), text.data(), text.size()) : -1;
  if (got <= 0) return {};
  text.resize(static_cast<std::size_t>(got));
  const std::size_t end = text.rfind(')');
  if (end == std::string::npos) return {};
  std::istringstream words(text.substr(end + 1));
  std::string word;
  constexpr int kFieldsToStart = 20;  // from the state, the third field
  for (int i = 0; i < kFieldsToStart && (words >> word); ++i) {
  }
  return word;
}

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

// "libsandbox-PID-START" of a process that is no more.
bool is_abandoned(const std::string& name) {
  if (!name.starts_with(kPrefix)) return false;
  const std::string rest = name.substr(std::string_view(kPrefix).size());
  const std::size_t dash = rest.find('-');
  if (dash == std::string::npos) return false;
  const std::string pid = rest.substr(0, dash);
  if (pid.empty() || pid.find_first_not_of("0123456789") != std::string::npos) return false;
  const std::string start = rest.substr(dash + 1, rest.find('-', dash + 1) - dash - 1);
  return start_time_of(pid) != start;
}

void sweep(const std::string& parent) {
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(parent, ignored)) {
    if (is_abandoned(entry.path().filename().string())) remove_tree(entry.path().string());
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
  const std::string pid = std::to_string(::getpid());
  const std::string stem = parent + "/" + kPrefix + pid + "-" + start_time_of(pid) + "-";
  try {
    write_cgroup_file(parent, "cgroup.subtree_control", kControllers);
    // One process may have several backends.
    std::string path;
    int made = -1;
    for (int number = 0; made != 0; ++number) {
      path = stem + std::to_string(number);
      made = ::mkdir(path.c_str(), 0755);
      if (made != 0 && errno != EEXIST) {
        throw Error(errc::setup_failed, "make " + path + ": " + reason_of(errno));
      }
    }
    auto home = std::make_unique<CgroupHome>(path);
    write_cgroup_file(path, "cgroup.subtree_control", kControllers);
    return home;
  } catch (const Error& error) {
    throw Error(errc::protection_unavailable, error.what());
  }
}

CgroupHome::CgroupHome(std::string path) : path_(std::move(path)) {}

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
  if (read_cgroup_file(path, "memory.swap.max")) write_cgroup_file(path, "memory.swap.max", "0");
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
