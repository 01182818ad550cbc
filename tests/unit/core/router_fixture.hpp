// What the router tests share: backends by name, specs, and the text of a refusal.
// SPDX-License-Identifier: MIT
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "run_awaitable.hpp"
#include "sandbox/router.hpp"
#include "sandbox/router_errors.hpp"
#include "sandbox/testing/fake_backend.hpp"

namespace sandbox {

using testing::FakeBackend;
using testing::FakeBackendOperation;
using testing::FakeBackendOptions;
using testing::run_awaitable;

inline std::shared_ptr<FakeBackend> fake(FakeBackendOptions options) {
  return std::make_shared<FakeBackend>(std::move(options));
}

inline FakeBackendOptions named(std::string name, Isolation rung = Isolation::container) {
  return FakeBackendOptions().name(std::move(name)).isolation(rung);
}

inline RouterOptions at_container() { return RouterOptions().min_isolation(Isolation::container); }

inline SandboxKey key_of(const std::string& thread) { return {"tenant", thread, "agent"}; }

// Keeps every record.
class Records {
 public:
  [[nodiscard]] LogSink sink() {
    return [this](LogLevel level, const std::string& message) {
      lines_.push_back(std::string(to_string(level)) + ": " + message);
    };
  }
  [[nodiscard]] const std::vector<std::string>& lines() const { return lines_; }

 private:
  std::vector<std::string> lines_;
};

// The error of type E that `action` throws, as a copy; a failure of the test when it throws none.
template <class E, class Action>
E refusal_of(Action action) {
  try {
    action();
  } catch (const E& error) {
    return error;
  }
  throw std::logic_error("nothing was refused");
}

}  // namespace sandbox
