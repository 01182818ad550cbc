// What must hold before a backend may serve a spec (contract section 2.2).
// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "sandbox/backend.hpp"
#include "sandbox/capability.hpp"
#include "sandbox/information_flow.hpp"
#include "sandbox/isolation.hpp"
#include "sandbox/spec.hpp"

namespace sandbox::detail {

// The host's policy with every word checked.
struct RouterPolicy {
  Isolation floor = Isolation::microvm;
  CapabilitySet denied_capabilities;
  IdentitySet denied_identities;
};

// The host's floor alone, as at construction. Errors: BackendNotPermitted.
void check_host_floor(const RouterPolicy& policy, const Backend& backend);

// Denials, floor, capabilities, family, limits, egress, in this order; the first that fails is
// thrown as its own type (PIN-4). Logs nothing.
void check_backend(const RouterPolicy& policy, const Backend& backend, const SandboxSpec& spec);

}  // namespace sandbox::detail
