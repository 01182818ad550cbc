// The backend of Linux namespaces, seccomp and limits.
// SPDX-License-Identifier: MIT
#pragma once

#include <boost/asio/awaitable.hpp>
#include <memory>
#include <string>

#include "sandbox/backend.hpp"
#include "sandbox/runner/backend_options.hpp"

namespace sandbox::runner {

// Declares: container; {exec, files_in}; {closed}; {posix}; explicit transfer limits.
//
// Runs on the executor of the coroutine that starts it. One helper process (the launcher) belongs
// to each backend; when the host process or the launcher ends, however it ends, every guest dies
// with it.
//
// Thread safety: methods may be called from any thread.
// Lifetime: close() before the executor stops; the destructor does not wait, but leaves nothing
// running.
class LinuxBackend : public Backend {
 public:
  // Starts the launcher, compiles the profile, finds the image and runs its interpreter once inside
  // a sandbox.
  // Errors: errc::invalid_argument (options), errc::image_unusable, errc::userns_unavailable,
  // errc::protection_unavailable (a required one is not to be had here), errc::setup_failed (names
  // the step and the likely fix).
  // Cancel: terminal; nothing is left running.
  static boost::asio::awaitable<std::shared_ptr<LinuxBackend>> start(BackendOptions options);

  // Only start() can make one.
  class Passkey {
    friend class LinuxBackend;
    Passkey() = default;
  };
  class Impl;
  LinuxBackend(Passkey, std::shared_ptr<Impl> impl);
  LinuxBackend(const LinuxBackend&) = delete;
  LinuxBackend& operator=(const LinuxBackend&) = delete;
  LinuxBackend(LinuxBackend&&) = delete;
  LinuxBackend& operator=(LinuxBackend&&) = delete;
  ~LinuxBackend() override;

  [[nodiscard]] std::string name() const override;
  [[nodiscard]] BackendDeclarations declarations() const override;

  // Errors: errc::config_error for a spec whose image is not served; errc::backend_closed;
  // errc::setup_failed, errc::userns_unavailable, errc::launcher_lost.
  boost::asio::awaitable<std::shared_ptr<Sandbox>> acquire(SandboxKey key,
                                                           SandboxSpec spec) override;
  boost::asio::awaitable<void> dispose(SandboxKey key) override;
  boost::asio::awaitable<int> dispose_scope(std::string scope, std::string thread_id) override;

  // Ends all sandboxes and the launcher, and waits until they are gone. Further calls fail with
  // errc::backend_closed.
  boost::asio::awaitable<void> close();

 private:
  std::shared_ptr<Impl> impl_;
};

}  // namespace sandbox::runner
