// SPDX-License-Identifier: MIT
#include "findings.hpp"

#include <unistd.h>

#include <array>
#include <optional>

#include "../src/explain.hpp"
#include "../src/fixes.hpp"

namespace sandbox::runner::doctor {
namespace {

using launcher::Probe;
using launcher::Reply;
using launcher::Step;

class ProbeRow {
 public:
  Probe probe;
  const char* name;
  const char* works;                     // a sentence
  std::optional<Protection> protection;  // none: nothing runs without it
};

constexpr std::array<ProbeRow, launcher::kProbes> kRows = {
    ProbeRow{Probe::clone3, "clone3", "processes can be made with clone3", std::nullopt},
    ProbeRow{Probe::user_namespace, "user_namespace", "a user namespace can be made", std::nullopt},
    ProbeRow{Probe::id_map, "id_map", "ids can be mapped into it", std::nullopt},
    ProbeRow{Probe::mount_namespace, "mount_namespace", "a mount namespace can be made",
             std::nullopt},
    ProbeRow{Probe::net_namespace, "net_namespace", "a network namespace can be made",
             std::nullopt},
    ProbeRow{Probe::pid_namespace, "pid_namespace", "a pid namespace can be made", std::nullopt},
    ProbeRow{Probe::ipc_namespace, "ipc_namespace", "an ipc namespace can be made", std::nullopt},
    ProbeRow{Probe::uts_namespace, "uts_namespace",
             "a host name namespace can be made and its name set", std::nullopt},
    ProbeRow{Probe::cgroup_namespace, "cgroup_namespace", "a cgroup namespace can be made",
             std::nullopt},
    ProbeRow{Probe::time_namespace, "time_namespace", "the host's uptime can be hidden",
             Protection::time_namespace},
    ProbeRow{Probe::image_mount, "image_mount", "mounts can be copied read-only", std::nullopt},
    ProbeRow{Probe::root_mount, "root_mount", "a new root can be mounted and entered",
             std::nullopt},
    ProbeRow{Probe::process_view, "proc_subset", "a /proc with processes only can be mounted",
             Protection::process_view},
    ProbeRow{Probe::full_proc, "proc_full", "a whole /proc can be mounted", std::nullopt},
    ProbeRow{Probe::second_user_namespace, "second_user_namespace",
             "a second user namespace can be made inside the first",
             Protection::inner_user_namespace},
    ProbeRow{Probe::namespace_lock, "namespace_lock",
             "the making of further namespaces can be locked", Protection::namespace_lock},
    ProbeRow{Probe::session_keyring, "session_keyring", "an empty session keyring can be joined",
             Protection::session_keyring},
    ProbeRow{Probe::core_scheduling, "core_scheduling", "a core can be kept from being shared",
             Protection::core_scheduling},
    ProbeRow{Probe::write_xor_execute, "write_xor_execute",
             "memory that is writable and executable can be refused",
             Protection::write_xor_execute},
    ProbeRow{Probe::landlock, "landlock", "Landlock is there", Protection::landlock},
    ProbeRow{Probe::seccomp, "seccomp", "a seccomp filter can be installed", Protection::seccomp},
    ProbeRow{Probe::denied_calls, "denied_calls", "a seccomp filter can have an observer",
             Protection::denied_calls},
};

constexpr bool is_in_order() {
  for (std::size_t i = 0; i < kRows.size(); ++i) {
    if (kRows[i].probe != static_cast<Probe>(i)) return false;
  }
  return true;
}
static_assert(is_in_order());

FindingState state_without(const ProbeRow& row, const BackendOptions& options) {
  if (row.probe == Probe::full_proc) return FindingState::note;
  if (!row.protection) return FindingState::refused;
  switch (options.mode_of(*row.protection)) {
    case Mode::required:
      return FindingState::refused;
    case Mode::preferred:
      return FindingState::weaker;
    case Mode::off:
      break;
  }
  return FindingState::note;
}

// The way to a probe leads through a user namespace; where that cannot be had, it says so itself.
bool is_about_the_way(const ProbeRow& row, const Reply& answer) {
  if (row.probe == Probe::clone3 || row.probe == Probe::user_namespace ||
      row.probe == Probe::id_map) {
    return false;
  }
  switch (answer.step) {
    case Step::user_namespace:
    case Step::setgroups_deny:
    case Step::uid_map:
    case Step::gid_map:
    case Step::drop_groups:
    case Step::drop_gid:
    case Step::drop_uid:
      return true;
    default:
      return false;
  }
}

Finding finding_of(const ProbeRow& row, const Reply& answer, const BackendOptions& options,
                   const HostFacts& host) {
  Finding finding;
  finding.name = row.name;
  if (answer.error == 0) {
    finding.state = FindingState::ok;
    finding.found = row.works;
    if (row.probe == Probe::landlock)
      finding.found += ", ABI " + std::to_string(answer.landlock_abi);
    return finding;
  }
  finding.state = state_without(row, options);
  if (is_about_the_way(row, answer)) {
    finding.found = "could not be tried: it takes the user namespace that cannot be had";
    return finding;
  }
  finding.found = tell_failure(answer, "");
  finding.fix = fix_of(answer.step, answer.error, host);
  if (row.probe == Probe::full_proc) finding.fix = "a run has no use for one";
  return finding;
}

Finding note(std::string name, std::string found) {
  Finding finding;
  finding.name = std::move(name);
  finding.found = std::move(found);
  return finding;
}

std::string identity_text(const OutsideIdentity& identity) {
  if (identity.only_root_exists) {
    return "root of a user namespace that has no other id: guests are this uid outside, and their "
           "processes may not be counted";
  }
  if (!identity.switch_identity) {
    return "uid " + std::to_string(identity.uid) + "; guests are the same outside";
  }
  if (identity.pool.count > 1) {
    return "root; each sandbox is a uid of its own outside, " +
           std::to_string(identity.pool.first) + " and the " +
           std::to_string(identity.pool.count - 1) + " after it";
  }
  return "root; guests are uid " + std::to_string(identity.uid) + " outside";
}

std::string setting_text(const char* name, const std::optional<std::uint64_t>& value) {
  return std::string(name) + (value ? " is " + std::to_string(*value) : " is not known here");
}

std::string security_text(const HostFacts& host) {
  const std::string label = host.security_label.empty()
                                ? "this program has no label"
                                : "this program's label is '" + host.security_label + "'";
  return label + "; " +
         setting_text("kernel.apparmor_restrict_unprivileged_userns",
                      host.apparmor_restricts_userns);
}

std::string sysctls_text(const HostFacts& host) {
  return setting_text("user.max_user_namespaces", host.max_user_namespaces) + "; " +
         setting_text("kernel.unprivileged_userns_clone", host.unprivileged_userns_clone) + "; " +
         setting_text("vm.memfd_noexec", host.memfd_noexec);
}

}  // namespace

std::vector<Finding> findings_of_host(const HostFacts& host, const OutsideIdentity& identity) {
  std::vector<Finding> notes;
  notes.push_back(note("kernel", host.kernel));
  notes.push_back(note("identity", identity_text(identity)));
  std::string container = "no container was recognised";
  if (host.is_in_container) container = "in a container: " + host.container;
  if (host.is_nested) container += "; in a user namespace that is not the machine's first";
  notes.push_back(note("container", std::move(container)));
  notes.push_back(note("security_module", security_text(host)));
  notes.push_back(note("sysctls", sysctls_text(host)));
  notes.push_back(note("seccomp_filter", host.is_filtered
                                             ? "one is in force over this program already"
                                             : "none is in force over this program"));
  std::string covered = "nothing is mounted over parts of it";
  if (!host.covered_proc.empty()) {
    covered = "mounts cover parts of it:";
    for (const std::string& place : host.covered_proc) covered += " " + place;
  }
  notes.push_back(note("proc", std::move(covered)));
  return notes;
}

std::vector<Finding> findings_of_probes(const std::vector<Reply>& answers,
                                        const BackendOptions& options, const HostFacts& host) {
  std::vector<Finding> findings;
  for (std::size_t i = 0; i < kRows.size(); ++i) {
    if (i < answers.size()) {
      findings.push_back(finding_of(kRows[i], answers[i], options, host));
      continue;
    }
    Finding finding = note(kRows[i].name, "could not be tried: the launcher gave no answer");
    finding.state = state_without(kRows[i], options);
    findings.push_back(std::move(finding));
  }
  return findings;
}

Finding finding_of_cgroups(const std::string& path, const std::string& reason, Mode mode) {
  Finding finding = note("cgroup", {});
  if (!path.empty()) {
    finding.state = FindingState::ok;
    finding.found = "runs have cgroups of their own below " + path;
    return finding;
  }
  if (mode == Mode::off) {
    finding.found = "not asked for";
    return finding;
  }
  finding.state = mode == Mode::required ? FindingState::refused : FindingState::weaker;
  // "what is missing; how to get it"
  const std::size_t end = reason.find("; ");
  finding.found =
      "memory and CPU time of a run are watched from time to time, as " + reason.substr(0, end);
  if (end != std::string::npos) finding.fix = reason.substr(end + 2);
  return finding;
}

}  // namespace sandbox::runner::doctor
