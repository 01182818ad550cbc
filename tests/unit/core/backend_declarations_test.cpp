// How the silence of a backend is read (contract section 2.2).
// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include "sandbox/backend.hpp"

namespace sandbox {
namespace {

using namespace literals;

// PIN-6
TEST(BackendDeclarations, SilenceIsReadAsTheContractSays) {
  const BackendDeclarations silent(Isolation::container);
  EXPECT_EQ(silent.isolation(), Isolation::container);
  EXPECT_FALSE(silent.capabilities());
  EXPECT_FALSE(silent.limits());
  EXPECT_FALSE(silent.egress_modes());
  EXPECT_FALSE(silent.os_families());
  EXPECT_EQ(silent.effective_capabilities(), default_capabilities());
  EXPECT_EQ(silent.effective_limits(), SandboxLimits());
  EXPECT_TRUE(silent.effective_egress_modes().empty());
  EXPECT_TRUE(silent.effective_os_families().empty());
}

TEST(BackendDeclarations, AnEmptyAnswerIsNotSilence) {
  BackendDeclarations declared(Isolation::container);
  declared.capabilities({}).limits(SandboxLimits(TransferLimits(1_B, 1_B, 1), TransferLimits()));
  EXPECT_TRUE(declared.effective_capabilities().empty());
  EXPECT_EQ(declared.effective_limits().files_in(), TransferLimits(1_B, 1_B, 1));
}

TEST(BackendDeclarations, SpokenAnswersAreTakenAsTheyAre) {
  BackendDeclarations declared(Isolation::container);
  declared.capabilities({Capability::run_code})
      .egress_modes({Egress::closed})
      .os_families({OsFamily::posix});
  EXPECT_EQ(declared.effective_capabilities(), CapabilitySet{Capability::run_code});
  EXPECT_EQ(declared.effective_egress_modes(), EgressSet{Egress::closed});
  EXPECT_EQ(declared.effective_os_families(), OsFamilySet{OsFamily::posix});
}

// RT-9
TEST(BackendDeclarations, WhatIsNoFamilyIsDropped) {
  BackendDeclarations declared(Isolation::container);
  declared.os_families({OsFamily::posix, static_cast<OsFamily>(42)});
  EXPECT_EQ(declared.effective_os_families(), OsFamilySet{OsFamily::posix});
}

}  // namespace
}  // namespace sandbox
