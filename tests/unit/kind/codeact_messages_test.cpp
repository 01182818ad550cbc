// What a model may and may not read when a call fails (CA0-6, contract 6.8).
// SPDX-License-Identifier: MIT
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <stdexcept>

#include "kind_fixture.hpp"
#include "sandbox/codeact/codeact.hpp"
#include "support/run_awaitable.hpp"

namespace sandbox::codeact {
namespace {

namespace net = boost::asio;
using namespace std::chrono_literals;
using ::testing::AllOf;
using testing::caller_of;
using testing::code_argument;
using testing::code_of;
using testing::FakeBackend;
using testing::FakeBackendOperation;
using testing::FakeOperation;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::KeptLog;
using testing::kSecret;
using ::testing::Not;
using testing::router_of;
using testing::run_awaitable;
using ::testing::StartsWith;

class CodeactMessages : public ::testing::Test {
 protected:
  Tool tool(std::optional<std::string> thread = "thread") const {
    return make_codeact_tools(router_of(backend_), "agent", caller_of("scope", std::move(thread)),
                              CodeactOptions().log(log_.sink()))
        .front();
  }
  std::string call(const std::string& source = "print(1)") const {
    return run_awaitable(tool().invoke(code_argument(source))).text();
  }
  void expect_nothing_acquired() const {
    EXPECT_THAT(backend_->acquired_keys(), IsEmpty());
    EXPECT_THAT(backend_->sandbox().operations(), IsEmpty());
  }
  static Error secret_error(errc code) { return Error(code, kSecret, "detail-of-the-host"); }
  // The reply keeps the host's words to the log.
  void expect_kept_from_the_model(const std::string& reply) const {
    EXPECT_THAT(reply, StartsWith("Error: "));
    EXPECT_THAT(reply, Not(HasSubstr(kSecret)));
    EXPECT_THAT(reply, Not(HasSubstr("detail-of-the-host")));
    EXPECT_THAT(log_.text(), AllOf(HasSubstr("execute_code: "), HasSubstr(kSecret)));
  }

