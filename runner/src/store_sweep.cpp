// What is on its way into the store or out of it, and the removal of what nobody owns any more.
// SPDX-License-Identifier: MIT
#include "store_sweep.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <string_view>
#include <vector>

#include "directory_listing.hpp"
#include "sandbox/error.hpp"
#include "tree_removal.hpp"

namespace sandbox::runner {
namespace {

constexpr std::string_view kBuilding = ".building-";
constexpr std::string_view kRemoved = ".removed-";

std::string with_random_end(std::string_view begin) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::uint64_t number = 0;
  if (::getrandom(&number, sizeof number, 0) != sizeof number) {
    throw_os_error("get a random name", errno);
  }
  std::string name(begin);
  for (unsigned i = 0; i < 12; ++i) name += kDigits[(number >> (4 * i)) & 0xFU];
  return name;
}

// The directory under an exclusive lock; nothing when somebody uses it.
Fd lock_alone(int store, const std::string& name) {
  Fd directory = open_directory(store, name);
  if (directory && ::flock(directory.get(), LOCK_EX | LOCK_NB) != 0) directory.reset();
  return directory;
}

}  // namespace

StoreLock::StoreLock(int store) : store_(store) {
  while (::flock(store_, LOCK_EX) != 0) {
    if (errno != EINTR) throw_os_error("lock the image store", errno);
  }
}

StoreLock::~StoreLock() { (void)::flock(store_, LOCK_UN); }

std::string new_building_name() { return with_random_end(kBuilding); }

std::string new_removed_name() { return with_random_end(kRemoved); }

void sweep_store(int store) {
  struct stat status {};
  if (::fstat(store, &status) != 0 || status.st_uid != ::geteuid()) return;
  struct Victim {
    std::string name;
    Fd lock;
  };
  std::vector<Victim> victims;
  {
    const StoreLock lock(store);
    for (const std::string& name : names_in(store, "of the image store")) {
      if (!name.starts_with(kBuilding) && !name.starts_with(kRemoved)) continue;
      if (Fd alone = lock_alone(store, name)) victims.push_back({name, std::move(alone)});
    }
  }
  for (const Victim& victim : victims) {
    try {
      remove_tree(store, victim.name);
    } catch (const Error&) {  // the next sweep meets it again
      continue;
    }
  }
}

bool remove_if_unused(int store, const std::string& name) {
  const Fd alone = lock_alone(store, name);
  if (!alone) return false;
  remove_tree(store, name);
  return true;
}

}  // namespace sandbox::runner
