// What every request of a backend starts with, and what a receipt says was in force.
// SPDX-License-Identifier: MIT
#include "backend_core.hpp"

#include <gmock/gmock.h>

#include "core_support.hpp"
#include "sandbox/runner/unsafe.hpp"

namespace sandbox::runner::test {
namespace {

using namespace literals;
using launcher::Guard;
using launcher::Header;
using launcher::RequestKind;

Header header_of(const BackendOptions& options) {
  CoreForTest core(options);
  return core->header(RequestKind::run, 5000);
}

BackendOptions without(Protection protection) {
  return BackendOptions().turn_off(unsafe::TurnOff(protection, "a test"));
}

std::uint32_t bit_of(Protection protection) { return 1U << static_cast<unsigned>(protection); }

launcher::Reply started_with(std::uint32_t applied, std::uint32_t abi) {
  launcher::Reply reply;
  reply.applied = applied;
  reply.landlock_abi = abi;
  return reply;
}

// Off together with it: an observer of no filter, and a lock that would outlast the run.
std::uint32_t bits_that_need(Protection protection) {
  if (protection == Protection::seccomp) return bit_of(Protection::denied_calls);
  if (protection == Protection::inner_user_namespace) return bit_of(Protection::namespace_lock);
  return 0;
}

TEST(BackendCore, AllProtectionsAreWantedAndThoseOfEveryKernelRequired) {
  std::uint32_t required = 0;
  for (const Protection protection : kAllProtections) {
    if (default_mode(protection) == Mode::required) required |= bit_of(protection);
  }
  const Header header = header_of(BackendOptions());
  EXPECT_EQ(header.wanted, all_but(0));
  EXPECT_EQ(header.required, required);
  EXPECT_EQ(header.in_cgroup, 0U);
  EXPECT_EQ(header.kind, RequestKind::run);
}

TEST(BackendCore, EachModeIsOneBit) {
  const Header usual = header_of(BackendOptions());
  for (const Protection protection : kAllProtections) {
    SCOPED_TRACE(std::string(to_string(protection)));
    const std::uint32_t bit = bit_of(protection);
    const Header required = header_of(BackendOptions().protect(protection, Mode::required));
    EXPECT_EQ(required.wanted, usual.wanted);
    EXPECT_EQ(required.required, usual.required | bit);
    const Header preferred = header_of(BackendOptions().protect(protection, Mode::preferred));
    EXPECT_EQ(preferred.wanted, usual.wanted);
    EXPECT_EQ(preferred.required, usual.required & ~bit);
    const std::uint32_t off = bit | bits_that_need(protection);
    const Header turned_off = header_of(without(protection));
    EXPECT_EQ(turned_off.wanted, usual.wanted & ~off);
    EXPECT_EQ(turned_off.required, usual.required & ~off);
  }
}

TEST(BackendCore, WhatNeedsAnotherOneIsOffWithItEvenWhenRequired) {
  const std::pair<Protection, Protection> pairs[] = {
      {Protection::seccomp, Protection::denied_calls},
      {Protection::inner_user_namespace, Protection::namespace_lock}};
  for (const auto& [needed, needs] : pairs) {
    CoreForTest core(without(needed).protect(needs, Mode::required));
    const Header header = core->header(RequestKind::run, 5000);
    const std::uint32_t off = bit_of(needed) | bit_of(needs);
    EXPECT_EQ(header.wanted, all_but(off));
    EXPECT_EQ(header.required & off, 0U);
    EXPECT_EQ(core->mode_of(needs), Mode::off);
    EXPECT_FALSE(core->wants(needs));
    const launcher::Reply started = started_with(all_but(0), 4);
    EXPECT_EQ(core->enforced(started).protections.at(std::string(to_string(needs))), "off");
  }
}

// The group of a guest that is switched to is its own; an ordinary user keeps the one it has.
TEST(BackendCore, IdsAreThoseOfTheSandbox) {
  CoreForTest switches(BackendOptions(), {70, 71, true, false, {}});
  const Header other = switches->header(RequestKind::make_sandbox, 5000);
  EXPECT_EQ(other.outside_uid, 5000U);
  EXPECT_EQ(other.outside_gid, 5000U);
  EXPECT_EQ(other.switch_identity, 1U);
  EXPECT_EQ(other.kind, RequestKind::make_sandbox);
  CoreForTest keeps(BackendOptions(), {70, 71, false, false, {}});
  const Header own = keeps->header(RequestKind::run, 70);
  EXPECT_EQ(own.outside_uid, 70U);
  EXPECT_EQ(own.outside_gid, 71U);
  EXPECT_EQ(own.switch_identity, 0U);
}

TEST(BackendCore, OnlyARangeOfIdsMakesAPool) {
  EXPECT_FALSE(CoreForTest(BackendOptions(), {70, 70, true, false, {}})->uids.has_value());
}

TEST(BackendCore, RulesOfTheTreeFollowTheModes) {
  const auto rules_of = [](const BackendOptions& options) {
    return CoreForTest(options)->tree_rules();
  };
  const TreeRules usual = rules_of(BackendOptions().work_size(7_MiB));
  EXPECT_EQ(usual.work_size, 7_MiB);
  EXPECT_TRUE(usual.limits_inodes && !usual.allows_exec && usual.hides_processes);
  const TreeRules inodes = rules_of(without(Protection::inode_limits));
  EXPECT_TRUE(!inodes.limits_inodes && !inodes.allows_exec && inodes.hides_processes);
  const TreeRules exec = rules_of(without(Protection::no_exec));
  EXPECT_TRUE(exec.limits_inodes && exec.allows_exec && exec.hides_processes);
  const TreeRules view = rules_of(without(Protection::process_view));
  EXPECT_TRUE(view.limits_inodes && !view.allows_exec && !view.hides_processes);
  const TreeRules preferred =
      rules_of(BackendOptions().protect(Protection::no_exec, Mode::preferred));
  EXPECT_FALSE(preferred.allows_exec);
}

TEST(BackendCore, AReceiptSaysOfEachProtectionWhetherItIsOn) {
  constexpr std::uint32_t kPlanned = launcher::bit(Guard::no_exec) |
                                     launcher::bit(Guard::resource_limits) |
                                     launcher::bit(Guard::inode_limits);
  for (const Protection protection : kAllProtections) {
    const std::string name(to_string(protection));
    SCOPED_TRACE(name);
    const std::uint32_t bit = bit_of(protection);
    CoreForTest core{BackendOptions()};
    const Enforced with = core->enforced(started_with(all_but(0), 4));
    EXPECT_EQ(with.protections.at(name), "on");
    const Enforced missing = core->enforced(started_with(all_but(bit), 4));
    EXPECT_EQ(missing.protections.at(name), (bit & kPlanned) != 0 ? "on" : "unavailable");
    CoreForTest other(without(protection));
    const Enforced off = other->enforced(started_with(all_but(0), 4));
    EXPECT_EQ(off.protections.at(name), "off") << "whatever the launcher says";
  }
}

TEST(BackendCore, TheFixedFieldsOfAReceiptFollow) {
  CoreForTest core(BackendOptions().profile("loopback"));
  const Enforced all = core->enforced(started_with(all_but(0), 4));
  EXPECT_EQ(all.profile, "loopback");
  EXPECT_EQ(all.profile_sha256, core->filter.sha256);
  EXPECT_EQ(all.memory, "cgroup");
  EXPECT_EQ(all.landlock_abi, 4);
  EXPECT_EQ(all.wx, true);
  EXPECT_EQ(all.proc, "subset");
  EXPECT_EQ(all.protections.at("network"), "loopback");
  const Enforced none = core->enforced(started_with(0, 0));
  EXPECT_EQ(none.profile, "none");
  EXPECT_EQ(none.profile_sha256, "");
  EXPECT_EQ(none.memory, "rlimit");
  EXPECT_EQ(none.landlock_abi, std::nullopt);
  EXPECT_EQ(none.wx, false);
  EXPECT_EQ(none.proc, "none");
  CoreForTest open(without(Protection::process_view));
  EXPECT_EQ(open->enforced(started_with(all_but(0), 0)).proc, "full");
  EXPECT_EQ(open->enforced(started_with(all_but(0), 0)).protections.at("network"), "none");
}

}  // namespace
}  // namespace sandbox::runner::test
