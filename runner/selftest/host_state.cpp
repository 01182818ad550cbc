// SPDX-License-Identifier: MIT
#include "host_state.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <cctype>
#include <cerrno>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <map>
#include <random>
#include <sstream>
#include <system_error>

#include "sandbox/error.hpp"

namespace net = boost::asio;

namespace sandbox::runner {
namespace {

namespace fs = std::filesystem;

constexpr std::chrono::milliseconds kPatience(4000);
constexpr std::chrono::milliseconds kLookAgain(10);

// What can be read of it: a process may end while its file in /proc is being read.
std::string content_of(const fs::path& path) {
  const std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

std::set<std::string> open_descriptors() {
  std::set<std::string> found;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator("/proc/self/fd", ignored)) {
    const std::string target = fs::read_symlink(entry.path(), ignored).string();
    // The directory that is being read right now ends its name so.
    if (!target.ends_with("/fd")) found.insert(entry.path().filename().string() + " -> " + target);
  }
  return found;
}

// Parent and children of all that lives; what only waits to be reaped is left out.
std::multimap<int, int> living_children() {
  std::multimap<int, int> children;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator("/proc", ignored)) {
    const std::string name = entry.path().filename().string();
    if (std::isdigit(static_cast<unsigned char>(name.front())) == 0) continue;
    const std::string stat = content_of(entry.path() / "stat");
    // "PID (any text) STATE PARENT ..."
    const std::size_t end = stat.rfind(')');
    if (end == std::string::npos || end + 4 >= stat.size() || stat[end + 2] == 'Z') continue;
    children.emplace(std::atoi(stat.c_str() + end + 4), std::atoi(name.c_str()));
  }
  return children;
}

std::set<int> processes_below(int pid) {
  const std::multimap<int, int> children = living_children();
  std::set<int> found;
  std::vector<int> todo{pid};
  while (!todo.empty()) {
    const auto [begin, end] = children.equal_range(todo.back());
    todo.pop_back();
    for (auto it = begin; it != end; ++it) {
      if (found.insert(it->second).second) todo.push_back(it->second);
    }
  }
  return found;
}

}  // namespace

CanaryFile::CanaryFile() {
  directory_ = (fs::temp_directory_path() / "sandbox-selftest-XXXXXX").string();
  if (::mkdtemp(directory_.data()) == nullptr) {
    throw Error(errc::os_error, "make a directory for the canary file, " + directory_ + ": " +
                                    std::generic_category().message(errno) +
                                    "; set TMPDIR to a directory that can be written");
  }
  path_ = directory_ + "/canary";
  std::random_device random;
  content_ = std::to_string(random()) + " " + std::to_string(random()) + "\n";
  std::ofstream(path_, std::ios::binary) << content_;
  facts_ = facts();
}

CanaryFile::~CanaryFile() {
  std::error_code ignored;
  fs::remove_all(directory_, ignored);
}

std::string CanaryFile::facts() const {
  std::string text;
  for (const std::string& path : {directory_, path_}) {
    struct stat found {};
    if (::lstat(path.c_str(), &found) != 0) return "gone";
    for (const std::uint64_t fact :
         {std::uint64_t{found.st_dev}, std::uint64_t{found.st_ino}, std::uint64_t{found.st_mode},
          std::uint64_t{found.st_uid}, std::uint64_t{found.st_gid}, std::uint64_t{found.st_nlink},
          static_cast<std::uint64_t>(found.st_size),
          static_cast<std::uint64_t>(found.st_mtim.tv_sec),
          static_cast<std::uint64_t>(found.st_mtim.tv_nsec)}) {
      text += std::to_string(fact) + " ";
    }
  }
  return text;
}

bool CanaryFile::unchanged() const { return facts() == facts_ && content_of(path_) == content_; }

HostState HostState::now() {
  HostState state;
  state.descriptors_ = open_descriptors();
  state.processes_ = processes_below(::getpid());
  const std::string mounts = content_of("/proc/self/mountinfo");
  state.mounts_ = static_cast<std::size_t>(std::count(mounts.begin(), mounts.end(), '\n'));
  return state;
}

std::vector<std::string> HostState::added_since(const HostState& before) const {
  std::vector<std::string> lines;
  for (const std::string& descriptor : descriptors_) {
    if (!before.descriptors_.contains(descriptor)) {
      lines.push_back("an open descriptor is new: " + descriptor);
    }
  }
  for (const int pid : processes_) {
    if (!before.processes_.contains(pid)) {
      lines.push_back("a process is left over: " + std::to_string(pid));
    }
  }
  if (mounts_ != before.mounts_) {
    lines.push_back("there were " + std::to_string(before.mounts_) + " mounts, now there are " +
                    std::to_string(mounts_));
  }
  return lines;
}

net::awaitable<std::vector<std::string>> HostCanaries::harm(
    std::shared_ptr<const HostCanaries> canaries) {
  net::steady_timer timer(co_await net::this_coro::executor);
  const auto deadline = std::chrono::steady_clock::now() + kPatience;
  for (;;) {
    std::vector<std::string> lines = HostState::now().added_since(canaries->state_);
    if (!canaries->file_.unchanged()) lines.emplace_back("the canary file was touched");
    if (lines.empty() || std::chrono::steady_clock::now() > deadline) co_return lines;
    timer.expires_after(kLookAgain);
    co_await timer.async_wait(net::use_awaitable);
  }
}

}  // namespace sandbox::runner
