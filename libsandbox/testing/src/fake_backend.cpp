// A backend inside the test's own process.
// SPDX-License-Identifier: MIT
#include "sandbox/testing/fake_backend.hpp"

namespace sandbox::testing {

namespace net = boost::asio;

FakeBackendOptions& FakeBackendOptions::name(std::string value) {
  name_ = std::move(value);
  return *this;
}

FakeBackendOptions& FakeBackendOptions::isolation(Isolation value) {
  isolation_ = value;
  return *this;
}

FakeBackendOptions& FakeBackendOptions::capabilities(std::optional<CapabilitySet> value) {
  capabilities_ = std::move(value);
  return *this;
}

FakeBackendOptions& FakeBackendOptions::limits(std::optional<SandboxLimits> value) {
  limits_ = value;
  return *this;
}

FakeBackendOptions& FakeBackendOptions::egress_modes(std::optional<EgressSet> value) {
  egress_modes_ = std::move(value);
  return *this;
}

FakeBackendOptions& FakeBackendOptions::os_families(std::optional<OsFamilySet> value) {
  os_families_ = std::move(value);
  return *this;
}

FakeBackendOptions& FakeBackendOptions::separate_sandboxes() {
  separate_sandboxes_ = true;
  return *this;
}

FakeBackend::FakeBackend(FakeBackendOptions options)
    : options_(std::move(options)), shared_(std::make_shared<FakeSandbox>()) {}

std::shared_ptr<FakeSandbox> FakeBackend::sandbox_of(const SandboxKey& key,
                                                     const std::string& kind) const {
  const std::lock_guard lock(mutex_);
  const auto found = live_.find(Identity(key, kind));
  return found == live_.end() ? nullptr : found->second;
}

void FakeBackend::fail(FakeBackendOperation operation, std::exception_ptr error) {
  const std::lock_guard lock(mutex_);
  failures_[operation] = std::move(error);
}

std::vector<SandboxKey> FakeBackend::acquired_keys() const {
  const std::lock_guard lock(mutex_);
  return acquired_keys_;
}

std::vector<SandboxSpec> FakeBackend::acquired_specs() const {
  const std::lock_guard lock(mutex_);
  return acquired_specs_;
}

std::vector<SandboxKey> FakeBackend::disposals() const {
  const std::lock_guard lock(mutex_);
  return disposals_;
}

std::vector<std::pair<std::string, std::string>> FakeBackend::purges() const {
  const std::lock_guard lock(mutex_);
  return purges_;
}

std::string FakeBackend::name() const { return options_.name_; }

BackendDeclarations FakeBackend::declarations() const {
  BackendDeclarations declared(options_.isolation_);
  if (options_.capabilities_) declared.capabilities(*options_.capabilities_);
  if (options_.limits_) declared.limits(*options_.limits_);
  if (options_.egress_modes_) declared.egress_modes(*options_.egress_modes_);
  if (options_.os_families_) declared.os_families(*options_.os_families_);
  return declared;
}

// REQUIRES: mutex_ is held.
void FakeBackend::throw_if_failing(FakeBackendOperation operation) const {
  const auto found = failures_.find(operation);
  if (found != failures_.end() && found->second) std::rethrow_exception(found->second);
}

// REQUIRES: mutex_ is held.
template <class Predicate>
int FakeBackend::end_live(Predicate matches) {
  int ended = 0;
  for (auto next = live_.begin(); next != live_.end();) {
    if (!matches(next->first.first)) {
      ++next;
      continue;
    }
    if (next->second != shared_) next->second->mark_disposed();
    next = live_.erase(next);
    ++ended;
  }
  return ended;
}

net::awaitable<std::shared_ptr<Sandbox>> FakeBackend::acquire(SandboxKey key, SandboxSpec spec) {
  const std::lock_guard lock(mutex_);
  acquired_keys_.push_back(key);
  acquired_specs_.push_back(spec);
  throw_if_failing(FakeBackendOperation::acquire);
  std::shared_ptr<FakeSandbox>& sandbox = live_[Identity(std::move(key), spec.kind())];
  if (!sandbox) {
    sandbox = options_.separate_sandboxes_ ? std::make_shared<FakeSandbox>() : shared_;
  }
  sandbox->set_work_directory(spec.work_dir());
  co_return sandbox;
}

net::awaitable<void> FakeBackend::dispose(SandboxKey key) {
  const std::lock_guard lock(mutex_);
  disposals_.push_back(key);
  throw_if_failing(FakeBackendOperation::dispose);
  end_live([&key](const SandboxKey& candidate) { return candidate == key; });
  co_return;
}

net::awaitable<int> FakeBackend::dispose_scope(std::string scope, std::string thread_id) {
  const std::lock_guard lock(mutex_);
  purges_.emplace_back(scope, thread_id);
  throw_if_failing(FakeBackendOperation::dispose_scope);
  co_return end_live([&scope, &thread_id](const SandboxKey& candidate) {
    return candidate.scope() == scope && candidate.thread_id() == thread_id;
  });
}

}  // namespace sandbox::testing
