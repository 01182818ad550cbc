// What all sandboxes of a backend share; fixed once the backend has started.
// SPDX-License-Identifier: MIT
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <memory>
#include <string>

#include "../launcher/plan.hpp"
#include "image.hpp"
#include "launcher_client.hpp"
#include "outside_identity.hpp"
#include "sandbox/exec.hpp"
#include "sandbox/runner/backend_options.hpp"
#include "seccomp_profile.hpp"
#include "worker.hpp"

namespace sandbox::runner {

class BackendCore {
 public:
  BackendCore(boost::asio::any_io_executor where, BackendOptions given, LauncherClient client,
              FilterProgram compiled, OutsideIdentity outside)
      : executor(std::move(where)),
        options(std::move(given)),
        launcher(std::move(client)),
        filter(std::move(compiled)),
        identity(outside) {}

  // Of the host; each sandbox makes a strand of its own on it.
  const boost::asio::any_io_executor executor;
  const BackendOptions options;
  LauncherClient launcher;
  const FilterProgram filter;
  const OutsideIdentity identity;
  Worker worker;
  // Tests make a step fail with it.
  launcher::FailAt fail_at;

  // Fills in what every request starts with.
  [[nodiscard]] launcher::Header header(launcher::RequestKind kind) const;
  // What is in force in every run of this backend.
  [[nodiscard]] Enforced enforced() const;
  // The limits of a run: its own, else the host's, else the built-in ones.
  [[nodiscard]] Limits limits_of(const Limits& asked) const;
};

}  // namespace sandbox::runner
