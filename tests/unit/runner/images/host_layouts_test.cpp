// Where people really keep interpreters.
// SPDX-License-Identifier: MIT
#include <sys/stat.h>

#include <algorithm>
#include <filesystem>

#include "host_image.hpp"
#include "image_support.hpp"

namespace sandbox::runner::test {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

// Temporary directories lie below /tmp, so all of these are late.
class HostLayout : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!have_system_python()) GTEST_SKIP() << "there is no " << kSystemPython;
    if (!root_.path().starts_with("/tmp/")) GTEST_SKIP() << "the temporary directory is not /tmp";
    series_ = system_python_series();
  }

  // A prefix with a fake interpreter and the directories of a real one.
  std::string make_prefix(const std::string& name, const std::string& python,
                          const std::string& extra = "") {
    for (const char* part : {"/lib/python3.12", "/share", "/include", "/secret"}) {
      root_.directory(name + part);
    }
    fake_interpreter(root_, name + "/bin/" + python, "3.12.1", "cpython", root_.at(name), extra);
    return root_.at(name);
  }

  TemporaryDirectory root_;
  std::string series_;
};

TEST_F(HostLayout, AVirtualEnvironment) {
  const std::string venv = make_venv(root_, "venv");
  root_.directory("venv/secret");
  const Image image = host_image_of(venv + "/bin/python");
  expect_well_formed(image);
  EXPECT_EQ(image.interpreter, venv + "/bin/python");
  EXPECT_EQ(image.path_directories[0], venv + "/bin");
  for (const char* name : {"/bin", "/lib", "/pyvenv.cfg"}) {
    EXPECT_NE(find_bind(image.late_binds, venv + name), nullptr) << name;
  }
  EXPECT_EQ(seen_at(image, venv + "/bin/python3"), "/usr/bin/python" + series_);
  EXPECT_EQ(seen_at(image, venv + "/secret"), std::nullopt);
  EXPECT_EQ(seen_at(image, venv + "/include"), std::nullopt);
}

TEST_F(HostLayout, AVirtualEnvironmentOfCopies) {
  const std::string venv = make_venv(root_, "venv", {"--copies"});
  const Image image = host_image_of(venv + "/bin/python3");
  expect_well_formed(image);
  EXPECT_EQ(seen_at(image, venv + "/bin/python3"), venv + "/bin/python3");
}

TEST_F(HostLayout, AVirtualEnvironmentWithOnlyPythonThroughAliases) {
  root_.link("registry/cpython-" + series_ + ".0-linux", "/usr");
  root_.link("registry/cpython-" + series_ + "-linux", "cpython-" + series_ + ".0-linux");
  const std::string alias = root_.at("registry/cpython-" + series_ + "-linux");
  root_.file("proj/venv/pyvenv.cfg", "home = " + alias + "/bin\nversion = " + series_ + "\n");
  root_.directory("proj/venv/lib/python" + series_ + "/site-packages");
  const std::string python = root_.link("proj/venv/bin/python", alias + "/bin/python3");
  const Image image = host_image_of(python);
  expect_well_formed(image);
  EXPECT_EQ(image.interpreter, python);
  EXPECT_EQ(find_bind(image.late_binds, root_.at("proj/venv/bin")), nullptr);
  for (const std::string& name :
       {std::string("python"), std::string("python3"), "python" + series_}) {
    const ImageLink* link = find_link(image.late_links, root_.at("proj/venv/bin/" + name));
    ASSERT_NE(link, nullptr) << name;
    EXPECT_EQ(link->target, alias + "/bin/python3");
  }
  EXPECT_EQ(find_link(image.late_links, alias)->target, "cpython-" + series_ + ".0-linux");
  EXPECT_EQ(
      find_link(image.late_links, root_.at("registry/cpython-" + series_ + ".0-linux"))->target,
      "/usr");
}

