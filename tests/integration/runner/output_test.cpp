// Streams, input, environment.
// SPDX-License-Identifier: MIT
#include <gmock/gmock.h>

#include "runner_fixture.hpp"

namespace sandbox::runner::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

class OutputTest : public RunnerTest {};

TEST_F(OutputTest, StreamsStaySeparateAndBytesArriveAsTheyAre) {
  const ExecResult result = python(
      "import sys\n"
      "sys.stdout.buffer.write(bytes(range(256)))\n"
      "sys.stderr.write('to the other\\n')");
  std::string all;
  for (int byte = 0; byte < 256; ++byte) all.push_back(static_cast<char>(byte));
  EXPECT_EQ(result.standard_output.bytes(), all);
  EXPECT_EQ(result.standard_error.bytes(), "to the other\n");
}

// WK-12: counted in full, kept as head and tail.
TEST_F(OutputTest, LongOutputKeepsItsStartAndItsEnd) {
  ExecRequest request = python_request("for i in range(100000): print(i)");
  request.limits(Limits().output(Bytes(4000)));
  const ExecResult result = exec(request);
  EXPECT_TRUE(result.standard_output.truncated());
  EXPECT_EQ(result.standard_output.total_bytes(), 588890U);
  EXPECT_THAT(result.standard_output.head(), ::testing::StartsWith("0\n1\n2\n"));
  EXPECT_THAT(result.standard_output.tail(), ::testing::EndsWith("99998\n99999\n"));
  EXPECT_EQ(result.standard_output.bytes().size(), 4000U);
}

TEST_F(OutputTest, LiveOutputComesInOrderWhileTheProgramRuns) {
  std::string live;
  bool came_before_the_end = false;
  bool ended = false;
  ExecRequest request = python_request(
      "import sys, time\n"
      "print('first'); time.sleep(0.3); print('second', file=sys.stderr); time.sleep(0.3); "
      "print('third')");
  request.on_output([&](OutputChunk chunk) {
    came_before_the_end = came_before_the_end || !ended;
    live += chunk.bytes;
  });
  exec(request);
  ended = true;
  EXPECT_EQ(live, "first\nsecond\nthird\n");
  EXPECT_TRUE(came_before_the_end);
}

TEST_F(OutputTest, StandardInputIsWhatWasGivenThenEnds) {
  const std::string input(std::size_t{3} << 20U, 'x');
  ExecRequest request = python_request("import sys; print(len(sys.stdin.buffer.read()))");
  request.standard_input(input);
  EXPECT_EQ(exec(request).standard_output.bytes(), "3145728\n");
  EXPECT_EQ(python("import sys; print(repr(sys.stdin.read()))").standard_output.bytes(), "''\n");
}

// Stdin is a sealed file in memory: the guest can neither change it nor run it.
TEST_F(OutputTest, StandardInputCannotBeWrittenOrRun) {
  ExecRequest request = python_request(
      "import os\n"
      "for flags in (os.O_RDWR, os.O_WRONLY):\n"
      "    try:\n"
      "        fd = os.open('/proc/self/fd/0', flags)\n"
      "        os.write(fd, b'y'); print('written')\n"
      "    except OSError as e: print('refused')\n"
      "try: os.execv('/proc/self/fd/0', ['x'])\n"
      "except OSError as e: print('not run')");
  request.standard_input("#!/bin/sh\necho ran\n");
  EXPECT_EQ(exec(request).standard_output.bytes(), "refused\nrefused\nnot run\n");
}

TEST_F(OutputTest, TheEnvironmentIsExplicit) {
  ::setenv("SANDBOX_TEST_SECRET", "canary-41", 1);
  ExecRequest request = python_request("import os; print(os.environ)");
  request.environment({{"GIVEN", "value"}, {"LANG", "C"}});
  const std::string printed = exec(request).standard_output.bytes();
  ::unsetenv("SANDBOX_TEST_SECRET");
  EXPECT_THAT(printed, Not(HasSubstr("canary-41")));
  EXPECT_THAT(printed, HasSubstr("'GIVEN': 'value'"));
  EXPECT_THAT(printed, HasSubstr("'LANG': 'C'"));
  EXPECT_THAT(printed, HasSubstr("'HOME': '/tmp/home'"));
}

TEST_F(OutputTest, ArgumentsReachTheProgramElementForElement) {
  const ExecResult result = exec(ExecRequest(
      {"python3", "-c", "import sys; print(sys.argv[1:])", "$(id)", "a b", "", "--", "\"'\n;"}));
  EXPECT_EQ(result.standard_output.bytes(), "['$(id)', 'a b', '', '--', '\"\\'\\n;']\n");
}

}  // namespace
}  // namespace sandbox::runner::testing
