// What a sandbox can do, as a flat set matched by subset (contract section 1.1).
// SPDX-License-Identifier: MIT
#pragma once

#include <boost/system/result.hpp>
#include <set>
#include <string_view>

namespace sandbox {

enum class Capability {
  exec,               // Sandbox::exec
  run_code,           // Sandbox::run_code
  host_tools,         // guest to host function calls
  files_in,           // Sandbox::write_file
  files_out,          // Sandbox::stat_file, Sandbox::read_file
  files_list,         // Sandbox::list_dir
  files_delete,       // Sandbox::remove
  snapshot,           // reserved: no method yet
  attached_identity,  // reserved: no method yet
};

using CapabilitySet = std::set<Capability>;

// {exec, files_in}: what a silent spec requires, and what a silent backend is read as having.
const CapabilitySet& default_capabilities();

bool is_known(Capability capability);
std::string_view to_string(Capability capability);

// Errors: errc::config_error for any other string.
boost::system::result<Capability> capability_from_string(std::string_view text);

}  // namespace sandbox
