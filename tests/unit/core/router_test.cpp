// The router at construction: words, selection, the host's floor (RT-1 to RT-6).
// SPDX-License-Identifier: MIT
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "router_fixture.hpp"

namespace sandbox {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using Backends = std::vector<std::shared_ptr<Backend>>;

struct BadOptions {
  RouterOptions options;
  std::string says;
};

// RT-1, PIN-2
TEST(Router, UnknownWordsFailAtConstructionEvenWithoutABackend) {
  const std::vector<BadOptions> cases{
      {RouterOptions().min_isolation("contaner"), "\"contaner\""},
      {RouterOptions().min_isolation("process"), "os_process"},
      {RouterOptions().min_isolation(""), "not a rung"},
      {RouterOptions().min_isolation(static_cast<Isolation>(50)), "not a rung"},
      {RouterOptions().deny_capability("run-code"), "\"run-code\""},
      {RouterOptions().deny(static_cast<Capability>(50)), "not a capability"},
      {RouterOptions().deny_identity("root"), "\"root\""},
      {RouterOptions().deny(static_cast<Identity>(50)), "not an identity"},
  };
  for (const BadOptions& row : cases) {
    SCOPED_TRACE(row.says);
    for (const Backends& backends : {Backends{}, Backends{fake(named("a", Isolation::vm))}}) {
      const auto error = refusal_of<Error>([&] { Router(backends, row.options); });
      EXPECT_EQ(error.code(), errc::config_error);
      EXPECT_THAT(error.what(), HasSubstr(row.says));
    }
  }
}

TEST(Router, KnownWordsAreAccepted) {
  EXPECT_NO_THROW(Router(Backends{}, RouterOptions()
                                         .min_isolation("os_process")
                                         .deny_capability("run_code")
                                         .deny_identity("user")));
}

// RT-2, RT-5
TEST(Router, WithoutABackendIsDisabledAndLooksNoNameUp) {
  const Router router(Backends{}, RouterOptions().selected("nobody"));
  EXPECT_FALSE(router.enabled());
  EXPECT_EQ(router.backend(), nullptr);
}

// RT-2
TEST(Router, SelectsTheFirstUnlessNamed) {
  const auto a = fake(named("a"));
  const auto b = fake(named("b"));
  EXPECT_EQ(Router(Backends{a, b}, at_container()).backend(), a);
  EXPECT_EQ(Router(Backends{a, b}, at_container().selected("b")).backend(), b);
  EXPECT_TRUE(Router(a, at_container()).enabled());
  EXPECT_EQ(Router(a, at_container()).backend(), a);
}

// RT-2
TEST(Router, ASelectedNameThatIsNotThereListsTheNamesSorted) {
  const Backends backends{fake(named("b")), fake(named("c")), fake(named("a"))};
  const auto error =
      refusal_of<NoBackend>([&] { Router(backends, at_container().selected("docker")); });
  EXPECT_EQ(error.code(), errc::no_sandbox_backend);
  EXPECT_EQ(error.selected(), "docker");
  EXPECT_THAT(error.registered(), ElementsAre("a", "b", "c"));
  EXPECT_THAT(error.what(), HasSubstr("\"a\", \"b\", \"c\""));
  EXPECT_THAT(error.what(), HasSubstr("docker"));
  EXPECT_THAT(error.what(), HasSubstr("RouterOptions::selected"));
}

// RT-3, WK-39
TEST(Router, TheDefaultFloorIsMicrovm) {
  EXPECT_THROW(Router(fake(named("a", Isolation::hardened_container))), BackendNotPermitted);
  EXPECT_NO_THROW(Router(fake(named("a", Isolation::microvm))));
  EXPECT_NO_THROW(Router(fake(named("a", Isolation::container)), at_container()));
  EXPECT_NO_THROW(
      Router(fake(named("a", Isolation::container)), RouterOptions().min_isolation("container")));
}

// RT-3
TEST(Router, ASelectedBackendBelowTheFloorIsRefusedWithTheWholeLadder) {
  const auto error = refusal_of<BackendNotPermitted>(
      [] { Router(fake(named("weak", Isolation::os_process)), at_container()); });
  EXPECT_EQ(error.code(), errc::backend_not_permitted);
  EXPECT_EQ(error.backend(), "weak");
  EXPECT_EQ(error.kind(), "");
  EXPECT_EQ(error.declared(), Isolation::os_process);
  EXPECT_EQ(error.floor(), Isolation::container);
  EXPECT_THAT(error.what(), HasSubstr("\"weak\""));
  EXPECT_THAT(error.what(), HasSubstr("os_process is below the floor container"));
  EXPECT_THAT(error.what(), HasSubstr("none, runtime, os_process, container, hardened_container, "
                                      "microvm, vm"));
  EXPECT_THAT(error.what(), HasSubstr("RouterOptions::min_isolation"));
}

// RT-3
TEST(Router, ARungThatIsNoneIsRefusedAtEveryFloor) {
  for (const int rung : {-1, 7, 1000}) {
    const auto error = refusal_of<BackendNotPermitted>([&] {
      Router(fake(named("odd", static_cast<Isolation>(rung))),
             RouterOptions().min_isolation(Isolation::none));
    });
    EXPECT_THAT(error.what(), HasSubstr("not a rung"));
    EXPECT_EQ(error.declared(), static_cast<Isolation>(rung));
  }
}

// RT-3, RT-4
TEST(Router, OnlyTheSelectedBackendIsHeldToTheFloor) {
  const auto weak = fake(named("weak", Isolation::none));
  const auto strong = fake(named("strong", Isolation::vm));
  EXPECT_NO_THROW(Router(Backends{strong, weak}));
  EXPECT_NO_THROW(Router(Backends{weak, strong}, RouterOptions().selected("strong")));
  EXPECT_THROW(Router(Backends{weak, strong}), BackendNotPermitted) << "never falls back";
}

// RT-6
TEST(Router, TwoBackendsOfOneNameAreRefused) {
  const Backends backends{fake(named("a")), fake(named("b")), fake(named("a"))};
  const auto error = refusal_of<Error>([&] { Router(backends, at_container()); });
  EXPECT_EQ(error.code(), errc::config_error);
  EXPECT_THAT(error.what(), HasSubstr("\"a\""));
}

TEST(Router, ANullBackendIsRefused) {
  EXPECT_EQ(refusal_of<Error>([] { Router(std::shared_ptr<Backend>()); }).code(),
            errc::config_error);
  EXPECT_EQ(refusal_of<Error>([] {
              Router(Backends{fake(named("a")), nullptr}, at_container());
            }).code(),
            errc::config_error);
}

}  // namespace
}  // namespace sandbox
