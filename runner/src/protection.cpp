// SPDX-License-Identifier: MIT
#include "sandbox/runner/protection.hpp"

#include "sandbox/error.hpp"
#include "sandbox/runner/unsafe.hpp"

namespace sandbox::runner {

std::string_view to_string(Protection value) {
  switch (value) {
    case Protection::seccomp:
      return "seccomp";
    case Protection::denied_calls:
      return "denied_calls";
    case Protection::landlock:
      return "landlock";
    case Protection::inner_user_namespace:
      return "inner_user_namespace";
    case Protection::namespace_lock:
      return "namespace_lock";
    case Protection::capabilities:
      return "capabilities";
    case Protection::process_view:
      return "process_view";
    case Protection::no_exec:
      return "no_exec";
    case Protection::write_xor_execute:
      return "write_xor_execute";
    case Protection::time_namespace:
      return "time_namespace";
    case Protection::session_keyring:
      return "session_keyring";
    case Protection::core_scheduling:
      return "core_scheduling";
    case Protection::cgroup:
      return "cgroup";
    case Protection::resource_limits:
      return "resource_limits";
    case Protection::inode_limits:
      return "inode_limits";
  }
  return "unknown";
}

std::string_view to_string(Mode value) {
  switch (value) {
    case Mode::off:
      return "off";
    case Mode::preferred:
      return "preferred";
    case Mode::required:
      return "required";
  }
  return "unknown";
}

std::optional<Protection> protection_of(std::string_view name) {
  for (const Protection value : kAllProtections) {
    if (to_string(value) == name) return value;
  }
  return std::nullopt;
}

Mode default_mode(Protection value) {
  switch (value) {
    case Protection::denied_calls:
    case Protection::landlock:
    case Protection::write_xor_execute:
    case Protection::time_namespace:
    case Protection::session_keyring:
    case Protection::core_scheduling:
    case Protection::cgroup:
      return Mode::preferred;
    default:
      return Mode::required;
  }
}

namespace unsafe {

TurnOff::TurnOff(Protection protection, std::string reason)
    : protection_(protection), reason_(std::move(reason)) {
  if (reason_.empty()) {
    throw Error(errc::invalid_argument, "turning off '" + std::string(to_string(protection)) +
                                            "' needs a reason, for whoever reads the log");
  }
}

}  // namespace unsafe
}  // namespace sandbox::runner
