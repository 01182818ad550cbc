// Attempts as parameters of tests.
// SPDX-License-Identifier: MIT
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <ostream>
#include <set>
#include <string>
#include <vector>

#include "runner_fixture.hpp"
#include "sandbox/runner/protection.hpp"
#include "sandbox/runner/selftest.hpp"

namespace sandbox::runner {

// For gtest, which would print bytes.
void PrintTo(const Attempt& attempt, std::ostream* out);

namespace testing {

// The attempts of the exhaustion group, which run alone, or all others; those that `wanted` wants.
// None when the corpus cannot be read, which a test of its own tells.
std::vector<Attempt> attempts(bool exhaustion, const std::function<bool(const Attempt&)>& wanted);

// In a sandbox with a backend of its own. Everything else as in RunnerTest.
class AdversarialTest : public RunnerTest {
 protected:
  AttemptReport run(const Attempt& attempt, const std::set<Protection>& off);
};

// It is not contained because of what this machine lacks, by its own word.
bool machine_lacks(const AttemptReport& report);

// What was met and why, for a message.
std::string story(const AttemptReport& report);

}  // namespace testing
}  // namespace sandbox::runner
