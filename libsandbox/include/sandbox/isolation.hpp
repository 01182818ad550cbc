// How strong a backend's boundary is: an ordered ladder (contract section 1.1).
// SPDX-License-Identifier: MIT
#pragma once

#include <boost/system/result.hpp>
#include <span>
#include <string_view>

namespace sandbox {

// Weakest first; the order of the enumerators is the order of the ladder.
enum class Isolation {
  none,                // no boundary: fakes and tests
  runtime,             // a restricted interpreter inside the host process
  os_process,          // another process, same kernel and file system, no namespaces
  container,           // shared kernel, namespaces and resource limits
  hardened_container,  // system calls answered by a user-space kernel
  microvm,             // hypervisor boundary, minimal guest
  vm,                  // a full virtual machine of its own
};

// Every rung, weakest first.
std::span<const Isolation> isolation_ladder();

// False for a value that was cast from a number outside the ladder.
bool is_known(Isolation rung);

// The wire string; "?" for an unknown value.
std::string_view to_string(Isolation rung);

// Errors: errc::config_error for any string that is not a rung. "process" is refused for ever: it
// once named the bottom rung, and accepting it would promote old declarations (PIN-1).
boost::system::result<Isolation> isolation_from_string(std::string_view text);

// The only comparison of rungs. REQUIRES: both are known.
bool meets_floor(Isolation declared, Isolation floor);

}  // namespace sandbox
