// Disposal: every backend is asked, failures are told, cancellation passes (RT-13 to RT-17).
// SPDX-License-Identifier: MIT
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <chrono>

#include "router_fixture.hpp"

namespace sandbox {
namespace {

namespace net = boost::asio;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using Backends = std::vector<std::shared_ptr<Backend>>;
using Failure = boost::system::system_error;

Failure aborted() { return Failure(net::error::operation_aborted); }

void acquire_on(FakeBackend& backend, const std::string& thread, const std::string& kind) {
  run_awaitable(backend.acquire(key_of(thread), SandboxSpec(kind)));
}

class RouterDisposal : public ::testing::Test {
 protected:
  std::shared_ptr<FakeBackend> first_ = fake(named("first").separate_sandboxes());
  std::shared_ptr<FakeBackend> second_ =
      fake(named("second", Isolation::none).separate_sandboxes());
  std::shared_ptr<FakeBackend> third_ = fake(named("third").separate_sandboxes());
  Records records_;
  Router router_ = Router(Backends{first_, second_, third_}, at_container().log(records_.sink()));
};

// RT-13
TEST_F(RouterDisposal, AsksEveryBackendForTheKey) {
  EXPECT_THAT(run_awaitable(router_.dispose(key_of("t"))), IsEmpty());
  for (const auto& backend : {first_, second_, third_}) {
    EXPECT_THAT(backend->disposals(), ElementsAre(key_of("t")));
  }
  EXPECT_THAT(records_.lines(), IsEmpty());
}

struct FailureCase {
  std::exception_ptr error;
  DisposalFailureCode code;
};

// RT-13
TEST_F(RouterDisposal, AFailureIsReturnedAndLoggedAndStopsNobody) {
  const std::vector<FailureCase> cases{
      {std::make_exception_ptr(Error(errc::launcher_lost, "pipe closed", "pid 71")),
       DisposalFailureCode::unreachable},
      {std::make_exception_ptr(Error(errc::backend_closed, "closed")),
       DisposalFailureCode::unreachable},
      {std::make_exception_ptr(Error(errc::permission_denied, "no")), DisposalFailureCode::refused},
      {std::make_exception_ptr(Error(errc::not_supported, "no")), DisposalFailureCode::refused},
      {std::make_exception_ptr(Failure(net::error::timed_out)), DisposalFailureCode::timeout},
      {std::make_exception_ptr(Error(errc::internal, "oops")), DisposalFailureCode::unknown},
      {std::make_exception_ptr(std::runtime_error("oops")), DisposalFailureCode::unknown},
  };
  std::size_t asked = 0;
  for (const FailureCase& row : cases) {
    second_->fail(FakeBackendOperation::dispose, row.error);
    const auto failures = run_awaitable(router_.dispose(key_of("t")));
    ASSERT_EQ(failures.size(), 1U);
    EXPECT_EQ(failures.front().backend(), "second");
    EXPECT_EQ(failures.front().code(), row.code) << failures.front().detail();
    EXPECT_FALSE(failures.front().detail().empty());
    EXPECT_EQ(third_->disposals().size(), ++asked);
    ASSERT_EQ(records_.lines().size(), asked);
    EXPECT_THAT(records_.lines().back(), HasSubstr("warning: dispose: backend \"second\""));
  }
  EXPECT_THAT(records_.lines().front(), HasSubstr("pipe closed (pid 71)"));
}

// RT-14, PIN-8
TEST_F(RouterDisposal, ScopeDisposalSumsOverAllBackends) {
  acquire_on(*first_, "t", "a");
  acquire_on(*first_, "t", "b");
  acquire_on(*second_, "t", "a");
  acquire_on(*third_, "t", "a");
  acquire_on(*third_, "other", "a");
  EXPECT_EQ(run_awaitable(router_.dispose_scope("tenant", "t")), 4);
  EXPECT_EQ(run_awaitable(router_.dispose_scope("tenant", "t")), 0);
  EXPECT_NE(third_->sandbox_of(key_of("other"), "a"), nullptr);
}

// RT-14, PIN-8
TEST_F(RouterDisposal, AFailingBackendCountsNothingAndStopsNobody) {
  acquire_on(*first_, "t", "a");
  acquire_on(*second_, "t", "a");
  acquire_on(*third_, "t", "a");
  second_->fail_with(FakeBackendOperation::dispose_scope, std::runtime_error("engine is down"));
  EXPECT_EQ(run_awaitable(router_.dispose_scope("tenant", "t")), 2);
  ASSERT_EQ(records_.lines().size(), 1U);
  EXPECT_THAT(records_.lines().front(), HasSubstr("dispose_scope: backend \"second\" failed"));
  EXPECT_THAT(records_.lines().front(), HasSubstr("engine is down"));
}

// RT-17
TEST_F(RouterDisposal, CancellationPassesThrough) {
  for (const std::exception_ptr& cancelled :
       {std::make_exception_ptr(Error(errc::cancelled, "cancelled")),
        std::make_exception_ptr(aborted())}) {
    second_->fail(FakeBackendOperation::dispose, cancelled);
    second_->fail(FakeBackendOperation::dispose_scope, cancelled);
    EXPECT_THROW(run_awaitable(router_.dispose(key_of("t"))), Failure);
    EXPECT_THROW(run_awaitable(router_.dispose_scope("tenant", "t")), Failure);
  }
  EXPECT_THAT(third_->disposals(), IsEmpty());
  EXPECT_THAT(third_->purges(), IsEmpty());
  EXPECT_THAT(records_.lines(), IsEmpty());
}

class RouterScope : public RouterDisposal {
 protected:
  net::awaitable<void> use_sandbox() {
    co_await router_.acquire(key_of("t"), SandboxSpec("codeact"));
    EXPECT_EQ(disposal_->disposed(), 0) << "the count is not readable inside";
    EXPECT_THAT(first_->purges(), IsEmpty());
  }
  net::awaitable<void> use_and_fail() {
    co_await use_sandbox();
    throw std::domain_error("the application's own");
  }

