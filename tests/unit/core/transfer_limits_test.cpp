// Caps of one direction.
// SPDX-License-Identifier: MIT
#include "sandbox/transfer_limits.hpp"

#include <gtest/gtest.h>

namespace sandbox {
namespace {

using namespace literals;

// PIN-7
TEST(TransferLimits, DefaultsAreWithinThemselves) {
  EXPECT_TRUE(TransferLimits().within(TransferLimits()));
  EXPECT_EQ(TransferLimits(), TransferLimits(8_MiB, 32_MiB, 64));
  EXPECT_EQ(SandboxLimits().files_in(), TransferLimits());
  EXPECT_EQ(SandboxLimits().files_out(), TransferLimits());
}

// PIN-7
TEST(TransferLimits, OneFieldOverIsOutside) {
  const TransferLimits ceiling(10_B, 20_B, 3);
  EXPECT_TRUE(TransferLimits(10_B, 20_B, 3).within(ceiling));
  EXPECT_TRUE(TransferLimits(0_B, 0_B, 0).within(ceiling));
  EXPECT_FALSE(TransferLimits(11_B, 20_B, 3).within(ceiling));
  EXPECT_FALSE(TransferLimits(10_B, 21_B, 3).within(ceiling));
  EXPECT_FALSE(TransferLimits(10_B, 20_B, 4).within(ceiling));
}

}  // namespace
}  // namespace sandbox
