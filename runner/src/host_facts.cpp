// SPDX-License-Identifier: MIT
#include "host_facts.hpp"

#include <sys/utsname.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string_view>

namespace sandbox::runner {
namespace {

namespace fs = std::filesystem;

// The first line of a small file; nullopt: it cannot be read.
std::optional<std::string> line_of(const std::string& path) {
  std::ifstream file(path);
  std::string line;
  if (!std::getline(file, line)) return std::nullopt;
  // A label ends in a NUL.
  while (!line.empty() && (line.back() == '\0' || line.back() == '\n')) line.pop_back();
  return line;
}

std::optional<std::uint64_t> number_of(const std::string& path) {
  const std::optional<std::string> line = line_of(path);
  if (!line) return std::nullopt;
  std::istringstream text(*line);
  std::uint64_t number = 0;
  if (!(text >> number)) return std::nullopt;
  return number;
}

bool exists(const std::string& path) {
  std::error_code ignored;
  return fs::exists(path, ignored);
}

// What follows `name` on its line of /proc/self/status.
std::string field_of_status(const std::string& path, std::string_view name) {
  std::ifstream status(path);
  for (std::string line; std::getline(status, line);) {
    if (!line.starts_with(name)) continue;
    std::istringstream rest(line.substr(name.size()));
    std::string value;
    rest >> value;
    return value;
  }
  return {};
}

// The machine's first user namespace maps every id to itself.
bool is_whole_map(const std::string& path) {
  std::ifstream map(path);
  std::uint64_t inside = 1;
  std::uint64_t outside = 1;
  std::uint64_t count = 0;
  constexpr std::uint64_t kAll = 4294967295;
  return (map >> inside >> outside >> count) && inside == 0 && outside == 0 && count == kAll;
}

void read_mounts(const std::string& path, HostFacts& facts) {
  std::ifstream mounts(path);
  for (std::string line; std::getline(mounts, line);) {
    std::istringstream fields(line);
    std::string id, parent, device, from, place;
    fields >> id >> parent >> device >> from >> place;
    // binfmt_misc is there on any machine and hides nothing: its place is an empty directory.
    if (!place.starts_with("/proc/") || place == "/proc/sys/fs/binfmt_misc") continue;
    facts.covered_proc.push_back(place);
  }
  std::sort(facts.covered_proc.begin(), facts.covered_proc.end());
  const auto doubles = std::unique(facts.covered_proc.begin(), facts.covered_proc.end());
  facts.covered_proc.erase(doubles, facts.covered_proc.end());
}

// By the marks that engines leave for the programs inside.
std::string container_of(const std::string& root) {
  if (exists(root + "/var/run/secrets/kubernetes.io") ||
      std::getenv("KUBERNETES_SERVICE_HOST") != nullptr) {
    return "kubernetes";
  }
  if (exists(root + "/run/.containerenv")) return "podman";
  if (exists(root + "/.dockerenv")) return "docker";
  if (const auto told = line_of(root + "/run/systemd/container"); told && !told->empty()) {
    return *told;
  }
  const char* told = std::getenv("container");
  return told != nullptr ? told : "";
}

}  // namespace

HostFacts HostFacts::read(const std::string& root) {
  const std::string proc = root + "/proc";
  HostFacts facts;
  utsname system{};
  if (::uname(&system) == 0) facts.kernel = &system.release[0];
  facts.apparmor_restricts_userns =
      number_of(proc + "/sys/kernel/apparmor_restrict_unprivileged_userns");
  facts.unprivileged_userns_clone = number_of(proc + "/sys/kernel/unprivileged_userns_clone");
  facts.max_user_namespaces = number_of(proc + "/sys/user/max_user_namespaces");
  facts.memfd_noexec = number_of(proc + "/sys/vm/memfd_noexec");
  facts.security_label = line_of(proc + "/self/attr/current").value_or("");
  facts.is_filtered = field_of_status(proc + "/self/status", "Seccomp:") == "2";
  facts.is_nested = exists(proc + "/self/uid_map") && !is_whole_map(proc + "/self/uid_map");
  read_mounts(proc + "/self/mountinfo", facts);
  facts.container = container_of(root);
  facts.is_in_container = !facts.container.empty();
  return facts;
}

}  // namespace sandbox::runner
