// Chooses the backend, refuses what it cannot honour, gives out and ends sandboxes.
// SPDX-License-Identifier: MIT
#include "sandbox/router.hpp"

#include <boost/asio/cancellation_state.hpp>
#include <boost/asio/this_coro.hpp>
#include <exception>
#include <set>
#include <utility>

#include "format.hpp"
#include "router_checks.hpp"
#include "sandbox/router_errors.hpp"

namespace sandbox {

namespace net = boost::asio;

RouterOptions& RouterOptions::min_isolation(Isolation floor) {
  min_isolation_ = std::string(to_string(floor));
  return *this;
}

RouterOptions& RouterOptions::min_isolation(std::string floor) {
  min_isolation_ = std::move(floor);
  return *this;
}

RouterOptions& RouterOptions::selected(std::string backend_name) {
  selected_ = std::move(backend_name);
  return *this;
}

RouterOptions& RouterOptions::deny(Capability capability) {
  return deny_capability(std::string(to_string(capability)));
}

RouterOptions& RouterOptions::deny_capability(std::string capability) {
  denied_capabilities_.push_back(std::move(capability));
  return *this;
}

RouterOptions& RouterOptions::deny(Identity identity) {
  return deny_identity(std::string(to_string(identity)));
}

RouterOptions& RouterOptions::deny_identity(std::string identity) {
  denied_identities_.push_back(std::move(identity));
  return *this;
}

RouterOptions& RouterOptions::select_per_spec() {
  per_spec_ = true;
  return *this;
}

RouterOptions& RouterOptions::log(LogSink sink) {
  log_ = std::move(sink);
  return *this;
}

// The operations are coroutines of the shared state, not of the handle, so a handle may go away
// while one of them runs.
struct Router::State {
  std::vector<std::shared_ptr<Backend>> backends;
  detail::RouterPolicy policy;
  std::shared_ptr<Backend> selected;
  bool per_spec = false;
  LogSink log;

  [[nodiscard]] std::shared_ptr<Backend> backend_for(const SandboxSpec& spec) const;

  static net::awaitable<std::shared_ptr<Sandbox>> acquire(std::shared_ptr<const State> self,
                                                          SandboxKey key, SandboxSpec spec);
  static net::awaitable<std::vector<DisposalFailure>> dispose(std::shared_ptr<const State> self,
                                                              SandboxKey key);
  static net::awaitable<int> dispose_scope(std::shared_ptr<const State> self, std::string scope,
                                           std::string thread_id);
  static net::awaitable<void> run_scope(std::shared_ptr<const State> self, std::string scope,
                                        std::string thread_id,
                                        std::function<net::awaitable<void>()> body,
                                        std::shared_ptr<ScopeDisposal> disposal);

