// Handing a descriptor to Asio without losing it on the way.
// SPDX-License-Identifier: MIT
#pragma once

#include <boost/asio/posix/stream_descriptor.hpp>

#include "fd.hpp"

namespace sandbox::runner {

// `to` owns it afterwards; on failure it is closed.
// Errors: errc::too_many when the user has no room for another watch.
void adopt(boost::asio::posix::stream_descriptor& to, Fd from);

}  // namespace sandbox::runner
