// SPDX-License-Identifier: MIT
#include "run_request.hpp"

#include <linux/filter.h>

#include <algorithm>
#include <map>
#include <thread>

#include "guest_environment.hpp"
#include "request_writer.hpp"
#include "root_plan.hpp"
#include "run_limits.hpp"
#include "sandbox/path.hpp"

namespace sandbox::runner {
namespace {

std::map<std::string, std::string> environment_of(const BackendCore& core, const Image& image,
                                                  const ExecRequest& request,
                                                  const Limits& limits) {
  GuestEnvironment facts;
  facts.path_directories = image.path_directories;
  facts.processes = *limits.processes();
  facts.cpus = std::max(1U, std::thread::hardware_concurrency());
  std::map<std::string, std::string> extra = request.environment();
  extra.insert(core.options.environment().begin(), core.options.environment().end());
  return make_guest_environment(facts, extra);
}

std::string directory_of(const ExecRequest& request, const std::string& base) {
  const std::string directory =
      request.working_directory() ? normalize_path(*request.working_directory()) : base;
  return directory.starts_with('/') ? directory : normalize_path(base + "/" + directory);
}

// What a cgroup does not limit already, init does.
launcher::RunBudget budget_of(const BackendCore& core, const RunFacts& facts,
                              const Limits& limits) {
  launcher::RunBudget budget;
  if (!core.wants(Protection::resource_limits)) return budget;
  budget.processes = *limits.processes();
  if (!facts.in_cgroup) budget.memory_bytes = limits.memory()->count();
  if (limits.cpu_time()) {
    // As microseconds a very long time would not fit.
    constexpr std::chrono::milliseconds kLongest(std::chrono::hours(24 * 366));
    const std::chrono::microseconds time = std::min(*limits.cpu_time(), kLongest);
    budget.cpu_us = static_cast<std::uint64_t>(time.count());
  }
  return budget;
}

}  // namespace

std::string write_run_request(const BackendCore& core, const RunFacts& facts,
                              const ExecRequest& request, const Limits& limits) {
  const std::map<std::string, std::string> environment =
      environment_of(core, facts.image, request, limits);
  const TreeRules rules = core.tree_rules();
  launcher::RunRequest flat;
  flat.header = core.header(launcher::RequestKind::run, facts.outside_uid);
  flat.header.in_cgroup = facts.in_cgroup ? 1 : 0;
  constexpr std::uint32_t kCgroup = launcher::bit(launcher::Guard::cgroup);
  if (!facts.in_cgroup) flat.header.required &= ~kCgroup;
  RequestWriter writer(sizeof flat);
  flat.tree = write_tree(writer, plan_run_tree(facts.image, rules));
  flat.argv = writer.texts(request.argv());
  flat.environment = writer.texts(to_strings(environment));
  flat.candidates = writer.texts(exec_candidates(request.argv().front(), environment));
  flat.limits = writer.array(core.wants(Protection::resource_limits)
                                 ? make_resource_limits(limits, facts.in_cgroup)
                                 : make_core_dump_limit());
  const bool observes = (flat.header.wanted & launcher::bit(launcher::Guard::denied_calls)) != 0;
  if (core.wants(Protection::seccomp)) {
    flat.filter = writer.array(observes ? core.filter.observed : core.filter.instructions);
  }
  if (observes) flat.verdicts = writer.array(core.filter.instructions);
  if (core.wants(Protection::landlock)) {
    flat.landlock = write_landlock(writer, plan_landlock(facts.image, facts.work_directory, rules));
  }
  flat.budget = budget_of(core, facts, limits);
  flat.working_directory = writer.text(directory_of(request, facts.work_directory));
  flat.work_path = writer.text(facts.work_directory);
  flat.handles_network = core.filter.name == "loopback" ? 0 : 1;
  flat.has_time_namespace = facts.has_time_namespace ? 1 : 0;
  return writer.finish(flat);
}

}  // namespace sandbox::runner
