// The spec's defaults and checks.
// SPDX-License-Identifier: MIT
#include "sandbox/spec.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sandbox/error.hpp"

namespace sandbox {
namespace {

using namespace literals;
using testing::HasSubstr;

TEST(SandboxSpec, SilenceIsTheContractsDefault) {
  const SandboxSpec spec("codeact");
  EXPECT_EQ(spec.kind(), "codeact");
  EXPECT_FALSE(spec.image());
  EXPECT_FALSE(spec.image_id());
  EXPECT_EQ(spec.egress(), Egress::closed);
  EXPECT_TRUE(spec.egress_allow().empty());
  EXPECT_EQ(spec.work_dir(), "/maf-sandbox/work");
  EXPECT_TRUE(spec.labels().empty());
  EXPECT_EQ(spec.required_capabilities(), default_capabilities());
  EXPECT_FALSE(spec.min_isolation());
  EXPECT_TRUE(spec.declared_outputs().empty());
  EXPECT_EQ(spec.files_in(), TransferLimits());
  EXPECT_EQ(spec.files_out(), TransferLimits());
  EXPECT_FALSE(spec.outputs_named_at_call_time());
  EXPECT_TRUE(spec.identities().empty());
  EXPECT_FALSE(spec.required_os_family());
  EXPECT_FALSE(spec.lands_artifacts());
  EXPECT_NO_THROW(spec.validate());
}

TEST(SandboxSpec, CarriesWhatWasSet) {
  SandboxSpec spec("kind");
  spec.image("python:3")
      .image_id("sha256:1")
      .egress(Egress::allowlist)
      .egress_allow({"a.example"})
      .work_dir("D:\\agent\\work")
      .labels({{"k", "v"}})
      .require_capabilities({Capability::run_code})
      .min_isolation(Isolation::vm)
      .files_in(TransferLimits(1_B, 2_B, 3))
      .files_out(TransferLimits(4_B, 5_B, 6))
      .identities({Identity::app})
      .require_os_family(OsFamily::windows);
  EXPECT_EQ(spec.image(), "python:3");
  EXPECT_EQ(spec.image_id(), "sha256:1");
  EXPECT_EQ(spec.egress(), Egress::allowlist);
  EXPECT_EQ(spec.egress_allow(), std::vector<std::string>{"a.example"});
  EXPECT_EQ(spec.work_dir(), "D:\\agent\\work");
  EXPECT_EQ(spec.labels().at("k"), "v");
  EXPECT_EQ(spec.required_capabilities(), CapabilitySet{Capability::run_code})
      << "the set is replaced, not added to";
  EXPECT_EQ(spec.min_isolation(), Isolation::vm);
  EXPECT_EQ(spec.files_in(), TransferLimits(1_B, 2_B, 3));
  EXPECT_EQ(spec.files_out(), TransferLimits(4_B, 5_B, 6));
  EXPECT_EQ(spec.identities(), IdentitySet{Identity::app});
  EXPECT_EQ(spec.required_os_family(), OsFamily::windows);
}

TEST(SandboxSpec, HostsWithoutAnAllowlistAreRefusedByName) {
  for (const Egress mode : {Egress::closed, Egress::unrestricted}) {
    SandboxSpec spec("codeact");
    spec.egress(mode).egress_allow({"api.example", "pypi.org"});
    try {
      spec.validate();
      ADD_FAILURE() << "accepted with " << to_string(mode);
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), errc::config_error);
      EXPECT_THAT(error.what(), HasSubstr("api.example"));
      EXPECT_THAT(error.what(), HasSubstr("pypi.org"));
      EXPECT_THAT(error.what(), HasSubstr(std::string(to_string(mode))));
    }
  }
}

TEST(SandboxSpec, AnAllowlistWithoutHostsIsLegal) {
  EXPECT_NO_THROW(SandboxSpec("codeact").egress(Egress::allowlist).validate());
}

TEST(SandboxSpec, AFloorThatIsNoRungIsRefused) {
  SandboxSpec spec("codeact");
  spec.min_isolation(static_cast<Isolation>(99));
  EXPECT_THROW(spec.validate(), Error);
}

TEST(SandboxSpec, LandsArtifactsWhenSomeOutputGoesToASink) {
  SandboxSpec spec("codeact");
  spec.declared_outputs({DeclaredOutput("a").disposition(OutputDisposition::consume)});
  EXPECT_FALSE(spec.lands_artifacts());
  spec.declared_outputs(
      {DeclaredOutput("a").disposition(OutputDisposition::consume), DeclaredOutput("b")});
  EXPECT_TRUE(spec.lands_artifacts());
  EXPECT_TRUE(SandboxSpec("x").outputs_named_at_call_time(true).lands_artifacts());
}

TEST(DeclaredOutput, LandsUnderItsPathUnlessNamed) {
  EXPECT_EQ(DeclaredOutput("out/plot.png").name(), "out/plot.png");
  EXPECT_EQ(DeclaredOutput("out/plot.png").name("plot.png").name(), "plot.png");
  EXPECT_TRUE(DeclaredOutput("x").required());
  EXPECT_EQ(DeclaredOutput("x").disposition(), OutputDisposition::land);
}

}  // namespace
}  // namespace sandbox