TEST_F(HostLayout, APrefixWithAllItsNames) {
  const std::string prefix = make_prefix("conda", "python3.12");
  root_.link("conda/bin/python3", "python3.12");
  const Image image = host_image_of(prefix + "/bin/python3.12");
  expect_well_formed(image);
  std::vector<std::string> places;
  for (const ImageBind& bind : image.late_binds) places.push_back(bind.guest_path);
  EXPECT_THAT(places, ElementsAre(prefix + "/bin", prefix + "/lib", prefix + "/share"));
  EXPECT_THAT(image.late_links, IsEmpty());
}

TEST_F(HostLayout, APrefixWithoutAPython3) {
  const std::string prefix = make_prefix("conda", "python3.12");
  root_.program("conda/bin/other", "#!/bin/sh\n");
  const Image image = host_image_of(prefix + "/bin/python3.12");
  expect_well_formed(image);
  EXPECT_FALSE(find_bind(image.late_binds, prefix + "/bin/python3.12")->is_directory);
  EXPECT_EQ(find_link(image.late_links, prefix + "/bin/python3")->target, "python3.12");
  EXPECT_EQ(find_link(image.late_links, prefix + "/bin/python")->target, "python3.12");
  EXPECT_EQ(seen_at(image, prefix + "/bin/other"), std::nullopt);
}

TEST_F(HostLayout, APython3ThatIsAnotherOneDoesNotWin) {
  const std::string prefix = make_prefix("two", "python3.12");
  root_.program("two/bin/python3", "#!/bin/sh\necho another\n");
  const Image image = host_image_of(prefix + "/bin/python3.12");
  expect_well_formed(image);
  EXPECT_EQ(seen_at(image, prefix + "/bin/python3"), prefix + "/bin/python3.12");
}

TEST_F(HostLayout, ANameThatCannotBeAddedInPlaceComesFirstInPath) {
  // The module path shows the directory of the interpreter, with another python3 in it.
  const std::string prefix =
      make_prefix("two", "python3.12", R"(,"modules":[")" + root_.at("two") + "\"]");
  root_.program("two/bin/python3", "#!/bin/sh\necho another\n");
  const Image image = host_image_of(prefix + "/bin/python3.12");
  expect_well_formed(image);
  EXPECT_THAT(image.path_directories, ElementsAre("/opt/libsandbox/bin", prefix + "/bin",
                                                  "/usr/local/bin", "/usr/bin", "/bin"));
  EXPECT_EQ(seen_at(image, "/opt/libsandbox/bin/python3"), prefix + "/bin/python3.12");
}

TEST_F(HostLayout, ALinkInAnotherDirectory) {
  const std::string prefix = make_prefix("uv/cpython-3.12.1", "python3.12");
  root_.link("uv/cpython-3.12.1/bin/python3", "python3.12");
  root_.file("me/bin/private");
  // The interpreter names itself by the link that started it.
  const std::string given = root_.link("me/bin/python3", "../../uv/cpython-3.12.1/bin/python3");
  root_.program("uv/cpython-3.12.1/bin/python3.12",
                "#!/bin/sh\nprintf '\\nsandbox-interpreter:%s\\n' '{\"executable\":\"" + given +
                    "\",\"prefix\":\"" + prefix + "\",\"base_prefix\":\"" + prefix +
                    R"(","version":"3.12.1","major":3,"minor":12,"implementation":"cpython"}')" +
                    "\n");
  const Image image = host_image_of(given);
  expect_well_formed(image);
  EXPECT_EQ(image.interpreter, given);
  EXPECT_EQ(seen_at(image, given), prefix + "/bin/python3.12");
  EXPECT_EQ(seen_at(image, root_.at("me/bin/python")), prefix + "/bin/python3.12");
  EXPECT_EQ(seen_at(image, root_.at("me/bin/private")), std::nullopt);
}

