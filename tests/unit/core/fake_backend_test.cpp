// The fake backend: declarations, records, one sandbox or many (SB-40).
// SPDX-License-Identifier: MIT
#include "sandbox/testing/fake_backend.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "run_awaitable.hpp"
#include "sandbox/error.hpp"

namespace sandbox::testing {
namespace {

using namespace literals;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

SandboxKey key(const std::string& thread, const std::string& agent = "agent") {
  return {"tenant", thread, agent};
}

std::shared_ptr<Sandbox> acquire(FakeBackend& backend, const SandboxKey& of,
                                 const std::string& kind) {
  return run_awaitable(backend.acquire(of, SandboxSpec(kind)));
}

TEST(FakeBackend, IsHonestAndNearlySilentByDefault) {
  const FakeBackend backend;
  EXPECT_EQ(backend.name(), "fake");
  const BackendDeclarations declared = backend.declarations();
  EXPECT_EQ(declared.isolation(), Isolation::none);
  EXPECT_EQ(declared.egress_modes(), (EgressSet{Egress::allowlist, Egress::closed}));
  EXPECT_FALSE(declared.capabilities());
  EXPECT_FALSE(declared.limits());
  EXPECT_FALSE(declared.os_families());
}

TEST(FakeBackend, DeclaresWhatItIsToldAndIsSilentOnDemand) {
  const SandboxLimits limits(TransferLimits(1_B, 2_B, 3), TransferLimits());
  const FakeBackend backend(FakeBackendOptions()
                                .name("other")
                                .isolation(Isolation::vm)
                                .capabilities(CapabilitySet{Capability::run_code})
                                .limits(limits)
                                .egress_modes(std::nullopt)
                                .os_families(OsFamilySet{OsFamily::windows}));
  EXPECT_EQ(backend.name(), "other");
  const BackendDeclarations declared = backend.declarations();
  EXPECT_EQ(declared.isolation(), Isolation::vm);
  EXPECT_EQ(declared.capabilities(), CapabilitySet{Capability::run_code});
  EXPECT_EQ(declared.limits(), limits);
  EXPECT_FALSE(declared.egress_modes());
  EXPECT_EQ(declared.os_families(), OsFamilySet{OsFamily::windows});
}

TEST(FakeBackend, GivesOneSandboxForEveryKeyAndRecordsThem) {
  FakeBackend backend;
  const auto first = acquire(backend, key("t"), "a");
  const auto second = acquire(backend, key("u"), "b");
  EXPECT_EQ(first, second);
  EXPECT_EQ(first.get(), &backend.sandbox());
  EXPECT_THAT(backend.acquired_keys(), ElementsAre(key("t"), key("u")));
  ASSERT_EQ(backend.acquired_specs().size(), 2U);
  EXPECT_EQ(backend.acquired_specs().back().kind(), "b");
  EXPECT_EQ(backend.sandbox().kind_of("/maf-sandbox/work"), EntryKind::directory)
      << "the work directory is made at acquire (WK-10)";
}

TEST(FakeBackend, TheWorkDirectoryIsTheSpecs) {
  FakeBackend backend;
  run_awaitable(backend.acquire(key("t"), SandboxSpec("a").work_dir("/elsewhere")));
  EXPECT_EQ(backend.sandbox().work_directory(), "/elsewhere");
  EXPECT_EQ(backend.sandbox().kind_of("/elsewhere"), EntryKind::directory);
}

// BE-2
TEST(FakeBackend, SeparateSandboxesHaveKeyAndKindAsIdentity) {
  FakeBackend backend(FakeBackendOptions().separate_sandboxes());
  const auto one = acquire(backend, key("t"), "a");
  EXPECT_EQ(acquire(backend, key("t"), "a"), one);
  EXPECT_NE(acquire(backend, key("t"), "b"), one);
  EXPECT_NE(acquire(backend, key("u"), "a"), one);
  EXPECT_EQ(backend.sandbox_of(key("t"), "a"), one);
  EXPECT_EQ(backend.sandbox_of(key("t"), "c"), nullptr);
}

TEST(FakeBackend, DisposeEndsEveryKindOfTheKeyOnly) {
  FakeBackend backend(FakeBackendOptions().separate_sandboxes());
  acquire(backend, key("t"), "a");
  acquire(backend, key("t"), "b");
  acquire(backend, key("u"), "a");
  const auto ended = backend.sandbox_of(key("t"), "a");
  const auto kept = backend.sandbox_of(key("u"), "a");
  run_awaitable(backend.dispose(key("t")));
  EXPECT_TRUE(ended->disposed());
  EXPECT_FALSE(kept->disposed());
  EXPECT_EQ(backend.sandbox_of(key("t"), "b"), nullptr);
  EXPECT_THAT(backend.disposals(), ElementsAre(key("t")));
  run_awaitable(backend.dispose(key("t")));
  EXPECT_NE(acquire(backend, key("t"), "a"), ended) << "a new one, not the dead one";
}

TEST(FakeBackend, DisposeScopeCountsAllAgentsAndKindsOfTheConversation) {
  FakeBackend backend(FakeBackendOptions().separate_sandboxes());
  acquire(backend, key("t", "x"), "a");
  acquire(backend, key("t", "y"), "a");
  acquire(backend, key("t", "y"), "b");
  acquire(backend, key("u", "x"), "a");
  EXPECT_EQ(run_awaitable(backend.dispose_scope("tenant", "t")), 3);
  EXPECT_EQ(run_awaitable(backend.dispose_scope("tenant", "t")), 0);
  EXPECT_EQ(run_awaitable(backend.dispose_scope("other", "u")), 0);
  EXPECT_THAT(backend.purges().size(), 3U);
}

TEST(FakeBackend, TheSharedSandboxOutlivesADisposal) {
  FakeBackend backend;
  acquire(backend, key("t"), "a");
  EXPECT_EQ(run_awaitable(backend.dispose_scope("tenant", "t")), 1);
  EXPECT_FALSE(backend.sandbox().disposed());
}

TEST(FakeBackend, FailsOnDemandAndStillRecords) {
  FakeBackend backend;
  for (const auto operation : {FakeBackendOperation::acquire, FakeBackendOperation::dispose,
                               FakeBackendOperation::dispose_scope}) {
    backend.fail_with(operation, std::domain_error("asked for"));
  }
  EXPECT_THROW(acquire(backend, key("t"), "a"), std::domain_error);
  EXPECT_THROW(run_awaitable(backend.dispose(key("t"))), std::domain_error);
  EXPECT_THROW(run_awaitable(backend.dispose_scope("tenant", "t")), std::domain_error);
  EXPECT_EQ(backend.acquired_keys().size(), 1U);
  EXPECT_EQ(backend.disposals().size(), 1U);
  EXPECT_EQ(backend.purges().size(), 1U);
  backend.fail(FakeBackendOperation::acquire, nullptr);
  EXPECT_NO_THROW(acquire(backend, key("t"), "a"));
}

}  // namespace
}  // namespace sandbox::testing
