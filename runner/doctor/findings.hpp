// From what was tried to what is told.
// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "../launcher/plan.hpp"
#include "../src/host_facts.hpp"
#include "../src/outside_identity.hpp"
#include "sandbox/runner/backend_options.hpp"
#include "sandbox/runner/doctor.hpp"

namespace sandbox::runner::doctor {

// Facts that decide nothing by themselves: kernel, identity, container, security module and such.
std::vector<Finding> findings_of_host(const HostFacts& host, const OutsideIdentity& identity);

// One for each Probe. `answers`: what the launcher told, in order; too few: it ended on the way.
std::vector<Finding> findings_of_probes(const std::vector<launcher::Reply>& answers,
                                        const BackendOptions& options, const HostFacts& host);

// Whether runs have cgroups. `path`: below which one; empty: none, for that reason.
Finding finding_of_cgroups(const std::string& path, const std::string& reason, Mode mode);

}  // namespace sandbox::runner::doctor
