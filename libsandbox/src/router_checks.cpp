// What must hold before a backend may serve a spec.
// SPDX-License-Identifier: MIT
#include "router_checks.hpp"

#include <algorithm>
#include <iterator>
#include <set>

#include "sandbox/router_errors.hpp"

namespace sandbox::detail {
namespace {

template <class T>
std::set<T> intersection(const std::set<T>& left, const std::set<T>& right) {
  std::set<T> both;
  std::set_intersection(left.begin(), left.end(), right.begin(), right.end(),
                        std::inserter(both, both.end()));
  return both;
}

template <class T>
std::set<T> difference(const std::set<T>& left, const std::set<T>& right) {
  std::set<T> rest;
  std::set_difference(left.begin(), left.end(), right.begin(), right.end(),
                      std::inserter(rest, rest.end()));
  return rest;
}

// An unknown rung meets no floor, not even the weakest (RT-3).
void check_floor(const std::string& backend, const std::string& kind, Isolation declared,
                 Isolation floor) {
  if (!is_known(declared) || !meets_floor(declared, floor)) {
    throw BackendNotPermitted(backend, kind, declared, floor);
  }
}

// The stricter of the two; a laxer spec changes nothing (RT-7).
Isolation effective_floor(Isolation host, const SandboxSpec& spec) {
  const Isolation asked = spec.min_isolation().value_or(host);
  return meets_floor(asked, host) ? asked : host;
}

}  // namespace

void check_host_floor(const RouterPolicy& policy, const Backend& backend) {
  check_floor(backend.name(), "", backend.declarations().isolation(), policy.floor);
}

void check_backend(const RouterPolicy& policy, const Backend& backend, const SandboxSpec& spec) {
  const std::string name = backend.name();
  const BackendDeclarations declared = backend.declarations();
  const std::string& kind = spec.kind();

  CapabilitySet denied = intersection(spec.required_capabilities(), policy.denied_capabilities);
  if (!denied.empty()) throw CapabilityDenied(name, kind, std::move(denied));

  IdentitySet identities = intersection(spec.identities(), policy.denied_identities);
  if (!identities.empty()) throw IdentityDenied(name, kind, std::move(identities));

  check_floor(name, kind, declared.isolation(), effective_floor(policy.floor, spec));

  CapabilitySet capabilities = declared.effective_capabilities();
  CapabilitySet missing = difference(spec.required_capabilities(), capabilities);
  if (!missing.empty()) {
    throw CapabilityNotSupported(name, kind, std::move(missing), std::move(capabilities));
  }

  if (spec.required_os_family()) {
    OsFamilySet families = declared.effective_os_families();
    if (!families.contains(*spec.required_os_family())) {
      throw OsFamilyNotSupported(name, kind, *spec.required_os_family(), std::move(families));
    }
  }

  const SandboxLimits limits = declared.effective_limits();
  if (!spec.files_in().within(limits.files_in())) {
    throw TransferLimitsNotPermitted(name, kind, TransferDirection::files_in, spec.files_in(),
                                     limits.files_in());
  }
  if (!spec.files_out().within(limits.files_out())) {
    throw TransferLimitsNotPermitted(name, kind, TransferDirection::files_out, spec.files_out(),
                                     limits.files_out());
  }

  EgressSet enforced = declared.effective_egress_modes();
  if (!enforced.contains(spec.egress())) {
    throw EgressNotEnforced(name, kind, spec.egress(), std::move(enforced));
  }
}

}  // namespace sandbox::detail
