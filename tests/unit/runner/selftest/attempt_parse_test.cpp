// The header of an attempt's file, and every way to get it wrong.
// SPDX-License-Identifier: MIT
#include "selftest/attempt_parse.hpp"

#include <gmock/gmock.h>

#include <string>

#include "sandbox/error.hpp"

namespace sandbox::runner {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr const char* kGood =
    "# attempt: 55 make a user namespace\n"
    "# group: privileges\n"
    "# critical: yes\n"
    "# expect: unshare_user=EPERM|ENOSYS thread=ok\n"
    "# expect: clone_user=EPERM\n"
    "# without seccomp: unshare_user=ENOSPC\n"
    "# without seccomp: clone_user=ENOSPC\n"
    "# outcome: exited|signaled:SIGSYS\n"
    "# limits: memory=128M processes=32 timeout=3s cpu=1s output=64K work=16M open_files=64\n"
    "# works: without seccomp, namespace_lock\n"
    "# SPDX-License-Identifier: MIT\n"
    "# A remark: no field.\n"
    "import os\n";

Attempt parsed(const std::string& text, const std::string& name = "055_user.py") {
  return parse_attempt(name, text, "prelude");
}

// The message of the refusal; "accepted" when there is none.
std::string refusal(const std::string& text, const std::string& name = "055_user.py") {
  try {
    (void)parsed(text, name);
  } catch (const Error& error) {
    EXPECT_EQ(error.sandbox_code(), errc::config_error);
    return error.what();
  }
  return "accepted";
}

// kGood with one piece exchanged.
std::string with(const std::string& old, const std::string& piece) {
  std::string text = kGood;
  const std::size_t at = text.find(old);
  EXPECT_NE(at, std::string::npos) << old;
  return text.replace(at, old.size(), piece);
}

TEST(AttemptParse, ReadsEveryField) {
  const Attempt attempt = parsed(kGood);
  EXPECT_EQ(attempt.number, 55);
  EXPECT_EQ(attempt.name, "055_user");
  EXPECT_EQ(attempt.title, "make a user namespace");
  EXPECT_EQ(attempt.group, "privileges");
  EXPECT_TRUE(attempt.critical);
  EXPECT_THAT(attempt.expectations,
              ElementsAre(Expectation("unshare_user", {"EPERM", "ENOSYS"}),
                          Expectation("thread", {"ok"}), Expectation("clone_user", {"EPERM"})));
  ASSERT_EQ(attempt.expectations_without.size(), 1U);
  EXPECT_THAT(
      attempt.expectations_without.at(Protection::seccomp),
      ElementsAre(Expectation("unshare_user", {"ENOSPC"}), Expectation("clone_user", {"ENOSPC"})));
  EXPECT_THAT(attempt.outcomes, ElementsAre("exited", "signaled:SIGSYS"));
  const Limits limits = Limits()
                            .memory(Bytes(128U << 20U))
                            .processes(32)
                            .cpu_time(1s)
                            .output(Bytes(64U << 10U))
                            .open_files(64);
  EXPECT_EQ(attempt.limits, limits);
  EXPECT_EQ(attempt.work_size, Bytes(16U << 20U));
  EXPECT_EQ(attempt.timeout, 3s);
  EXPECT_EQ(attempt.control.kind(), PositiveControl::Kind::without);
  EXPECT_THAT(attempt.control.off(), ElementsAre(Protection::seccomp, Protection::namespace_lock));
  EXPECT_EQ(attempt.program, std::string("prelude\n") + kGood);
}

TEST(AttemptParse, HasDefaults) {
  const Attempt attempt = parsed(
      "# attempt: 200b a thing\n# group: control\n# expect: a=b\n# works: never it is gone\n",
      "200b_thing.py");
  EXPECT_EQ(attempt.number, 200);
  EXPECT_EQ(attempt.name, "200b_thing");
  EXPECT_FALSE(attempt.critical);
  EXPECT_THAT(attempt.outcomes, ElementsAre("exited"));
  EXPECT_EQ(attempt.limits, Limits());
  EXPECT_FALSE(attempt.work_size);
  EXPECT_EQ(attempt.timeout, 30s);
  EXPECT_THAT(attempt.expectations_without, IsEmpty());
  EXPECT_EQ(attempt.control.kind(), PositiveControl::Kind::never);
  EXPECT_EQ(attempt.control.reason(), "it is gone");
}

TEST(AttemptParse, ReadsTheOtherControls) {
  const std::string field = "without seccomp, namespace_lock";
  EXPECT_EQ(parsed(with(field, "plain")).control.kind(), PositiveControl::Kind::plain);
  const Attempt vm = parsed(with(field, "vm it reboots"));
  EXPECT_EQ(vm.control.kind(), PositiveControl::Kind::vm);
  EXPECT_EQ(vm.control.reason(), "it reboots");
}

TEST(AttemptParse, ErrorsSayFileAndLine) {
  EXPECT_THAT(refusal(with("group: privileges", "group: magic")),
              HasSubstr("055_user.py:2: group: 'magic'"));
  EXPECT_THAT(refusal(with("clone_user=EPERM", "clone_user")), HasSubstr("055_user.py:5: expect:"));
}

TEST(AttemptParse, RefusesSlips) {
  EXPECT_EQ(refusal(kGood), "accepted");
  EXPECT_THAT(refusal(with("group:", "grop:")), HasSubstr("not known"));
  EXPECT_THAT(refusal(with("# group: privileges\n", "")), HasSubstr("'group:' is missing"));
  EXPECT_THAT(refusal(with("# attempt: 55 make a user namespace\n", "")),
              HasSubstr("'attempt:' is missing"));
  EXPECT_THAT(refusal(with("# works: without seccomp, namespace_lock\n", "")),
              HasSubstr("'works:' is missing"));
  EXPECT_THAT(refusal("# attempt: 55 a\n# group: files\n# works: plain\n"),
              HasSubstr("'expect:' is missing"));
  EXPECT_THAT(refusal(with("critical: yes", "group: files")), HasSubstr("twice"));
  EXPECT_THAT(refusal(with("critical: yes", "critical: maybe")), HasSubstr("yes or no"));
  EXPECT_THAT(refusal(with("55 make", "56 make")), HasSubstr("not the file's"));
  EXPECT_THAT(refusal(with("55 make a user namespace", "55")), HasSubstr("title"));
  EXPECT_THAT(refusal(with("clone_user=EPERM", "thread=EPERM")), HasSubstr("named twice"));
  EXPECT_THAT(refusal(with("unshare_user=ENOSPC", "clone_user=ENOSYS")), HasSubstr("named twice"));
  EXPECT_THAT(refusal(with("unshare_user=ENOSPC", "other=ENOSPC")), HasSubstr("'other'"));
  EXPECT_THAT(refusal(with("without seccomp:", "without magic:")), HasSubstr("'magic'"));
  EXPECT_THAT(refusal(with("seccomp, namespace_lock", "magic")), HasSubstr("'magic'"));
  EXPECT_THAT(refusal(with("without seccomp, namespace_lock", "vm")), HasSubstr("is none of"));
  EXPECT_THAT(refusal(with("without seccomp, namespace_lock", "without")), HasSubstr("is none of"));
  EXPECT_THAT(refusal(with("exited|signaled:SIGSYS", "crashed")), HasSubstr("'crashed'"));
  EXPECT_THAT(refusal(with("unshare_user=EPERM|", "unshare_user=worked|")),
              HasSubstr("no control can show"));
  EXPECT_THAT(refusal(std::string(kGood) + "# expect: late=EPERM\n"),
              HasSubstr(":14: 'expect:' stands below the header"));
}

TEST(AttemptParse, RefusesBadLimits) {
  EXPECT_THAT(refusal(with("memory=128M", "memory=128Q")), HasSubstr("'128Q'"));
  EXPECT_THAT(refusal(with("memory=128M", "memory=1M")), HasSubstr("at least 16 MiB"));
  EXPECT_THAT(refusal(with("memory=128M", "memory")), HasSubstr("limit=VALUE"));
  EXPECT_THAT(refusal(with("memory=128M", "speed=1")), HasSubstr("'speed'"));
  EXPECT_THAT(refusal(with("timeout=3s", "timeout=0s")), HasSubstr("more than zero"));
  EXPECT_THAT(refusal(with("timeout=3s", "timeout=99999999999999999999s")), HasSubstr("no amount"));
}

TEST(AttemptParse, OnlyTheNumbersOfTheListMayBeCritical) {
  std::string text = with("55 make", "65 make");
  EXPECT_THAT(refusal(text, "065_caps.py"), HasSubstr("critical"));
  text = with("55 make", "64 make");
  EXPECT_EQ(refusal(text, "064_handle.py"), "accepted");
}

TEST(AttemptParse, RefusesBadNames) {
  for (const char* name : {"55_user.py", "055.py", "055_User.py", "055_user.txt", "abc_user.py",
                           "055_user py.py", ""}) {
    EXPECT_THAT(refusal(kGood, name), HasSubstr("the name must be")) << name;
  }
}

}  // namespace
}  // namespace sandbox::runner
