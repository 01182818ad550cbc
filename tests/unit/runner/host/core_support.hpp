// The shared part of a backend with a launcher that is never asked for anything.
// SPDX-License-Identifier: MIT
#pragma once

#include <boost/asio/io_context.hpp>

#include "backend_core.hpp"

namespace sandbox::runner::test {

class CoreForTest {
 public:
  explicit CoreForTest(const BackendOptions& options, const OutsideIdentity& identity = {});
  CoreForTest(const CoreForTest&) = delete;
  CoreForTest& operator=(const CoreForTest&) = delete;
  CoreForTest(CoreForTest&&) = delete;
  CoreForTest& operator=(CoreForTest&&) = delete;
  ~CoreForTest();

  BackendCore& operator*() { return core_; }
  BackendCore* operator->() { return &core_; }

 private:
  boost::asio::io_context context_;
  BackendCore core_;
};

// The bits of all protections but those.
std::uint32_t all_but(std::uint32_t bits);

}  // namespace sandbox::runner::test
