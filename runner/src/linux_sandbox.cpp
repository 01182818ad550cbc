// SPDX-License-Identifier: MIT
#include "linux_sandbox.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/experimental/awaitable_operators.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <functional>

#include "cancellation.hpp"
#include "explain.hpp"
#include "request_writer.hpp"
#include "root_plan.hpp"

namespace net = boost::asio;

namespace sandbox::runner {
namespace {

constexpr std::chrono::seconds kMakeTime(30);

class MakePlan {
 public:
  std::string request;
  std::vector<PlannedOp> tree;
};

MakePlan plan_make(const BackendCore& core, const Image& image, const std::string& work_directory,
                   std::uint32_t outside_uid) {
  MakePlan plan;
  plan.tree = plan_sandbox_tree(image, work_directory, core.tree_rules());
  launcher::MakeRequest flat;
  flat.header = core.header(launcher::RequestKind::make_sandbox, outside_uid);
  RequestWriter writer(sizeof flat);
  flat.tree = write_tree(writer, plan.tree);
  flat.host_name = writer.text("sandbox");
  flat.work_path = writer.text(work_directory);
  flat.loopback = core.filter.name == "loopback" ? 1 : 0;
  plan.request = writer.finish(flat);
  return plan;
}

// What a failed step was about: the path of a tree operation.
std::string subject_of(const launcher::Reply& failed, const std::vector<PlannedOp>& tree) {
  using launcher::Step;
  const bool about_source = failed.step == Step::open_source || failed.step == Step::clone_source;
  const bool about_tree =
      about_source || (failed.step >= Step::tree_directory && failed.step <= Step::proc_mount);
  if (!about_tree || failed.item >= tree.size()) return {};
  return about_source ? tree[failed.item].text : tree[failed.item].path;
}

std::size_t expected_descriptors(const launcher::Reply& made) {
  const bool has_time = (made.applied & launcher::bit(launcher::Guard::time_namespace)) != 0;
  return has_time ? launcher::kMaxMadeDescriptors : launcher::kMadeDescriptors;
}

// Locks are files: not on the executor.
net::awaitable<std::shared_ptr<const UidLease>> take_uid(std::shared_ptr<BackendCore> core) {
  std::function<std::shared_ptr<const UidLease>()> work = [core] {
    return std::shared_ptr<const UidLease>(core->uids->take());
  };
  co_return co_await core->worker.run(std::move(work));
}

Error sandbox_disposed() {
  return {errc::sandbox_disposed,
          "this sandbox was disposed; acquire it again from the router to get a new one"};
}

// The wait for the launcher's answer, for a bounded time.
class MakeAnswer {
 public:
  MakeAnswer(const net::any_io_executor& executor, Fd socket)
      : replies_(executor, std::move(socket)), timer_(executor, kMakeTime) {}

  // nullopt: the process that makes the sandbox is gone.
  net::awaitable<std::optional<ReceivedReply>> get() {
    using namespace net::experimental::awaitable_operators;
    auto first = co_await (replies_.next() || timer_.async_wait(net::use_awaitable));
    if (first.index() == 1) {
      throw Error(errc::setup_failed, "making the sandbox took longer than " +
                                          std::to_string(kMakeTime.count()) +
                                          " s; is the host overloaded, or a file system hung?");
    }
    co_return std::move(std::get<0>(first));
  }

