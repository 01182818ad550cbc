// SPDX-License-Identifier: MIT
#include "core_support.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/use_future.hpp>

namespace net = boost::asio;

namespace sandbox::runner::test {

CoreForTest::CoreForTest(const BackendOptions& options, const OutsideIdentity& identity)
    : core_(context_.get_executor(), options, LauncherClient::start(),
            compile_profile(options.profile(), builtin_profile(options.profile()), native_arch()),
            identity) {}

CoreForTest::~CoreForTest() {
  auto closed = net::co_spawn(context_, core_.launcher.close(), net::use_future);
  context_.run();
  closed.wait();
}

std::uint32_t all_but(std::uint32_t bits) { return ((1U << kAllProtections.size()) - 1) & ~bits; }

}  // namespace sandbox::runner::test
