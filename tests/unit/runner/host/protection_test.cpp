// Names and default modes of the protections, and the token that turns one off.
// SPDX-License-Identifier: MIT
#include "sandbox/runner/protection.hpp"

#include <gmock/gmock.h>

#include <map>
#include <set>
#include <string>

#include "host_support.hpp"
#include "sandbox/runner/unsafe.hpp"

namespace sandbox::runner::test {
namespace {

using ::testing::HasSubstr;

// As users write them: a name that changes breaks command lines and readers of receipts.
const std::map<std::string, Mode>& documented() {
  static const std::map<std::string, Mode> modes = {
      {"seccomp", Mode::required},
      {"denied_calls", Mode::preferred},
      {"landlock", Mode::preferred},
      {"inner_user_namespace", Mode::required},
      {"namespace_lock", Mode::required},
      {"capabilities", Mode::required},
      {"process_view", Mode::required},
      {"no_exec", Mode::required},
      {"write_xor_execute", Mode::preferred},
      {"time_namespace", Mode::preferred},
      {"session_keyring", Mode::preferred},
      {"core_scheduling", Mode::preferred},
      {"cgroup", Mode::preferred},
      {"resource_limits", Mode::required},
      {"inode_limits", Mode::required},
  };
  return modes;
}

TEST(Protection, EachHasItsNameAndItsDefaultMode) {
  std::map<std::string, Mode> got;
  for (const Protection protection : kAllProtections) {
    EXPECT_TRUE(got.emplace(to_string(protection), default_mode(protection)).second)
        << to_string(protection);
  }
  EXPECT_EQ(got, documented());
}

TEST(Protection, NamesLeadBack) {
  for (const Protection protection : kAllProtections) {
    EXPECT_EQ(protection_of(to_string(protection)), protection) << to_string(protection);
  }
  for (const auto& [name, mode] : documented()) {
    const std::optional<Protection> found = protection_of(name);
    ASSERT_TRUE(found) << name;
    EXPECT_EQ(to_string(*found), name);
  }
}

TEST(Protection, WhatIsNoNameLeadsNowhere) {
  for (const char* name : {"", "none", "unknown", "Seccomp", "seccomp ", " seccomp", "sec", "all",
                           "network", "no-exec", "required"}) {
    EXPECT_EQ(protection_of(name), std::nullopt) << name;
  }
}

// Their numbers are bits of a request.
TEST(Protection, TheListHasEveryNumberOnceInOrder) {
  for (std::size_t i = 0; i < kAllProtections.size(); ++i) {
    EXPECT_EQ(static_cast<std::size_t>(kAllProtections[i]), i);
  }
  EXPECT_EQ(to_string(static_cast<Protection>(kAllProtections.size())), "unknown");
}

TEST(Protection, ModesHaveNames) {
  EXPECT_EQ(to_string(Mode::off), "off");
  EXPECT_EQ(to_string(Mode::preferred), "preferred");
  EXPECT_EQ(to_string(Mode::required), "required");
  EXPECT_EQ(to_string(static_cast<Mode>(3)), "unknown");
}

TEST(TurnOff, KeepsWhatItWasGiven) {
  const unsafe::TurnOff token(Protection::no_exec, "the guest compiles");
  EXPECT_EQ(token.protection(), Protection::no_exec);
  EXPECT_EQ(token.reason(), "the guest compiles");
}

TEST(TurnOff, NeedsAReason) {
  for (const Protection protection : kAllProtections) {
    const auto told = told_by([&] { const unsafe::TurnOff token(protection, ""); });
    ASSERT_TRUE(told) << to_string(protection);
    EXPECT_EQ(told->code, errc::invalid_argument);
    EXPECT_THAT(told->what, HasSubstr("'" + std::string(to_string(protection)) + "'"));
    EXPECT_THAT(told->what, HasSubstr("reason"));
  }
}

}  // namespace
}  // namespace sandbox::runner::test
