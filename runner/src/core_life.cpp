// SPDX-License-Identifier: MIT
#include "core_life.hpp"

#include <boost/asio/this_coro.hpp>
#include <functional>
#include <utility>

#include "cgroup_search.hpp"
#include "sandbox/error.hpp"

namespace net = boost::asio;

namespace sandbox::runner {
namespace {

void tell_what_is_off(const BackendOptions& options) {
  for (const auto& [protection, reason] : options.turned_off()) {
    write_log(options.log(), LogLevel::info,
              "guests run without " + std::string(to_string(protection)) + ": " + reason);
  }
}

// The last resort is told aloud: each run's receipt says it as well.
void find_cgroups(BackendCore& core) {
  const Mode mode = core.options.mode_of(Protection::cgroup);
  if (mode == Mode::off) return;
  CgroupSearch found = find_cgroup_home(core.options.cgroup(), core.launcher.pid());
  core.cgroups = std::move(found.home);
  if (core.cgroups) {
    write_log(core.options.log(), LogLevel::info, "cgroups of runs: below " + core.cgroups->path());
    return;
  }
  core.no_cgroups_reason = found.reason;
  if (mode == Mode::required || core.options.cgroup()) {
    throw Error(errc::protection_unavailable,
                "limits by cgroup v2 are required, but " + found.reason);
  }
  write_log(
      core.options.log(), LogLevel::info,
      "memory is limited for each process and watched for the run as a whole, as " + found.reason);
}

}  // namespace

net::awaitable<std::shared_ptr<BackendCore>> start_core(BackendOptions options) {
  const net::any_io_executor executor = co_await net::this_coro::executor;
  std::function<std::shared_ptr<BackendCore>()> work = [executor, options = std::move(options)] {
    const OutsideIdentity identity = find_outside_identity(options.outside_uid());
    FilterProgram filter =
        compile_profile(options.profile(), builtin_profile(options.profile()), native_arch());
    auto core = std::make_shared<BackendCore>(executor, options, LauncherClient::start(),
                                              std::move(filter), identity);
    tell_what_is_off(core->options);
    if (core->uids && !core->uids->is_shared()) {
      write_log(core->options.log(), LogLevel::warning,
                std::string("uids of guests cannot be locked in ") + UidPool::kLockDirectory +
                    ": sandboxes of another host process may have the same one");
    }
    find_cgroups(*core);
    return core;
  };
  Worker worker;
  co_return co_await worker.run(std::move(work));
}

net::awaitable<void> end_core(std::shared_ptr<BackendCore> core) {
  if (core->cgroups) {
    std::function<bool()> work = [core] {
      core->cgroups->remove();
      return true;
    };
    (void)co_await core->cgroup_worker.run(std::move(work));
  }
  co_await core->launcher.close();
}

}  // namespace sandbox::runner
