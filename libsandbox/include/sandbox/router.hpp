// Chooses the backend, refuses what it cannot honour, gives out and ends sandboxes.
// SPDX-License-Identifier: MIT
#pragma once

#include <boost/asio/awaitable.hpp>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sandbox/backend.hpp"
#include "sandbox/log.hpp"

namespace sandbox {

// The host's policy. Words that come from a configuration file may be given as strings; they are
// checked when the router is made, even if there is no backend (RT-1, PIN-2).
class RouterOptions {
 public:
  RouterOptions() = default;

  // The weakest rung this host accepts. Default: microvm, so a backend of namespaces must be
  // admitted by name: min_isolation(Isolation::container) (WK-39).
  RouterOptions& min_isolation(Isolation floor);
  RouterOptions& min_isolation(std::string floor);
  // The name of the backend to use. Unset: the first one (RT-2).
  RouterOptions& selected(std::string backend_name);
  RouterOptions& deny(Capability capability);
  RouterOptions& deny_capability(std::string capability);
  RouterOptions& deny(Identity identity);
  RouterOptions& deny_identity(std::string identity);
  // Each spec goes to the first backend that passes all its checks, instead of the selected one.
  // Not together with selected().
  RouterOptions& select_per_spec();
  RouterOptions& log(LogSink sink);

 private:
  friend class Router;
  std::string min_isolation_ = "microvm";
  std::optional<std::string> selected_;
  std::vector<std::string> denied_capabilities_;
  std::vector<std::string> denied_identities_;
  bool per_spec_ = false;
  LogSink log_;
};

// How many sandboxes a scope block ended. Zero until the block has ended (RT-15).
class ScopeDisposal {
 public:
  [[nodiscard]] int disposed() const { return disposed_; }

 private:
  friend class Router;
  int disposed_ = 0;
};

// A handle: copies share one state.
//
// Thread safety: immutable after construction; methods may be called from any thread.
class Router {
 public:
  // No backend at all is legal: enabled() is false, and a host attaches no tools.
  // Errors: ConfigError-like errc::config_error for an unknown word, a duplicate backend name, a
  // null backend, or select_per_spec() with selected(); NoBackend for a selected name that is not
  // there; BackendNotPermitted when the selected backend is below the host's floor (RT-1 to RT-6).
  explicit Router(std::vector<std::shared_ptr<Backend>> backends,
                  RouterOptions options = RouterOptions());
  explicit Router(std::shared_ptr<Backend> backend, RouterOptions options = RouterOptions());

  [[nodiscard]] bool enabled() const;
  // The selected backend; null when there is none, and with select_per_spec().
  [[nodiscard]] std::shared_ptr<Backend> backend() const;

  // The checks of contract section 2.2 in their order, each with its own error (router_errors.hpp).
  // Quiet when no backend is selected (PIN-3). Cheap; logs nothing.
  void ensure_can_serve(const SandboxSpec& spec) const;

  // The same checks, then the backend's acquire. Errors: those, NoBackend, and the backend's.
  [[nodiscard]] boost::asio::awaitable<std::shared_ptr<Sandbox>> acquire(SandboxKey key,
                                                                         SandboxSpec spec) const;

  // Asks every backend, selected or not. Never throws for a backend's failure: it is logged and
  // returned (RT-13). Cancel: passes through.
  boost::asio::awaitable<std::vector<DisposalFailure>> dispose(SandboxKey key) const;
  // The sum over all backends; a failing one counts 0 and is logged (RT-14).
  boost::asio::awaitable<int> dispose_scope(std::string scope, std::string thread_id) const;

  // Runs `body`, then ends all sandboxes of the conversation however the body ended; the body's
  // error is never masked (RT-15, PIN-9). `disposal`, when given, is written at the end.
  boost::asio::awaitable<void> scope(std::string scope, std::string thread_id,
                                     std::function<boost::asio::awaitable<void>()> body,
                                     std::shared_ptr<ScopeDisposal> disposal = nullptr) const;

 private:
  struct State;
  std::shared_ptr<const State> state_;
};

// What a host calls when a conversation is deleted (RT-16).
class Purger {
 public:
  explicit Purger(Router router, LogSink log = {})
      : router_(std::move(router)), log_(std::move(log)) {}

  // How many sandboxes were ended; logged when not zero. Never fails because of a backend.
  boost::asio::awaitable<int> purge_scoped_thread(std::string scope, std::string thread_id) const;

 private:
  Router router_;
  LogSink log_;
};

}  // namespace sandbox
