// A long-running program of the host, watched without blocking and ended with all that it started.
// SPDX-License-Identifier: MIT
#pragma once

#include <boost/asio/awaitable.hpp>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

namespace sandbox::runner {

class BuilderEnd {
 public:
  // As a shell would say it. nullopt: this process ignores SIGCHLD, so nobody can tell.
  std::optional<int> exit_code;
  std::string last_words;  // the end of what it printed

  BuilderEnd() = default;
};
static_assert(!std::is_aggregate_v<BuilderEnd>);

// Runs arguments[0] (a path) with exactly this environment, stdin from /dev/null, in a session of
// its own. Its process group is killed when it ends, when the call is cancelled, and when this
// process goes away, however that happens. Run it on a strand.
// Errors: errc::os_error when it cannot be started; errc::internal.
// Cancel: terminal; all of the group is gone when this returns.
boost::asio::awaitable<BuilderEnd> run_builder(std::vector<std::string> arguments,
                                               std::vector<std::string> environment);

}  // namespace sandbox::runner
