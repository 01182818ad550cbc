// What a run may reach over the network (contract section 1.1). Modes are never compared, only
// looked up in the set that a backend can enforce.
// SPDX-License-Identifier: MIT
#pragma once

#include <boost/system/result.hpp>
#include <set>
#include <string_view>

namespace sandbox {

enum class Egress {
  unrestricted,  // whatever the host reaches
  allowlist,     // exactly the named hosts
  closed,        // nothing: the default of a spec that does not say
};

using EgressSet = std::set<Egress>;

bool is_known(Egress mode);
std::string_view to_string(Egress mode);

// Errors: errc::config_error for any other string.
boost::system::result<Egress> egress_from_string(std::string_view text);

}  // namespace sandbox
