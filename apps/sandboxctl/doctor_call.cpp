// SPDX-License-Identifier: MIT
#include "doctor_call.hpp"

#include <exception>

#include "doctor_report.hpp"
#include "failure.hpp"
#include "report.hpp"
#include "sandbox/runner/doctor.hpp"
#include "stoppable.hpp"

namespace sandbox::ctl {

namespace {

// What stands in the way of looking at all is a diagnosis as well.
Stoppable<runner::Diagnosis> examine(const DoctorCall& call) {
  try {
    return run_stoppable(runner::diagnose(call.backend));
  } catch (...) {
    Stoppable<runner::Diagnosis> outcome;
    outcome.result.emplace();
    outcome.result->error = error_of(std::current_exception());
    outcome.result->findings.push_back(
        runner::refused_finding("doctor", outcome.result->error->what()));
    return outcome;
  }
}

}  // namespace

int run_doctor_call(const DoctorCall& call) {
  if (!call.quiet) warn_of_turned_off(call.backend);
  const Stoppable<runner::Diagnosis> outcome = examine(call);
  if (!outcome.result) return outcome.exit_code;
  if (call.json) {
    print_json(doctor_json(*outcome.result));
  } else {
    print_text(doctor_text(*outcome.result, call.quiet));
  }
  return outcome.result->works() ? 0 : 1;
}

}  // namespace sandbox::ctl
