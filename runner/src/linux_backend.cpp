// SPDX-License-Identifier: MIT
#include "sandbox/runner/linux_backend.hpp"

#include <algorithm>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/strand.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <map>
#include <utility>
#include <vector>

#include "async_mutex.hpp"
#include "cancellation.hpp"
#include "core_life.hpp"
#include "kernel_calls.hpp"
#include "linux_sandbox.hpp"
#include "sandbox/digest.hpp"

namespace net = boost::asio;

namespace sandbox::runner {
namespace {

// An interpreter that starts, imports and prints is one that works; its version is what it says.
constexpr const char* kProbeProgram =
    "import sys, json; print('.'.join(map(str, sys.version_info[:3])))";
constexpr std::chrono::seconds kProbeTime(30);

std::string trimmed(std::string text) {
  while (!text.empty() && (text.back() == '\n' || text.back() == ' ')) text.pop_back();
  return text;
}

// BE-3, WK-35: what was asked when a sandbox was made is part of which one it is.
std::string identity_digest(const BackendCore& core, const Image& image, const SandboxSpec& spec) {
  const std::string size = std::to_string(core.options.work_size().count());
  const std::vector<std::string_view> fields = {image.digest, core.filter.sha256,
                                                to_string(spec.egress()), spec.work_dir(), size};
  return sha256_hex_of_fields(fields);
}

}  // namespace

// All state on one strand.
class LinuxBackend::Impl : public std::enable_shared_from_this<LinuxBackend::Impl> {
 public:
  explicit Impl(std::shared_ptr<BackendCore> core)
      : strand_(net::make_strand(core->executor)), core_(std::move(core)) {}

  [[nodiscard]] const BackendOptions& options() const { return core_->options; }
  [[nodiscard]] net::strand<net::any_io_executor> strand() const { return strand_; }

  net::awaitable<void> check_default_image() { (void)co_await image(core_->options.image()); }

  net::awaitable<std::shared_ptr<Sandbox>> acquire(SandboxKey key, SandboxSpec spec);
  net::awaitable<int> dispose_if(std::function<bool(const SandboxKey&)> matches);
  net::awaitable<void> close();

 private:
  using SlotKey = std::pair<SandboxKey, std::string>;  // BE-2: key and kind

  // One place for a sandbox. Making and ending it happens under the lock, so concurrent acquires
  // give one (BE-4).
  struct Slot {
    explicit Slot(const net::any_io_executor& executor) : mutex(executor) {}
    AsyncMutex mutex;
    std::string digest;
    std::shared_ptr<LinuxSandbox> sandbox;
  };

  net::awaitable<std::shared_ptr<const Image>> image(std::string reference);
  net::awaitable<std::shared_ptr<const Image>> resolve_and_check(std::string reference);
  net::awaitable<void> end_slot(std::shared_ptr<Slot> slot);
  void require_open() const;

