// The router's refusals, each a type of its own with the facts (contract sections 1.3 and 2.2).
// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sandbox/capability.hpp"
#include "sandbox/egress.hpp"
#include "sandbox/error.hpp"
#include "sandbox/information_flow.hpp"
#include "sandbox/isolation.hpp"
#include "sandbox/os_family.hpp"
#include "sandbox/transfer_limits.hpp"

namespace sandbox {

// Contract: NoSandboxBackend. None is configured, or the selected name is not registered.
class NoBackend : public Error {
 public:
  NoBackend();
  NoBackend(std::string selected, std::vector<std::string> registered);

  [[nodiscard]] const std::optional<std::string>& selected() const { return selected_; }
  [[nodiscard]] const std::vector<std::string>& registered() const {
    return registered_;
  }  // sorted

 private:
  std::optional<std::string> selected_;
  std::vector<std::string> registered_;
};

// A refusal that is about one backend and one spec. `kind` is empty for the check at construction.
class RouterRefusal : public Error {
 public:
  RouterRefusal(errc code, std::string what, std::string backend, std::string kind);

  [[nodiscard]] const char* what() const noexcept override { return full_what_.c_str(); }
  [[nodiscard]] const std::string& backend() const { return backend_; }
  [[nodiscard]] const std::string& kind() const { return kind_; }

  // Appends another backend's reason to what(): with select_per_spec() one refusal speaks for all.
  RouterRefusal& add_reason(const std::string& reason);

 private:
  std::string full_what_;
  std::string backend_;
  std::string kind_;
};

// Contract: SandboxBackendNotPermitted. The message holds the whole ladder, weakest first.
class BackendNotPermitted : public RouterRefusal {
 public:
  BackendNotPermitted(std::string backend, std::string kind, Isolation declared, Isolation floor);

  [[nodiscard]] Isolation declared() const { return declared_; }  // may be no rung at all
  [[nodiscard]] Isolation floor() const { return floor_; }

 private:
  Isolation declared_;
  Isolation floor_;
};

// Contract: SandboxCapabilityDenied.
class CapabilityDenied : public RouterRefusal {
 public:
  CapabilityDenied(std::string backend, std::string kind, CapabilitySet denied);
  [[nodiscard]] const CapabilitySet& denied() const { return denied_; }

 private:
  CapabilitySet denied_;
};

// Contract: SandboxIdentityDenied.
class IdentityDenied : public RouterRefusal {
 public:
  IdentityDenied(std::string backend, std::string kind, IdentitySet denied);
  [[nodiscard]] const IdentitySet& denied() const { return denied_; }

 private:
  IdentitySet denied_;
};

// Contract: SandboxCapabilityNotSupported.
class CapabilityNotSupported : public RouterRefusal {
 public:
  CapabilityNotSupported(std::string backend, std::string kind, CapabilitySet missing,
                         CapabilitySet declared);
  [[nodiscard]] const CapabilitySet& missing() const { return missing_; }
  [[nodiscard]] const CapabilitySet& declared() const { return declared_; }

 private:
  CapabilitySet missing_;
  CapabilitySet declared_;
};

// Contract: SandboxOsFamilyNotSupported.
class OsFamilyNotSupported : public RouterRefusal {
 public:
  OsFamilyNotSupported(std::string backend, std::string kind, OsFamily asked, OsFamilySet declared);
  [[nodiscard]] OsFamily asked() const { return asked_; }
  [[nodiscard]] const OsFamilySet& declared() const { return declared_; }

 private:
  OsFamily asked_;
  OsFamilySet declared_;
};

enum class TransferDirection { files_in, files_out };

// Contract: SandboxTransferLimitsNotPermitted.
class TransferLimitsNotPermitted : public RouterRefusal {
 public:
  TransferLimitsNotPermitted(std::string backend, std::string kind, TransferDirection direction,
                             TransferLimits asked, TransferLimits ceiling);
  [[nodiscard]] TransferDirection direction() const { return direction_; }
  [[nodiscard]] const TransferLimits& asked() const { return asked_; }
  [[nodiscard]] const TransferLimits& ceiling() const { return ceiling_; }

 private:
  TransferDirection direction_;
  TransferLimits asked_;
  TransferLimits ceiling_;
};

// Contract: SandboxEgressNotEnforced.
class EgressNotEnforced : public RouterRefusal {
 public:
  EgressNotEnforced(std::string backend, std::string kind, Egress asked, EgressSet enforced);
  [[nodiscard]] Egress asked() const { return asked_; }
  [[nodiscard]] const EgressSet& enforced() const { return enforced_; }

 private:
  Egress asked_;
  EgressSet enforced_;
};

}  // namespace sandbox
