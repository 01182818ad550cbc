// A host without coroutines: a plain function that waits for a future.
// SPDX-License-Identifier: MIT
#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/thread_pool.hpp>
#include <boost/asio/use_future.hpp>
#include <exception>
#include <iostream>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sandbox/codeact/codeact.hpp"
#include "sandbox/runner/linux_backend.hpp"

namespace net = boost::asio;
using namespace sandbox;

namespace {

// The library's operations start when they are spawned; use_future turns any of them into a
// std::future, as every other completion token turns them into something else.
int run_host(net::thread_pool& pool) {
  const std::shared_ptr<runner::LinuxBackend> backend =
      net::co_spawn(pool, runner::LinuxBackend::start(runner::BackendOptions()), net::use_future)
          .get();
  const Router router(backend, RouterOptions().min_isolation(Isolation::container));
  const CallerContext caller([] { return std::string("tenant-7"); },
                             [] { return std::optional<std::string>("thread-42"); },
                             codeact::no_files);
  const std::vector<Tool> tools = codeact::make_codeact_tools(router, "data-analyst", caller);

  const boost::json::object arguments = {{"code", "print(sum(range(10)))"}};
  const ToolReply reply =
      net::co_spawn(pool, tools.front().invoke(arguments), net::use_future).get();
  std::cout << reply.text() << '\n';  // stdout:\n45

  net::co_spawn(pool, backend->close(), net::use_future).get();
  return reply.is_error() ? 1 : 0;
}

}  // namespace

int main() {
  net::thread_pool pool(1);
  try {
    const int code = run_host(pool);
    pool.join();
    return code;
  } catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
    return 1;
  }
}
