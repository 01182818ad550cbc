// What `sandboxctl selftest` prints.
// SPDX-License-Identifier: MIT
#pragma once

#include <boost/json/object.hpp>
#include <string>
#include <vector>

#include "sandbox/runner/selftest.hpp"

namespace sandbox::ctl {

// Of each report: something was tried, and nothing was skipped, broken or escaped.
bool all_good(const std::vector<runner::SelftestReport>& reports);

// For a person: how much each group holds, then all that is not contained, and why. Safe for a
// terminal. When quiet only the latter, which may be nothing.
std::string selftest_text(const std::vector<runner::SelftestReport>& reports, bool quiet);

// {"kernel", "all_good", "totals", "attempts"}. Of an attempt "without" names what was off,
// "lacking" which of its layers this machine does not have.
boost::json::object selftest_json(const std::vector<runner::SelftestReport>& reports);

}  // namespace sandbox::ctl
