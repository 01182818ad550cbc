// What is read of a host.
// SPDX-License-Identifier: MIT
#include "host_facts.hpp"

#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>

#include "host_support.hpp"

namespace sandbox::runner::test {
namespace {

using ::testing::ElementsAre;

// A tree that stands for a machine's root.
class FakeHost {
 public:
  void put(const std::string& path, const std::string& text) const {
    const std::filesystem::path file(directory_.at(path));
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file) << text;
  }
  [[nodiscard]] HostFacts read() const { return HostFacts::read(directory_.path()); }

 private:
  TemporaryDirectory directory_;
};

TEST(HostFacts, WhatCannotBeReadIsUnknownAndNotGuessed) {
  const HostFacts facts = FakeHost().read();
  EXPECT_FALSE(facts.kernel.empty());
  EXPECT_EQ(facts.apparmor_restricts_userns, std::nullopt);
  EXPECT_EQ(facts.unprivileged_userns_clone, std::nullopt);
  EXPECT_EQ(facts.max_user_namespaces, std::nullopt);
  EXPECT_EQ(facts.memfd_noexec, std::nullopt);
  EXPECT_EQ(facts.security_label, "");
  EXPECT_FALSE(facts.is_filtered);
  EXPECT_FALSE(facts.is_nested);
  EXPECT_TRUE(facts.covered_proc.empty());
}

TEST(HostFacts, SettingsAreNumbers) {
  const FakeHost host;
  host.put("proc/sys/kernel/apparmor_restrict_unprivileged_userns", "1\n");
  host.put("proc/sys/kernel/unprivileged_userns_clone", "0\n");
  host.put("proc/sys/user/max_user_namespaces", "96365\n");
  host.put("proc/sys/vm/memfd_noexec", "x\n");
  const HostFacts facts = host.read();
  EXPECT_EQ(facts.apparmor_restricts_userns, 1U);
  EXPECT_EQ(facts.unprivileged_userns_clone, 0U);
  EXPECT_EQ(facts.max_user_namespaces, 96365U);
  EXPECT_EQ(facts.memfd_noexec, std::nullopt);
}

TEST(HostFacts, TheLabelLosesItsEnd) {
  const FakeHost host;
  host.put("proc/self/attr/current", std::string("docker-default (enforce)\n\0", 26));
  EXPECT_EQ(host.read().security_label, "docker-default (enforce)");
}

TEST(HostFacts, AFilterIsSeenInTheStatus) {
  const FakeHost host;
  host.put("proc/self/status", "Name:\tx\nNoNewPrivs:\t0\nSeccomp:\t2\nSeccomp_filters:\t1\n");
  EXPECT_TRUE(host.read().is_filtered);
  host.put("proc/self/status", "Name:\tx\nSeccomp:\t0\nSeccomp_filters:\t2\n");
  EXPECT_FALSE(host.read().is_filtered);
}

TEST(HostFacts, OnlyTheFirstUserNamespaceMapsEveryId) {
  const FakeHost host;
  host.put("proc/self/uid_map", "         0          0 4294967295\n");
  EXPECT_FALSE(host.read().is_nested);
  host.put("proc/self/uid_map", "         0       1000          1\n");
  EXPECT_TRUE(host.read().is_nested);
}

TEST(HostFacts, MountsOverProcAreListedOnce) {
  const FakeHost host;
  host.put("proc/self/mountinfo",
           "22 1 0:21 / /proc rw - proc proc rw\n"
           "30 22 0:30 / /proc/sys/fs/binfmt_misc rw - binfmt_misc none rw\n"
           "31 22 0:5 /null /proc/kcore rw - tmpfs tmpfs rw\n"
           "32 22 0:31 / /proc/acpi ro - tmpfs tmpfs ro\n"
           "33 32 0:31 / /proc/acpi ro - tmpfs tmpfs ro\n"
           "34 1 0:40 / /process ro - tmpfs tmpfs ro\n");
  EXPECT_THAT(host.read().covered_proc, ElementsAre("/proc/acpi", "/proc/kcore"));
}

TEST(HostFacts, EnginesAreKnownByTheirMarks) {
  const FakeHost docker;
  docker.put(".dockerenv", "");
  EXPECT_EQ(docker.read().container, "docker");
  const FakeHost podman;
  podman.put("run/.containerenv", "");
  EXPECT_EQ(podman.read().container, "podman");
  // A pod's engine leaves a mark of its own too; what matters is who has to be told.
  podman.put("var/run/secrets/kubernetes.io/serviceaccount/token", "x");
  EXPECT_EQ(podman.read().container, "kubernetes");
  const FakeHost other;
  other.put("run/systemd/container", "lxc\n");
  EXPECT_EQ(other.read().container, "lxc");
  EXPECT_TRUE(other.read().is_in_container);
}

}  // namespace
}  // namespace sandbox::runner::test