  std::shared_ptr<ScopeDisposal> disposal_ = std::make_shared<ScopeDisposal>();
};

// RT-15, PIN-9
TEST_F(RouterScope, EndsTheSandboxesAfterTheBody) {
  run_awaitable(router_.scope(
      "tenant", "t", [this] { return use_sandbox(); }, disposal_));
  EXPECT_EQ(disposal_->disposed(), 1);
  EXPECT_THAT(first_->purges(), ElementsAre(std::pair<std::string, std::string>("tenant", "t")));
  EXPECT_THAT(second_->purges().size(), 1U);
}

TEST_F(RouterScope, NeedsNoDisposalObject) {
  run_awaitable(router_.scope("tenant", "t", [this] { return use_sandbox(); }));
  EXPECT_THAT(first_->purges().size(), 1U);
}

// RT-15, PIN-9
TEST_F(RouterScope, RunsOnErrorAndNeverMasksIt) {
  second_->fail_with(FakeBackendOperation::dispose_scope, std::runtime_error("engine is down"));
  EXPECT_THROW(run_awaitable(router_.scope(
                   "tenant", "t", [this] { return use_and_fail(); }, disposal_)),
               std::domain_error);
  EXPECT_EQ(disposal_->disposed(), 1);
}

// RT-15, RT-17
TEST_F(RouterScope, NotEvenACancelledDisposalMasksTheBodysError) {
  first_->fail_with(FakeBackendOperation::dispose_scope, aborted());
  EXPECT_THROW(run_awaitable(router_.scope(
                   "tenant", "t", [this] { return use_and_fail(); }, disposal_)),
               std::domain_error);
  EXPECT_THROW(
      run_awaitable(router_.scope("tenant", "u", []() -> net::awaitable<void> { co_return; })),
      Failure);
}

// RT-15: after a terminal cancel every further await fails at once unless the state is reset.
TEST_F(RouterScope, EndsTheSandboxesAlsoAfterACancel) {
  net::io_context io;
  net::cancellation_signal signal;
  std::exception_ptr error;
  net::steady_timer never(io, net::steady_timer::time_point::max());
  const auto body = [&]() -> net::awaitable<void> {
    co_await use_sandbox();
    net::post(io, [&signal] { signal.emit(net::cancellation_type::terminal); });
    co_await never.async_wait(net::use_awaitable);
  };
  net::co_spawn(
      io, router_.scope("tenant", "t", body, disposal_),
      net::bind_cancellation_slot(signal.slot(), [&](std::exception_ptr e) { error = e; }));
  io.run();
  ASSERT_TRUE(error);
  try {
    std::rethrow_exception(error);
  } catch (const Failure& failure) {
    EXPECT_EQ(failure.code(), net::error::operation_aborted);
  }
  EXPECT_EQ(disposal_->disposed(), 1);
  EXPECT_THAT(third_->purges().size(), 1U);
}

// RT-16
TEST_F(RouterDisposal, PurgerLogsOnlyWhenSomethingEnded) {
  Records purges;
  const Purger purger(router_, purges.sink());
  EXPECT_EQ(run_awaitable(purger.purge_scoped_thread("tenant", "t")), 0);
  EXPECT_THAT(purges.lines(), IsEmpty());
  acquire_on(*first_, "t", "a");
  acquire_on(*third_, "t", "a");
  second_->fail_with(FakeBackendOperation::dispose_scope, std::runtime_error("engine is down"));
  EXPECT_EQ(run_awaitable(purger.purge_scoped_thread("tenant", "t")), 2);
  ASSERT_EQ(purges.lines().size(), 1U);
  EXPECT_THAT(purges.lines().front(), HasSubstr("info: "));
  EXPECT_THAT(purges.lines().front(), HasSubstr("ended 2 sandboxes"));
}

}  // namespace
}  // namespace sandbox
