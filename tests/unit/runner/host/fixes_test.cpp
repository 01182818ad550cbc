// The cause that a host shows, and the fix that goes with it.
// SPDX-License-Identifier: MIT
#include "fixes.hpp"

#include <gmock/gmock.h>

#include <cerrno>

namespace sandbox::runner::test {
namespace {

using launcher::Step;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

HostFacts plain_host() {
  HostFacts host;
  host.kernel = "6.1.0-13-cloud-amd64";
  host.max_user_namespaces = 90000;
  return host;
}

HostFacts ubuntu() {
  HostFacts host = plain_host();
  host.apparmor_restricts_userns = 1;
  host.security_label = "unconfined";
  return host;
}

HostFacts container(const char* engine) {
  HostFacts host = plain_host();
  host.is_in_container = true;
  host.container = engine;
  host.is_filtered = true;
  host.covered_proc = {"/proc/acpi", "/proc/kcore"};
  return host;
}

TEST(Fixes, ASettingThatTurnsUserNamespacesOffIsNamedAlone) {
  HostFacts host = plain_host();
  host.unprivileged_userns_clone = 0;
  EXPECT_THAT(fix_of(Step::user_namespace, EPERM, host),
              AllOf(HasSubstr("kernel.unprivileged_userns_clone=1"), HasSubstr("root as well"),
                    Not(HasSubstr("AppArmor"))));
  host = plain_host();
  host.max_user_namespaces = 0;
  EXPECT_THAT(fix_of(Step::user_namespace, ENOSPC, host),
              HasSubstr("user.max_user_namespaces is 0 here"));
}

// What the kernel says when AppArmor is the cause: EACCES to the making, or any refusal to the maps
// of a namespace that was made.
TEST(Fixes, AppArmorIsNamedForWhatItDoesAndForNothingElse) {
  const HostFacts host = ubuntu();
  EXPECT_THAT(fix_of(Step::user_namespace, EACCES, host), HasSubstr("packaging/apparmor"));
  EXPECT_THAT(fix_of(Step::setgroups_deny, EACCES, host), HasSubstr("packaging/apparmor"));
  EXPECT_THAT(fix_of(Step::uid_map, EPERM, host),
              HasSubstr("kernel.apparmor_restrict_unprivileged_userns=0"));
  EXPECT_THAT(fix_of(Step::private_mounts, EACCES, host), HasSubstr("packaging/apparmor"));
  EXPECT_THAT(fix_of(Step::user_namespace, EPERM, host), Not(HasSubstr("AppArmor")));

  HostFacts inside = container("docker");
  inside.apparmor_restricts_userns = 1;
  EXPECT_THAT(fix_of(Step::user_namespace, EPERM, inside),
              AllOf(HasSubstr("--security-opt seccomp="), Not(HasSubstr("AppArmor"))));

  HostFacts with_profile = ubuntu();
  with_profile.security_label = "sandboxctl (unconfined)";
  EXPECT_THAT(fix_of(Step::uid_map, EPERM, with_profile), Not(HasSubstr("AppArmor")));
}

TEST(Fixes, AProfileThatConfinesThisProgramIsNamed) {
  HostFacts host = plain_host();
  host.security_label = "userns_restricted (enforce)";
  EXPECT_THAT(fix_of(Step::setgroups_deny, EACCES, host),
              AllOf(HasSubstr("AppArmor profile 'userns_restricted (enforce)'"),
                    HasSubstr("packaging/apparmor")));
  EXPECT_THAT(fix_of(Step::clone_source, EPERM, host), HasSubstr("userns_restricted"));
  host.security_label = "system_u:system_r:container_t:s0";
  EXPECT_THAT(fix_of(Step::private_mounts, EACCES, host),
              AllOf(HasSubstr("container_t"), HasSubstr("label=disable")));
  host = container("docker");
  host.security_label = "docker-default (enforce)";
  EXPECT_THAT(fix_of(Step::private_mounts, EACCES, host), HasSubstr("apparmor=unconfined"));
  host.container = "kubernetes";
  EXPECT_THAT(fix_of(Step::private_mounts, EACCES, host), HasSubstr("appArmorProfile"));
  for (const char* label : {"", "unconfined", "sandboxctl (unconfined)",
                            "unconfined_u:unconfined_r:unconfined_t:s0", "kernel"}) {
    host.security_label = label;
    EXPECT_THAT(fix_of(Step::private_mounts, EPERM, host), Not(HasSubstr("profile '"))) << label;
  }
}

TEST(Fixes, AContainerIsToldWhatItsEngineTakes) {
  EXPECT_THAT(fix_of(Step::user_namespace, EPERM, container("docker")),
              HasSubstr("--security-opt seccomp=unconfined"));
  EXPECT_THAT(fix_of(Step::fork_stage, ENOSYS, container("docker")),
              AllOf(HasSubstr("clone3"), HasSubstr("--security-opt seccomp=unconfined")));
  EXPECT_THAT(fix_of(Step::host_name, EPERM, container("podman")), HasSubstr("seccomp"));
  EXPECT_THAT(fix_of(Step::proc_mount, EPERM, container("podman")),
              AllOf(HasSubstr("unmask=ALL"), HasSubstr("systempaths=unconfined"),
                    HasSubstr("/proc/acpi and 1 more")));
  EXPECT_THAT(fix_of(Step::proc_mount, EPERM, container("kubernetes")),
              AllOf(HasSubstr("procMount: Unmasked"), HasSubstr("hostUsers: false")));
  EXPECT_THAT(fix_of(Step::user_namespace, EPERM, container("kubernetes")),
              HasSubstr("seccompProfile"));
  EXPECT_THAT(fix_of(Step::namespace_lock, EROFS, container("docker")),
              HasSubstr("systempaths=unconfined"));
}

TEST(Fixes, AServiceIsToldWhichSettingsStandInTheWay) {
  HostFacts host = plain_host();
  host.is_filtered = true;
  EXPECT_THAT(fix_of(Step::user_namespace, EPERM, host), HasSubstr("RestrictNamespaces="));
  EXPECT_THAT(fix_of(Step::namespace_lock, EROFS, host), HasSubstr("ProtectKernelTunables="));
  host.covered_proc = {"/proc/kmsg"};
  EXPECT_THAT(fix_of(Step::proc_mount, EPERM, host),
              AllOf(HasSubstr("ProcSubset="), HasSubstr("/proc/kmsg")));
}

TEST(Fixes, AnOldKernelIsNamed) {
  EXPECT_THAT(fix_of(Step::write_xor_execute, EINVAL, plain_host()),
              HasSubstr("Linux 6.3 or newer is needed (this is 6.1.0-13-cloud-amd64)"));
  EXPECT_THAT(fix_of(Step::clone_source, ENOSYS, plain_host()), HasSubstr("Linux 5.14"));
  EXPECT_THAT(fix_of(Step::landlock, ENOSYS, plain_host()), HasSubstr("Linux 5.13"));
  EXPECT_THAT(fix_of(Step::landlock, EOPNOTSUPP, plain_host()), HasSubstr("lsm="));
}

TEST(Fixes, EveryLimitOfNamespacesIsAmongThoseNamed) {
  for (const Step step : {Step::sandbox_namespaces, Step::spawn_init, Step::clone_source}) {
    EXPECT_THAT(fix_of(step, ENOSPC, plain_host()),
                HasSubstr("user.max_{mnt,net,pid,ipc,uts,cgroup,time}_namespaces"));
  }
}

TEST(Fixes, RootThatCannotBecomeAnotherUserIsToldWhatItLacks) {
  EXPECT_THAT(fix_of(Step::drop_groups, EPERM, plain_host()),
              AllOf(HasSubstr("CAP_SETUID, CAP_SETGID, CAP_CHOWN"), HasSubstr("ordinary user")));
}

TEST(Fixes, AReadOnlyProcIsNamedBeforeAnythingElse) {
  EXPECT_THAT(fix_of(Step::setgroups_deny, EROFS, ubuntu()), HasSubstr("/proc is read-only here"));
}

TEST(Fixes, ALauncherThatCannotStartIsToldWhy) {
  HostFacts host = plain_host();
  EXPECT_THAT(launcher_start_fix(ENOENT, host), HasSubstr("/dev/null"));
  host.security_label = "agent (enforce)";
  EXPECT_THAT(launcher_start_fix(EACCES, host),
              AllOf(HasSubstr("'agent (enforce)'"), HasSubstr("attach_disconnected")));
  host.memfd_noexec = 2;
  EXPECT_THAT(launcher_start_fix(EACCES, host), HasSubstr("vm.memfd_noexec is 2"));
}

}  // namespace
}  // namespace sandbox::runner::test
