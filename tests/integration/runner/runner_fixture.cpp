// SPDX-License-Identifier: MIT
#include "runner_fixture.hpp"

#include <gmock/gmock.h>
#include <unistd.h>

#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>

namespace net = boost::asio;

namespace sandbox::runner::testing {

void RunnerTest::SetUp() {
  busy_.emplace(io_.get_executor());
  thread_ = std::thread([this] { io_.run(); });
  // Makes the reactor's own descriptors, which stay until the io_context goes.
  net::steady_timer(io_, std::chrono::milliseconds(1)).async_wait(net::use_future).get();
  net::posix::stream_descriptor(io_, ::dup(0)).close();
  before_ = HostWorld::look();
}

void RunnerTest::TearDown() {
  close_backend();
  EXPECT_THAT(HostWorld::left_over(*before_), ::testing::IsEmpty());
  busy_.reset();
  thread_.join();
}

void RunnerTest::close_backend() {
  if (!backend_) return;
  await(backend_->close());
  backend_.reset();
}

LinuxBackend& RunnerTest::backend() {
  if (!backend_) backend_ = await(LinuxBackend::start(options_));
  return *backend_;
}

std::shared_ptr<Sandbox> RunnerTest::sandbox(const std::string& thread_id) {
  SandboxSpec spec("test");
  spec.work_dir("/work");
  return await(backend().acquire(SandboxKey("scope", thread_id, "agent"), spec));
}

ExecResult RunnerTest::exec(ExecRequest request) {
  const std::shared_ptr<Sandbox> box = sandbox();
  return await(box->exec(std::move(request)));
}

ExecRequest RunnerTest::python_request(const std::string& source) {
  return ExecRequest({"python3", "-c", source});
}

ExecResult RunnerTest::python(const std::string& source) { return exec(python_request(source)); }

}  // namespace sandbox::runner::testing
