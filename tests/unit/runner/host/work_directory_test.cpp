// Which guest paths can be a work directory.
// SPDX-License-Identifier: MIT
#include <gmock/gmock.h>

#include "host_support.hpp"
#include "plan_support.hpp"
#include "root_plan.hpp"

namespace sandbox::runner::test {
namespace {

using namespace literals;
using ::testing::HasSubstr;

struct Row {
  std::string path;
  const char* why;
};

std::vector<Row> refused() {
  return {
      {"", "no path"},
      {"/", "the root"},
      {"relative", "not absolute"},
      {"./work", "not absolute"},
      {"//work", "a root of its own"},
      {"/work/", "not normalised"},
      {"/a//b", "not normalised"},
      {"/a/./b", "not normalised"},
      {"/a/../b", "not normalised"},
      {"/..", "not normalised"},
      {"/a\\b", "a backslash"},
      {"/a\nb", "a line of /etc/passwd more"},
      {"/a:b", "a field of /etc/passwd more"},
      {std::string("/a\0b", 4), "a NUL"},
      {"/a\xff", "not UTF-8"},
      {"/proc", "the system's"},
      {"/proc/1", "the system's"},
      {"/dev", "the system's"},
      {"/dev/shm", "the system's"},
      {"/tmp", "a run's own"},
      {"/tmp/work", "a run's own"},
      {"/etc/work", "the system's"},
      {"/sys", "the system's"},
      {"/usr", "the system's"},
      {"/usr/work", "the system's"},
      {"/bin", "the system's"},
      {"/sbin/x", "the system's"},
      {"/lib", "the system's"},
      {"/lib32", "the system's"},
      {"/lib64/x", "the system's"},
      {"/libx32", "the system's"},
      {"/var/work", "the system's"},
      {"/run/work", "the system's"},
      {"/opt/py", "a bind"},
      {"/opt/py/work", "below a bind"},
      {"/opt", "above a bind"},
      {"/srv/one/file", "a bind of a file"},
      {"/srv", "above a bind of a file"},
      {"/opt/python", "a link"},
      {"/opt/python/work", "below a link"},
      {"/work/venv", "a late bind"},
      {"/work/venv/x", "below a late bind"},
      {"/work/py", "a late link"},
      {"/work/py/x", "below a late link"},
  };
}

TEST(WorkDirectory, APlaceThatIsTakenOrOddIsAConfigurationError) {
  for (const Row& row : refused()) {
    SCOPED_TRACE(row.path + ": " + row.why);
    const auto told =
        told_by([&] { (void)plan_sandbox_tree(hand_made_image(), row.path, TreeRules(1_MiB)); });
    ASSERT_TRUE(told) << "accepted";
    EXPECT_EQ(told->code, errc::config_error);
    EXPECT_THAT(told->what, HasSubstr("such as /work"));
  }
}

TEST(WorkDirectory, ALinkOfTheImageBelowItWouldBeHidden) {
  Image image;
  image.links = {{"/data/python", "/usr/bin/python3"}};
  EXPECT_EQ(error_of([&] { (void)plan_sandbox_tree(image, "/data", TreeRules(1_MiB)); }),
            errc::config_error);
  EXPECT_EQ(error_of([&] { (void)plan_sandbox_tree(image, "/data/work", TreeRules(1_MiB)); }),
            std::nullopt);
}

TEST(WorkDirectory, AnyFreePlaceIsGood) {
  for (const char* path :
       {"/work", "/maf-sandbox/work", "/w", "/usrx", "/procs", "/tmpfs", "/home/me/work",
        "/work/sub", "/work/deep", "/opt/pyx", "/a b", "/w\u00f6rk", "/...", "/.work"}) {
    EXPECT_EQ(error_of([&] { (void)plan_sandbox_tree(hand_made_image(), path, TreeRules(1_MiB)); }),
              std::nullopt)
        << path;
  }
}

}  // namespace
}  // namespace sandbox::runner::test
