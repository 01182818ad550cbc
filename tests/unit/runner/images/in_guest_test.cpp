// Images put to use: an interpreter that sees nothing but its image, made with bubblewrap.
// SPDX-License-Identifier: MIT
#include <unistd.h>

#include <cstdlib>
#include <string>

#include "host_image.hpp"
#include "image_support.hpp"

namespace sandbox::runner::test {
namespace {

using ::testing::HasSubstr;

// Says the same on the host and in the guest; "python3" by name must be this interpreter too.
constexpr const char* kReport = R"(
import ctypes, decimal, json, os, shutil, ssl, subprocess, sys, sqlite3
code = 'import sys; print(sys.prefix)'
inner = subprocess.run(['python3', '-c', code], capture_output=True, text=True)
print(json.dumps([sys.executable, sys.prefix, sys.base_prefix, inner.stdout]))
)";

class InGuest : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!have_system_python()) GTEST_SKIP() << "there is no " << kSystemPython;
  }

  static std::string run_in(const Image& image, const std::string& program) {
    const std::optional<CapturedRun> run = run_python_in(image, program);
    if (!run) {
      if (std::getenv("SANDBOX_TESTS_MUST_WORK") != nullptr) {
        ADD_FAILURE() << "bubblewrap cannot make a guest on this machine";
      }
      return {};
    }
    EXPECT_EQ(run->exit_code.value_or(-1), 0) << run->err;
    return run->out;
  }

  static void expect_at_home(const Image& image, const std::string& prefix,
                             const std::string& base_prefix) {
    const std::string out = run_in(image, kReport);
    if (out.empty()) GTEST_SKIP() << "bubblewrap cannot make a guest on this machine";
    EXPECT_EQ(out, "[\"" + image.interpreter + "\", \"" + prefix + "\", \"" + base_prefix +
                       "\", \"" + prefix + "\\n\"]\n");
  }

  TemporaryDirectory root_;
};

TEST_F(InGuest, TheSystemPythonRuns) {
  expect_at_home(host_image_of(kSystemPython), "/usr", "/usr");
}

TEST_F(InGuest, AVirtualEnvironmentRuns) {
  const std::string venv = make_venv(root_, "venv");
  expect_at_home(host_image_of(venv + "/bin/python"), venv, "/usr");
}

TEST_F(InGuest, AVirtualEnvironmentOfCopiesRuns) {
  const std::string venv = make_venv(root_, "venv", {"--copies"});
  expect_at_home(host_image_of(venv + "/bin/python3"), venv, "/usr");
}

TEST_F(InGuest, AVirtualEnvironmentThroughAliasesRunsWithItsPackages) {
  const std::string series = system_python_series();
  root_.link("registry/exact", "/usr");
  root_.link("registry/alias", "exact");
  root_.file("venv/pyvenv.cfg", "home = " + root_.at("registry/alias/bin") + "\n");
  root_.file("venv/lib/python" + series + "/site-packages/only_here.py", "ANSWER = 42\n");
  const std::string python = root_.link("venv/bin/python", root_.at("registry/alias/bin/python3"));
  const Image image = host_image_of(python);
  expect_at_home(image, root_.at("venv"), root_.at("registry/alias"));
  if (IsSkipped()) return;
  EXPECT_EQ(run_in(image, "import only_here; print(only_here.ANSWER)"), "42\n");
}

TEST_F(InGuest, ThePyenvPythonRuns) {
  const char* home = std::getenv("HOME");
  const std::string shim = std::string(home != nullptr ? home : "") + "/.pyenv/shims/python3";
  if (::access(shim.c_str(), X_OK) != 0) GTEST_SKIP() << "there is no pyenv shim " << shim;
  const Image image = host_image_of(shim);
  const std::string prefix = image.interpreter.substr(0, image.interpreter.find("/bin/"));
  expect_at_home(image, prefix, prefix);
}

TEST_F(InGuest, NothingElseOfTheHostIsThere) {
  const std::string out = run_in(host_image_of(make_venv(root_, "venv") + "/bin/python3"),
                                 "import os\n"
                                 "print(sorted(os.listdir('/')))\n"
                                 "print(sorted(os.listdir('" +
                                     root_.at("venv") + "')))\n");
  if (out.empty()) GTEST_SKIP() << "bubblewrap cannot make a guest on this machine";
  for (const char* hidden : {"'root'", "'home'", "'opt'", "'var'", "'srv'", "'include'"}) {
    EXPECT_THAT(out, ::testing::Not(HasSubstr(hidden)));
  }
}

}  // namespace
}  // namespace sandbox::runner::test
