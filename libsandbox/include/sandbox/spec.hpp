// What a kind needs of a sandbox (contract section 1.2).
// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "sandbox/capability.hpp"
#include "sandbox/egress.hpp"
#include "sandbox/information_flow.hpp"
#include "sandbox/isolation.hpp"
#include "sandbox/os_family.hpp"
#include "sandbox/outputs.hpp"
#include "sandbox/transfer_limits.hpp"

namespace sandbox {

// A value with setters; what is not set keeps the contract's default. Setters check nothing that
// depends on another field: `validate()` does, and the router calls it.
//
// Thread safety: as a plain value.
class SandboxSpec {
 public:
  // `kind` is part of a sandbox's identity, not a label.
  explicit SandboxSpec(std::string kind) : kind_(std::move(kind)) {}

  SandboxSpec& image(std::string reference);  // opaque to all but the backend
  SandboxSpec& image_id(std::string pinned);  // the backend's own id; wins over image (BE-10)
  SandboxSpec& egress(Egress mode);           // default: closed
  SandboxSpec& egress_allow(std::vector<std::string> hosts);  // needs Egress::allowlist
  SandboxSpec& work_dir(std::string path);                    // guest path, passed on as it is
  SandboxSpec& labels(std::map<std::string, std::string> labels);
  SandboxSpec& require_capabilities(CapabilitySet capabilities);  // replaces the default set
  SandboxSpec& min_isolation(Isolation floor);  // unset: no opinion, the host's floor holds
  SandboxSpec& declared_outputs(std::vector<DeclaredOutput> outputs);
  SandboxSpec& files_in(TransferLimits limits);
  SandboxSpec& files_out(TransferLimits limits);
  SandboxSpec& outputs_named_at_call_time(bool value);
  SandboxSpec& identities(IdentitySet identities);
  SandboxSpec& require_os_family(OsFamily family);

  [[nodiscard]] const std::string& kind() const { return kind_; }
  [[nodiscard]] const std::optional<std::string>& image() const { return image_; }
  [[nodiscard]] const std::optional<std::string>& image_id() const { return image_id_; }
  [[nodiscard]] Egress egress() const { return egress_; }
  [[nodiscard]] const std::vector<std::string>& egress_allow() const { return egress_allow_; }
  [[nodiscard]] const std::string& work_dir() const { return work_dir_; }
  [[nodiscard]] const std::map<std::string, std::string>& labels() const { return labels_; }
  [[nodiscard]] const CapabilitySet& required_capabilities() const { return requires_; }
  [[nodiscard]] const std::optional<Isolation>& min_isolation() const { return min_isolation_; }
  [[nodiscard]] const std::vector<DeclaredOutput>& declared_outputs() const {
    return declared_outputs_;
  }
  [[nodiscard]] const TransferLimits& files_in() const { return files_in_; }
  [[nodiscard]] const TransferLimits& files_out() const { return files_out_; }
  [[nodiscard]] bool outputs_named_at_call_time() const { return outputs_named_at_call_time_; }
  [[nodiscard]] const IdentitySet& identities() const { return identities_; }
  [[nodiscard]] const std::optional<OsFamily>& required_os_family() const {
    return requires_os_family_;
  }

  // True when some output of this spec goes to a sink.
  [[nodiscard]] bool lands_artifacts() const;

  // Errors: errc::config_error when hosts are named but the mode is not allowlist (the message
  // names both). An allowlist without hosts is legal and reaches nothing.
  void validate() const;

 private:
  std::string kind_;
  std::optional<std::string> image_;
  std::optional<std::string> image_id_;
  Egress egress_ = Egress::closed;
  std::vector<std::string> egress_allow_;
  std::string work_dir_ = "/maf-sandbox/work";
  std::map<std::string, std::string> labels_;
  CapabilitySet requires_ = default_capabilities();
  std::optional<Isolation> min_isolation_;
  std::vector<DeclaredOutput> declared_outputs_;
  TransferLimits files_in_;
  TransferLimits files_out_;
  bool outputs_named_at_call_time_ = false;
  IdentitySet identities_;
  std::optional<OsFamily> requires_os_family_;
};

}  // namespace sandbox
