// What `sandboxctl selftest` is asked for.
// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <set>
#include <string>
#include <type_traits>

#include "protection_options.hpp"
#include "sandbox/runner/backend_options.hpp"

namespace sandbox::ctl {

class SelftestCall {
 public:
  runner::BackendOptions backend;
  std::set<int> only;   // empty: all
  bool layers = false;  // the critical ones again, with one layer off at a time
  bool json = false;
  bool quiet = false;  // only what is not good

  SelftestCall() = default;
};
static_assert(!std::is_aggregate_v<SelftestCall>);

// As typed.
class SelftestWords {
 public:
  std::optional<std::string> only, image;
  ProtectionWords protections;
  bool layers = false;
  bool json = false;
  bool quiet = false;

  SelftestWords() = default;
};

// `words` must outlive the parsing.
CLI::App* add_selftest(CLI::App& app, SelftestWords& words);

// Errors: errc::invalid_argument with the option, its value and what is allowed.
SelftestCall selftest_call_of(const SelftestWords& words);

}  // namespace sandbox::ctl
