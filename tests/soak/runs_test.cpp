// Many runs: what one of them takes comes back. SANDBOX_SOAK_RUNS says how many (default 400).
// SPDX-License-Identifier: MIT
#include <gmock/gmock.h>
#include <unistd.h>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/this_coro.hpp>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <set>
#include <sstream>

#include "count.hpp"
#include "host_world.hpp"
#include "sandbox/error.hpp"
#include "sandbox/runner/linux_backend.hpp"

namespace net = boost::asio;

namespace sandbox::runner::testing {
namespace {

namespace fs = std::filesystem;

// The address sanitizer keeps what is freed for a while.
#if defined(__SANITIZE_ADDRESS__)
#define SANDBOX_TEST_KEEPS_MEMORY
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define SANDBOX_TEST_KEEPS_MEMORY
#endif
#endif

constexpr int kRunsOfOneSandbox = 25;

std::uint64_t resident_bytes() {
  std::ifstream file("/proc/self/statm");
  std::uint64_t total = 0;
  std::uint64_t resident = 0;
  file >> total >> resident;
  return resident * static_cast<std::uint64_t>(::getpagesize());
}

// Leases of uids are locks of this process.
std::size_t locked_uids() {
  std::size_t count = 0;
  std::ifstream locks("/proc/locks");
  const std::string own = " " + std::to_string(::getpid()) + " ";
  for (std::string line; std::getline(locks, line);) {
    if (line.find("FLOCK") != std::string::npos && line.find(own) != std::string::npos) ++count;
  }
  return count;
}

net::awaitable<void> run_many(std::shared_ptr<LinuxBackend> backend, std::string thread,
                              int count) {
  for (int done = 0; done < count;) {
    const SandboxKey key("scope", thread, "agent");
    SandboxSpec spec("soak");
    spec.work_dir("/work");
    const std::shared_ptr<Sandbox> box = co_await backend->acquire(key, spec);
    for (int i = 0; i < kRunsOfOneSandbox && done < count; ++i, ++done) {
      std::vector<std::string> argv = {"sh", "-c", "echo x >> /work/log; true & true; exit 3"};
      ExecRequest request(std::move(argv));
      const ExecResult result = co_await box->exec(std::move(request));
      EXPECT_TRUE(result.status.exited_with(3)) << result.status.sentence();
    }
    co_await backend->dispose(key);
  }
}

net::awaitable<void> soak(int runs, std::uint64_t& warm, std::uint64_t& end) {
  BackendOptions options;
  const std::shared_ptr<LinuxBackend> backend = co_await LinuxBackend::start(options);
  co_await run_many(backend, "warm-up", kRunsOfOneSandbox * 2);
  warm = resident_bytes();
  const HostWorld before = HostWorld::look();
  co_await run_many(backend, "soak", runs);
  EXPECT_THAT(HostWorld::left_over(before), ::testing::IsEmpty());
  EXPECT_EQ(locked_uids(), 0U) << "a uid is still held";
  end = resident_bytes();
  co_await backend->close();
}

TEST(SoakTest, NothingOfManyRunsIsLeft) {
  const int runs = count_from("SANDBOX_SOAK_RUNS", 400);
  std::uint64_t warm = 0;
  std::uint64_t end = 0;
  std::exception_ptr failure;
  net::io_context io;
  net::co_spawn(io, soak(runs, warm, end),
                [&failure](std::exception_ptr error) { failure = std::move(error); });
  io.run();
  if (failure) std::rethrow_exception(failure);
  std::cout << runs << " runs; resident " << (warm >> 10U) << " KiB after the first "
            << kRunsOfOneSandbox * 2 << ", " << (end >> 10U) << " KiB at the end\n";
#ifndef SANDBOX_TEST_KEEPS_MEMORY
  constexpr std::uint64_t kGrowth = 8ULL << 20U;  // far below a kilobyte for each of 10 000
  EXPECT_LT(end, warm + kGrowth);
#endif
}

}  // namespace
}  // namespace sandbox::runner::testing
