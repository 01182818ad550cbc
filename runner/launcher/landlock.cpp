// SPDX-License-Identifier: MIT
#include "landlock.hpp"

#include <fcntl.h>
#include <linux/openat2.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace sandbox::runner::launcher {
namespace {

// Of linux/landlock.h, which is older here than the kernels that we meet.
constexpr std::uint64_t kExecute = 1U << 0U;
constexpr std::uint64_t kWriteFile = 1U << 1U;
constexpr std::uint64_t kReadFile = 1U << 2U;
constexpr std::uint64_t kReadDirectory = 1U << 3U;
constexpr std::uint64_t kRefer = 1U << 13U;        // ABI 2
constexpr std::uint64_t kTruncate = 1U << 14U;     // ABI 3
constexpr std::uint64_t kDeviceIoctl = 1U << 15U;  // ABI 5
constexpr std::uint64_t kFilesOfAbi1 = (1U << 13U) - 1U;
constexpr std::uint64_t kMakeDevices = (1U << 6U) | (1U << 11U);  // character, block
constexpr std::uint64_t kTcp = 3U;                                // ABI 4: bind, connect
constexpr std::uint64_t kScopes = 3U;  // ABI 6: abstract sockets, signals
// Of a rule on something that is not a directory.
constexpr std::uint64_t kOfFiles = kExecute | kWriteFile | kReadFile | kTruncate | kDeviceIoctl;
constexpr std::uint32_t kAskVersion = 1U;   // LANDLOCK_CREATE_RULESET_VERSION
constexpr std::uint32_t kLogNothing = 1U;   // ABI 7: LANDLOCK_RESTRICT_SELF_LOG_SAME_EXEC_OFF
constexpr std::uint32_t kPathBeneath = 1U;  // LANDLOCK_RULE_PATH_BENEATH

struct RulesetAttributes {
  std::uint64_t files = 0;
  std::uint64_t network = 0;
  std::uint64_t scopes = 0;
};

struct __attribute__((packed)) PathBeneath {
  std::uint64_t allowed = 0;
  std::int32_t parent = -1;
};

std::uint64_t handled_files(int abi) {
  std::uint64_t handled = kFilesOfAbi1;
  if (abi >= 2) handled |= kRefer;
  if (abi >= 3) handled |= kTruncate;
  if (abi >= 5) handled |= kDeviceIoctl;
  return handled;
}

std::uint64_t rights_of(LandlockAccess access) {
  constexpr std::uint64_t kRead = kReadFile | kReadDirectory;
  constexpr std::uint64_t kAll = ~(kExecute | kMakeDevices | kDeviceIoctl);
  switch (access) {
    case LandlockAccess::list:
      return kReadDirectory;
    case LandlockAccess::read:
      return kRead;
    case LandlockAccess::read_execute:
      return kRead | kExecute;
    case LandlockAccess::device:
      return kReadFile | kWriteFile | kTruncate | kDeviceIoctl;
    case LandlockAccess::write:
      return kAll;
    case LandlockAccess::write_execute:
      return kAll | kExecute;
  }
  return 0;
}

int make_ruleset(int abi, bool handles_network) {
  RulesetAttributes attributes;
  attributes.files = handled_files(abi);
  if (abi >= 4 && handles_network) attributes.network = kTcp;
  if (abi >= 6) attributes.scopes = kScopes;
  // An older kernel knows a shorter structure.
  const std::size_t size = abi >= 6 ? sizeof attributes : abi >= 4 ? 16 : 8;
  return static_cast<int>(syscall(SYS_landlock_create_ruleset, &attributes, size, 0));
}

bool add_rule(const Context& context, int ruleset, const LandlockRule& rule, int abi) {
  // No link that a guest could have put on the way to a path of the image below its own directory.
  open_how how;
  memset(&how, 0, sizeof how);
  how.flags = O_PATH | O_CLOEXEC;
  how.resolve = RESOLVE_NO_SYMLINKS;
  const int place =
      static_cast<int>(syscall(SYS_openat2, AT_FDCWD, context.text(rule.path), &how, sizeof how));
  if (place < 0) return false;
  struct stat found;
  PathBeneath beneath;
  beneath.parent = place;
  beneath.allowed = rights_of(rule.access) & handled_files(abi);
  const bool known = fstat(place, &found) == 0;
  if (known && !S_ISDIR(found.st_mode)) beneath.allowed &= kOfFiles;
  const bool added =
      known && syscall(SYS_landlock_add_rule, ruleset, kPathBeneath, &beneath, 0) == 0;
  const int error = errno;
  close(place);
  errno = error;
  return added;
}

bool add_rules(const Context& context, int ruleset, int abi, std::uint32_t& item) {
  const Span& rules = context.run().landlock;
  const auto* wanted = context.at<LandlockRule>(rules.offset);
  for (item = 0; item < rules.count; ++item) {
    if (!add_rule(context, ruleset, wanted[item], abi)) return false;
  }
  return true;
}

// No rule lets the program write to /dev/zero, and nothing but Landlock stops it.
bool can_write_zero_device() {
  const int zero = open("/dev/zero", O_WRONLY | O_CLOEXEC);
  if (zero < 0) return false;
  close(zero);
  return true;
}

}  // namespace

int landlock_abi() {
  const long abi = syscall(SYS_landlock_create_ruleset, nullptr, 0, kAskVersion);
  return abi > 0 ? static_cast<int>(abi) : 0;
}

void restrict_files(Context& context) {
  if (!context.wants(Guard::landlock)) return;
  const int abi = landlock_abi();
  if (!context.try_step(Guard::landlock, Step::landlock, abi > 0)) return;
  std::uint32_t item = 0;
  const int ruleset = make_ruleset(abi, context.run().handles_network != 0);
  if (!context.try_step(Guard::landlock, Step::landlock, ruleset >= 0)) return;
  // A kernel that has Landlock takes every rule of the plan; one that cannot be added is a fault.
  const bool added = add_rules(context, ruleset, abi, item);
  context.must(Step::landlock, added, item);
  const bool was_writable = can_write_zero_device();
  const std::uint32_t flags = abi >= 7 ? kLogNothing : 0;
  const bool restricted = syscall(SYS_landlock_restrict_self, ruleset, flags) == 0;
  close(ruleset);
  if (!context.try_step(Guard::landlock, Step::landlock, restricted)) return;
  const bool proven = was_writable && !can_write_zero_device() && errno == EACCES;
  if (!proven) errno = EPERM;
  // Restricted and yet not: no mode makes that right.
  context.must(Step::landlock_proven, proven);
  context.add_applied(bit(Guard::landlock));
}

}  // namespace sandbox::runner::launcher