 private:
  [[nodiscard]] std::shared_ptr<Backend> first_that_serves(const SandboxSpec& spec) const;
  DisposalFailure note_failure(const std::string& backend, const char* operation,
                               const std::exception& error) const;
};

namespace {

using detail::in_quotes;

std::string ladder_words() {
  std::vector<std::string> words;
  for (const Isolation rung : isolation_ladder()) words.emplace_back(to_string(rung));
  return detail::join_words(words);
}

detail::RouterPolicy checked_policy(const std::string& floor,
                                    const std::vector<std::string>& denied_capabilities,
                                    const std::vector<std::string>& denied_identities) {
  detail::RouterPolicy policy;
  const auto rung = isolation_from_string(floor);
  if (!rung) {
    throw Error(errc::config_error, "RouterOptions::min_isolation: " + in_quotes(floor) +
                                        " is not a rung; rungs, weakest first: " + ladder_words());
  }
  policy.floor = *rung;
  for (const std::string& word : denied_capabilities) {
    const auto capability = capability_from_string(word);
    if (!capability) {
      throw Error(errc::config_error, "RouterOptions::deny_capability: " + in_quotes(word) +
                                          " is not a capability; correct the deny list");
    }
    policy.denied_capabilities.insert(*capability);
  }
  for (const std::string& word : denied_identities) {
    const auto identity = identity_from_string(word);
    if (!identity) {
      throw Error(errc::config_error, "RouterOptions::deny_identity: " + in_quotes(word) +
                                          " is not an identity (app, user); correct the deny list");
    }
    policy.denied_identities.insert(*identity);
  }
  return policy;
}

void refuse_null_and_duplicates(const std::vector<std::shared_ptr<Backend>>& backends) {
  std::set<std::string> names;
  for (const std::shared_ptr<Backend>& backend : backends) {
    if (!backend) {
      throw Error(errc::config_error, "router: a backend is null; register only real ones");
    }
    const std::string name = backend->name();
    if (!names.insert(name).second) {
      throw Error(errc::config_error, "router: two backends are named " + in_quotes(name) +
                                          "; give each a name of its own");
    }
  }
}

// None registered: none selected, and a selected name is not looked up (RT-2).
std::shared_ptr<Backend> select_backend(const std::vector<std::shared_ptr<Backend>>& backends,
                                        const std::optional<std::string>& selected) {
  if (backends.empty()) return nullptr;
  if (!selected) return backends.front();
  std::vector<std::string> names;
  for (const std::shared_ptr<Backend>& backend : backends) {
    names.push_back(backend->name());
    if (names.back() == *selected) return backend;
  }
  throw NoBackend(*selected, std::move(names));
}

// The caller's own wish, which is never swallowed (RT-17): ours, or Asio's operation_aborted.
bool is_cancellation(const std::exception& error) {
  const auto* const coded = dynamic_cast<const boost::system::system_error*>(&error);
  return coded != nullptr && (coded->code() == condition::cancelled ||
                              coded->code() == boost::system::errc::operation_canceled);
}

DisposalFailureCode failure_code(const std::exception& error) {
  const auto* const coded = dynamic_cast<const boost::system::system_error*>(&error);
  if (coded == nullptr) return DisposalFailureCode::unknown;
  const boost::system::error_code code = coded->code();
  if (code == boost::system::errc::timed_out) return DisposalFailureCode::timeout;
  if (code == condition::unavailable) return DisposalFailureCode::unreachable;
  if (code == condition::denied || code == condition::unsupported) {
    return DisposalFailureCode::refused;
  }
  return DisposalFailureCode::unknown;
}

net::awaitable<int> purge(Router router, LogSink log, std::string scope, std::string thread_id) {
  const int ended = co_await router.dispose_scope(scope, thread_id);
  if (ended != 0) {
    write_log(log, LogLevel::info,
              "purge of scope " + in_quotes(scope) + ", thread " + in_quotes(thread_id) +
                  ": ended " + std::to_string(ended) + (ended == 1 ? " sandbox" : " sandboxes"));
  }
  co_return ended;
}

}  // namespace

std::shared_ptr<Backend> Router::State::first_that_serves(const SandboxSpec& spec) const {
  std::exception_ptr first;
  std::vector<std::string> others;
  for (const std::shared_ptr<Backend>& backend : backends) {
    try {
      detail::check_backend(policy, *backend, spec);
      return backend;
    } catch (const RouterRefusal& refusal) {
      if (first) {
        others.emplace_back(refusal.what());
      } else {
        first = std::current_exception();
      }
    }
  }
  if (!first) return nullptr;
  try {
    std::rethrow_exception(first);
  } catch (RouterRefusal& refusal) {
    for (const std::string& reason : others) refusal.add_reason(reason);
    throw;
  }
}

// Null when there is no backend to choose from.
std::shared_ptr<Backend> Router::State::backend_for(const SandboxSpec& spec) const {
  if (backends.empty()) return nullptr;
  spec.validate();
  if (per_spec) return first_that_serves(spec);
  detail::check_backend(policy, *selected, spec);
  return selected;
}

net::awaitable<std::shared_ptr<Sandbox>> Router::State::acquire(std::shared_ptr<const State> self,
                                                                SandboxKey key, SandboxSpec spec) {
  const std::shared_ptr<Backend> backend = self->backend_for(spec);
  if (!backend) throw NoBackend();
  co_return co_await backend->acquire(std::move(key), std::move(spec));
}

DisposalFailure Router::State::note_failure(const std::string& backend, const char* operation,
                                            const std::exception& error) const {
  std::string detail = error.what();
  if (const auto* const ours = dynamic_cast<const Error*>(&error)) {
    if (!ours->host_detail().empty()) detail += " (" + ours->host_detail() + ")";
  }
  write_log(log, LogLevel::warning,
            std::string(operation) + ": backend " + in_quotes(backend) + " failed: " + detail);
  return {backend, failure_code(error), std::move(detail)};
}

net::awaitable<std::vector<DisposalFailure>> Router::State::dispose(
    std::shared_ptr<const State> self, SandboxKey key) {
  std::vector<DisposalFailure> failures;
  for (const std::shared_ptr<Backend>& backend : self->backends) {
    try {
      co_await backend->dispose(key);
    } catch (const std::exception& error) {
      if (is_cancellation(error)) throw;
      failures.push_back(self->note_failure(backend->name(), "dispose", error));
    }
  }
  co_return failures;
}

net::awaitable<int> Router::State::dispose_scope(std::shared_ptr<const State> self,
                                                 std::string scope, std::string thread_id) {
  int ended = 0;
  for (const std::shared_ptr<Backend>& backend : self->backends) {
    try {
      const int count = co_await backend->dispose_scope(scope, thread_id);
      ended += count;
    } catch (const std::exception& error) {
      if (is_cancellation(error)) throw;
      self->note_failure(backend->name(), "dispose_scope", error);
    }
  }
  co_return ended;
}

net::awaitable<void> Router::State::run_scope(std::shared_ptr<const State> self, std::string scope,
                                              std::string thread_id,
                                              std::function<net::awaitable<void>()> body,
                                              std::shared_ptr<ScopeDisposal> disposal) {
  std::exception_ptr body_error;
  try {
    co_await body();
  } catch (...) {
    body_error = std::current_exception();
  }
  // After a cancel every further await would fail at once, and nothing would be ended.
  const net::cancellation_state cancellation = co_await net::this_coro::cancellation_state;
  if (cancellation.cancelled() != net::cancellation_type::none) {
    co_await net::this_coro::reset_cancellation_state();
  }
  std::exception_ptr disposal_error;
  int ended = 0;
  try {
    ended = co_await dispose_scope(self, std::move(scope), std::move(thread_id));
  } catch (...) {
    disposal_error = std::current_exception();
  }
  if (disposal) disposal->disposed_ = ended;
  if (body_error) std::rethrow_exception(body_error);
  if (disposal_error) std::rethrow_exception(disposal_error);
}

Router::Router(std::vector<std::shared_ptr<Backend>> backends, RouterOptions options) {
  auto state = std::make_shared<State>();
  // First of all and whatever is registered: a typo must not pass for protection (RT-1).
  state->policy = checked_policy(options.min_isolation_, options.denied_capabilities_,
                                 options.denied_identities_);
  if (options.per_spec_ && options.selected_) {
    throw Error(errc::config_error, "router: select_per_spec() and selected(" +
                                        in_quotes(*options.selected_) +
                                        ") contradict each other; use one of them");
  }
  refuse_null_and_duplicates(backends);
  state->per_spec = options.per_spec_;
  if (!state->per_spec) state->selected = select_backend(backends, options.selected_);
  // A weak backend that is not selected does not spoil a good selection (RT-3).
  if (state->selected) detail::check_host_floor(state->policy, *state->selected);
  state->backends = std::move(backends);
  state->log = std::move(options.log_);
  state_ = std::move(state);
}

Router::Router(std::shared_ptr<Backend> backend, RouterOptions options)
    : Router(std::vector<std::shared_ptr<Backend>>{std::move(backend)}, std::move(options)) {}

bool Router::enabled() const { return !state_->backends.empty(); }

std::shared_ptr<Backend> Router::backend() const { return state_->selected; }

void Router::ensure_can_serve(const SandboxSpec& spec) const {
  static_cast<void>(state_->backend_for(spec));
}

net::awaitable<std::shared_ptr<Sandbox>> Router::acquire(SandboxKey key, SandboxSpec spec) const {
  return State::acquire(state_, std::move(key), std::move(spec));
}

net::awaitable<std::vector<DisposalFailure>> Router::dispose(SandboxKey key) const {
  return State::dispose(state_, std::move(key));
}

net::awaitable<int> Router::dispose_scope(std::string scope, std::string thread_id) const {
  return State::dispose_scope(state_, std::move(scope), std::move(thread_id));
}

net::awaitable<void> Router::scope(std::string scope, std::string thread_id,
                                   std::function<net::awaitable<void>()> body,
                                   std::shared_ptr<ScopeDisposal> disposal) const {
  return State::run_scope(state_, std::move(scope), std::move(thread_id), std::move(body),
                          std::move(disposal));
}

net::awaitable<int> Purger::purge_scoped_thread(std::string scope, std::string thread_id) const {
  return purge(router_, log_, std::move(scope), std::move(thread_id));
}

}  // namespace sandbox
