// SPDX-License-Identifier: MIT
#include "machine.hpp"

#include <sched.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>

namespace sandbox::bench {
namespace {

std::string processor_model() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    const std::size_t colon = line.find(": ");
    if (line.starts_with("model name") && colon != std::string::npos) return line.substr(colon + 2);
  }
  return "unknown";
}

unsigned usable_processors() {
  cpu_set_t set;
  CPU_ZERO(&set);
  if (::sched_getaffinity(0, sizeof set, &set) != 0) return 1;
  return static_cast<unsigned>(CPU_COUNT(&set));
}

}  // namespace

Machine this_machine() {
  Machine machine;
  utsname names{};
  if (::uname(&names) == 0) {
    machine.kernel = std::string(names.sysname) + " " + names.release + " " + names.machine;
  }
  machine.processor = processor_model();
  machine.processors = usable_processors();
  machine.uid = ::geteuid();
  if (::getloadavg(&machine.load, 1) != 1) machine.load = 0;
#ifdef __OPTIMIZE__
  machine.optimised = true;
#endif
#ifdef __clang__
  machine.build = "clang " __clang_version__;
#else
  machine.build = "g++ " __VERSION__;
#endif
  return machine;
}

}  // namespace sandbox::bench
