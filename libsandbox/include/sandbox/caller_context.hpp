// Who is calling, asked at each call.
// SPDX-License-Identifier: MIT
#pragma once

#include <boost/asio/awaitable.hpp>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace sandbox {

// Three callables, read at call time and never captured as values (contract section 1.2). Building
// one calls none of them. There is no form that takes plain values: a host that serves many
// conversations would freeze the first.
class CallerContext {
 public:
  using CurrentScope = std::function<std::string()>;
  using CurrentThreadId = std::function<std::optional<std::string>()>;
  using ListFiles =
      std::function<boost::asio::awaitable<std::vector<std::string>>(std::string store)>;

  // Errors: errc::config_error for an empty function.
  CallerContext(CurrentScope scope, CurrentThreadId thread_id, ListFiles list_files);

  [[nodiscard]] std::string current_scope() const { return scope_(); }
  // nullopt: no conversation is active.
  [[nodiscard]] std::optional<std::string> current_thread_id() const { return thread_id_(); }
  [[nodiscard]] boost::asio::awaitable<std::vector<std::string>> list_files(
      std::string store) const {
    return list_files_(std::move(store));
  }

 private:
  CurrentScope scope_;
  CurrentThreadId thread_id_;
  ListFiles list_files_;
};

// The explicit "no file channel" (TB-13).
boost::asio::awaitable<std::vector<std::string>> list_no_files(std::string store);

}  // namespace sandbox
