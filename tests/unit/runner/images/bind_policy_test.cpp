// SPDX-License-Identifier: MIT
#include "bind_policy.hpp"

#include "image_support.hpp"

namespace sandbox::runner::test {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

class NeverBound : public ::testing::TestWithParam<const char*> {};

TEST_P(NeverBound, AsAWhole) { EXPECT_NE(BindPolicy().refusal(GetParam()), ""); }

INSTANTIATE_TEST_SUITE_P(BindPolicy, NeverBound,
                         ::testing::Values("/", "/etc", "/var", "/tmp", "/root", "/home",
                                           "/home/someone", "/usr", "/usr/local", "/opt", "/proc",
                                           "/sys", "/dev", "/run", "/work"));

class MayBeBound : public ::testing::TestWithParam<const char*> {};

TEST_P(MayBeBound, WhenAnInterpreterNeedsIt) {
  EXPECT_THAT(BindPolicy().refusal(GetParam()), IsEmpty());
}

INSTANTIATE_TEST_SUITE_P(BindPolicy, MayBeBound,
                         ::testing::Values("/usr/local/lib", "/opt/conda/lib",
                                           "/home/someone/project",
                                           "/root/.pyenv/versions/3.11/lib",
                                           "/var/lib/service/venv/lib", "/tmp/x"));

TEST(BindPolicy, TheHomeOfThisProcessAndWhatHoldsItAreRefused) {
  const TemporaryDirectory root;
  const std::string home = root.directory("people/me");
  const ScopedVariable variable("HOME", home);
  const BindPolicy policy;
  EXPECT_THAT(policy.refusal(home), HasSubstr("home directory"));
  EXPECT_THAT(policy.refusal(root.at("people")), HasSubstr("home directory"));
  EXPECT_THAT(policy.refusal(home + "/project"), IsEmpty());
}

TEST(BindPolicy, AGuestPathHasItsPlace) {
  EXPECT_EQ(place_of("/usr/bin"), GuestPlace::root);
  EXPECT_EQ(place_of("/root/.pyenv"), GuestPlace::root);
  EXPECT_EQ(place_of("/tmp/venv"), GuestPlace::late);
  EXPECT_EQ(place_of("/work/venv/lib"), GuestPlace::late);
  EXPECT_EQ(place_of("/workshop"), GuestPlace::root);
  for (const char* taken :
       {"/", "/tmp", "/work", "/dev", "/dev/shm/venv", "/var/tmp/venv", "/proc/self/exe", "/sys",
        "/etc", "/etc/passwd", "/etc/resolv.conf", "/etc/python3"}) {
    EXPECT_EQ(place_of(taken), GuestPlace::impossible) << taken;
  }
  EXPECT_EQ(place_of("/etc/fonts"), GuestPlace::root);
  EXPECT_EQ(place_of("/etc/ld.so.cache"), GuestPlace::root);
}

}  // namespace
}  // namespace sandbox::runner::test
