// The canaries see what they are for.
// SPDX-License-Identifier: MIT
#include "selftest/host_state.hpp"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>

#include "support/run_awaitable.hpp"

namespace net = boost::asio;

namespace sandbox::runner {
namespace {

namespace fs = std::filesystem;
using sandbox::testing::run_awaitable;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

TEST(CanaryFile, IsUnchangedAtFirstAndGoneAtTheEnd) {
  std::string path;
  {
    const CanaryFile canary;
    path = canary.path();
    EXPECT_TRUE(canary.unchanged());
    EXPECT_TRUE(fs::exists(path));
  }
  EXPECT_FALSE(fs::exists(fs::path(path).parent_path()));
}

TEST(CanaryFile, SeesEveryChange) {
  const CanaryFile written;
  std::ofstream(written.path(), std::ios::app) << "x";
  EXPECT_FALSE(written.unchanged());

  const CanaryFile changed_mode;
  ::chmod(changed_mode.path().c_str(), 0777);
  EXPECT_FALSE(changed_mode.unchanged());

  const CanaryFile removed;
  fs::remove(removed.path());
  EXPECT_FALSE(removed.unchanged());

  const CanaryFile beside;
  std::ofstream(beside.path() + "2") << "x";
  EXPECT_FALSE(beside.unchanged());
}

TEST(HostState, SeesANewDescriptor) {
  const HostState before = HostState::now();
  const int descriptor = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
  EXPECT_THAT(HostState::now().added_since(before), ElementsAre(HasSubstr("/dev/null")));
  ::close(descriptor);
  EXPECT_THAT(HostState::now().added_since(before), IsEmpty());
}

TEST(HostState, SeesANewProcess) {
  const HostState before = HostState::now();
  const pid_t child = ::fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    ::pause();
    ::_exit(0);
  }
  EXPECT_THAT(HostState::now().added_since(before),
              ElementsAre(HasSubstr("a process is left over: " + std::to_string(child))));
  ::kill(child, SIGKILL);
  ::waitpid(child, nullptr, 0);
  EXPECT_THAT(HostState::now().added_since(before), IsEmpty());
}

// Takes a look, makes a descriptor, and closes it while the canaries wait.
net::awaitable<std::vector<std::string>> harm_while_a_descriptor_goes() {
  // Makes the reactor's own descriptors.
  net::steady_timer timer(co_await net::this_coro::executor, std::chrono::milliseconds(1));
  co_await timer.async_wait(net::use_awaitable);
  const auto canaries = std::make_shared<const HostCanaries>();
  const int descriptor = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
  timer.expires_after(std::chrono::milliseconds(60));
  timer.async_wait([descriptor](const boost::system::error_code&) { ::close(descriptor); });
  co_return co_await HostCanaries::harm(canaries);
}

TEST(HostCanaries, WaitForWhatIsOnItsWayOut) {
  const auto begin = std::chrono::steady_clock::now();
  EXPECT_THAT(run_awaitable(harm_while_a_descriptor_goes()), IsEmpty());
  const auto taken = std::chrono::steady_clock::now() - begin;
  EXPECT_GE(taken, std::chrono::milliseconds(60));
  EXPECT_LT(taken, std::chrono::seconds(3));
}

}  // namespace
}  // namespace sandbox::runner
