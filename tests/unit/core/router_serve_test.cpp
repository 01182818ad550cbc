// The router's checks for a spec: order, silence, messages (contract section 2.2).
// SPDX-License-Identifier: MIT
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

#include "router_fixture.hpp"

namespace sandbox {
namespace {

using namespace literals;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using Backends = std::vector<std::shared_ptr<Backend>>;

const TransferLimits kOver(8_MiB, 32_MiB, 65);

// A spec that breaks every check at once, on a backend that meets none: mending the first fault
// shows the next one.
class Faults {
 public:
  bool capability_denied = true;
  bool identity_denied = true;
  bool floor = true;
  bool capability = true;
  bool family = true;
  bool files_in = true;
  bool files_out = true;
  bool egress = true;

  [[nodiscard]] SandboxSpec spec() const {
    SandboxSpec spec("codeact");
    CapabilitySet required{Capability::exec};
    if (capability_denied) required.insert(Capability::run_code);
    if (capability) required.insert(Capability::snapshot);
    spec.require_capabilities(required);
    if (identity_denied) spec.identities({Identity::user});
    if (floor) spec.min_isolation(Isolation::vm);
    if (family) spec.require_os_family(OsFamily::windows);
    if (files_in) spec.files_in(kOver);
    if (files_out) spec.files_out(kOver);
    spec.egress(egress ? Egress::unrestricted : Egress::closed);
    return spec;
  }
};

Router strict_router() {
  return Router(
      fake(named("fake").capabilities(CapabilitySet{Capability::exec, Capability::run_code})),
      at_container().deny(Capability::run_code).deny(Identity::user));
}

errc refused_by(const std::function<void()>& action) {
  try {
    action();
  } catch (const RouterRefusal& refusal) {
    EXPECT_EQ(refusal.backend(), "fake");
    EXPECT_EQ(refusal.kind(), "codeact");
    EXPECT_THAT(refusal.what(), AllOf(HasSubstr("\"fake\""), HasSubstr("\"codeact\"")));
    return refusal.sandbox_code();
  }
  ADD_FAILURE() << "nothing was refused";
  return errc::internal;
}

// PIN-4: the same order by both doors.
TEST(RouterChecks, FailInTheContractsOrder) {
  const Router router = strict_router();
  Faults faults;
  const std::vector<std::pair<bool*, errc>> order{
      {&faults.capability_denied, errc::capability_denied},
      {&faults.identity_denied, errc::identity_denied},
      {&faults.floor, errc::backend_not_permitted},
      {&faults.capability, errc::capability_not_supported},
      {&faults.family, errc::os_family_not_supported},
      {&faults.files_in, errc::transfer_limits_not_permitted},
      {&faults.files_out, errc::transfer_limits_not_permitted},
      {&faults.egress, errc::egress_not_enforced},
  };
  for (const auto& [fault, expected] : order) {
    SCOPED_TRACE(error_info(expected).name);
    EXPECT_EQ(refused_by([&] { router.ensure_can_serve(faults.spec()); }), expected);
    EXPECT_EQ(refused_by([&] { run_awaitable(router.acquire(key_of("t"), faults.spec())); }),
              expected);
    *fault = false;
  }
  EXPECT_NO_THROW(router.ensure_can_serve(faults.spec()));
  EXPECT_NO_THROW(run_awaitable(router.acquire(key_of("t"), faults.spec())));
}

TEST(RouterChecks, FilesInIsJudgedBeforeFilesOut) {
  const Router router(fake(named("fake")), at_container());
  SandboxSpec spec("codeact");
  spec.files_in(kOver).files_out(kOver);
  const auto both = refusal_of<TransferLimitsNotPermitted>([&] { router.ensure_can_serve(spec); });
  EXPECT_EQ(both.direction(), TransferDirection::files_in);
  spec.files_in(TransferLimits());
  const auto out = refusal_of<TransferLimitsNotPermitted>([&] { router.ensure_can_serve(spec); });
  EXPECT_EQ(out.direction(), TransferDirection::files_out);
  EXPECT_EQ(out.asked(), kOver);
  EXPECT_EQ(out.ceiling(), TransferLimits());
}

// PIN-3
TEST(RouterChecks, WithoutABackendAreQuietUntilAcquire) {
  const Router router(Backends{});
  EXPECT_NO_THROW(router.ensure_can_serve(Faults().spec()));
  const auto error = refusal_of<NoBackend>(
      [&] { run_awaitable(router.acquire(key_of("t"), SandboxSpec("codeact"))); });
  EXPECT_EQ(error.code(), errc::no_sandbox_backend);
  EXPECT_FALSE(error.selected());
}

TEST(RouterChecks, ASpecThatContradictsItselfIsAConfigurationError) {
  const auto backend = fake(named("fake"));
  const Router router(backend, at_container());
  const SandboxSpec spec = SandboxSpec("codeact").egress_allow({"a.example"});
  EXPECT_EQ(refusal_of<Error>([&] { router.ensure_can_serve(spec); }).code(), errc::config_error);
  EXPECT_EQ(refusal_of<Error>([&] { run_awaitable(router.acquire(key_of("t"), spec)); }).code(),
            errc::config_error);
  EXPECT_THAT(backend->acquired_keys(), IsEmpty());
}

// PIN-4
TEST(RouterChecks, ADenialFiresThoughTheBackendHasTheCapability) {
  const Router router(fake(named("fake").capabilities(CapabilitySet{Capability::exec})),
                      at_container().deny_capability("exec"));
  const SandboxSpec spec = SandboxSpec("codeact").require_capabilities({Capability::exec});
  const auto error = refusal_of<CapabilityDenied>([&] { router.ensure_can_serve(spec); });
  EXPECT_EQ(error.denied(), CapabilitySet{Capability::exec});
  EXPECT_THAT(error.what(), HasSubstr("RouterOptions::deny_capability"));
  EXPECT_NO_THROW(router.ensure_can_serve(SandboxSpec("codeact").require_capabilities({})));
}

TEST(RouterChecks, AnIdentityThatIsDeniedIsNamed) {
  const Router router(fake(named("fake")), at_container().deny_identity("user"));
  SandboxSpec spec("codeact");
  spec.identities({Identity::app});
  EXPECT_NO_THROW(router.ensure_can_serve(spec));
  spec.identities({Identity::app, Identity::user});
  const auto error = refusal_of<IdentityDenied>([&] { router.ensure_can_serve(spec); });
  EXPECT_EQ(error.denied(), IdentitySet{Identity::user});
  EXPECT_THAT(error.what(), HasSubstr("identities user"));
}

// RT-7
TEST(RouterChecks, TheStricterFloorOfHostAndSpecHolds) {
  for (const Isolation host : isolation_ladder()) {
    for (const Isolation asked : isolation_ladder()) {
      for (const Isolation declared : isolation_ladder()) {
        if (!meets_floor(declared, host)) continue;  // refused at construction
        const Router router(fake(named("fake", declared)), RouterOptions().min_isolation(host));
        const SandboxSpec spec = SandboxSpec("codeact").min_isolation(asked);
        if (meets_floor(declared, asked)) {
          EXPECT_NO_THROW(router.ensure_can_serve(spec));
        } else {
          const auto error =
              refusal_of<BackendNotPermitted>([&] { router.ensure_can_serve(spec); });
          EXPECT_EQ(error.floor(), asked);
        }
      }
    }
  }
}

// RT-7: the spec cannot lower the host's floor, which per-spec selection meets here first.
TEST(RouterChecks, ALaxSpecLeavesTheHostsFloorAlone) {
  const Router router(fake(named("fake", Isolation::container)),
                      RouterOptions().min_isolation(Isolation::microvm).select_per_spec());
  const SandboxSpec spec = SandboxSpec("codeact").min_isolation(Isolation::none);
  const auto error = refusal_of<BackendNotPermitted>([&] { router.ensure_can_serve(spec); });
  EXPECT_EQ(error.floor(), Isolation::microvm);
}

// PIN-6
TEST(RouterChecks, SilenceOnCapabilitiesIsTheDefaultSet) {
  const Router router(fake(named("fake").capabilities(std::nullopt)), at_container());
  EXPECT_NO_THROW(router.ensure_can_serve(SandboxSpec("codeact")));
  const SandboxSpec spec = SandboxSpec("codeact").require_capabilities(
      {Capability::snapshot, Capability::exec, Capability::files_out});
  const auto error = refusal_of<CapabilityNotSupported>([&] { router.ensure_can_serve(spec); });
  EXPECT_EQ(error.missing(), (CapabilitySet{Capability::files_out, Capability::snapshot}));
  EXPECT_EQ(error.declared(), default_capabilities());
  EXPECT_THAT(error.what(), HasSubstr("lacks the capabilities files_out, snapshot"));
  EXPECT_THAT(error.what(), HasSubstr("declares exec, files_in"));
}

// PIN-6
TEST(RouterChecks, SilenceOnEgressRefusesEverySpecClosedIncluded) {
  const Router router(fake(named("fake").egress_modes(std::nullopt)), at_container());
  for (const Egress mode : {Egress::closed, Egress::allowlist, Egress::unrestricted}) {
    const SandboxSpec spec = SandboxSpec("codeact").egress(mode);
    const auto error = refusal_of<EgressNotEnforced>([&] { router.ensure_can_serve(spec); });
    EXPECT_EQ(error.asked(), mode);
    EXPECT_THAT(error.what(), HasSubstr("it can enforce nothing"));
    EXPECT_THAT(error.what(), HasSubstr("egress " + std::string(to_string(mode))));
  }
}

// PIN-6
TEST(RouterChecks, SilenceOnLimitsIsTheDefaultCeiling) {
  const Router router(fake(named("fake").limits(std::nullopt)), at_container());
  EXPECT_NO_THROW(router.ensure_can_serve(SandboxSpec("codeact")));
  for (const TransferLimits& over : {TransferLimits(Bytes((8ULL << 20U) + 1), 32_MiB, 64),
                                     TransferLimits(8_MiB, Bytes((32ULL << 20U) + 1), 64), kOver}) {
    EXPECT_THROW(router.ensure_can_serve(SandboxSpec("codeact").files_in(over)),
                 TransferLimitsNotPermitted);
    EXPECT_THROW(router.ensure_can_serve(SandboxSpec("codeact").files_out(over)),
                 TransferLimitsNotPermitted);
  }
}

TEST(RouterChecks, DeclaredCeilingsHoldForEachDirection) {
  const SandboxLimits limits(TransferLimits(1_MiB, 1_MiB, 1), TransferLimits(64_MiB, 256_MiB, 256));
  const Router router(fake(named("fake").limits(limits)), at_container());
  const auto error = refusal_of<TransferLimitsNotPermitted>(
      [&] { router.ensure_can_serve(SandboxSpec("codeact")); });
  EXPECT_EQ(error.direction(), TransferDirection::files_in);
  EXPECT_THAT(error.what(), HasSubstr("files_in asks for 8 MiB a file, 32 MiB in all, 64 files"));
  EXPECT_THAT(error.what(), HasSubstr("ceiling is 1 MiB a file, 1 MiB in all, 1 files"));
  EXPECT_NO_THROW(router.ensure_can_serve(SandboxSpec("codeact")
                                              .files_in(TransferLimits(1_MiB, 1_MiB, 1))
                                              .files_out(TransferLimits(64_MiB, 256_MiB, 256))));
}

// PIN-6
TEST(RouterChecks, SilenceOnFamiliesRefusesOnlyASpecThatAsks) {
  const Router silent(fake(named("fake")), at_container());
  EXPECT_NO_THROW(silent.ensure_can_serve(SandboxSpec("codeact")));
  const SandboxSpec asks = SandboxSpec("codeact").require_os_family(OsFamily::posix);
  const auto error = refusal_of<OsFamilyNotSupported>([&] { silent.ensure_can_serve(asks); });
  EXPECT_EQ(error.asked(), OsFamily::posix);
  EXPECT_THAT(error.what(), AllOf(HasSubstr("family posix"), HasSubstr("declares nothing")));
  const Router posix(fake(named("fake").os_families(OsFamilySet{OsFamily::posix})), at_container());
  EXPECT_NO_THROW(posix.ensure_can_serve(asks));
  EXPECT_THROW(posix.ensure_can_serve(SandboxSpec("codeact").require_os_family(OsFamily::windows)),
               OsFamilyNotSupported);
}

// RT-10
TEST(RouterChecks, AWorkDirectoryImpliesNoFamily) {
  const Router router(fake(named("fake").os_families(OsFamilySet{OsFamily::posix})),
                      at_container());
  const SandboxSpec spec = SandboxSpec("codeact").work_dir("D:\\agent\\work");
  EXPECT_NO_THROW(router.ensure_can_serve(spec));
  EXPECT_NO_THROW(run_awaitable(router.acquire(key_of("t"), spec)));
}

// RT-8, PIN-5
TEST(RouterChecks, EgressIsNeverDegradedInEitherDirection) {
  for (const Egress enforced : {Egress::closed, Egress::allowlist, Egress::unrestricted}) {
    const Router router(fake(named("fake").egress_modes(EgressSet{enforced})), at_container());
    for (const Egress asked : {Egress::closed, Egress::allowlist, Egress::unrestricted}) {
      SCOPED_TRACE(std::string(to_string(asked)) + " on " + std::string(to_string(enforced)));
      const SandboxSpec spec = SandboxSpec("codeact").egress(asked);
      if (asked == enforced) {
        EXPECT_NO_THROW(router.ensure_can_serve(spec));
      } else {
        const auto error = refusal_of<EgressNotEnforced>([&] { router.ensure_can_serve(spec); });
        EXPECT_EQ(error.enforced(), EgressSet{enforced});
      }
    }
  }
}

// PIN-5, RT-8
TEST(RouterChecks, NothingIsLoggedOnAnyPath) {
  Records records;
  const Router router(
      fake(named("fake").capabilities(CapabilitySet{Capability::exec, Capability::run_code})),
      at_container().deny(Capability::run_code).deny(Identity::user).log(records.sink()));
  Faults faults;
  for (bool* const fault :
       {&faults.capability_denied, &faults.identity_denied, &faults.floor, &faults.capability,
        &faults.family, &faults.files_in, &faults.files_out, &faults.egress}) {
    EXPECT_THROW(router.ensure_can_serve(faults.spec()), RouterRefusal);
    *fault = false;
  }
  router.ensure_can_serve(faults.spec());
  EXPECT_THAT(records.lines(), IsEmpty());
}

// RT-12
TEST(RouterAcquire, HandsKeyAndSpecToTheBackendUnchanged) {
  const auto backend = fake(named("fake"));
  const Router router(backend, at_container());
  const SandboxKey key("a|b", "", "c");
  const auto box =
      run_awaitable(router.acquire(key, SandboxSpec("codeact").image("x").work_dir("/w")));
  EXPECT_EQ(box, backend->shared_sandbox());
  ASSERT_EQ(backend->acquired_keys().size(), 1U);
  EXPECT_EQ(backend->acquired_keys().front(), key);
  EXPECT_EQ(backend->acquired_specs().front().image(), "x");
  EXPECT_EQ(backend->acquired_specs().front().work_dir(), "/w");
}

TEST(RouterAcquire, ARefusedSpecNeverReachesTheBackend) {
  const auto backend = fake(named("fake"));
  const Router router(backend, at_container());
  const SandboxSpec spec = SandboxSpec("codeact").egress(Egress::unrestricted);
  EXPECT_THROW(run_awaitable(router.acquire(key_of("t"), spec)), EgressNotEnforced);
  EXPECT_THAT(backend->acquired_keys(), IsEmpty());
}

TEST(RouterAcquire, TheBackendsErrorPassesThroughAsItIs) {
  const auto backend = fake(named("fake"));
  backend->fail_with(FakeBackendOperation::acquire, std::runtime_error("engine is down"));
  const Router router(backend, at_container());
  EXPECT_THAT(refusal_of<std::runtime_error>([&] {
                run_awaitable(router.acquire(key_of("t"), SandboxSpec("codeact")));
              }).what(),
              HasSubstr("engine is down"));
}

// The handle may go away while its operation is still to run.
TEST(RouterAcquire, DoesNotNeedTheHandleWhileItRuns) {
  const auto backend = fake(named("fake"));
  auto pending = Router(backend, at_container()).acquire(key_of("t"), SandboxSpec("codeact"));
  EXPECT_EQ(run_awaitable(std::move(pending)), backend->shared_sandbox());
}

}  // namespace
}  // namespace sandbox
