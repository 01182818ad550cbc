// Runs an awaitable to its end on an io_context of its own.
// SPDX-License-Identifier: MIT
#pragma once

#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <exception>
#include <optional>
#include <stdexcept>
#include <type_traits>
#include <utility>
#include <variant>

namespace sandbox::testing {

// The awaitable's value; what it throws is thrown here. An awaitable that waits for something that
// nobody will do is an error, not a hang. The value needs no default constructor.
template <class T>
T run_awaitable(boost::asio::awaitable<T> work) {
  using Stored = std::conditional_t<std::is_void_v<T>, std::monostate, T>;
  boost::asio::io_context io;
  std::optional<Stored> value;
  std::exception_ptr error;
  boost::asio::co_spawn(
      io,
      [&]() -> boost::asio::awaitable<void> {
        if constexpr (std::is_void_v<T>) {
          co_await std::move(work);
          value.emplace();
        } else {
          T result = co_await std::move(work);
          value.emplace(std::move(result));
        }
      },
      [&](std::exception_ptr e) { error = e; });
  io.run();
  if (error) std::rethrow_exception(error);
  if (!value) throw std::logic_error("run_awaitable: the awaitable never ended");
  if constexpr (!std::is_void_v<T>) return std::move(*value);
}

}  // namespace sandbox::testing
