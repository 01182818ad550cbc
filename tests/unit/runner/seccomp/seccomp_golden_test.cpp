// Each system call's verdict, profile by profile and architecture by architecture, as a text file,
// so that a change of policy shows in review. SANDBOX_UPDATE_GOLDEN=1 writes the files anew.
// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <map>
#include <sstream>
#include <string>

#include "policy_support.hpp"

namespace sandbox::runner::test {
namespace {

using Listing = std::map<std::string, std::string>;

// Verdicts come from the compiled program; the words for argument rules from the policy, with which
// other tests compare the program.
Listing listing_of(const std::string& profile, FilterArch arch) {
  const SeccompPolicy& policy = builtin_policy(profile);
  const FilterProgram& program = builtin_program(profile, arch);
  std::map<std::string, const SyscallRule*> by_arguments;
  for (const SyscallRule& rule : policy.syscalls) {
    if (!rule.by_arguments.empty()) by_arguments[rule.name] = &rule;
  }
  Listing listing;
  for (const auto& [number, name] : known_calls(arch)) {
    const auto filtered = by_arguments.find(name);
    listing[name] = filtered == by_arguments.end()
                        ? verdict_word(answer(program, arch, name))
                        : rule_words(*filtered->second, policy.default_action);
  }
  return listing;
}

std::string golden_path(const std::string& profile, FilterArch arch) {
  return std::string(SECCOMP_GOLDEN_DIRECTORY) + '/' + profile + '.' +
         std::string(arch_name(arch)) + ".txt";
}

Listing read_listing(const std::string& path) {
  Listing listing;
  std::ifstream file(path);
  std::string line;
  while (std::getline(file, line)) {
    const std::size_t space = line.find(' ');
    listing[line.substr(0, space)] = line.substr(line.find_first_not_of(' ', space));
  }
  return listing;
}

void write_listing(const std::string& path, const Listing& listing) {
  std::ofstream file(path);
  for (const auto& [name, verdict] : listing) {
    file << name << std::string(name.size() < 24 ? 24 - name.size() : 1, ' ') << verdict << '\n';
  }
  ASSERT_TRUE(file.flush()) << path;
}

TEST(SeccompGolden, ListingsAreAsRecorded) {
  const bool update = std::getenv("SANDBOX_UPDATE_GOLDEN") != nullptr;
  for (const std::string& profile : builtin_profile_names()) {
    for (const FilterArch arch : kBothArchs) {
      const std::string path = golden_path(profile, arch);
      const Listing now = listing_of(profile, arch);
      if (update) write_listing(path, now);
      const Listing recorded = read_listing(path);
      ASSERT_GT(recorded.size(), 200U) << path;
      for (const auto& [name, verdict] : recorded) {
        const auto found = now.find(name);
        // An older libseccomp may know fewer names; their numbers then answer ENOSYS.
        if (found == now.end()) continue;
        EXPECT_EQ(found->second, verdict) << name << " in " << path;
      }
      for (const auto& [name, verdict] : now) {
        if (recorded.count(name) != 0) continue;
        // A newer libseccomp may know more names, but no policy allows them.
        EXPECT_TRUE(verdict == "EPERM" || verdict == "ENOSYS") << name << ": " << verdict;
      }
    }
  }
}

}  // namespace
}  // namespace sandbox::runner::test
