// Starts a program of the host.
// SPDX-License-Identifier: MIT
#include "spawn.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <unistd.h>

#include <csignal>

#include "fd.hpp"

namespace sandbox::runner {
namespace {

class FileActions {
 public:
  FileActions() { check(::posix_spawn_file_actions_init(&actions_)); }
  FileActions(const FileActions&) = delete;
  FileActions& operator=(const FileActions&) = delete;
  FileActions(FileActions&&) = delete;
  FileActions& operator=(FileActions&&) = delete;
  ~FileActions() { ::posix_spawn_file_actions_destroy(&actions_); }

  // In this order none overwrites another as long as 0 to 2 are open in this process.
  void use_streams(const SpawnStreams& streams) {
    check(::posix_spawn_file_actions_addopen(&actions_, STDIN_FILENO, "/dev/null", O_RDONLY, 0));
    check(::posix_spawn_file_actions_adddup2(&actions_, streams.out, STDOUT_FILENO));
    check(::posix_spawn_file_actions_adddup2(&actions_, streams.err, STDERR_FILENO));
    int first_free = STDERR_FILENO + 1;
    if (streams.third >= 0) {
      check(::posix_spawn_file_actions_adddup2(&actions_, streams.third, first_free));
      ++first_free;
    }
    check(::posix_spawn_file_actions_addclosefrom_np(&actions_, first_free));
    check(::posix_spawn_file_actions_addchdir_np(&actions_, "/"));
  }
  [[nodiscard]] const posix_spawn_file_actions_t* get() const { return &actions_; }

 private:
  static void check(int error) {
    if (error != 0) throw_errno("prepare a process's descriptors", error);
  }
  posix_spawn_file_actions_t actions_{};
};

class SpawnAttributes {
 public:
  SpawnAttributes() {
    if (const int error = ::posix_spawnattr_init(&attributes_))
      throw_errno("prepare a process", error);
    sigset_t none;
    sigset_t all;
    ::sigemptyset(&none);
    ::sigfillset(&all);
    ::posix_spawnattr_setsigmask(&attributes_, &none);
    ::posix_spawnattr_setsigdefault(&attributes_, &all);
    const int flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSID;
    ::posix_spawnattr_setflags(&attributes_, static_cast<short>(flags));
  }
  SpawnAttributes(const SpawnAttributes&) = delete;
  SpawnAttributes& operator=(const SpawnAttributes&) = delete;
  SpawnAttributes(SpawnAttributes&&) = delete;
  SpawnAttributes& operator=(SpawnAttributes&&) = delete;
  ~SpawnAttributes() { ::posix_spawnattr_destroy(&attributes_); }

  [[nodiscard]] const posix_spawnattr_t* get() const { return &attributes_; }

 private:
  posix_spawnattr_t attributes_{};
};

std::vector<char*> pointers_to(std::vector<std::string>& texts) {
  std::vector<char*> result;
  result.reserve(texts.size() + 1);
  for (std::string& text : texts) result.push_back(text.data());
  result.push_back(nullptr);
  return result;
}

}  // namespace

int spawn_in_session(const std::vector<std::string>& arguments,
                     const std::vector<std::string>& environment, const SpawnStreams& streams,
                     pid_t& pid) {
  FileActions actions;
  actions.use_streams(streams);
  const SpawnAttributes attributes;
  std::vector<std::string> argument_texts = arguments;
  std::vector<std::string> environment_texts = environment;
  const std::vector<char*> argv = pointers_to(argument_texts);
  const std::vector<char*> envp = pointers_to(environment_texts);
  return ::posix_spawn(&pid, argv[0], actions.get(), attributes.get(), argv.data(), envp.data());
}

}  // namespace sandbox::runner
