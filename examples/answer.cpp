// The smallest whole host: one tool, one program of a model, one answer.
// SPDX-License-Identifier: MIT
#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <exception>
#include <iostream>

#include "sandbox/codeact/codeact.hpp"
#include "sandbox/runner/linux_backend.hpp"

namespace net = boost::asio;
using namespace sandbox;

// Asked at each call, so that one tool serves many conversations.
std::string scope_of_request() { return "tenant-7"; }
std::optional<std::string> thread_of_request() { return "thread-42"; }

net::awaitable<void> answer() {
  auto backend = co_await runner::LinuxBackend::start(runner::BackendOptions().image("host"));
  // The floor is microvm unless the host says that a shared kernel is enough.
  Router router(backend, RouterOptions().min_isolation(Isolation::container));

  CallerContext caller(scope_of_request, thread_of_request, codeact::no_files);
  std::vector<Tool> tools = codeact::make_codeact_tools(router, "data-analyst", caller);

  const boost::json::object arguments = {{"code", "print(6 * 7)"}};
  const ToolReply reply = co_await tools.front().invoke(arguments);
  std::cout << reply.text() << '\n';  // stdout:\n42
  co_await backend->close();          // nothing is left running
}

int main() {
  try {
    std::exception_ptr failure;
    net::io_context io;
    net::co_spawn(io, answer, [&failure](std::exception_ptr error) { failure = std::move(error); });
    io.run();
    if (failure) std::rethrow_exception(failure);
  } catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
    return 1;
  }
}
