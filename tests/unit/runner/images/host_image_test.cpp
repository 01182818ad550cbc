// SPDX-License-Identifier: MIT
#include "host_image.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>

#include "image_support.hpp"

namespace sandbox::runner::test {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

std::string complaint_about_path(const std::string& search_path) {
  const auto error = error_of([&] { host_image_on_path(search_path); });
  if (!error) return "";
  EXPECT_EQ(error->sandbox_code(), errc::image_unusable);
  return error->what();
}

std::string complaint_about(const std::string& interpreter) {
  const auto error = error_of([&] { host_image_of(interpreter); });
  if (!error) return "";
  EXPECT_EQ(error->sandbox_code(), errc::image_unusable);
  return error->what();
}

class HostImage : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!have_system_python()) GTEST_SKIP() << "there is no " << kSystemPython;
  }
  TemporaryDirectory root_;
};

TEST_F(HostImage, ShowsTheSystemAndItsPython) {
  const Image image = host_image_of(kSystemPython);
  expect_well_formed(image);
  EXPECT_EQ(image.interpreter, kSystemPython);
  EXPECT_THAT(image.version, StartsWith(system_python_series() + "."));
  EXPECT_EQ(image.path_directories[0], "/usr/bin");
  for (const char* path : {"/usr/bin", "/usr/lib", "/usr/share"}) {
    EXPECT_NE(find_bind(image.binds, path), nullptr) << path;
  }
  for (const std::string path : {"/bin", "/sbin", "/lib", "/lib64"}) {
    if (std::filesystem::exists(path)) {
      EXPECT_EQ(seen_at(image, path), std::filesystem::canonical(path)) << path;
    }
  }
  EXPECT_TRUE(image.late_binds.empty());
  EXPECT_TRUE(image.late_links.empty());
}

TEST_F(HostImage, ShowsNothingElse) {
  const Image image = host_image_of(kSystemPython);
  for (const char* path : {"/usr/local", "/usr/local/bin", "/usr/src", "/usr/include", "/opt",
                           "/home", "/root", "/var", "/srv", "/etc", "/etc/passwd", "/etc/hosts",
                           "/etc/resolv.conf", "/etc/hostname", "/etc/localtime"}) {
    EXPECT_EQ(seen_at(image, path), std::nullopt) << path;
    EXPECT_EQ(find_bind(image.binds, path), nullptr) << path;
  }
}

TEST_F(HostImage, PassesOverEntriesThatCannotBeUsed) {
  root_.directory("directory/python3");
  root_.file("plain/python3", "#!/bin/sh\n");
  root_.program("broken/python3", "#!/bin/sh\necho version not installed >&2\nexit 127\n");
  root_.link("dangling/python3", "none");
  const std::string bad = root_.at("none") + ":relative::" + root_.at("directory") + ":" +
                          root_.at("plain") + ":" + root_.at("broken") + ":" + root_.at("dangling");
  EXPECT_EQ(host_image_on_path(bad + ":/usr/bin").interpreter, kSystemPython);
  const std::string complaint = complaint_about_path(bad);
  EXPECT_THAT(complaint, HasSubstr("python3 was not found on PATH"));
  EXPECT_THAT(complaint, HasSubstr("\"relative\": it is not absolute"));
  EXPECT_THAT(complaint, HasSubstr("plain\": Permission denied"));
  EXPECT_THAT(complaint, HasSubstr("exit code 127 (version not installed)"));
  EXPECT_THAT(complaint, HasSubstr("name one with host:/path/to/python"));
}

TEST_F(HostImage, TakesTheFirstThatRuns) {
  const std::string venv = make_venv(root_, "venv");
  EXPECT_EQ(host_image_on_path(venv + "/bin:/usr/bin").interpreter, venv + "/bin/python3");
  const ScopedVariable path("PATH", venv + "/bin:/usr/bin:/bin");
  EXPECT_EQ(resolve_image("host").interpreter, venv + "/bin/python3");
}

TEST_F(HostImage, AnOrdinaryUserPassesOverAnotherUsersDirectory) {
  const std::string closed = root_.directory("closed");
  root_.program("closed/bin/python3", "#!/bin/sh\nexec /usr/bin/python3 \"$@\"\n");
  ASSERT_EQ(::chmod(closed.c_str(), 0000), 0);
  const std::string found =
      as_ordinary_user([&] { return host_image_on_path(closed + "/bin:/usr/bin").interpreter; });
  const std::string complaint = as_ordinary_user(
      [&]() -> std::string { return host_image_of(closed + "/bin/python3").interpreter; });
  ASSERT_EQ(::chmod(closed.c_str(), 0755), 0);
  EXPECT_EQ(found, kSystemPython);
  EXPECT_THAT(complaint, HasSubstr("cannot be run: Permission denied"));
}

