// SPDX-License-Identifier: MIT
#include "interpreter_probe.hpp"

#include <algorithm>

#include "image_support.hpp"

namespace sandbox::runner::test {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::StartsWith;

std::string failure_of(const std::string& program) {
  const ProbeResult result = probe_interpreter(program);
  const auto* failure = std::get_if<ProbeFailure>(&result);
  return failure == nullptr ? std::string() : failure->reason;
}

InterpreterFacts facts_of(const std::string& program) {
  ProbeResult result = probe_interpreter(program);
  if (const auto* failure = std::get_if<ProbeFailure>(&result)) {
    ADD_FAILURE() << failure->reason;
    return {};
  }
  return std::get<InterpreterFacts>(std::move(result));
}

class SystemPythonProbe : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!have_system_python()) GTEST_SKIP() << "there is no " << kSystemPython;
  }
};

TEST_F(SystemPythonProbe, SaysWhereItsPartsAre) {
  const InterpreterFacts facts = facts_of(kSystemPython);
  EXPECT_EQ(facts.executable, kSystemPython);
  EXPECT_EQ(facts.prefix, "/usr");
  EXPECT_EQ(facts.base_prefix, "/usr");
  EXPECT_EQ(facts.implementation, "cpython");
  EXPECT_EQ(facts.major, 3);
  EXPECT_THAT(facts.version, StartsWith(system_python_series() + "."));
  EXPECT_THAT(facts.module_paths, Contains("/usr/lib/python" + system_python_series()));
}

TEST_F(SystemPythonProbe, DoesNotSeeTheCallersPythonVariables) {
  const TemporaryDirectory root;
  const ScopedVariable path("PYTHONPATH", root.path());
  const ScopedVariable startup("PYTHONHOME", root.path());
  EXPECT_THAT(facts_of(kSystemPython).module_paths, Not(Contains(root.path())));
}

TEST_F(SystemPythonProbe, DoesNotSeeTheUsersOwnPackages) {
  const TemporaryDirectory root;
  const std::string site =
      root.directory(".local/lib/python" + system_python_series() + "/site-packages");
  const ScopedVariable home("HOME", root.path());
  EXPECT_THAT(facts_of(kSystemPython).module_paths, Not(Contains(site)));
}

TEST_F(SystemPythonProbe, NamesThePartsOfAVirtualEnvironment) {
  const TemporaryDirectory root;
  const std::string venv = make_venv(root, "venv");
  const InterpreterFacts facts = facts_of(venv + "/bin/python3");
  EXPECT_EQ(facts.executable, venv + "/bin/python3");
  EXPECT_EQ(facts.prefix, venv);
  EXPECT_EQ(facts.base_prefix, "/usr");
}

TEST_F(SystemPythonProbe, ReadsPastWhatStartUpFilesPrint) {
  const TemporaryDirectory root;
  const std::string venv = make_venv(root, "venv");
  root.file("venv/lib/python" + system_python_series() + "/site-packages/noise.pth",
            "import sys; print('noise')\n");
  EXPECT_EQ(facts_of(venv + "/bin/python3").prefix, venv);
}

TEST(InterpreterProbe, AnAnswerIsTakenApart) {
  const TemporaryDirectory root;
  const std::string fake =
      fake_interpreter(root, "python3", "3.12.4", "cpython", root.path(),
                       R"(,"modules":["/a","relative",null,"/b","/a"],"shared":true)"
                       R"(,"libdir":"/l","library":"p.so")");
  const InterpreterFacts facts = facts_of(fake);
  EXPECT_EQ(facts.executable, fake);
  EXPECT_EQ(facts.version, "3.12.4");
  EXPECT_EQ(facts.minor, 12);
  EXPECT_THAT(facts.module_paths, ::testing::ElementsAre("/a", "/b"));
  EXPECT_EQ(facts.shared_library, "/l/p.so");
}

TEST(InterpreterProbe, SaysWhyThereIsNoAnswer) {
  const TemporaryDirectory root;
  EXPECT_THAT(failure_of(root.at("none")), HasSubstr("cannot be started"));
  EXPECT_THAT(failure_of(root.program("a", "#!/bin/sh\necho no such version >&2\nexit 127\n")),
              HasSubstr("exit code 127 (no such version)"));
  EXPECT_THAT(failure_of(root.program("b", "#!/bin/sh\necho hello\n")),
              HasSubstr("as Python does"));
  EXPECT_THAT(failure_of(root.program("c", "#!/bin/sh\nprintf '\\nsandbox-interpreter:{[\\n'\n")),
              HasSubstr("as Python does"));
  EXPECT_THAT(failure_of(root.program("d", "#!/bin/sh\nexec yes\n")), HasSubstr("too much"));
  EXPECT_THAT(failure_of(root.program("e", "#!/nonexistent/shell\n")),
              HasSubstr("cannot be started"));
}

TEST(InterpreterProbe, AnInterpretersComplaintCannotDriveATerminal) {
  const TemporaryDirectory root;
  const std::string reason =
      failure_of(root.program("a", "#!/bin/sh\nprintf '\\033[2Jboo' >&2\nexit 1\n"));
  EXPECT_THAT(reason, HasSubstr("boo"));
  EXPECT_EQ(reason.find('\033'), std::string::npos);
}

}  // namespace
}  // namespace sandbox::runner::test