 private:
  ReplySocket replies_;
  net::steady_timer timer_;
};

}  // namespace

net::awaitable<std::shared_ptr<LinuxSandbox>> LinuxSandbox::make(std::shared_ptr<BackendCore> core,
                                                                 std::shared_ptr<const Image> image,
                                                                 std::string work_directory) {
  const net::any_io_executor executor = co_await net::this_coro::executor;
  RunPlace place;
  place.core = core;
  if (core->uids) place.lease = co_await take_uid(core);
  MakePlan plan = plan_make(*core, *image, work_directory, place.outside_uid());
  FdPair socket = make_packet_pair();
  MakeAnswer answer(executor, std::move(socket.first));
  std::vector<int> descriptors(1, socket.second.get());
  co_await core->launcher.send(std::move(plan.request), std::move(descriptors));
  socket.second.reset();

  std::optional<ReceivedReply> received = co_await answer.get();
  if (received && received->reply.kind == launcher::ReplyKind::failed) {
    throw explain(received->reply, subject_of(received->reply, plan.tree));
  }
  if (!received || received->descriptors.size() != expected_descriptors(received->reply)) {
    const bool alive = core->launcher.alive();
    throw Error(alive ? errc::setup_failed : errc::launcher_lost,
                alive ? "the process that makes the sandbox was killed; was the host out of memory?"
                      : "the launcher process has ended; close this backend and start another");
  }

  auto namespaces = std::make_shared<SandboxNamespaces>();
  namespaces->user = std::move(received->descriptors[0]);
  namespaces->mount = std::move(received->descriptors[1]);
  namespaces->net = std::move(received->descriptors[2]);
  namespaces->uts = std::move(received->descriptors[3]);
  if (received->descriptors.size() > launcher::kMadeDescriptors) {
    namespaces->time = std::move(received->descriptors[launcher::kMadeDescriptors]);
  }
  std::optional<FileOwner> owner;
  if (core->identity.switch_identity) owner = FileOwner{place.outside_uid(), place.outside_uid()};
  auto files =
      std::make_shared<const WorkFiles>(std::move(received->descriptors[4]), work_directory, owner);
  const net::any_io_executor host_executor = core->executor;
  place.namespaces = std::move(namespaces);
  place.image = std::move(image);
  place.work_directory = std::move(work_directory);
  co_return std::make_shared<LinuxSandbox>(host_executor, std::move(place), std::move(files));
}

LinuxSandbox::LinuxSandbox(net::any_io_executor executor, RunPlace place,
                           std::shared_ptr<const WorkFiles> files)
    : strand_(net::make_strand(executor)),
      place_(std::move(place)),
      files_(std::move(files)),
      all_ended_(strand_, net::steady_timer::time_point::max()) {}

LinuxSandbox::~LinuxSandbox() = default;

std::shared_ptr<const WorkFiles> LinuxSandbox::files() const {
  std::shared_ptr<const WorkFiles> files = files_.load();
  if (!files) throw sandbox_disposed();
  return files;
}

net::awaitable<void> LinuxSandbox::write_file(std::string path, std::string content,
                                              std::string working_directory) {
  std::function<bool()> work = [files = files(), path = std::move(path),
                                content = std::move(content),
                                directory = std::move(working_directory)] {
    files->write_file(path, content, directory);
    return true;
  };
  auto call = place_.core->worker.run(std::move(work));
  co_await with_cancellation_told(std::move(call));
}

net::awaitable<std::optional<SandboxEntry>> LinuxSandbox::stat_file(std::string path,
                                                                    std::string working_directory) {
  std::function<std::optional<SandboxEntry>()> work = [files = files(), path = std::move(path),
                                                       directory = std::move(working_directory)] {
    return files->stat_file(path, directory);
  };
  auto call = place_.core->worker.run(std::move(work));
  co_return co_await with_cancellation_told(std::move(call));
}

net::awaitable<std::string> LinuxSandbox::read_file(std::string path, std::string working_directory,
                                                    std::uint64_t max_bytes) {
  std::function<std::string()> work = [files = files(), path = std::move(path),
                                       directory = std::move(working_directory), max_bytes] {
    return files->read_file(path, directory, max_bytes);
  };
  auto call = place_.core->worker.run(std::move(work));
  co_return co_await with_cancellation_told(std::move(call));
}

net::awaitable<std::vector<SandboxEntry>> LinuxSandbox::list_dir(std::string path,
                                                                 std::string working_directory) {
  std::function<std::vector<SandboxEntry>()> work = [files = files(), path = std::move(path),
                                                     directory = std::move(working_directory)] {
    return files->list_dir(path, directory);
  };
  auto call = place_.core->worker.run(std::move(work));
  co_return co_await with_cancellation_told(std::move(call));
}

net::awaitable<ExecResult> LinuxSandbox::exec(ExecRequest request) {
  request.validate();
  auto run = run_on_strand(std::move(request));
  auto call = net::co_spawn(strand_, std::move(run), net::use_awaitable);
  co_return co_await with_cancellation_told(std::move(call));
}

net::awaitable<ExecResult> LinuxSandbox::run_on_strand(ExecRequest request) {
  const auto self = shared_from_this();
  if (disposed_) throw sandbox_disposed();
  ExecSession session(strand_, place_, std::move(request));
  // Leaves the set also when the run throws; whoever waits for the last one is told.
  const auto leave = [this](ExecSession* ended) {
    running_.erase(ended);
    if (running_.empty()) all_ended_.cancel();
  };
  running_.insert(&session);
  const std::unique_ptr<ExecSession, decltype(leave)> member(&session, leave);
  co_return co_await session.run();
}

net::awaitable<void> LinuxSandbox::dispose() {
  auto work = dispose_on_strand();
  co_await net::co_spawn(strand_, std::move(work), net::use_awaitable);
}

net::awaitable<void> LinuxSandbox::dispose_on_strand() {
  const auto self = shared_from_this();
  disposed_ = true;
  for (ExecSession* session : running_) session->abort(errc::sandbox_disposed);
  while (!running_.empty()) {
    boost::system::error_code woken;
    co_await all_ended_.async_wait(net::redirect_error(net::use_awaitable, woken));
  }
  files_.store(nullptr);
  place_.namespaces.reset();
  place_.lease.reset();
}

}  // namespace sandbox::runner
