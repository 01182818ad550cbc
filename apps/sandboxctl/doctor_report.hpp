// What `sandboxctl doctor` prints.
// SPDX-License-Identifier: MIT
#pragma once

#include <boost/json/object.hpp>
#include <string>

#include "sandbox/runner/doctor.hpp"

namespace sandbox::ctl {

// For a person: facts, checks, what will be in force, and the verdict. Safe for a terminal. When
// quiet only what is amiss and how to mend it, which may be nothing.
std::string doctor_text(const runner::Diagnosis& diagnosis, bool quiet);

// {"works", "checks": [{"name", "state", "found", "fix"}], "enforced", "error"}; the last two as in
// a receipt, or null.
boost::json::object doctor_json(const runner::Diagnosis& diagnosis);

}  // namespace sandbox::ctl
