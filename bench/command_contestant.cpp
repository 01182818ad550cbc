// SPDX-License-Identifier: MIT
#include "command_contestant.hpp"

#include <algorithm>
#include <filesystem>

#include "process.hpp"

namespace sandbox::bench {

namespace fs = std::filesystem;

CommandContestant::CommandContestant(std::string name, std::vector<std::string> front,
                                     std::vector<std::string> environment, CpuAccount account)
    : name_(std::move(name)),
      front_(std::move(front)),
      environment_(std::move(environment)),
      account_(account) {}

Lap CommandContestant::run(const Workload& workload) {
  std::vector<std::string> argv = front_;
  argv.insert(argv.end(), workload.argv().begin(), workload.argv().end());
  Lap lap = run_process(argv, environment_);
  if (account_ == CpuAccount::partial) {
    const auto rest = std::max(lap.wall - lap.cpu, std::chrono::nanoseconds(0));
    lap.cpu += unaccounted_.of(workload.name(), rest);
  }
  return lap;
}

std::vector<std::string> bubblewrap_front(const std::string& bwrap) {
  std::vector<std::string> front = {bwrap,       "--unshare-all", "--die-with-parent",
                                    "--ro-bind", "/usr",          "/usr"};
  for (const char* name : {"bin", "sbin", "lib", "lib32", "lib64", "libx32"}) {
    const fs::path place = fs::path("/") / name;
    std::error_code ignored;
    if (fs::is_symlink(place, ignored)) {
      front.insert(front.end(),
                   {"--symlink", fs::read_symlink(place, ignored).string(), place.string()});
    } else if (fs::is_directory(place, ignored)) {
      front.insert(front.end(), {"--ro-bind", place.string(), place.string()});
    }
  }
  front.insert(front.end(),
               {"--proc", "/proc", "--dev", "/dev", "--tmpfs", "/tmp", "--chdir", "/tmp", "--"});
  return front;
}

std::vector<std::string> sandboxctl_front(const std::string& sandboxctl, const std::string& image) {
  return {sandboxctl, "exec", "--quiet", "--image", image, "--"};
}

}  // namespace sandbox::bench
