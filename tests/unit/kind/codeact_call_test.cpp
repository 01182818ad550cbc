// One call of execute_code, and several at once (CA0-4, CA0-5, PIN-41, PIN-45).
// SPDX-License-Identifier: MIT
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/thread_pool.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <deque>
#include <map>
#include <mutex>

#include "kind_fixture.hpp"
#include "sandbox/codeact/codeact.hpp"
#include "support/run_awaitable.hpp"

namespace sandbox::codeact {
namespace {

namespace net = boost::asio;
using namespace std::chrono_literals;
using testing::caller_of;
using testing::code_argument;
using ::testing::ElementsAre;
using testing::FakeBackend;
using testing::FakeBackendOptions;
using testing::FakeOperation;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::router_of;
using testing::run_awaitable;

class CodeactCall : public ::testing::Test {
 protected:
  Tool tool(CallerContext context, CodeactOptions options = CodeactOptions()) const {
    return make_codeact_tools(router_of(backend_), "agent", std::move(context), options).front();
  }
  Tool tool() const { return tool(caller_of("scope", "thread")); }
  std::string call(const std::string& source) const {
    return run_awaitable(tool().invoke(code_argument(source))).text();
  }

  std::shared_ptr<FakeBackend> backend_ = std::make_shared<FakeBackend>();
};

TEST_F(CodeactCall, WritesTheProgramThenRunsItAndReturnsWhatItPrinted) {  // CA0-4
  backend_->sandbox().script_output("6 * 7", "42\n");
  EXPECT_EQ(call("print(6 * 7)"), "stdout:\n42");
  EXPECT_EQ(backend_->sandbox().file("/work/program.py"), "print(6 * 7)");
  EXPECT_THAT(backend_->sandbox().operations(),
              ElementsAre("write_file program.py", "exec python3 /work/program.py"));
  EXPECT_THAT(backend_->acquired_keys(), ElementsAre(SandboxKey("scope", "thread", "agent")));
  EXPECT_EQ(backend_->acquired_specs().at(0).kind(), "codeact");
}

TEST_F(CodeactCall, RunsInTheWorkDirectoryWithItsTimeout) {
  run_awaitable(tool(caller_of("scope", "thread"), CodeactOptions().exec_timeout(1500ms))
                    .invoke(code_argument("1")));
  call("2");
  const auto commands = backend_->sandbox().commands();
  ASSERT_EQ(commands.size(), 2U);
  EXPECT_EQ(commands[0].working_directory(), "/work");
  EXPECT_EQ(commands[0].timeout(), 1500ms);
  EXPECT_EQ(commands[1].timeout(), 120s);
  EXPECT_THAT(commands[0].request().environment(), IsEmpty());
  EXPECT_EQ(commands[0].request().standard_input(), "");
}

TEST_F(CodeactCall, ReplacesTheProgramOnEachCall) {
  call("first, and longer than the next");
  call("second");
  EXPECT_EQ(backend_->sandbox().file("/work/program.py"), "second");
}

// Sources that would matter to a shell, to argv or to Python's own options.
class CodeactSource : public CodeactCall, public ::testing::WithParamInterface<const char*> {};

TEST_P(CodeactSource, IsFileContentAndNeverPartOfTheCommand) {  // CA0-5, PIN-45
  const std::string source = GetParam();
  call(source);
  const auto commands = backend_->sandbox().commands();
  ASSERT_EQ(commands.size(), 1U);
  EXPECT_THAT(commands[0].argv(), ElementsAre("python3", "/work/program.py"));
  EXPECT_THAT(commands[0].request().environment(), IsEmpty());
  EXPECT_EQ(commands[0].request().standard_input(), "");
  EXPECT_EQ(backend_->sandbox().file("/work/program.py"), source);
  // Nothing else was written anywhere.
  EXPECT_THAT(backend_->sandbox().operations(),
              ElementsAre("write_file program.py", "exec python3 /work/program.py"));
}

INSTANTIATE_TEST_SUITE_P(Nasty, CodeactSource,
                         ::testing::Values("'; rm -rf / #", "\"; reboot; \"", "$(reboot)",
                                           "`reboot`", "a\nb\r\nc", "--version", "-c import os",
                                           "../../etc/passwd", "\\", "%s%n", "", "\xf0\x9f\x90\x8d",
                                           "python3 /work/program.py"));

TEST_F(CodeactCall, IsMadeOfTwoStepsThatAHostMayTakeItself) {
  const auto sandbox = backend_->shared_sandbox();
  run_awaitable(write_program(sandbox, "print('\xff')"));
  EXPECT_EQ(sandbox->file("/work/program.py"), "print('\xff')");
  const ExecRequest request = program_request();
  EXPECT_THAT(request.argv(), ElementsAre("python3", "/work/program.py"));
  EXPECT_EQ(request.working_directory(), "/work");
  EXPECT_EQ(request.timeout(), std::nullopt);
}

TEST_F(CodeactCall, AsksWhoIsCallingAtEachCall) {  // TB-3
  std::string thread = "one";
  const Tool one = tool(CallerContext([&] { return "scope-" + thread; },
                                      [&] { return std::optional(thread); }, no_files));
  run_awaitable(one.invoke(code_argument("1")));
  thread = "two";
  run_awaitable(one.invoke(code_argument("1")));
  EXPECT_THAT(backend_->acquired_keys(), ElementsAre(SandboxKey("scope-one", "one", "agent"),
                                                     SandboxKey("scope-two", "two", "agent")));
}

TEST_F(CodeactCall, WorksOnOneExecutorAfterAnother) {
  const Tool one = tool();
  for (int i = 0; i < 3; ++i) {
    EXPECT_THAT(run_awaitable(one.invoke(code_argument("1"))).text(), HasSubstr("printed nothing"));
  }
}

// Answers each run with the program that stood there when it began, and notices when that changes
// before the run is over.
class SlowSandbox final : public Sandbox {
 public:
  net::awaitable<void> write_file(std::string path, std::string content, std::string) override {
    co_await pause();
    const std::lock_guard lock(mutex_);
    files_[path] = std::move(content);
  }
  net::awaitable<ExecResult> exec(ExecRequest) override {
    const std::string before = program();
    co_await pause();
    ExecResult result{ExitStatus(Exited(0))};
    result.standard_output = CapturedOutput(before == program() ? before : "torn");
    co_return result;
  }

