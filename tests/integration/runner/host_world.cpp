// SPDX-License-Identifier: MIT
#include "host_world.hpp"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <map>
#include <thread>

namespace sandbox::runner::testing {
namespace {

namespace fs = std::filesystem;

struct ProcessRow {
  int pid = 0;
  int parent = 0;
  char state = '?';
};

bool read_row(const fs::path& directory, ProcessRow& row) {
  std::ifstream file(directory / "stat");
  std::string text;
  std::getline(file, text);
  const std::size_t end = text.rfind(')');
  if (end == std::string::npos || end + 4 >= text.size()) return false;
  row.pid = std::stoi(directory.filename().string());
  row.state = text[end + 2];
  row.parent = std::stoi(text.substr(end + 4));
  return true;
}

std::set<std::string> open_descriptors() {
  std::set<std::string> found;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator("/proc/self/fd", ignored)) {
    const std::string target = fs::read_symlink(entry.path(), ignored).string();
    // The directory that is being read right now.
    if (target.find("/fd") == std::string::npos) {
      found.insert(entry.path().filename().string() + " -> " + target);
    }
  }
  return found;
}

}  // namespace

std::set<int> descendants_of(int pid) {
  std::multimap<int, int> children;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator("/proc", ignored)) {
    const std::string name = entry.path().filename().string();
    ProcessRow row;
    if (!std::all_of(name.begin(), name.end(), ::isdigit)) continue;
    if (read_row(entry.path(), row) && row.state != 'Z') children.emplace(row.parent, row.pid);
  }
  std::set<int> found;
  std::vector<int> todo{pid};
  while (!todo.empty()) {
    const auto range = children.equal_range(todo.back());
    todo.pop_back();
    for (auto it = range.first; it != range.second; ++it) {
      if (found.insert(it->second).second) todo.push_back(it->second);
    }
  }
  return found;
}

HostWorld HostWorld::look() {
  HostWorld world;
  world.descriptors_ = open_descriptors();
  world.descendants_ = descendants_of(::getpid());
  std::ifstream mounts("/proc/self/mountinfo");
  for (std::string line; std::getline(mounts, line);) ++world.mounts_;
  return world;
}

std::vector<std::string> HostWorld::left_over(const HostWorld& before) {
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(4);
  for (;;) {
    const HostWorld now = look();
    std::vector<std::string> extra;
    for (const std::string& descriptor : now.descriptors_) {
      if (!before.descriptors_.contains(descriptor)) extra.push_back("descriptor " + descriptor);
    }
    for (const int pid : now.descendants_) {
      if (!before.descendants_.contains(pid)) extra.push_back("process " + std::to_string(pid));
    }
    if (now.mounts_ > before.mounts_) extra.emplace_back("mounts");
    if (extra.empty() || std::chrono::steady_clock::now() > deadline) return extra;
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
}

}  // namespace sandbox::runner::testing
