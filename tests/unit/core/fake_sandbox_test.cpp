// The fake sandbox: scripts, records, failures, hooks (SB-40).
// SPDX-License-Identifier: MIT
#include "sandbox/testing/fake_sandbox.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <chrono>
#include <string>
#include <vector>

#include "run_awaitable.hpp"
#include "sandbox/error.hpp"

namespace sandbox::testing {
namespace {

namespace net = boost::asio;
using namespace std::chrono_literals;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

ExecRequest python() { return ExecRequest({"python3", "/w/program.py"}); }

class FakeSandboxTest : public ::testing::Test {
 protected:
  ExecResult exec(ExecRequest request) { return run_awaitable(box_.exec(std::move(request))); }
  void write(const std::string& path, const std::string& content) {
    run_awaitable(box_.write_file(path, content, "/w"));
  }

  FakeSandbox box_{"/w"};
};

TEST_F(FakeSandboxTest, AnUnscriptedCommandSucceedsSilently) {
  const ExecResult result = exec(python());
  EXPECT_TRUE(result.status.exited_with(0));
  EXPECT_EQ(result.standard_output.total_bytes(), 0U);
  EXPECT_EQ(result.standard_error.total_bytes(), 0U);
}

TEST_F(FakeSandboxTest, RecordsCommandsAndProgramsApart) {
  exec(python().working_directory("/w/sub").timeout(5s));
  exec(ExecRequest::shell("exit 7"));
  run_awaitable(box_.run_code("print(1)", 2s));
  ASSERT_EQ(box_.commands().size(), 2U);
  const FakeCommand first = box_.commands().front();
  EXPECT_EQ(first.joined(), "python3 /w/program.py");
  EXPECT_THAT(first.argv(), ElementsAre("python3", "/w/program.py"));
  EXPECT_EQ(first.working_directory(), "/w/sub");
  EXPECT_EQ(first.timeout(), 5s);
  EXPECT_EQ(box_.commands().back().joined(), "sh -c exit 7");
  EXPECT_EQ(box_.commands().back().timeout(), std::nullopt);
  ASSERT_EQ(box_.programs().size(), 1U);
  EXPECT_EQ(box_.programs().front().code(), "print(1)");
  EXPECT_EQ(box_.programs().front().timeout(), 2s);
}

TEST_F(FakeSandboxTest, TheFirstScriptWhoseMarkerFitsAnswers) {
  box_.script_output("program", "first");
  box_.script_output("python3", "second");
  EXPECT_EQ(exec(python()).standard_output.text(), "first");
  EXPECT_EQ(exec(ExecRequest({"python3", "-V"})).standard_output.text(), "second");
  EXPECT_EQ(exec(ExecRequest({"ls"})).standard_output.text(), "");
  EXPECT_EQ(run_awaitable(box_.run_code("import program", 1s)).standard_output.text(), "first");
}

TEST_F(FakeSandboxTest, AWrittenProgramScriptsItsOwnAnswer) {
  box_.script_output("print(6 * 7)", "42\n");
  write("program.py", "print(6 * 7)\n");
  EXPECT_EQ(exec(python()).standard_output.text(), "42\n");
  EXPECT_EQ(exec(ExecRequest({"python3", "program.py"})).standard_output.text(), "42\n")
      << "a relative argument starts at the work directory";
  EXPECT_EQ(exec(ExecRequest({"python3", "program.py"}).working_directory("/w/sub"))
                .standard_output.text(),
            "");
  write("program.py", "print(1)\n");
  EXPECT_EQ(exec(python()).standard_output.text(), "");
}

TEST_F(FakeSandboxTest, AScriptMayGiveAWholeResult) {
  ExecResult crash{ExitStatus(Signaled(11))};
  crash.standard_output = CapturedOutput("head", "tail", 1000);
  crash.standard_error = CapturedOutput("boom");
  crash.usage.wall = 7us;
  box_.script("python3", crash);
  const ExecResult result = exec(python());
  EXPECT_EQ(result.status, ExitStatus(Signaled(11)));
  EXPECT_TRUE(result.standard_output.truncated());
  EXPECT_EQ(result.standard_error.text(), "boom");
  EXPECT_EQ(result.usage.wall, 7us);
}

TEST_F(FakeSandboxTest, AListenerHearsBothStreams) {
  ExecResult result{ExitStatus(Exited(0))};
  result.standard_output = CapturedOutput("out");
  result.standard_error = CapturedOutput("err");
  box_.script("python3", result);
  std::string heard;
  exec(python().on_output([&heard](OutputChunk chunk) {
    heard += chunk.stream == Stream::standard_output ? "1:" : "2:";
    heard += std::string(chunk.bytes) + ";";
  }));
  EXPECT_EQ(heard, "1:out;2:err;");
}

TEST_F(FakeSandboxTest, ABadRequestIsRefusedAndNotRecorded) {
  EXPECT_THROW(exec(ExecRequest(std::vector<std::string>{})), Error);
  EXPECT_THAT(box_.commands(), IsEmpty());
  EXPECT_THAT(box_.operations(), IsEmpty());
}

// PIN-17 needs the order of calls.
TEST_F(FakeSandboxTest, RecordsEveryOperationInOrder) {
  write("a", "1");
  run_awaitable(box_.stat_file("a", "/w"));
  run_awaitable(box_.read_file("a", "/w", 10));
  run_awaitable(box_.list_dir(".", "/w"));
  exec(python());
  run_awaitable(box_.run_code("x", 1s));
  run_awaitable(box_.remove("a", "/w", RemoveMode::single));
  EXPECT_THROW(run_awaitable(box_.read_file("a", "/w", 10)), Error);
  EXPECT_THAT(box_.operations(),
              ElementsAre("write_file a", "stat_file a", "read_file a", "list_dir .",
                          "exec python3 /w/program.py", "run_code x", "remove a", "read_file a"));
}

class FakeFailures : public FakeSandboxTest, public ::testing::WithParamInterface<FakeOperation> {
 protected:
  void call(FakeOperation operation) {
    switch (operation) {
      case FakeOperation::write_file:
        return write("a", "1");
      case FakeOperation::exec:
        return static_cast<void>(exec(python()));
      case FakeOperation::run_code:
        return static_cast<void>(run_awaitable(box_.run_code("x", 1s)));
      case FakeOperation::stat_file:
        return static_cast<void>(run_awaitable(box_.stat_file("a", "/w")));
      case FakeOperation::read_file:
        return static_cast<void>(run_awaitable(box_.read_file("f", "/w", 10)));
      case FakeOperation::list_dir:
        return static_cast<void>(run_awaitable(box_.list_dir(".", "/w")));
      case FakeOperation::remove:
        return run_awaitable(box_.remove("a", "/w", RemoveMode::single));
    }
  }
};

TEST_P(FakeFailures, FailOnDemandWithTheGivenErrorUntilItIsTakenBack) {
  box_.seed_file("/w/f", "f");
  box_.fail_with(GetParam(), std::domain_error("asked for"));
  EXPECT_THROW(call(GetParam()), std::domain_error);
  EXPECT_THROW(call(GetParam()), std::domain_error);
  box_.fail(GetParam(), nullptr);
  EXPECT_NO_THROW(call(GetParam()));
  box_.mark_disposed();
  try {
    call(GetParam());
    ADD_FAILURE() << "a disposed sandbox answered";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), errc::sandbox_disposed);
  }
}