 private:
  static net::awaitable<void> pause() {
    const net::any_io_executor executor = co_await net::this_coro::executor;
    for (int i = 0; i < 20; ++i) co_await net::post(executor, net::use_awaitable);
  }
  std::string program() {
    const std::lock_guard lock(mutex_);
    return files_["program.py"];
  }

  std::mutex mutex_;
  std::map<std::string, std::string> files_;
};

class SlowBackend final : public Backend {
 public:
  [[nodiscard]] std::string name() const override { return "slow"; }
  [[nodiscard]] BackendDeclarations declarations() const override {
    BackendDeclarations declared(Isolation::none);
    declared.egress_modes(EgressSet{Egress::closed});
    return declared;
  }
  net::awaitable<std::shared_ptr<Sandbox>> acquire(SandboxKey key, SandboxSpec) override {
    const std::lock_guard lock(mutex_);
    auto& sandbox = sandboxes_[key];
    if (!sandbox) sandbox = std::make_shared<SlowSandbox>();
    co_return sandbox;
  }
  net::awaitable<void> dispose(SandboxKey) override { co_return; }
  net::awaitable<int> dispose_scope(std::string, std::string) override { co_return 0; }

 private:
  std::mutex mutex_;
  std::map<SandboxKey, std::shared_ptr<SlowSandbox>> sandboxes_;
};

net::awaitable<void> call_into(Tool tool, std::string source, std::optional<std::string>& text) {
  boost::json::object arguments = code_argument(source);
  const ToolReply reply = co_await tool.invoke(std::move(arguments));
  text = reply.text();
}

TEST(CodeactCalls, AtOnceEachRunTheirOwnProgram) {  // PIN-41
  const Tool tool = make_codeact_tools(router_of(std::make_shared<SlowBackend>()), "agent",
                                       caller_of("scope", "thread"))
                        .front();
  constexpr std::size_t kCalls = 16;
  std::vector<std::optional<std::string>> replies(kCalls);
  net::thread_pool pool(4);
  for (std::size_t i = 0; i < kCalls; ++i) {
    net::co_spawn(pool, call_into(tool, "program " + std::to_string(i), replies[i]),
                  [](const std::exception_ptr& error) { EXPECT_EQ(error, nullptr); });
  }
  pool.join();
  for (std::size_t i = 0; i < kCalls; ++i) {
    EXPECT_EQ(replies[i], "stdout:\nprogram " + std::to_string(i));
  }
}

TEST(CodeactCalls, OfDifferentConversationsDoNotWaitForEachOther) {
  FakeBackendOptions options;
  options.separate_sandboxes();
  const auto backend = std::make_shared<FakeBackend>(options);
  std::deque<std::string> threads = {"stuck", "stuck", "free"};
  const auto next_thread = [&] {
    std::optional<std::string> thread = threads.front();
    threads.pop_front();
    return thread;
  };
  const Tool tool =
      make_codeact_tools(router_of(backend), "agent",
                         CallerContext([] { return std::string("scope"); }, next_thread, no_files))
          .front();
  run_awaitable(tool.invoke(code_argument("1")));  // makes the sandbox, so that it can be stuck
  const auto stuck = backend->sandbox_of(SandboxKey("scope", "stuck", "agent"), "codeact");
  ASSERT_NE(stuck, nullptr);

  std::optional<std::string> first;
  std::optional<std::string> second;
  stuck->on(FakeOperation::exec, [&](std::string) -> net::awaitable<void> {
    const net::any_io_executor executor = co_await net::this_coro::executor;
    for (int i = 0; i < 10000 && !second; ++i) co_await net::post(executor, net::use_awaitable);
    EXPECT_TRUE(second.has_value()) << "the second call waited for the first";
  });
  net::io_context io;
  const auto heard = [](const std::exception_ptr& error) { EXPECT_EQ(error, nullptr); };
  net::co_spawn(io, call_into(tool, "1", first), heard);
  net::co_spawn(io, call_into(tool, "2", second), heard);
  io.run();
  EXPECT_TRUE(first.has_value());
}

}  // namespace
}  // namespace sandbox::codeact
