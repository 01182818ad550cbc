// Any exception as an error that can be told.
// SPDX-License-Identifier: MIT
#pragma once

#include <exception>

#include "sandbox/error.hpp"

namespace sandbox::ctl {

// A cancelled call, a thread that could not be started and memory that ran out are told as such;
// what is none of ours is errc::internal.
Error error_of(const std::exception_ptr& failure);

}  // namespace sandbox::ctl