INSTANTIATE_TEST_SUITE_P(EveryOperation, FakeFailures,
                         ::testing::Values(FakeOperation::write_file, FakeOperation::exec,
                                           FakeOperation::run_code, FakeOperation::stat_file,
                                           FakeOperation::read_file, FakeOperation::list_dir,
                                           FakeOperation::remove),
                         [](const auto& param) { return std::string(to_string(param.param)); });

TEST_F(FakeSandboxTest, AFailedWriteLeavesTheFileAsItWas) {
  write("a", "old");
  box_.fail_with(FakeOperation::write_file, Error(errc::os_error, "disk is full"));
  EXPECT_THROW(write("a", "new"), Error);
  EXPECT_EQ(box_.file("/w/a"), "old");
}

// PIN-19 needs a file that grows after its stat.
TEST_F(FakeSandboxTest, AHookMayChangeTheSandboxUnderTheCall) {
  write("a", "1");
  box_.on(FakeOperation::read_file, [this](std::string path) -> net::awaitable<void> {
    box_.seed_file("/w/" + path, "grown");
    co_return;
  });
  EXPECT_EQ(run_awaitable(box_.stat_file("a", "/w"))->size_bytes(), 1U);
  EXPECT_EQ(run_awaitable(box_.read_file("a", "/w", 10)), "grown");
  box_.on(FakeOperation::read_file, nullptr);
  write("a", "2");
  EXPECT_EQ(run_awaitable(box_.read_file("a", "/w", 10)), "2");
}

// SB-42
TEST_F(FakeSandboxTest, ACancelledCallFailsWithTheSandboxsOwnCode) {
  net::io_context io;
  net::cancellation_signal signal;
  box_.on(FakeOperation::exec, [&](std::string) -> net::awaitable<void> {
    net::steady_timer never(io, net::steady_timer::time_point::max());
    net::post(io, [&signal] { signal.emit(net::cancellation_type::terminal); });
    co_await never.async_wait(net::use_awaitable);
  });
  std::exception_ptr error;
  net::co_spawn(io, box_.exec(python()),
                net::bind_cancellation_slot(signal.slot(),
                                            [&](std::exception_ptr e, ExecResult) { error = e; }));
  io.run();
  ASSERT_TRUE(error);
  try {
    std::rethrow_exception(error);
  } catch (const Error& failure) {
    EXPECT_EQ(failure.code(), errc::cancelled);
  }
}

TEST_F(FakeSandboxTest, FilesObeyTheStoresRules) {
  box_.seed_link("/w/link");
  box_.seed_other("/w/fifo");
  box_.seed_directory("/w/empty");
  EXPECT_THROW(write("link", "x"), Error);
  EXPECT_EQ(run_awaitable(box_.stat_file("fifo", "/w"))->kind(), EntryKind::other);
  EXPECT_THAT(run_awaitable(box_.list_dir("empty", "/w")), IsEmpty());
  EXPECT_EQ(box_.kind_of("/w/link"), EntryKind::symlink);
  EXPECT_THAT(box_.paths(), ElementsAre("/w", "/w/empty", "/w/fifo", "/w/link"));
}

}  // namespace
}  // namespace sandbox::testing
