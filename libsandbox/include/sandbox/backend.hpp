// What gives out sandboxes.
// SPDX-License-Identifier: MIT
#pragma once

#include <boost/asio/awaitable.hpp>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "sandbox/capability.hpp"
#include "sandbox/egress.hpp"
#include "sandbox/isolation.hpp"
#include "sandbox/key.hpp"
#include "sandbox/os_family.hpp"
#include "sandbox/sandbox.hpp"
#include "sandbox/spec.hpp"
#include "sandbox/transfer_limits.hpp"

namespace sandbox {

// What a backend says of itself, settled before the router asks (RT-11). What is left out is read
// as the contract says (section 2.2): no capabilities = {exec, files_in}; no limits = the default
// ceilings; no egress modes = none can be enforced, every spec is refused; no families = a spec
// that asks for one is refused.
class BackendDeclarations {
 public:
  explicit BackendDeclarations(Isolation isolation) : isolation_(isolation) {}

  BackendDeclarations& capabilities(CapabilitySet value);
  BackendDeclarations& limits(SandboxLimits value);
  BackendDeclarations& egress_modes(EgressSet value);
  BackendDeclarations& os_families(OsFamilySet value);

  [[nodiscard]] Isolation isolation() const { return isolation_; }
  // As declared, or as silence is read.
  [[nodiscard]] CapabilitySet effective_capabilities() const;
  [[nodiscard]] SandboxLimits effective_limits() const;
  [[nodiscard]] EgressSet effective_egress_modes() const;
  // Values that are no OsFamily are dropped; they cannot widen anything (RT-9).
  [[nodiscard]] OsFamilySet effective_os_families() const;

  [[nodiscard]] const std::optional<CapabilitySet>& capabilities() const { return capabilities_; }
  [[nodiscard]] const std::optional<SandboxLimits>& limits() const { return limits_; }
  [[nodiscard]] const std::optional<EgressSet>& egress_modes() const { return egress_modes_; }
  [[nodiscard]] const std::optional<OsFamilySet>& os_families() const { return os_families_; }

 private:
  Isolation isolation_;
  std::optional<CapabilitySet> capabilities_;
  std::optional<SandboxLimits> limits_;
  std::optional<EgressSet> egress_modes_;
  std::optional<OsFamilySet> os_families_;
};

// Why a disposal did not land (contract A-3). Closed set.
enum class DisposalFailureCode { unreachable, timeout, refused, unlisted, unknown };

std::string_view to_string(DisposalFailureCode code);

class DisposalFailure {
 public:
  DisposalFailure(std::string backend, DisposalFailureCode code, std::string detail)
      : backend_(std::move(backend)), code_(code), detail_(std::move(detail)) {}

  [[nodiscard]] const std::string& backend() const { return backend_; }
  [[nodiscard]] DisposalFailureCode code() const { return code_; }
  [[nodiscard]] const std::string& detail() const { return detail_; }  // for the log only

 private:
  std::string backend_;
  DisposalFailureCode code_;
  std::string detail_;
};

// Derive from this to plug in another boundary.
//
// Thread safety: methods may be called from any thread and run side by side; concurrent acquires of
// one key and kind give one sandbox (BE-2, BE-4).
class Backend {
 public:
  Backend() = default;
  Backend(const Backend&) = delete;
  Backend& operator=(const Backend&) = delete;
  Backend(Backend&&) = delete;
  Backend& operator=(Backend&&) = delete;
  virtual ~Backend();

  // A stable word for configuration and logs.
  [[nodiscard]] virtual std::string name() const = 0;
  [[nodiscard]] virtual BackendDeclarations declarations() const = 0;

  // The sandbox of (key, spec.kind): the warm one, or a new one.
  // Cancel: terminal; a half-made sandbox is taken down.
  virtual boost::asio::awaitable<std::shared_ptr<Sandbox>> acquire(SandboxKey key,
                                                                   SandboxSpec spec) = 0;

  // Ends every kind's sandbox of the key. Nothing to end is success.
  virtual boost::asio::awaitable<void> dispose(SandboxKey key) = 0;

  // Ends all sandboxes of a conversation, whatever agent made them; how many there were.
  virtual boost::asio::awaitable<int> dispose_scope(std::string scope, std::string thread_id) = 0;
};

}  // namespace sandbox