TEST_F(HostImage, FollowsAStartScriptToTheInterpreter) {
  const std::string shim =
      root_.program("shims/python3", "#!/bin/sh\nexec /usr/bin/python3 \"$@\"\n");
  EXPECT_EQ(host_image_of(shim).interpreter, kSystemPython);
  const Image image = host_image_on_path(root_.at("shims"));
  EXPECT_EQ(image.interpreter, kSystemPython);
  EXPECT_TRUE(image.late_links.empty());
}

TEST_F(HostImage, WhatAStartScriptArrangesDoesNotCount) {
  const std::string venv = make_venv(root_, "venv");
  const std::string extra = root_.directory("extra");
  const std::string shim =
      root_.program("shims/python3",
                    "#!/bin/sh\nPYTHONPATH=" + extra + " exec " + venv + "/bin/python3 \"$@\"\n");
  const Image image = host_image_of(shim);
  EXPECT_EQ(image.interpreter, venv + "/bin/python3");
  EXPECT_EQ(find_bind(image.late_binds, extra), nullptr);
}

TEST_F(HostImage, FindsThePyenvVersionBehindItsShim) {
  const char* home = std::getenv("HOME");
  const std::string shim = std::string(home != nullptr ? home : "") + "/.pyenv/shims/python3";
  if (::access(shim.c_str(), X_OK) != 0) GTEST_SKIP() << "there is no pyenv shim " << shim;
  const Image image = host_image_of(shim);
  expect_well_formed(image);
  EXPECT_THAT(image.interpreter, HasSubstr("/.pyenv/versions/"));
  EXPECT_THAT(image.interpreter, Not(HasSubstr("/shims/")));
  EXPECT_EQ(seen_at(image, shim), std::nullopt);
  const std::string prefix = std::filesystem::path(image.interpreter).parent_path().parent_path();
  EXPECT_NE(find_bind(image.binds, prefix + "/lib"), nullptr);
  EXPECT_EQ(find_bind(image.binds, prefix), nullptr);
}

TEST_F(HostImage, RefusesWhatIsNoInterpreter) {
  EXPECT_THAT(complaint_about(root_.at("none")), HasSubstr("No such file"));
  EXPECT_THAT(complaint_about(root_.path()), HasSubstr("not a regular file"));
  EXPECT_THAT(complaint_about("/bin/true"), HasSubstr("as Python does"));
}

TEST_F(HostImage, RefusesOtherPythons) {
  const std::string prefix = root_.directory("prefix");
  EXPECT_THAT(complaint_about(fake_interpreter(root_, "p/a", "2.7.18", "unknown", prefix)),
              HasSubstr("Python 2.7.18, which is too old"));
  EXPECT_THAT(complaint_about(fake_interpreter(root_, "p/b", "3.7.16", "cpython", prefix)),
              HasSubstr("Python 3.7.16, which is too old"));
  EXPECT_THAT(complaint_about(fake_interpreter(root_, "p/c", "3.10.1", "pypy", prefix)),
              HasSubstr("is pypy, not CPython"));
  EXPECT_EQ(host_image_of(fake_interpreter(root_, "p/d", "3.8.0", "cpython", prefix)).version,
            "3.8.0");
}

TEST_F(HostImage, AnUnfitFirstPythonIsAnErrorAndNotPassedOver) {
  fake_interpreter(root_, "old/python3", "3.6.15", "cpython", root_.directory("prefix"));
  EXPECT_THAT(complaint_about_path(root_.at("old") + ":/usr/bin"), HasSubstr("too old"));
}

TEST_F(HostImage, RefusesADirectoryThatCannotStandInPath) {
  fake_interpreter(root_, "a:b/python3", "3.11.0", "cpython", root_.directory("prefix"));
  EXPECT_THAT(complaint_about(root_.at("a:b/python3")), HasSubstr("colon"));
}

TEST_F(HostImage, RefusesAnInterpreterWhereTheGuestHasItsOwnFiles) {
  std::string directory = "/dev/shm/sandbox-images-XXXXXX";
  if (::mkdtemp(directory.data()) == nullptr) GTEST_SKIP() << "/dev/shm cannot be written";
  std::filesystem::create_symlink(kSystemPython, directory + "/python3");
  const std::string complaint = complaint_about(directory + "/python3");
  std::filesystem::remove_all(directory);
  EXPECT_THAT(complaint, HasSubstr("move the interpreter"));
}

}  // namespace
}  // namespace sandbox::runner::test
