// Selection for each spec: the first backend that passes all its checks (WK-18).
// SPDX-License-Identifier: MIT
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "router_fixture.hpp"

namespace sandbox {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using Backends = std::vector<std::shared_ptr<Backend>>;

RouterOptions per_spec() { return at_container().select_per_spec(); }

TEST(RouterPerSpec, IsNotUsedTogetherWithASelectedName) {
  for (const Backends& backends : {Backends{}, Backends{fake(named("a"))}}) {
    EXPECT_EQ(refusal_of<Error>([&] { Router(backends, per_spec().selected("a")); }).code(),
              errc::config_error);
  }
}

TEST(RouterPerSpec, HasNoSelectedBackendButIsEnabled) {
  const Router router(Backends{fake(named("a", Isolation::none))}, per_spec());
  EXPECT_TRUE(router.enabled());
  EXPECT_EQ(router.backend(), nullptr);
}

TEST(RouterPerSpec, WithoutABackendIsQuietUntilAcquire) {
  const Router router(Backends{}, per_spec());
  EXPECT_FALSE(router.enabled());
  EXPECT_NO_THROW(router.ensure_can_serve(SandboxSpec("codeact")));
  EXPECT_THROW(run_awaitable(router.acquire(key_of("t"), SandboxSpec("codeact"))), NoBackend);
}

TEST(RouterPerSpec, EachSpecGoesToTheFirstThatServesIt) {
  const auto weak = fake(named("weak", Isolation::none));
  const auto closed = fake(named("closed").egress_modes(EgressSet{Egress::closed}));
  const auto open = fake(named("open").egress_modes(EgressSet{Egress::closed, Egress::allowlist}));
  const Router router(Backends{weak, closed, open}, per_spec());
  run_awaitable(router.acquire(key_of("t"), SandboxSpec("a")));
  run_awaitable(router.acquire(key_of("t"), SandboxSpec("b").egress(Egress::allowlist)));
  EXPECT_THAT(weak->acquired_keys(), IsEmpty());
  ASSERT_EQ(closed->acquired_specs().size(), 1U);
  EXPECT_EQ(closed->acquired_specs().front().kind(), "a");
  ASSERT_EQ(open->acquired_specs().size(), 1U);
  EXPECT_EQ(open->acquired_specs().front().kind(), "b");
}

TEST(RouterPerSpec, WhenNoneServesTheFirstRefusalSpeaksForAll) {
  const auto weak = fake(named("weak", Isolation::runtime));
  const auto lame = fake(named("lame").capabilities(CapabilitySet{}));
  const auto deaf = fake(named("deaf").egress_modes(std::nullopt));
  const Router router(Backends{lame, weak, deaf}, per_spec());
  const SandboxSpec spec("codeact");
  const auto error = refusal_of<CapabilityNotSupported>([&] { router.ensure_can_serve(spec); });
  EXPECT_EQ(error.backend(), "lame");
  EXPECT_EQ(error.missing(), default_capabilities());
  EXPECT_THAT(error.what(), HasSubstr("\"lame\""));
  EXPECT_THAT(error.what(), HasSubstr("lacks the capabilities exec, files_in"));
  EXPECT_THAT(error.what(), HasSubstr("\"weak\""));
  EXPECT_THAT(error.what(), HasSubstr("runtime is below the floor container"));
  EXPECT_THAT(error.what(), HasSubstr("\"deaf\""));
  EXPECT_THAT(error.what(), HasSubstr("egress closed"));
  const auto again =
      refusal_of<CapabilityNotSupported>([&] { run_awaitable(router.acquire(key_of("t"), spec)); });
  EXPECT_STREQ(again.what(), error.what());
}

TEST(RouterPerSpec, AFailedAcquireIsNotTriedElsewhere) {
  const auto first = fake(named("first"));
  const auto second = fake(named("second"));
  first->fail_with(FakeBackendOperation::acquire, Error(errc::setup_failed, "step 3"));
  const Router router(Backends{first, second}, per_spec());
  EXPECT_THROW(run_awaitable(router.acquire(key_of("t"), SandboxSpec("codeact"))), Error);
  EXPECT_THAT(second->acquired_keys(), IsEmpty());
}

}  // namespace
}  // namespace sandbox
