// A backend inside the test's own process, so that kinds and hosts can be tested offline (SB-40).
// SPDX-License-Identifier: MIT
#pragma once

#include <boost/asio/awaitable.hpp>
#include <exception>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sandbox/backend.hpp"
#include "sandbox/testing/fake_sandbox.hpp"

namespace sandbox::testing {

// What the fake says of itself. Default: name "fake", rung none, egress {allowlist, closed}, no
// word on capabilities, limits and families.
class FakeBackendOptions {
 public:
  FakeBackendOptions() = default;

  FakeBackendOptions& name(std::string value);
  FakeBackendOptions& isolation(Isolation value);
  // nullopt: silent, which is read as the contract says.
  FakeBackendOptions& capabilities(std::optional<CapabilitySet> value);
  FakeBackendOptions& limits(std::optional<SandboxLimits> value);
  FakeBackendOptions& egress_modes(std::optional<EgressSet> value);
  FakeBackendOptions& os_families(std::optional<OsFamilySet> value);
  // A sandbox of its own for each key and kind, instead of one for all.
  FakeBackendOptions& separate_sandboxes();

 private:
  friend class FakeBackend;
  std::string name_ = "fake";
  Isolation isolation_ = Isolation::none;
  std::optional<CapabilitySet> capabilities_;
  std::optional<SandboxLimits> limits_;
  std::optional<EgressSet> egress_modes_ = EgressSet{Egress::allowlist, Egress::closed};
  std::optional<OsFamilySet> os_families_;
  bool separate_sandboxes_ = false;
};

enum class FakeBackendOperation { acquire, dispose, dispose_scope };

// One sandbox answers for every key by default: a simplification. With separate_sandboxes() a
// disposal ends the sandboxes of the key; with the shared one it is only recorded and counted.
//
// Thread safety: all methods may be called from any thread; what is asked back is a copy.
class FakeBackend final : public Backend {
 public:
  explicit FakeBackend(FakeBackendOptions options = FakeBackendOptions());

  // The shared sandbox; seed and script it before or after an acquire.
  [[nodiscard]] FakeSandbox& sandbox() { return *shared_; }
  [[nodiscard]] std::shared_ptr<FakeSandbox> shared_sandbox() const { return shared_; }
  // The sandbox that was given out for this key and kind and is not disposed, or null.
  [[nodiscard]] std::shared_ptr<FakeSandbox> sandbox_of(const SandboxKey& key,
                                                        const std::string& kind) const;

  // The operation is recorded, then fails with this error; a null pointer ends that.
  void fail(FakeBackendOperation operation, std::exception_ptr error);
  template <class E>
  void fail_with(FakeBackendOperation operation, E error) {
    fail(operation, std::make_exception_ptr(std::move(error)));
  }

  [[nodiscard]] std::vector<SandboxKey> acquired_keys() const;
  [[nodiscard]] std::vector<SandboxSpec> acquired_specs() const;
  [[nodiscard]] std::vector<SandboxKey> disposals() const;
  // (scope, thread_id) of each dispose_scope.
  [[nodiscard]] std::vector<std::pair<std::string, std::string>> purges() const;

  [[nodiscard]] std::string name() const override;
  [[nodiscard]] BackendDeclarations declarations() const override;
  boost::asio::awaitable<std::shared_ptr<Sandbox>> acquire(SandboxKey key,
                                                           SandboxSpec spec) override;
  boost::asio::awaitable<void> dispose(SandboxKey key) override;
  boost::asio::awaitable<int> dispose_scope(std::string scope, std::string thread_id) override;

 private:
  using Identity = std::pair<SandboxKey, std::string>;  // key and kind (BE-2)

  void throw_if_failing(FakeBackendOperation operation) const;
  // Takes the sandboxes for which `matches` is true out of live_, ends those that are not shared.
  template <class Predicate>
  int end_live(Predicate matches);

  const FakeBackendOptions options_;
  const std::shared_ptr<FakeSandbox> shared_;
  mutable std::mutex mutex_;
  std::map<Identity, std::shared_ptr<FakeSandbox>> live_;
  std::map<FakeBackendOperation, std::exception_ptr> failures_;
  std::vector<SandboxKey> acquired_keys_;
  std::vector<SandboxSpec> acquired_specs_;
  std::vector<SandboxKey> disposals_;
  std::vector<std::pair<std::string, std::string>> purges_;
};

}  // namespace sandbox::testing