TEST_F(HostLayout, TheBaseOfAVirtualEnvironmentAndTheNameItIsKnownBy) {
  const std::string base = root_.directory("base");
  root_.directory("base/lib");
  root_.program("base/bin/python3.12", "#!/bin/sh\n");
  const std::string known_as = root_.link("me/bin/python3.12", "../../base/bin/python3.12");
  // The last of two equal keys counts.
  const std::string prefix =
      make_prefix("venv", "python3",
                  R"(,"base_prefix":")" + base + R"(","_base_executable":")" + known_as + "\"");
  const Image image = host_image_of(prefix + "/bin/python3");
  expect_well_formed(image);
  EXPECT_EQ(seen_at(image, base + "/lib"), base + "/lib");
  EXPECT_EQ(seen_at(image, known_as), base + "/bin/python3.12");
}

TEST_F(HostLayout, APathWithDotsIsSettled) {
  // ".." is taken on the disk: after the link, it is the directory that the link leads into.
  const std::string venv = make_venv(root_, "elsewhere/venv");
  root_.directory("elsewhere/deep");
  root_.link("aside", "elsewhere/deep");
  const Image image = host_image_of(root_.at("aside/..//venv/./bin/python3"));
  expect_well_formed(image);
  EXPECT_EQ(image.interpreter, venv + "/bin/python3");
  EXPECT_EQ(image.path_directories[0], venv + "/bin");
}

TEST_F(HostLayout, DirectoriesOnTheModulePathAreShown) {
  const std::string venv = make_venv(root_, "venv");
  const std::string project = root_.directory("project/src");
  const std::string archive = root_.file("archives/modules.zip");
  root_.link("linked", "project/src");
  root_.file("venv/lib/python" + series_ + "/site-packages/more.pth",
             root_.at("linked") + "\n" + archive + "\n");
  const Image image = host_image_of(venv + "/bin/python3");
  expect_well_formed(image);
  EXPECT_NE(find_bind(image.late_binds, project), nullptr);
  EXPECT_FALSE(find_bind(image.late_binds, archive)->is_directory);
  EXPECT_EQ(seen_at(image, root_.at("linked")), project);
}

TEST_F(HostLayout, AHomeDirectoryOnTheModulePathIsLeftOutWithANote) {
  const std::string venv = make_venv(root_, "me/venv");
  const ScopedVariable home("HOME", root_.at("me"));
  const std::string site = "me/venv/lib/python" + series_ + "/site-packages/";
  root_.file(site + "more.pth", root_.at("me") + "\n" + root_.path() + "\n/\n/etc\n/tmp\n");
  root_.file("me/secret");
  const Image image = host_image_of(venv + "/bin/python3");
  expect_well_formed(image);
  EXPECT_EQ(seen_at(image, root_.at("me/secret")), std::nullopt);
  EXPECT_EQ(seen_at(image, venv + "/bin/python3"), "/usr/bin/python" + series_);
  for (const std::string& path :
       {root_.at("me"), root_.path(), std::string("/"), std::string("/etc"), std::string("/tmp")}) {
    EXPECT_THAT(image.notes, Contains(HasSubstr(path + " (on sys.path) is left out"))) << path;
  }
}

TEST_F(HostLayout, AVirtualEnvironmentInAHomeDirectoryItself) {
  const std::string venv = make_venv(root_, "me");
  const ScopedVariable home("HOME", venv);
  root_.file("me/secret");
  const Image image = host_image_of(venv + "/bin/python3");
  expect_well_formed(image);
  EXPECT_NE(find_bind(image.late_binds, venv + "/lib"), nullptr);
  EXPECT_EQ(seen_at(image, venv + "/secret"), std::nullopt);
}

TEST_F(HostLayout, APartThatMustNotBeShownIsAnError) {
  // Its "lib" leads to a home directory.
  const ScopedVariable home("HOME", root_.directory("me"));
  root_.link("odd/lib", "../me");
  fake_interpreter(root_, "odd/bin/python3", "3.12.1", "cpython", root_.at("odd"));
  const auto error = error_of([&] { host_image_of(root_.at("odd/bin/python3")); });
  ASSERT_TRUE(error);
  EXPECT_EQ(error->sandbox_code(), errc::image_unusable);
  EXPECT_THAT(error->what(), HasSubstr("home directory"));
}

}  // namespace
}  // namespace sandbox::runner::test