  std::shared_ptr<FakeBackend> backend_ = std::make_shared<FakeBackend>();
  KeptLog log_;
};

TEST_F(CodeactMessages, WithoutAThreadNamesTheToolAndAcquiresNothing) {  // MV-1
  const ToolReply reply = run_awaitable(tool(std::nullopt).invoke(code_argument("1")));
  EXPECT_TRUE(reply.is_error());
  EXPECT_THAT(reply.text(), AllOf(HasSubstr("execute_code"), HasSubstr("from within a thread")));
  expect_nothing_acquired();
}

TEST_F(CodeactMessages, WithoutCodeNamesTheParameter) {
  const ToolReply reply = run_awaitable(tool().invoke(boost::json::object()));
  EXPECT_TRUE(reply.is_error());
  EXPECT_THAT(reply.text(), HasSubstr("'code'"));
  expect_nothing_acquired();
}

TEST_F(CodeactMessages, RefuseCodeThatIsNotUtf8) {
  for (const char* bytes : {"print('\xff')", "\xed\xa0\x80", "\xc0\xaf", "\xf4\x90\x80\x80"}) {
    EXPECT_THAT(call(bytes), AllOf(StartsWith("Error: "), HasSubstr("UTF-8")));
  }
  expect_nothing_acquired();
}

TEST_F(CodeactMessages, RefuseCodeWithANul) {
  EXPECT_THAT(call(std::string("a\0b", 3)), AllOf(StartsWith("Error: "), HasSubstr("NUL")));
  expect_nothing_acquired();
}

TEST_F(CodeactMessages, RefuseCodeOverTheInputCap) {  // CA-IN
  const std::uint64_t most = codeact_spec(CodeactOptions()).files_in().max_bytes_per_file().count();
  const std::string reply = call(std::string(most + 1, '#'));
  EXPECT_THAT(reply, AllOf(StartsWith("Error: "), HasSubstr(std::to_string(most + 1)),
                           HasSubstr(std::to_string(most) + " are allowed")));
  expect_nothing_acquired();
  EXPECT_THAT(call(std::string(most, '#')), Not(StartsWith("Error: ")));
}

TEST_F(CodeactMessages, SayThatTheSandboxIsUnavailable) {  // MV-2
  backend_->fail_with(FakeBackendOperation::acquire, secret_error(errc::setup_failed));
  const std::string reply = call();
  EXPECT_THAT(reply, AllOf(HasSubstr("unavailable"), HasSubstr("degrading to T0")));
  expect_kept_from_the_model(reply);
}

TEST_F(CodeactMessages, TellAnAuthoredConfigurationErrorVerbatim) {  // MV-3
  Error error = secret_error(errc::config_error);
  error.with_model_sentence("This agent has no image; name one.");
  backend_->fail_with(FakeBackendOperation::acquire, error);
  const std::string reply = call();
  EXPECT_EQ(reply, "Error: This agent has no image; name one.");
  expect_kept_from_the_model(reply);
}

TEST_F(CodeactMessages, SayThatTheProgramCouldNotBeWritten) {  // MV-14
  backend_->sandbox().fail_with(FakeOperation::write_file, secret_error(errc::os_error));
  const std::string reply = call();
  EXPECT_EQ(reply, "Error: could not write the program into the sandbox; it was not run.");
  expect_kept_from_the_model(reply);
  EXPECT_THAT(backend_->sandbox().commands(), IsEmpty());
}

TEST_F(CodeactMessages, SayThatTheProgramCouldNotBeRun) {  // MV-18
  backend_->sandbox().fail_with(FakeOperation::exec, secret_error(errc::guest_lost));
  const std::string of_error = call();
  backend_->sandbox().fail_with(FakeOperation::exec, std::runtime_error(kSecret));
  const std::string of_runtime = call();
  for (const std::string& reply : {of_error, of_runtime}) {
    EXPECT_EQ(reply, "Error: could not run the program.");
    expect_kept_from_the_model(reply);
  }
}

TEST_F(CodeactMessages, NeverCallABackendsOwnTimeoutTheProgramsTimeout) {  // PIN-37, MV-18
  backend_->sandbox().fail_with(
      FakeOperation::exec, boost::system::system_error(make_error_code(net::error::timed_out)));
  EXPECT_EQ(call(), "Error: could not run the program.");
}

TEST_F(CodeactMessages, NameTheSecondsOfATimeout) {  // MV-15
  backend_->sandbox().script("loop", ExecResult(ExitStatus(LimitHit(Limit::wall_time, "2 min"))));
  EXPECT_EQ(call("loop"), "Error: the program timed out after 120s.");
}

TEST_F(CodeactMessages, SayThatTheProgramPrintedNothing) {  // MV-19
  EXPECT_THAT(call(), AllOf(HasSubstr("ran and printed nothing"), Not(StartsWith("Error:"))));
}

TEST_F(CodeactMessages, DoNotCallAFailedProgramAnError) {
  ExecResult failed{ExitStatus(Exited(1))};
  failed.standard_error = CapturedOutput("Traceback\n");
  backend_->sandbox().script("boom", failed);
  const ToolReply reply = run_awaitable(tool().invoke(code_argument("boom")));
  EXPECT_EQ(reply.text(), "stderr:\nTraceback\n\nexit code: 1");
  EXPECT_FALSE(reply.is_error());
}

TEST_F(CodeactMessages, TreatAStatusThatOnlyReceiptsMayCarryAsAFailure) {
  backend_->sandbox().script("lost", ExecResult(ExitStatus(Lost())));
  backend_->sandbox().script("refused", ExecResult(ExitStatus(Refused())));
  backend_->sandbox().script("cancelled", ExecResult(ExitStatus(Cancelled())));
  EXPECT_EQ(call("lost"), "Error: could not run the program.");
  EXPECT_EQ(call("refused"), "Error: could not run the program.");
  EXPECT_EQ(code_of([&] { call("cancelled"); }), errc::cancelled);
}

// Where a cancellation may be thrown; it must leave the call as an error, never as a reply.
class CodeactCancellation : public CodeactMessages,
                            public ::testing::WithParamInterface<FakeOperation> {};

TEST_P(CodeactCancellation, PropagatesFromTheSandbox) {
  backend_->sandbox().fail_with(GetParam(), Error(errc::cancelled, "stop"));
  EXPECT_EQ(code_of([&] { call(); }), errc::cancelled);
  backend_->sandbox().fail_with(
      GetParam(), boost::system::system_error(make_error_code(net::error::operation_aborted)));
  EXPECT_THROW(call(), boost::system::system_error);
  EXPECT_EQ(log_.text(), "");
}

TEST_P(CodeactCancellation, EndsARealWait) {
  net::io_context io;
  net::cancellation_signal stop;
  backend_->sandbox().on(GetParam(), [&](std::string) -> net::awaitable<void> {
    net::post(io, [&] { stop.emit(net::cancellation_type::terminal); });
    net::steady_timer forever(io, net::steady_timer::time_point::max());
    co_await forever.async_wait(net::use_awaitable);
  });
  std::exception_ptr error;
  std::optional<std::string> reply;
  const Tool one = tool();
  net::co_spawn(
      io,
      [&]() -> net::awaitable<void> {
        boost::json::object arguments = code_argument("1");
        const ToolReply got = co_await one.invoke(std::move(arguments));
        reply = got.text();
      },
      net::bind_cancellation_slot(stop.slot(), [&](std::exception_ptr e) { error = e; }));
  io.run();
  EXPECT_EQ(reply, std::nullopt);
  EXPECT_NE(error, nullptr);
}

INSTANTIATE_TEST_SUITE_P(Everywhere, CodeactCancellation,
                         ::testing::Values(FakeOperation::write_file, FakeOperation::exec),
                         [](const auto& one) { return std::string(to_string(one.param)); });

}  // namespace
}  // namespace sandbox::codeact
