// A stranger's program: the installed headers, archives and package files, nothing of this tree.
// SPDX-License-Identifier: MIT
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/thread_pool.hpp>
#include <boost/asio/use_future.hpp>
#include <iostream>
#include <sandbox/codeact/codeact.hpp>
#include <sandbox/runner/linux_backend.hpp>

namespace net = boost::asio;
using namespace sandbox;

int main() {
  net::thread_pool pool(1);
  const auto wait = [&pool](auto work) {
    return net::co_spawn(pool, std::move(work), net::use_future).get();
  };
  const auto backend = wait(runner::LinuxBackend::start(runner::BackendOptions()));
  const Router router(backend, RouterOptions().min_isolation(Isolation::container));
  const auto thread = [] { return std::optional<std::string>("thread"); };
  const CallerContext caller([] { return "tenant"; }, thread, codeact::no_files);
  const auto tools = codeact::make_codeact_tools(router, "agent", caller);
  const boost::json::object arguments = {{"code", "print('installed:', 6 * 7)"}};
  std::cout << wait(tools.front().invoke(arguments)).text() << '\n';
  wait(backend->close());
}
