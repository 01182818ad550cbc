// What all sandboxes of a backend share; fixed once the backend has started.
// SPDX-License-Identifier: MIT
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <memory>
#include <optional>
#include <string>

#include "../launcher/plan.hpp"
#include "cgroup_home.hpp"
#include "image.hpp"
#include "launcher_client.hpp"
#include "outside_identity.hpp"
#include "root_plan.hpp"
#include "sandbox/exec.hpp"
#include "sandbox/runner/backend_options.hpp"
#include "seccomp_profile.hpp"
#include "uid_pool.hpp"
#include "worker.hpp"

namespace sandbox::runner {

class BackendCore {
 public:
  BackendCore(boost::asio::any_io_executor where, BackendOptions given, LauncherClient client,
              FilterProgram compiled, OutsideIdentity outside);

  // Of the host; each sandbox makes a strand of its own on it.
  const boost::asio::any_io_executor executor;
  const BackendOptions options;
  LauncherClient launcher;
  const FilterProgram filter;
  const OutsideIdentity identity;
  std::optional<UidPool> uids;          // none: all sandboxes are `identity`
  std::unique_ptr<CgroupHome> cgroups;  // null: none to be had, or none wanted
  std::string no_cgroups_reason;        // why none is to be had
  Worker worker;
  Worker cgroup_worker;  // of its own: a run's start does not wait for a large file
  // Tests make a step fail with it.
  launcher::FailAt fail_at;

  // Fills in what every request starts with. `uid`: who the guests of the sandbox are outside.
  [[nodiscard]] launcher::Header header(launcher::RequestKind kind, std::uint32_t uid) const;
  // As the options say, but what another one is needed for is off with it.
  [[nodiscard]] Mode mode_of(Protection protection) const;
  [[nodiscard]] bool wants(Protection protection) const { return mode_of(protection) != Mode::off; }
  [[nodiscard]] TreeRules tree_rules() const;
  // What is in force in a run, of which the launcher told what it applied.
  [[nodiscard]] Enforced enforced(const launcher::Reply& started) const;
  // The limits of a run: its own, else the host's, else the built-in ones.
  [[nodiscard]] Limits limits_of(const Limits& asked) const;
};

}  // namespace sandbox::runner
