// A backend's declarations and how their silence is read.
// SPDX-License-Identifier: MIT
#include "sandbox/backend.hpp"

#include <utility>

#include "words.hpp"

namespace sandbox {
namespace {

constexpr detail::WordTable<DisposalFailureCode, 5> kFailureWords{{
    {DisposalFailureCode::unreachable, "unreachable"},
    {DisposalFailureCode::timeout, "timeout"},
    {DisposalFailureCode::refused, "refused"},
    {DisposalFailureCode::unlisted, "unlisted"},
    {DisposalFailureCode::unknown, "unknown"},
}};

}  // namespace

BackendDeclarations& BackendDeclarations::capabilities(CapabilitySet value) {
  capabilities_ = std::move(value);
  return *this;
}

BackendDeclarations& BackendDeclarations::limits(SandboxLimits value) {
  limits_ = value;
  return *this;
}

BackendDeclarations& BackendDeclarations::egress_modes(EgressSet value) {
  egress_modes_ = std::move(value);
  return *this;
}

BackendDeclarations& BackendDeclarations::os_families(OsFamilySet value) {
  os_families_ = std::move(value);
  return *this;
}

CapabilitySet BackendDeclarations::effective_capabilities() const {
  return capabilities_.value_or(default_capabilities());
}

SandboxLimits BackendDeclarations::effective_limits() const {
  return limits_.value_or(SandboxLimits());
}

EgressSet BackendDeclarations::effective_egress_modes() const {
  return egress_modes_.value_or(EgressSet());
}

OsFamilySet BackendDeclarations::effective_os_families() const {
  OsFamilySet families = os_families_.value_or(OsFamilySet());
  std::erase_if(families, [](OsFamily family) { return !is_known(family); });
  return families;
}

std::string_view to_string(DisposalFailureCode code) {
  return detail::word_of(kFailureWords, code);
}

Backend::~Backend() = default;

}  // namespace sandbox
