// SPDX-License-Identifier: MIT
#include "library_contestant.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/use_future.hpp>
#include <cstdio>
#include <exception>
#include <future>
#include <stdexcept>
#include <utility>

#include "sandbox/exec.hpp"
#include "sandbox/key.hpp"
#include "sandbox/runner/linux_backend.hpp"
#include "sandbox/sandbox.hpp"
#include "sandbox/spec.hpp"

namespace net = boost::asio;

namespace sandbox::bench {
namespace {

runner::BackendOptions options_for(const std::string& image) {
  runner::BackendOptions options;
  options.image(image);
  return options;
}

}  // namespace

class LibraryContestant::World {
 public:
  explicit World(const std::string& image) {
    backend_ = await(runner::LinuxBackend::start(options_for(image)));
    SandboxSpec spec("bench");
    spec.work_dir("/work");
    sandbox_ = await(backend_->acquire(SandboxKey("bench", "bench", "bench"), std::move(spec)));
  }
  World(const World&) = delete;
  World& operator=(const World&) = delete;
  World(World&&) = delete;
  World& operator=(World&&) = delete;
  ~World() {
    try {
      await(backend_->close());
    } catch (const std::exception& error) {
      std::fprintf(stderr, "sandbox_bench: close the backend: %s\n", error.what());
    }
  }

  ExecResult exec(ExecRequest request) { return await(sandbox_->exec(std::move(request))); }

  // Work that the last run left for later is not the next one's.
  void settle() { io_.poll(); }

 private:
  template <class T>
  T await(net::awaitable<T> work) {
    std::future<T> result = net::co_spawn(io_, std::move(work), net::use_future);
    while (result.wait_for(std::chrono::seconds(0)) != std::future_status::ready) io_.run_one();
    return result.get();
  }

  net::io_context io_{1};
  net::executor_work_guard<net::io_context::executor_type> busy_{io_.get_executor()};
  std::shared_ptr<runner::LinuxBackend> backend_;
  std::shared_ptr<Sandbox> sandbox_;
};

LibraryContestant::LibraryContestant(const std::string& image)
    : world_(std::make_unique<World>(image)) {}

LibraryContestant::~LibraryContestant() = default;

Lap LibraryContestant::run(const Workload& workload) {
  ExecRequest request(workload.argv());
  const auto start = std::chrono::steady_clock::now();
  const ExecResult result = world_->exec(std::move(request));
  Lap lap;
  lap.wall = std::chrono::steady_clock::now() - start;
  world_->settle();

  // The launcher and our init work while `setup` passes, and give no account of their own.
  lap.cpu = unaccounted_.of(workload.name(), result.usage.setup);
  if (result.usage.cpu_user) lap.cpu += *result.usage.cpu_user;
  if (result.usage.cpu_system) lap.cpu += *result.usage.cpu_system;
  lap.exit_code = result.status.shell_code();
  lap.output = result.standard_output.bytes();
  lap.error_output = result.standard_error.bytes();
  return lap;
}

std::vector<std::string> LibraryContestant::guest_environment(const std::string& python) {
  const std::string program =
      "import os\n"
      "for pair in os.environb.items(): os.write(1, b'='.join(pair) + b'\\0')\n";
  const ExecResult result = world_->exec(ExecRequest({python, "-c", program}));
  if (!result.status.exited_with(0)) {
    throw std::runtime_error("ask the guest for its environment: " + result.status.sentence() +
                             ": " + result.standard_error.text());
  }
  std::vector<std::string> variables;
  std::string variable;
  for (const char letter : result.standard_output.bytes()) {
    if (letter != '\0') {
      variable += letter;
      continue;
    }
    variables.push_back(std::move(variable));
    variable.clear();
  }
  return variables;
}

}  // namespace sandbox::bench
