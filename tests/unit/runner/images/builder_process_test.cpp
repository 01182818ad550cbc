// SPDX-License-Identifier: MIT
#include "builder_process.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <thread>

#include "image_support.hpp"

namespace net = boost::asio;

namespace sandbox::runner::test {
namespace {

using ::testing::HasSubstr;

const std::vector<std::string> kEnvironment = {"PATH=/usr/bin:/bin"};

// Runs a shell script as a builder; `stop_when` is asked again and again until it says to cancel.
struct Outcome {
  BuilderEnd end;
  std::exception_ptr failure;
};

Outcome run_script(const std::string& script, const std::function<bool()>& stop_when = {}) {
  net::io_context io;
  net::cancellation_signal stop;
  Outcome outcome;
  bool over = false;
  const auto ended = [&](std::exception_ptr failure, BuilderEnd end) {
    outcome.failure = std::move(failure);
    outcome.end = std::move(end);
    over = true;
  };
  net::co_spawn(io, run_builder({"/bin/sh", "-c", script}, kEnvironment),
                net::bind_cancellation_slot(stop.slot(), ended));
  while (!over) {
    io.run_one_for(std::chrono::milliseconds(5));
    if (stop_when && stop_when()) stop.emit(net::cancellation_type::terminal);
  }
  io.run();
  return outcome;
}

bool is_alive(const std::string& pid_file) {
  pid_t pid = 0;
  std::ifstream(pid_file) >> pid;
  if (pid == 0) return false;
  std::string state;
  std::ifstream status("/proc/" + std::to_string(pid) + "/stat");
  std::getline(status, state);
  return !state.empty() && state.find(") Z ") == std::string::npos;
}

bool comes_true(const std::function<bool()>& condition) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(20);
  while (!condition() && std::chrono::steady_clock::now() < end) {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  return condition();
}

TEST(BuilderProcess, TellsTheCodeAndTheLastWords) {
  const Outcome outcome = run_script("echo one; echo two >&2; exit 7");
  ASSERT_FALSE(outcome.failure);
  EXPECT_EQ(outcome.end.exit_code, 7);
  EXPECT_EQ(outcome.end.last_words, "one\ntwo\n");
}

TEST(BuilderProcess, KeepsTheEndOfMuchOutput) {
  const Outcome outcome =
      run_script("i=0; while [ $i -lt 20000 ]; do echo line $i; i=$((i+1)); done");
  EXPECT_EQ(outcome.end.exit_code, 0);
  EXPECT_LT(outcome.end.last_words.size(), 100000U);
  EXPECT_THAT(outcome.end.last_words, HasSubstr("line 19999\n"));
}

TEST(BuilderProcess, HasNoDescriptorButItsOwnThree) {
  const Outcome outcome = run_script("ls /proc/self/fd | wc -l; cat; umask");
  EXPECT_EQ(outcome.end.last_words, "4\n0022\n") << "ls has a fourth: the directory it reads";
}

TEST(BuilderProcess, WhatItLeavesBehindEndsWithIt) {
  const TemporaryDirectory here;
  const std::string pid_file = here.at("pid");
  const Outcome outcome = run_script("sleep 1000 & echo $! > " + pid_file);
  EXPECT_EQ(outcome.end.exit_code, 0);
  EXPECT_TRUE(std::filesystem::exists(pid_file));
  EXPECT_TRUE(comes_true([&] { return !is_alive(pid_file); }));
}

TEST(BuilderProcess, CancellingEndsTheWholeGroup) {
  const TemporaryDirectory here;
  const std::string pid_file = here.at("pid");
  const auto has_begun = [&] { return is_alive(pid_file); };
  const Outcome outcome = run_script(
      "trap '' TERM INT HUP; sh -c 'echo $$ > " + pid_file + "; sleep 1000' | cat", has_begun);
  ASSERT_TRUE(outcome.failure);
  EXPECT_FALSE(is_alive(pid_file));
}

TEST(BuilderProcess, DiesWithUsEvenWhenWeAreKilled) {
  const TemporaryDirectory here;
  const std::string pid_file = here.at("pid");
  const pid_t host = ::fork();
  if (host == 0) {
    (void)run_script("sh -c 'echo $$ > " + pid_file + "; sleep 1000' & wait");
    ::_exit(0);
  }
  ASSERT_TRUE(comes_true([&] { return is_alive(pid_file); }));
  ::kill(host, SIGKILL);
  ::waitpid(host, nullptr, 0);
  EXPECT_TRUE(comes_true([&] { return !is_alive(pid_file); }));
}

TEST(BuilderProcess, AProgramThatIsNotThereEndsWith127) {
  net::io_context io;
  BuilderEnd end;
  net::co_spawn(io, run_builder({"/nonexistent/program"}, kEnvironment),
                [&](const std::exception_ptr&, BuilderEnd found) { end = std::move(found); });
  io.run();
  EXPECT_EQ(end.exit_code, 127);
}

}  // namespace
}  // namespace sandbox::runner::test
