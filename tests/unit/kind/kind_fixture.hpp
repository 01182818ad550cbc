// What the tests of tools and kinds share: a fake backend, a caller, a log that is kept.
// SPDX-License-Identifier: MIT
#pragma once

#include <boost/json/object.hpp>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>

#include "sandbox/caller_context.hpp"
#include "sandbox/error.hpp"
#include "sandbox/log.hpp"
#include "sandbox/router.hpp"
#include "sandbox/testing/fake_backend.hpp"

namespace sandbox::testing {

// Never in a reply, always in the log.
inline constexpr const char* kSecret = "10.11.12.13:/srv/tenant-9/key";

class KeptLog {
 public:
  [[nodiscard]] LogSink sink() const {
    return [state = state_](LogLevel, const std::string& message) {
      const std::lock_guard lock(state->mutex);
      state->text += message + "\n";
    };
  }
  [[nodiscard]] std::string text() const {
    const std::lock_guard lock(state_->mutex);
    return state_->text;
  }

 private:
  struct State {
    std::mutex mutex;
    std::string text;
  };
  std::shared_ptr<State> state_ = std::make_shared<State>();
};

inline CallerContext caller_of(std::string scope, std::optional<std::string> thread) {
  return CallerContext([scope = std::move(scope)] { return scope; },
                       [thread = std::move(thread)] { return thread; }, &list_no_files);
}

inline Router router_of(std::shared_ptr<Backend> backend) {
  RouterOptions options;
  options.min_isolation(Isolation::none);
  return Router(std::move(backend), std::move(options));
}

inline boost::json::object code_argument(const std::string& source) {
  boost::json::object arguments;
  arguments["code"] = source;
  return arguments;
}

// The code of the sandbox::Error that `action` throws; nullopt when it throws none.
template <class Action>
std::optional<errc> code_of(Action action) {
  try {
    action();
  } catch (const Error& error) {
    return error.sandbox_code();
  }
  return std::nullopt;
}

}  // namespace sandbox::testing
