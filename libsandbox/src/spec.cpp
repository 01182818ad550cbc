// What a kind needs of a sandbox: setters and the checks across fields.
// SPDX-License-Identifier: MIT
#include "sandbox/spec.hpp"

#include <algorithm>
#include <utility>

#include "format.hpp"
#include "sandbox/error.hpp"

namespace sandbox {

SandboxSpec& SandboxSpec::image(std::string reference) {
  image_ = std::move(reference);
  return *this;
}

SandboxSpec& SandboxSpec::image_id(std::string pinned) {
  image_id_ = std::move(pinned);
  return *this;
}

SandboxSpec& SandboxSpec::egress(Egress mode) {
  egress_ = mode;
  return *this;
}

SandboxSpec& SandboxSpec::egress_allow(std::vector<std::string> hosts) {
  egress_allow_ = std::move(hosts);
  return *this;
}

SandboxSpec& SandboxSpec::work_dir(std::string path) {
  work_dir_ = std::move(path);
  return *this;
}

SandboxSpec& SandboxSpec::labels(std::map<std::string, std::string> labels) {
  labels_ = std::move(labels);
  return *this;
}

SandboxSpec& SandboxSpec::require_capabilities(CapabilitySet capabilities) {
  requires_ = std::move(capabilities);
  return *this;
}

SandboxSpec& SandboxSpec::min_isolation(Isolation floor) {
  min_isolation_ = floor;
  return *this;
}

SandboxSpec& SandboxSpec::declared_outputs(std::vector<DeclaredOutput> outputs) {
  declared_outputs_ = std::move(outputs);
  return *this;
}

SandboxSpec& SandboxSpec::files_in(TransferLimits limits) {
  files_in_ = limits;
  return *this;
}

SandboxSpec& SandboxSpec::files_out(TransferLimits limits) {
  files_out_ = limits;
  return *this;
}

SandboxSpec& SandboxSpec::outputs_named_at_call_time(bool value) {
  outputs_named_at_call_time_ = value;
  return *this;
}

SandboxSpec& SandboxSpec::identities(IdentitySet identities) {
  identities_ = std::move(identities);
  return *this;
}

SandboxSpec& SandboxSpec::require_os_family(OsFamily family) {
  requires_os_family_ = family;
  return *this;
}

bool SandboxSpec::lands_artifacts() const {
  return outputs_named_at_call_time_ ||
         std::any_of(declared_outputs_.begin(), declared_outputs_.end(),
                     [](const DeclaredOutput& output) {
                       return output.disposition() == OutputDisposition::land;
                     });
}

void SandboxSpec::validate() const {
  if (!egress_allow_.empty() && egress_ != Egress::allowlist) {
    std::vector<std::string> hosts;
    hosts.reserve(egress_allow_.size());
    for (const std::string& host : egress_allow_) hosts.push_back(detail::in_quotes(host));
    throw Error(errc::config_error, "spec of kind " + detail::in_quotes(kind_) +
                                        ": egress_allow names " + detail::join_words(hosts) +
                                        " but the egress mode is " +
                                        std::string(to_string(egress_)) +
                                        "; ask for Egress::allowlist, or name no hosts");
  }
  // The one word that is compared by order: a number outside the ladder would compare as a rung.
  if (min_isolation_ && !is_known(*min_isolation_)) {
    throw Error(errc::config_error,
                "spec of kind " + detail::in_quotes(kind_) +
                    ": min_isolation is not a rung of the isolation ladder; use an enumerator");
  }
}

}  // namespace sandbox
