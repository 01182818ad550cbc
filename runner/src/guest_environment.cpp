// SPDX-License-Identifier: MIT
#include "guest_environment.hpp"

#include <algorithm>

namespace sandbox::runner {

std::map<std::string, std::string> make_guest_environment(
    const GuestEnvironment& facts, const std::map<std::string, std::string>& extra) {
  std::string path;
  for (const std::string& directory : facts.path_directories) {
    if (!path.empty()) path += ':';
    path += directory;
  }
  // Numeric libraries start a thread for each processor: within the limit of processes they must
  // leave room for the program's own.
  const std::uint32_t threads =
      std::clamp<std::uint32_t>(facts.processes / 4, 1, std::max(1U, facts.cpus));
  const std::string thread_count = std::to_string(threads);
  std::map<std::string, std::string> environment = {
      {"PATH", path},
      // Not the work directory: what a library leaves in its user's home is not a result.
      {"HOME", kGuestHome},
      {"LANG", "C.UTF-8"},
      {"TMPDIR", "/tmp"},
      {"TERM", "dumb"},
      {"NO_COLOR", "1"},
      {"PYTHON_COLORS", "0"},
      // What was printed before a kill must have left the program.
      {"PYTHONUNBUFFERED", "1"},
      {"PYTHONDONTWRITEBYTECODE", "1"},
      {"PYTHONNOUSERSITE", "1"},
      {"MPLBACKEND", "Agg"},
      {"MALLOC_ARENA_MAX", "2"},
  };
  for (const char* name : {"OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS",
                           "NUMEXPR_NUM_THREADS", "VECLIB_MAXIMUM_THREADS"}) {
    environment[name] = thread_count;
  }
  for (const auto& [name, value] : extra) environment[name] = value;
  return environment;
}

std::vector<std::string> to_strings(const std::map<std::string, std::string>& environment) {
  std::vector<std::string> strings;
  strings.reserve(environment.size());
  for (const auto& [name, value] : environment) strings.push_back(name + "=" + value);
  return strings;
}

std::vector<std::string> exec_candidates(const std::string& program,
                                         const std::map<std::string, std::string>& environment) {
  if (program.find('/') != std::string::npos) return {program};
  std::vector<std::string> candidates;
  const auto path = environment.find("PATH");
  const std::string directories = path == environment.end() ? "/usr/bin:/bin" : path->second;
  std::size_t start = 0;
  while (start <= directories.size()) {
    const std::size_t end = std::min(directories.find(':', start), directories.size());
    // An empty element would mean the current directory; no program is looked for there.
    if (end > start) candidates.push_back(directories.substr(start, end - start) + "/" + program);
    start = end + 1;
  }
  if (candidates.empty()) candidates.push_back("/usr/bin/" + program);
  return candidates;
}

}  // namespace sandbox::runner
