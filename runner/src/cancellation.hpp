// Asio's word for a cancelled operation, turned into ours.
// SPDX-License-Identifier: MIT
#pragma once

#include <boost/asio/awaitable.hpp>
#include <boost/asio/error.hpp>
#include <utility>

#include "sandbox/error.hpp"

namespace sandbox::runner {

// The result of `work`; a cancellation is errc::cancelled, as public operations promise.
template <class T>
boost::asio::awaitable<T> with_cancellation_told(boost::asio::awaitable<T> work) {
  try {
    co_return co_await std::move(work);
  } catch (const boost::system::system_error& error) {
    if (error.code() != boost::asio::error::operation_aborted) throw;
    throw Error(errc::cancelled, "the operation was cancelled; nothing of it is left running");
  }
}

}  // namespace sandbox::runner
