// How the parts that a backend's sandboxes share are started and ended.
// SPDX-License-Identifier: MIT
#pragma once

#include <boost/asio/awaitable.hpp>
#include <memory>

#include "backend_core.hpp"
#include "sandbox/runner/backend_options.hpp"

namespace sandbox::runner {

// Starts the launcher, compiles the profile and looks for cgroups, all off the executor.
// Errors: errc::setup_failed, errc::protection_unavailable for cgroups that are required.
boost::asio::awaitable<std::shared_ptr<BackendCore>> start_core(BackendOptions options);

// The cgroups go before the launcher: when it ends, systemd takes its scope away, and gives up on
// one in which directories come and go meanwhile.
boost::asio::awaitable<void> end_core(std::shared_ptr<BackendCore> core);

}  // namespace sandbox::runner
