// SPDX-License-Identifier: MIT
#include "backend_core.hpp"

#include <sys/utsname.h>

namespace sandbox::runner {
namespace {

using launcher::Guard;

constexpr std::uint32_t bit(Protection protection) {
  return 1U << static_cast<unsigned>(protection);
}

// Both sides count the protections in the same order.
static_assert(bit(Protection::seccomp) == launcher::bit(Guard::seccomp));
static_assert(bit(Protection::denied_calls) == launcher::bit(Guard::denied_calls));
static_assert(bit(Protection::landlock) == launcher::bit(Guard::landlock));
static_assert(bit(Protection::inner_user_namespace) == launcher::bit(Guard::inner_user_namespace));
static_assert(bit(Protection::namespace_lock) == launcher::bit(Guard::namespace_lock));
static_assert(bit(Protection::capabilities) == launcher::bit(Guard::capabilities));
static_assert(bit(Protection::process_view) == launcher::bit(Guard::process_view));
static_assert(bit(Protection::no_exec) == launcher::bit(Guard::no_exec));
static_assert(bit(Protection::write_xor_execute) == launcher::bit(Guard::write_xor_execute));
static_assert(bit(Protection::time_namespace) == launcher::bit(Guard::time_namespace));
static_assert(bit(Protection::session_keyring) == launcher::bit(Guard::session_keyring));
static_assert(bit(Protection::core_scheduling) == launcher::bit(Guard::core_scheduling));
static_assert(bit(Protection::cgroup) == launcher::bit(Guard::cgroup));
static_assert(bit(Protection::resource_limits) == launcher::bit(Guard::resource_limits));
static_assert(bit(Protection::inode_limits) == launcher::bit(Guard::inode_limits));

// Applied by what the host side plans; the launcher fails when it cannot carry the plan out.
constexpr std::uint32_t kPlanned =
    bit(Protection::no_exec) | bit(Protection::resource_limits) | bit(Protection::inode_limits);

}  // namespace

BackendCore::BackendCore(boost::asio::any_io_executor where, BackendOptions given,
                         LauncherClient client, FilterProgram compiled, OutsideIdentity outside)
    : executor(std::move(where)),
      options(std::move(given)),
      launcher(std::move(client)),
      filter(std::move(compiled)),
      identity(outside) {
  if (identity.pool.count > 0) uids.emplace(identity.pool, UidPool::kLockDirectory);
}

Mode BackendCore::mode_of(Protection protection) const {
  const auto is_off = [this](Protection other) { return options.mode_of(other) == Mode::off; };
  // Nobody refuses a call where there is no filter; and the limits of a sandbox's own namespace
  // would be those of its next runs.
  if (protection == Protection::denied_calls && is_off(Protection::seccomp)) return Mode::off;
  if (protection == Protection::namespace_lock && is_off(Protection::inner_user_namespace)) {
    return Mode::off;
  }
  return options.mode_of(protection);
}

launcher::Header BackendCore::header(launcher::RequestKind kind, std::uint32_t uid) const {
  launcher::Header header;
  header.kind = kind;
  header.outside_uid = uid;
  header.outside_gid = identity.switch_identity ? uid : identity.gid;
  header.switch_identity = identity.switch_identity ? 1 : 0;
  for (const Protection protection : kAllProtections) {
    const Mode mode = mode_of(protection);
    if (mode != Mode::off) header.wanted |= bit(protection);
    if (mode == Mode::required) header.required |= bit(protection);
  }
  header.fail_at = fail_at;
  return header;
}

TreeRules BackendCore::tree_rules() const {
  TreeRules rules(options.work_size());
  rules.limits_inodes = wants(Protection::inode_limits);
  rules.allows_exec = !wants(Protection::no_exec);
  rules.hides_processes = wants(Protection::process_view);
  return rules;
}

Enforced BackendCore::enforced(const launcher::Reply& started) const {
  const std::uint32_t applied = started.applied | kPlanned;
  const auto is_on = [&](Protection protection) {
    return wants(protection) && (applied & bit(protection)) != 0;
  };
  Enforced enforced;
  enforced.profile = is_on(Protection::seccomp) ? filter.name : "none";
  enforced.profile_sha256 = is_on(Protection::seccomp) ? filter.sha256 : "";
  enforced.memory = is_on(Protection::cgroup) ? "cgroup" : "rlimit";
  if (started.landlock_abi != 0) enforced.landlock_abi = static_cast<int>(started.landlock_abi);
  enforced.wx = is_on(Protection::write_xor_execute);
  enforced.proc = !wants(Protection::process_view)  ? "full"
                  : is_on(Protection::process_view) ? "subset"
                                                    : "none";
  utsname kernel{};
  if (::uname(&kernel) == 0) enforced.kernel = &kernel.release[0];
  for (const Protection protection : kAllProtections) {
    const char* state = is_on(protection) ? "on" : wants(protection) ? "unavailable" : "off";
    enforced.protections.emplace(to_string(protection), state);
  }
  enforced.protections.emplace("namespaces", "user,pid,mount,net,ipc,uts,cgroup");
  enforced.protections.emplace("network", filter.name == "loopback" ? "loopback" : "none");
  enforced.protections.emplace("root", "read-only");
  enforced.protections.emplace("no_new_privs", "on");
  // Of a uid 0 that is the machine's own the kernel counts none (hardening M11).
  const bool is_counted = is_on(Protection::resource_limits) && !identity.only_root_exists;
  enforced.protections.emplace("processes", is_on(Protection::cgroup) ? "cgroup"
                                            : is_counted              ? "rlimit"
                                                                      : "none");
  return enforced;
}

Limits BackendCore::limits_of(const Limits& asked) const {
  Limits built_in;
  built_in.memory(Bytes(1ULL << 30U))
      .processes(64)
      .output(Bytes(1ULL << 20U))
      .file_size(options.work_size())
      .open_files(256);
  return asked.or_else(options.default_limits()).or_else(built_in);
}

}  // namespace sandbox::runner
