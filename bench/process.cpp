// SPDX-License-Identifier: MIT
#include "process.hpp"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <stdexcept>
#include <system_error>
#include <utility>

namespace sandbox::bench {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds kPatience{60000};

[[noreturn]] void fail(int error, const std::string& what) {
  throw std::system_error(error, std::generic_category(), what);
}

class Descriptor {
 public:
  Descriptor(int number, const char* what) : number_(number) {
    if (number < 0) fail(errno, what);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  Descriptor(Descriptor&&) = delete;
  Descriptor& operator=(Descriptor&&) = delete;
  ~Descriptor() { close(); }

  [[nodiscard]] int get() const { return number_; }
  void close() {
    if (number_ >= 0) ::close(number_);
    number_ = -1;
  }

 private:
  int number_;
};

std::pair<int, int> make_pipe() {
  std::array<int, 2> ends{-1, -1};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) fail(errno, "make a pipe");
  return {ends[0], ends[1]};
}

class SpawnSetup {
 public:
  SpawnSetup(int output, int error_output) {
    ::posix_spawn_file_actions_init(&actions_);
    ::posix_spawnattr_init(&attributes_);
    ::posix_spawn_file_actions_addopen(&actions_, 0, "/dev/null", O_RDONLY, 0);
    ::posix_spawn_file_actions_adddup2(&actions_, output, 1);
    ::posix_spawn_file_actions_adddup2(&actions_, error_output, 2);
    // A group of its own, by which its orphans are known.
    ::posix_spawnattr_setpgroup(&attributes_, 0);
    ::posix_spawnattr_setflags(&attributes_, POSIX_SPAWN_SETPGROUP);
  }
  SpawnSetup(const SpawnSetup&) = delete;
  SpawnSetup& operator=(const SpawnSetup&) = delete;
  SpawnSetup(SpawnSetup&&) = delete;
  SpawnSetup& operator=(SpawnSetup&&) = delete;
  ~SpawnSetup() {
    ::posix_spawnattr_destroy(&attributes_);
    ::posix_spawn_file_actions_destroy(&actions_);
  }

  [[nodiscard]] const posix_spawn_file_actions_t* actions() const { return &actions_; }
  [[nodiscard]] const posix_spawnattr_t* attributes() const { return &attributes_; }

 private:
  posix_spawn_file_actions_t actions_{};
  posix_spawnattr_t attributes_{};
};

std::vector<char*> pointers(std::vector<std::string>& words) {
  std::vector<char*> result;
  result.reserve(words.size() + 1);
  for (std::string& word : words) result.push_back(word.data());
  result.push_back(nullptr);
  return result;
}

// False: nothing more came for too long.
bool read_all(int pipe, std::string& bytes) {
  std::array<char, 4096> buffer{};
  for (;;) {
    pollfd wait{pipe, POLLIN, 0};
    const int ready = ::poll(&wait, 1, static_cast<int>(kPatience.count()));
    if (ready == 0) return false;
    if (ready < 0) {
      if (errno == EINTR) continue;
      fail(errno, "wait for output");
    }
    const ssize_t got = ::read(pipe, buffer.data(), buffer.size());
    if (got == 0) return true;
    if (got < 0) {
      if (errno == EINTR) continue;
      fail(errno, "read output");
    }
    bytes.append(buffer.data(), static_cast<std::size_t>(got));
  }
}

std::string read_file(int file) {
  std::array<char, 4096> buffer{};
  const ssize_t got = ::pread(file, buffer.data(), buffer.size(), 0);
  return {buffer.data(), static_cast<std::size_t>(got > 0 ? got : 0)};
}

std::chrono::nanoseconds cpu_of(const rusage& usage) {
  return std::chrono::seconds(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
         std::chrono::microseconds(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
}

// False: no such child (any more).
bool wait_for(pid_t which, int& status, rusage& usage) {
  for (;;) {
    if (::wait4(which, &status, 0, &usage) > 0) return true;
    if (errno != EINTR) return false;
  }
}

int shell_code(int status) {
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

}  // namespace

Lap run_process(const std::vector<std::string>& argv, const std::vector<std::string>& environment) {
  std::vector<std::string> words = argv;
  std::vector<std::string> variables = environment;
  const std::vector<char*> argument_pointers = pointers(words);
  const std::vector<char*> variable_pointers = pointers(variables);
  const auto [read_end, write_end] = make_pipe();
  const Descriptor output(read_end, "make a pipe");
  Descriptor their_output(write_end, "make a pipe");
  const Descriptor errors(::memfd_create("stderr", MFD_CLOEXEC), "make a memory file");
  const SpawnSetup setup(their_output.get(), errors.get());

  Lap lap;
  pid_t pid = -1;
  const auto start = Clock::now();
  const int error = ::posix_spawn(&pid, words.front().c_str(), setup.actions(), setup.attributes(),
                                  argument_pointers.data(), variable_pointers.data());
  if (error != 0) fail(error, "start " + words.front());
  their_output.close();
  const bool ended = read_all(output.get(), lap.output);
  if (!ended) ::kill(-pid, SIGKILL);
  int status = 0;
  rusage usage{};
  if (!wait_for(pid, status, usage)) fail(errno, "wait for " + words.front());
  lap.wall = Clock::now() - start;

  lap.cpu = cpu_of(usage);
  lap.exit_code = shell_code(status);
  while (wait_for(-pid, status, usage)) lap.cpu += cpu_of(usage);
  if (!ended) throw std::runtime_error(words.front() + " was silent for a minute, and was killed");
  lap.error_output = read_file(errors.get());
  return lap;
}

void adopt_orphans() {
  if (::prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) != 0) fail(errno, "adopt orphans");
}

}  // namespace sandbox::bench
