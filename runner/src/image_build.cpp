// Builds an image: packages, trimming, bytecode, manifest, and into the store in one step.
// SPDX-License-Identifier: MIT
#include <fcntl.h>
#include <sys/stat.h>

#include <boost/asio/cancellation_state.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/strand.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <cerrno>
#include <chrono>
#include <exception>
#include <memory>
#include <stop_token>
#include <utility>

#include "builder_process.hpp"
#include "cancellation.hpp"
#include "directory_listing.hpp"
#include "host_path.hpp"
#include "image_finish.hpp"
#include "image_packages.hpp"
#include "image_recipe.hpp"
#include "image_tree.hpp"
#include "image_unpack.hpp"
#include "sandbox/digest.hpp"
#include "sandbox/error.hpp"
#include "sandbox/runner/image_store.hpp"
#include "stored_image.hpp"
#include "tree_removal.hpp"
#include "whole_file.hpp"
#include "worker.hpp"

namespace net = boost::asio;

namespace sandbox::runner {
namespace {

using Clock = std::chrono::steady_clock;

// How long a step took: "12.3 s".
class Stopwatch {
 public:
  std::string lap() {
    const auto now = Clock::now();
    const auto tenths = std::chrono::round<std::chrono::milliseconds>(now - start_).count() / 100;
    start_ = now;
    return std::to_string(tenths / 10) + "." + std::to_string(tenths % 10) + " s";
  }

 private:
  Clock::time_point start_ = Clock::now();
};

// All on one strand; what blocks runs on the worker, one thing after another.
//
// Lifetime: shared by what runs on the worker.
class Build : public std::enable_shared_from_this<Build> {
 public:
  explicit Build(ImageBuild build) : build_(std::move(build)) {}

  net::awaitable<StoredImage> run() {
    std::exception_ptr failure;
    StoredImage image;
    try {
      image = co_await carry_out();
    } catch (...) {
      failure = std::current_exception();
    }
    if (!failure) co_return image;
    stop_.request_stop();
    co_await net::this_coro::reset_cancellation_state(net::disable_cancellation());
    // After whatever the worker still does.
    co_await on_worker<bool>([](Build& self) {
      if (self.staging_ && !self.installed_) self.staging_->remove();
      return true;
    });
    // Stopped when all was done: the image is there, and that is what is told.
    if (placed_) co_return *placed_;
    std::rethrow_exception(failure);
  }

 private:
  template <class T>
  net::awaitable<T> on_worker(std::function<T(Build&)> step) {
    std::function<T()> work = [self = shared_from_this(), step = std::move(step)] {
      return step(*self);
    };
    co_return co_await worker_->run(std::move(work));
  }

  void tell(const std::string& line) const {
    if (build_.on_progress()) build_.on_progress()(line);
  }

  net::awaitable<StoredImage> carry_out() {
    std::function<bool(Build&)> prepare = [](Build& self) { return self.prepare(); };
    co_await on_worker<bool>(std::move(prepare));
    co_await unpack();
    co_await finish();
    std::function<StoredImage(Build&)> place = [](Build& self) { return self.place(); };
    StoredImage image = co_await on_worker<StoredImage>(std::move(place));
    tell("'" + image.name + "' is in place: " + std::to_string(image.entries) + " entries, " +
         std::to_string((image.bytes + (1U << 19U)) >> 20U) + " MiB, after " + whole_.lap());
    co_return image;
  }

  bool prepare() {
    staging_.emplace();
    command_ = prepare_builder(build_, *staging_);
    return true;
  }

  net::awaitable<void> unpack() {
    tell("fetching and unpacking packages of " + build_.suite() + " from " + command_.sources);
    const BuilderEnd end = co_await run_builder(command_.arguments, command_.environment);
    refuse_failed_builder(build_, command_.sources, end);
    std::function<bool(Build&)> trim = [](Build& self) { return self.trim(); };
    co_await on_worker<bool>(std::move(trim));
    tell("unpacked " + std::to_string(unpacked_.packages.size()) + " packages in " + step_.lap());
  }

  bool trim() {
    const Fd root = open_root();
    unpacked_ = packages_in(root.get());
    if (::fchmod(root.get(), 0755) != 0) throw_os_error("chmod root", errno);
    trim_tree(root.get(), stop_.get_token());
    return true;
  }

  net::awaitable<void> finish() {
    std::function<void(const std::vector<MadeFile>&)> keep =
        [self = shared_from_this()](const std::vector<MadeFile>& files) {
          if (!self->stop_.stop_requested()) add_made_files(self->open_root().get(), files);
        };
    std::string root = join_path(staging_->path(), "root");
    auto work =
        finish_image(worker_, std::move(root), modules_of_recipe(build_.recipe()), std::move(keep));
    const Finished finished = co_await std::move(work);
    python_ = finished.python;
    tell("made bytecode of " + std::to_string(finished.files) + " modules in a sandbox in " +
         step_.lap());
  }

  StoredImage place() {
    ManifestHead head;
    head.name = build_.name();
    head.recipe = build_.recipe();
    head.suite = build_.suite();
    head.architecture = unpacked_.architecture;
    head.time = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
    head.library = SANDBOX_VERSION;
    head.python = python_;
    head.packages = unpacked_.packages;
    ManifestWriter writer(head);
    {
      const Fd root = open_root();
      seal_tree(root.get(), head.time, stop_.get_token(), writer);
    }
    const std::string text = writer.finish();
    constexpr unsigned kReadOnly = 0444;
    write_whole(staging_->directory(), "manifest", text, kReadOnly);
    write_whole(staging_->directory(), "digest", sha256_hex(text) + "\n", kReadOnly);
    remove_tree(staging_->directory(), "tmp");
    if (stop_.stop_requested()) throw Error(errc::cancelled, "the build was stopped");
    staging_->install(build_.name());
    installed_ = true;
    placed_ = description_of(open_stored_image(build_.name(), Check::quick));
    return *placed_;
  }

  [[nodiscard]] Fd open_root() const {
    Fd root = open_directory(staging_->directory(), "root");
    if (!root) throw_os_error("open the image that is being built", errno);
    return root;
  }

  const ImageBuild build_;
  const std::shared_ptr<Worker> worker_ = std::make_shared<Worker>();
  std::stop_source stop_;
  Stopwatch whole_;
  Stopwatch step_;
  // What follows is the worker's and the strand's in turn, never at one time.
  std::optional<Staging> staging_;
  BuilderCommand command_;
  UnpackedPackages unpacked_;
  std::string python_;
  bool installed_ = false;
  std::optional<StoredImage> placed_;
};

}  // namespace

net::awaitable<StoredImage> build_image(ImageBuild build) {
  build.validate();
  const net::any_io_executor executor = co_await net::this_coro::executor;
  const auto job = std::make_shared<Build>(std::move(build));
  auto work = job->run();
  auto call = net::co_spawn(net::make_strand(executor), std::move(work), net::use_awaitable);
  co_return co_await with_cancellation_told(std::move(call));
}

}  // namespace sandbox::runner
