// What Landlock grants in a guest's tree, and that it is no more.
// SPDX-License-Identifier: MIT
#include <gmock/gmock.h>

#include <cstring>
#include <map>
#include <set>

#include "plan_support.hpp"
#include "root_plan.hpp"

namespace sandbox::runner::test {
namespace {

using namespace literals;
using Access = launcher::LandlockAccess;
using Grants = std::map<std::string, Access>;

Grants grants(const std::string& work_directory, bool allows_exec) {
  TreeRules rules(256_MiB);
  rules.allows_exec = allows_exec;
  Grants found;
  for (const PlannedAccess& rule : plan_landlock(hand_made_image(), work_directory, rules)) {
    EXPECT_TRUE(found.emplace(rule.path, rule.access).second) << "twice: " << rule.path;
  }
  return found;
}

std::set<std::string> places_of(const Grants& all, Access access) {
  std::set<std::string> places;
  for (const auto& [path, granted] : all) {
    if (granted == access) places.insert(path);
  }
  return places;
}

std::set<std::string> guest_paths(const Image& image) {
  std::set<std::string> paths;
  for (const auto* binds : {&image.binds, &image.late_binds}) {
    for (const ImageBind& bind : *binds) paths.insert(bind.guest_path);
  }
  return paths;
}

TEST(LandlockPlan, WhatIsBoundCanBeReadAndExecutedAndNothingElseCan) {
  const Grants all = grants("/work", false);
  EXPECT_EQ(places_of(all, Access::read_execute), guest_paths(hand_made_image()));
  EXPECT_EQ(places_of(all, Access::write_execute), std::set<std::string>());
}

TEST(LandlockPlan, NothingButThreePlacesCanBeWritten) {
  for (const char* work : {"/work", "/maf-sandbox/work", "/a b"}) {
    EXPECT_EQ(places_of(grants(work, false), Access::write),
              (std::set<std::string>{"/tmp", "/dev/shm", work}));
  }
}

TEST(LandlockPlan, TheRestIsListedOrReadAndTwoDevicesAreWritten) {
  const Grants all = grants("/work", false);
  EXPECT_EQ(places_of(all, Access::list), std::set<std::string>{"/"});
  EXPECT_EQ(places_of(all, Access::read),
            (std::set<std::string>{"/etc", "/proc", "/dev/zero", "/dev/random", "/dev/urandom"}));
  EXPECT_EQ(places_of(all, Access::device), (std::set<std::string>{"/dev/null", "/dev/full"}));
}

TEST(LandlockPlan, AllowingExecutionChangesTheThreePlacesAndNothingElse) {
  Grants expected = grants("/work", false);
  for (const char* place : {"/tmp", "/dev/shm", "/work"}) expected[place] = Access::write_execute;
  EXPECT_EQ(grants("/work", true), expected);
}

TEST(LandlockPlan, OtherRulesOfTheTreeChangeNothing) {
  TreeRules rules(1_MiB);
  rules.limits_inodes = false;
  rules.hides_processes = false;
  Grants found;
  for (const PlannedAccess& rule : plan_landlock(hand_made_image(), "/work", rules)) {
    found.emplace(rule.path, rule.access);
  }
  EXPECT_EQ(found, grants("/work", false));
}

TEST(LandlockPlan, EachDeviceOfTheTreeHasARuleAndEachRuleOfADeviceItsDevice) {
  std::set<std::string> devices;
  for (const PlannedOp& op : plan_sandbox_tree(hand_made_image(), "/work", TreeRules(1_MiB))) {
    if ((op.flags & launcher::kTreeIsDevice) != 0) devices.insert(op.path);
  }
  std::set<std::string> ruled;
  for (const auto& [path, access] : grants("/work", false)) {
    if (path.starts_with("/dev/") && path != "/dev/shm") ruled.insert(path);
  }
  EXPECT_EQ(ruled, devices);
}

TEST(LandlockPlan, EveryRuleIsInTheRequest) {
  const std::vector<PlannedAccess> rules = {{"/", Access::list}, {"/a b", Access::write_execute}};
  RequestWriter writer(sizeof(launcher::RunRequest));
  const launcher::Span span = write_landlock(writer, rules);
  const std::string message = writer.finish(launcher::RunRequest());
  ASSERT_EQ(span.count, rules.size());
  for (std::size_t i = 0; i < rules.size(); ++i) {
    launcher::LandlockRule flat;
    std::memcpy(&flat, message.data() + span.offset + i * sizeof flat, sizeof flat);
    EXPECT_EQ(std::string(message.data() + flat.path), rules[i].path);
    EXPECT_EQ(flat.access, rules[i].access);
  }
}

}  // namespace
}  // namespace sandbox::runner::test