  net::strand<net::any_io_executor> strand_;
  std::shared_ptr<BackendCore> core_;
  std::map<SlotKey, std::shared_ptr<Slot>> slots_;
  std::map<std::string, std::shared_ptr<const Image>> images_;
  bool closed_ = false;
};

void LinuxBackend::Impl::require_open() const {
  if (closed_) {
    throw Error(errc::backend_closed, "the backend '" + core_->options.name() +
                                          "' was closed; start another to run programs");
  }
}

net::awaitable<std::shared_ptr<const Image>> LinuxBackend::Impl::image(std::string reference) {
  const auto known = images_.find(reference);
  if (known != images_.end()) co_return known->second;
  std::shared_ptr<const Image> checked = co_await resolve_and_check(reference);
  images_.emplace(std::move(reference), checked);
  co_return checked;
}

net::awaitable<std::shared_ptr<const Image>> LinuxBackend::Impl::resolve_and_check(
    std::string reference) {
  std::function<Image()> resolve = [reference] { return resolve_image(reference); };
  auto found = std::make_shared<Image>(co_await core_->worker.run(std::move(resolve)));
  for (const std::string& note : found->notes) {
    write_log(core_->options.log(), LogLevel::info, "image '" + reference + "': " + note);
  }
  // Believed only once it has run inside.
  const std::shared_ptr<LinuxSandbox> box = co_await LinuxSandbox::make(core_, found, "/work");
  std::vector<std::string> argv = {"python3", "-c", kProbeProgram};
  ExecRequest request(std::move(argv));
  request.timeout(kProbeTime);
  const ExecResult result = co_await box->exec(std::move(request));
  if (!result.status.exited_with(0)) {
    throw Error(errc::image_unusable,
                "the interpreter of image '" + reference + "' (" + found->interpreter +
                    ") does not run inside a sandbox: " + result.status.sentence() +
                    "; it said: " + trimmed(result.standard_error.text()) +
                    "; name another with host:/path/to/python");
  }
  found->version = trimmed(result.standard_output.text());
  co_return found;
}

net::awaitable<std::shared_ptr<Sandbox>> LinuxBackend::Impl::acquire(SandboxKey key,
                                                                     SandboxSpec spec) {
  require_open();
  spec.validate();
  if (spec.egress() != Egress::closed) {
    throw Error(errc::egress_not_enforced, "the backend '" + core_->options.name() +
                                               "' runs programs without any network; the spec of "
                                               "kind '" +
                                               spec.kind() + "' asks for egress " +
                                               std::string(to_string(spec.egress())));
  }
  std::string reference = spec.image_id().value_or(spec.image().value_or(core_->options.image()));
  const std::shared_ptr<const Image> root = co_await image(std::move(reference));
  const std::string digest = identity_digest(*core_, *root, spec);

  std::shared_ptr<Slot>& place = slots_[SlotKey(key, spec.kind())];
  if (!place) place = std::make_shared<Slot>(strand_);
  const std::shared_ptr<Slot> slot = place;
  const AsyncMutex::Guard guard = co_await slot->mutex.lock();
  require_open();
  if (slot->sandbox && slot->digest != digest) co_await end_slot(slot);
  if (!slot->sandbox) {
    slot->sandbox = co_await LinuxSandbox::make(core_, root, spec.work_dir());
    slot->digest = digest;
    write_log(core_->options.log(), LogLevel::info,
              "made a sandbox for kind '" + spec.kind() + "' with " + root->reference);
  }
  co_return slot->sandbox;
}

net::awaitable<void> LinuxBackend::Impl::end_slot(std::shared_ptr<Slot> slot) {
  const std::shared_ptr<LinuxSandbox> sandbox = std::exchange(slot->sandbox, nullptr);
  if (sandbox) co_await sandbox->dispose();
}

net::awaitable<int> LinuxBackend::Impl::dispose_if(std::function<bool(const SandboxKey&)> matches) {
  std::vector<std::shared_ptr<Slot>> ended;
  for (const auto& [key, slot] : slots_) {
    if (matches(key.first)) ended.push_back(slot);
  }
  int count = 0;
  for (const std::shared_ptr<Slot>& slot : ended) {
    const AsyncMutex::Guard guard = co_await slot->mutex.lock();
    if (slot->sandbox) ++count;
    co_await end_slot(slot);
  }
  // A slot that someone took up again meanwhile stays.
  std::erase_if(slots_, [&ended](const auto& entry) {
    const bool was_ended = std::find(ended.begin(), ended.end(), entry.second) != ended.end();
    return was_ended && !entry.second->sandbox && entry.second.use_count() == 2;
  });
  co_return count;
}

net::awaitable<void> LinuxBackend::Impl::close() {
  if (std::exchange(closed_, true)) co_return;
  const std::function<bool(const SandboxKey&)> all = [](const SandboxKey&) { return true; };
  (void)co_await dispose_if(all);
  co_await end_core(core_);
}

LinuxBackend::LinuxBackend(Passkey, std::shared_ptr<Impl> impl) : impl_(std::move(impl)) {}

LinuxBackend::~LinuxBackend() = default;

net::awaitable<std::shared_ptr<LinuxBackend>> LinuxBackend::start(BackendOptions options) {
  options.validate();
  require_kernel_calls();
  auto starting = start_core(std::move(options));
  const std::shared_ptr<BackendCore> core = co_await with_cancellation_told(std::move(starting));
  if (core->identity.only_root_exists) {
    write_log(core->options.log(), LogLevel::warning,
              "this user namespace knows no id but 0: where that is the machine's root, guests are "
              "root outside as well, and the kernel does not count their processes, so the limit "
              "of processes is not enforced; start this program as an ordinary user, or where more "
              "ids are mapped");
  }
  auto impl = std::make_shared<Impl>(core);
  std::exception_ptr why;
  try {
    auto check = impl->check_default_image();
    auto call = net::co_spawn(impl->strand(), std::move(check), net::use_awaitable);
    co_await with_cancellation_told(std::move(call));
  } catch (...) {
    why = std::current_exception();
  }
  if (why) {
    co_await net::this_coro::reset_cancellation_state(net::disable_cancellation());
    co_await end_core(core);
    std::rethrow_exception(why);
  }
  co_return std::make_shared<LinuxBackend>(Passkey(), std::move(impl));
}

std::string LinuxBackend::name() const { return impl_->options().name(); }

BackendDeclarations LinuxBackend::declarations() const {
  constexpr TransferLimits kCeiling(Bytes(64ULL << 20U), Bytes(256ULL << 20U), 256);
  BackendDeclarations declared(Isolation::container);
  declared.capabilities({Capability::exec, Capability::files_in});
  declared.egress_modes({Egress::closed});
  declared.os_families({OsFamily::posix});
  declared.limits(SandboxLimits(kCeiling, kCeiling));
  return declared;
}

net::awaitable<std::shared_ptr<Sandbox>> LinuxBackend::acquire(SandboxKey key, SandboxSpec spec) {
  const std::shared_ptr<Impl> impl = impl_;
  auto work = impl->acquire(std::move(key), std::move(spec));
  auto call = net::co_spawn(impl->strand(), std::move(work), net::use_awaitable);
  co_return co_await with_cancellation_told(std::move(call));
}

net::awaitable<void> LinuxBackend::dispose(SandboxKey key) {
  const std::shared_ptr<Impl> impl = impl_;
  auto work =
      impl->dispose_if([key = std::move(key)](const SandboxKey& other) { return other == key; });
  auto call = net::co_spawn(impl->strand(), std::move(work), net::use_awaitable);
  (void)co_await with_cancellation_told(std::move(call));
}

net::awaitable<int> LinuxBackend::dispose_scope(std::string scope, std::string thread_id) {
  const std::shared_ptr<Impl> impl = impl_;
  auto work = impl->dispose_if(
      [scope = std::move(scope), thread_id = std::move(thread_id)](const SandboxKey& key) {
        return key.scope() == scope && key.thread_id() == thread_id;
      });
  auto call = net::co_spawn(impl->strand(), std::move(work), net::use_awaitable);
  co_return co_await with_cancellation_told(std::move(call));
}

net::awaitable<void> LinuxBackend::close() {
  const std::shared_ptr<Impl> impl = impl_;
  auto work = impl->close();
  auto call = net::co_spawn(impl->strand(), std::move(work), net::use_awaitable);
  co_await with_cancellation_told(std::move(call));
}

}  // namespace sandbox::runner
