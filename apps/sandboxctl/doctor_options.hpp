// What `sandboxctl doctor` is asked for.
// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <type_traits>

#include "protection_options.hpp"
#include "sandbox/runner/backend_options.hpp"

namespace sandbox::ctl {

class DoctorCall {
 public:
  runner::BackendOptions backend;
  bool json = false;
  bool quiet = false;  // only what is amiss

  DoctorCall() = default;
};
static_assert(!std::is_aggregate_v<DoctorCall>);

// As typed.
class DoctorWords {
 public:
  std::optional<std::string> image;
  ProtectionWords protections;
  bool json = false;
  bool quiet = false;

  DoctorWords() = default;
};

// `words` must outlive the parsing.
CLI::App* add_doctor(CLI::App& app, DoctorWords& words);

// Errors: errc::invalid_argument with the option, its value and what is allowed.
DoctorCall doctor_call_of(const DoctorWords& words);

}  // namespace sandbox::ctl
