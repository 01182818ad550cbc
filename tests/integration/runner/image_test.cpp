// Interpreters of every kind, really run inside.
// SPDX-License-Identifier: MIT
#include <gmock/gmock.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "runner_fixture.hpp"

namespace sandbox::runner::testing {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr const char* kSystemPython = "/usr/bin/python3";

class ImageTest : public RunnerTest {
 protected:
  void SetUp() override {
    if (::access(kSystemPython, X_OK) != 0) GTEST_SKIP() << "there is no " << kSystemPython;
    std::string name = (fs::temp_directory_path() / "sandbox-image-XXXXXX").string();
    ASSERT_NE(::mkdtemp(name.data()), nullptr);
    root_ = fs::canonical(name);
    fs::permissions(root_, fs::perms(0755));
    RunnerTest::SetUp();
  }

  void TearDown() override {
    if (root_.empty()) return;
    RunnerTest::TearDown();
    fs::remove_all(root_);
  }

  static void must_run(const std::string& command) {
    ASSERT_EQ(std::system(command.c_str()), 0) << command;  // NOLINT(cert-env33-c)
  }

  fs::path make_venv(const std::string& name) {
    const fs::path venv = root_ / name;
    must_run(std::string(kSystemPython) + " -m venv --without-pip " + venv.string());
    return venv;
  }

  std::string printed(const std::string& source) {
    const ExecResult result = python(source);
    EXPECT_TRUE(result.status.exited_with(0)) << result.standard_error.text();
    return result.standard_output.bytes();
  }

  fs::path root_;
};

// What sys says inside is what it says outside, by name and by shell.
constexpr const char* kWhoAmI =
    "import subprocess, sys\n"
    "child = subprocess.run('python3 -c \"import sys; print(sys.prefix)\"', shell=True, "
    "capture_output=True, text=True).stdout.strip()\n"
    "print(sys.prefix, child == sys.prefix)";

TEST_F(ImageTest, TheDistributionsPythonRuns) {
  options().image(std::string("host:") + kSystemPython);
  EXPECT_EQ(printed(kWhoAmI), "/usr True\n");
}

TEST_F(ImageTest, AVirtualEnvironmentRunsWithItsPackagesAndNothingBesideIt) {
  const fs::path venv = make_venv("project/venv");
  std::ofstream(root_ / "project" / "secret.txt") << "canary";
  for (const fs::directory_entry& version : fs::directory_iterator(venv / "lib")) {
    std::ofstream(version.path() / "site-packages/only_here.py") << "ANSWER = 42\n";
  }
  options().image("host:" + (venv / "bin/python").string());
  EXPECT_EQ(printed(kWhoAmI), venv.string() + " True\n");
  EXPECT_EQ(printed("import only_here; print(only_here.ANSWER)"), "42\n");
  EXPECT_EQ(printed("import os; print(os.listdir('" + (root_ / "project").string() + "'))"),
            "['venv']\n");
}

// A venv whose only name is `python`, behind an alias of a registry of versions (as uv makes them).
TEST_F(ImageTest, AChainOfLinksIsFollowedInsideToo) {
  fs::create_directories(root_ / "registry");
  fs::create_symlink("/usr", root_ / "registry/cpython-exact");
  fs::create_symlink("cpython-exact", root_ / "registry/cpython");
  fs::create_directories(root_ / "venv/bin");
  fs::create_symlink(root_ / "registry/cpython/bin/python3", root_ / "venv/bin/python");
  std::ofstream(root_ / "venv/pyvenv.cfg")
      << "home = " << (root_ / "registry/cpython/bin").string() << "\n";
  options().image("host:" + (root_ / "venv/bin/python").string());
  EXPECT_EQ(printed(kWhoAmI), (root_ / "venv").string() + " True\n");
}

TEST_F(ImageTest, APyenvShimIsSeenThroughToItsInterpreter) {
  const char* home = std::getenv("HOME");
  const fs::path shim = fs::path(home != nullptr ? home : "/nonexistent") / ".pyenv/shims/python3";
  if (::access(shim.c_str(), X_OK) != 0) GTEST_SKIP() << "there is no pyenv shim " << shim;
  options().image("host:" + shim.string());
  EXPECT_THAT(printed(kWhoAmI), ::testing::AllOf(HasSubstr(".pyenv/versions/"), HasSubstr("True")));
  EXPECT_EQ(printed("import os; print(os.listdir('" + std::string(home) + "'))"), "['.pyenv']\n");
}

// A directory image: the interpreter, its library and what it links to, copied together.
class DirectoryImageTest : public ImageTest {
 protected:
  void SetUp() override {
    ImageTest::SetUp();
    if (IsSkipped()) return;
    image_ = root_ / "rootfs";
    const std::string script =
        "set -e; to=" + image_.string() +
        "; mkdir -p $to/usr/bin $to/usr/lib $to/etc\n"
        "for name in bin lib lib64 sbin; do ln -s usr/$name $to/$name; done\n"
        "python=$(readlink -f /usr/bin/python3); version=${python##*/}\n"
        "cp $python $to/usr/bin/; ln -s $version $to/usr/bin/python3; cp /bin/sh $to/usr/bin/sh\n"
        "library=/usr/lib/$version; mkdir -p $to$library; cp $library/*.py $to$library/\n"
        "for part in encodings collections importlib json re; do\n"
        "  cp -r $library/$part $to$library/\n"
        "done\n"
        "for file in $(ldd $python /bin/sh | awk '/=> \\//{print $3} /ld-linux/{print $1}' | sort "
        "-u); do\n"
        "  case $file in /usr/*) place=$to$file;; *) place=$to/usr$file;; esac\n"
        "  mkdir -p ${place%/*}; cp -L $file $place\n"
        "done\n"
        "echo from-the-image > $to/usr/lib/marker; chmod -R go-w $to";
    must_run(script);
  }
  fs::path image_;
};

TEST_F(DirectoryImageTest, RunsItsOwnInterpreterAndShowsItsOwnFiles) {
  options().image("dir:" + image_.string());
  EXPECT_EQ(printed(kWhoAmI), "/usr True\n");
  EXPECT_EQ(printed("print(open('/usr/lib/marker').read(), end='')"), "from-the-image\n");
  EXPECT_EQ(printed("import os; print(os.path.exists('/usr/share/doc'))"), "False\n");
  EXPECT_EQ(printed("try: open('/usr/lib/marker', 'w')\nexcept OSError as e: print(e.errno)"),
            "30\n");
  EXPECT_EQ(printed("import pwd, os; print(pwd.getpwuid(os.getuid()).pw_name)"), "sandbox\n");
}

// WK-32: an image is believed once its interpreter has run inside.
TEST_F(DirectoryImageTest, AnInterpreterThatDoesNotRunIsRefusedAtTheStart) {
  must_run("rm -r " + image_.string() + "/usr/lib/python3*");
  try {
    await(LinuxBackend::start(BackendOptions().image("dir:" + image_.string())));
    FAIL() << "it was accepted";
  } catch (const Error& error) {
    EXPECT_EQ(error.sandbox_code(), errc::image_unusable);
    EXPECT_THAT(error.what(), HasSubstr("does not run inside"));
  }
}

}  // namespace
}  // namespace sandbox::runner::testing
