// The router's refusals: their texts.
// SPDX-License-Identifier: MIT
#include "sandbox/router_errors.hpp"

#include <algorithm>
#include <utility>

#include "format.hpp"

namespace sandbox {
namespace {

using detail::in_quotes;
using detail::join_sorted;

// `backend "docker" cannot serve kind "codeact"`, or without the kind at construction.
std::string refused(const std::string& backend, const std::string& kind) {
  std::string text = "backend " + in_quotes(backend);
  text += kind.empty() ? " is refused" : " is refused for kind " + in_quotes(kind);
  return text + ": ";
}

std::string ladder() {
  std::vector<std::string> rungs;
  for (const Isolation rung : isolation_ladder()) rungs.emplace_back(to_string(rung));
  return detail::join_words(rungs);
}

std::string floor_text(Isolation declared, Isolation floor) {
  const std::string rung =
      is_known(declared)
          ? "its isolation " + std::string(to_string(declared)) + " is below the floor "
          : "its isolation is not a rung, so it cannot meet the floor ";
  return rung + std::string(to_string(floor)) + " (rungs, weakest first: " + ladder() +
         "); use a stronger backend, or lower the floor: RouterOptions::min_isolation for the "
         "host, SandboxSpec::min_isolation for the spec";
}

std::string caps_text(const TransferLimits& limits) {
  return detail::format_bytes(limits.max_bytes_per_file()) + " a file, " +
         detail::format_bytes(limits.max_total_bytes()) + " in all, " +
         std::to_string(limits.max_files()) + " files";
}

std::string transfer_text(TransferDirection direction, const TransferLimits& asked,
                          const TransferLimits& ceiling) {
  const std::string name = direction == TransferDirection::files_in ? "files_in" : "files_out";
  return "the spec's " + name + " asks for " + caps_text(asked) + ", the ceiling is " +
         caps_text(ceiling) + "; lower SandboxSpec::" + name +
         " or use a backend with higher ceilings";
}

std::string no_backend_text(const std::string& selected, const std::vector<std::string>& sorted) {
  std::vector<std::string> names;
  names.reserve(sorted.size());
  for (const std::string& name : sorted) names.push_back(in_quotes(name));
  return "router: the selected backend " + in_quotes(selected) +
         " is not registered; registered: " + detail::join_words(names) +
         "; correct RouterOptions::selected or register it";
}

std::vector<std::string> sorted_names(std::vector<std::string> names) {
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace

NoBackend::NoBackend()
    : Error(errc::no_sandbox_backend,
            "router: no sandbox backend is configured; give one to the Router's constructor") {}

NoBackend::NoBackend(std::string selected, std::vector<std::string> registered)
    : Error(errc::no_sandbox_backend, no_backend_text(selected, sorted_names(registered))),
      selected_(std::move(selected)),
      registered_(sorted_names(std::move(registered))) {}

RouterRefusal::RouterRefusal(errc code, std::string what, std::string backend, std::string kind)
    : Error(code, what),
      full_what_(std::move(what)),
      backend_(std::move(backend)),
      kind_(std::move(kind)) {}

RouterRefusal& RouterRefusal::add_reason(const std::string& reason) {
  full_what_ += "\nalso: " + reason;
  return *this;
}

BackendNotPermitted::BackendNotPermitted(std::string backend, std::string kind, Isolation declared,
                                         Isolation floor)
    : RouterRefusal(errc::backend_not_permitted,
                    refused(backend, kind) + floor_text(declared, floor), backend, kind),
      declared_(declared),
      floor_(floor) {}

CapabilityDenied::CapabilityDenied(std::string backend, std::string kind, CapabilitySet denied)
    : RouterRefusal(errc::capability_denied,
                    refused(backend, kind) + "this host denies the capabilities " +
                        join_sorted(denied) +
                        "; do not require them, or take them from the host's list "
                        "(RouterOptions::deny_capability)",
                    backend, kind),
      denied_(std::move(denied)) {}

IdentityDenied::IdentityDenied(std::string backend, std::string kind, IdentitySet denied)
    : RouterRefusal(errc::identity_denied,
                    refused(backend, kind) + "this host denies the identities " +
                        join_sorted(denied) +
                        "; do not register tools that act with them, or take them from the host's "
                        "list (RouterOptions::deny_identity)",
                    backend, kind),
      denied_(std::move(denied)) {}

CapabilityNotSupported::CapabilityNotSupported(std::string backend, std::string kind,
                                               CapabilitySet missing, CapabilitySet declared)
    : RouterRefusal(errc::capability_not_supported,
                    refused(backend, kind) + "it lacks the capabilities " + join_sorted(missing) +
                        "; it declares " + join_sorted(declared) +
                        "; use a backend that has them, or do not require them",
                    backend, kind),
      missing_(std::move(missing)),
      declared_(std::move(declared)) {}

OsFamilyNotSupported::OsFamilyNotSupported(std::string backend, std::string kind, OsFamily asked,
                                           OsFamilySet declared)
    : RouterRefusal(errc::os_family_not_supported,
                    refused(backend, kind) + "the spec asks for a guest of family " +
                        std::string(to_string(asked)) + "; it declares " + join_sorted(declared) +
                        "; use a backend that declares the family",
                    backend, kind),
      asked_(asked),
      declared_(std::move(declared)) {}

TransferLimitsNotPermitted::TransferLimitsNotPermitted(std::string backend, std::string kind,
                                                       TransferDirection direction,
                                                       TransferLimits asked, TransferLimits ceiling)
    : RouterRefusal(errc::transfer_limits_not_permitted,
                    refused(backend, kind) + transfer_text(direction, asked, ceiling), backend,
                    kind),
      direction_(direction),
      asked_(asked),
      ceiling_(ceiling) {}

EgressNotEnforced::EgressNotEnforced(std::string backend, std::string kind, Egress asked,
                                     EgressSet enforced)
    : RouterRefusal(errc::egress_not_enforced,
                    refused(backend, kind) + "the spec asks for egress " +
                        std::string(to_string(asked)) + "; it can enforce " +
                        join_sorted(enforced) +
                        "; ask for a mode that it enforces, or use another backend",
                    backend, kind),
      asked_(asked),
      enforced_(std::move(enforced)) {}

}  // namespace sandbox
