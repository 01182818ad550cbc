// A backend on a thread of its own, and the question "what did this program print?".
// SPDX-License-Identifier: MIT
#pragma once

#include <gtest/gtest.h>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/use_future.hpp>
#include <memory>
#include <optional>
#include <string>
#include <thread>

#include "host_world.hpp"
#include "sandbox/error.hpp"
#include "sandbox/runner/linux_backend.hpp"

namespace sandbox::runner::testing {

// After each test the host must be as it was before.
class RunnerTest : public ::testing::Test {
 protected:
  void SetUp() override;
  void TearDown() override;

  // The default backend, made at the first use.
  LinuxBackend& backend();
  // Must come before the first use.
  BackendOptions& options() { return options_; }
  void close_backend();

  std::shared_ptr<Sandbox> sandbox(const std::string& thread_id = "thread");

  ExecResult exec(ExecRequest request);
  // `python3 -c source`.
  ExecResult python(const std::string& source);
  static ExecRequest python_request(const std::string& source);

  // Runs on the test's io_context, whose threads are not this one.
  template <class T>
  T await(boost::asio::awaitable<T> work) {
    return boost::asio::co_spawn(io_, std::move(work), boost::asio::use_future).get();
  }

  boost::asio::io_context& io() { return io_; }

 private:
  BackendOptions options_;
  std::optional<HostWorld> before_;
  boost::asio::io_context io_;
  std::optional<boost::asio::executor_work_guard<boost::asio::io_context::executor_type>> busy_;
  std::thread thread_;
  std::shared_ptr<LinuxBackend> backend_;
};

// The code of the Error that `action` throws; none when it throws nothing.
template <class Action>
std::optional<errc> error_of(Action action) {
  try {
    action();
  } catch (const Error& error) {
    return error.sandbox_code();
  }
  return std::nullopt;
}

}  // namespace sandbox::runner::testing
