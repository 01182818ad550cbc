// A sandbox of one's own: live output, limits, and a run that the user stops.
// SPDX-License-Identifier: MIT
#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/experimental/awaitable_operators.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <chrono>
#include <exception>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include "sandbox/router.hpp"
#include "sandbox/runner/linux_backend.hpp"
#include "sandbox/units.hpp"

namespace net = boost::asio;
using namespace sandbox;
using namespace sandbox::literals;
using namespace std::chrono_literals;

namespace {

// Stands for a button: here the user always gives up after 300 ms.
net::awaitable<void> user_pressed_stop() {
  net::steady_timer patience(co_await net::this_coro::executor, 300ms);
  co_await patience.async_wait(net::use_awaitable);
}

ExecRequest python(std::string program) {
  std::vector<std::string> argv = {"python3", "-u", "-c", std::move(program)};  // no shell anywhere
  ExecRequest request(std::move(argv));
  request.working_directory("/work").timeout(30s).limits(Limits().memory(256_MiB).processes(32));
  return request;
}

net::awaitable<void> count_aloud(std::shared_ptr<Sandbox> box) {
  ExecRequest request = python("for i in range(3): print('tick', i)");
  request.on_output([](OutputChunk chunk) { std::cout << chunk.bytes << std::flush; });
  const ExecResult result = co_await box->exec(request);
  std::cout << result.status.sentence() << '\n';  // exited with code 0
}

net::awaitable<void> stop_a_slow_one(std::shared_ptr<Sandbox> box) {
  using namespace net::experimental::awaitable_operators;
  const ExecRequest request = python("while True: pass");
  // The loser is cancelled: the program is killed and reaped before this line is done.
  const auto winner = co_await (box->exec(request) || user_pressed_stop());
  std::cout << (winner.index() == 1 ? "stopped by the user" : "ended by itself") << '\n';
}

net::awaitable<void> host() {
  auto backend = co_await runner::LinuxBackend::start(runner::BackendOptions());
  const Router router(backend, RouterOptions().min_isolation(Isolation::container));

  const SandboxKey key("tenant-7", "thread-42", "builder");
  SandboxSpec spec("builder");
  spec.work_dir("/work");
  const std::shared_ptr<Sandbox> box =
      co_await router.acquire(key, spec);  // same key, same sandbox

  co_await count_aloud(box);
  co_await stop_a_slow_one(box);
  co_await backend->close();
}

}  // namespace

int main() {
  try {
    std::exception_ptr failure;
    net::io_context io;
    net::co_spawn(io, host, [&failure](std::exception_ptr error) { failure = std::move(error); });
    io.run();
    if (failure) std::rethrow_exception(failure);
  } catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
    return 1;
  }
}
