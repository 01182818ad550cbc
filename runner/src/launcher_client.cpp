// SPDX-License-Identifier: MIT
#include "launcher_client.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <boost/asio/experimental/awaitable_operators.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <system_error>

#include "../launcher/plan.hpp"
#include "adopt.hpp"
#include "fixes.hpp"
#include "launcher_blob.hpp"
#include "sandbox/error.hpp"

namespace net = boost::asio;

namespace sandbox::runner {
namespace {

constexpr std::chrono::seconds kCloseGrace(5);

// File actions and attributes of one spawn, freed together.
class SpawnSetup {
 public:
  SpawnSetup() {
    ::posix_spawn_file_actions_init(&actions_);
    ::posix_spawnattr_init(&attributes_);
  }
  SpawnSetup(const SpawnSetup&) = delete;
  SpawnSetup& operator=(const SpawnSetup&) = delete;
  SpawnSetup(SpawnSetup&&) = delete;
  SpawnSetup& operator=(SpawnSetup&&) = delete;
  ~SpawnSetup() {
    ::posix_spawn_file_actions_destroy(&actions_);
    ::posix_spawnattr_destroy(&attributes_);
  }

  posix_spawn_file_actions_t actions_{};
  posix_spawnattr_t attributes_{};
};

// The program's descriptor sits above the socket's fixed place; what is open above it in the host
// is closed on the way.
constexpr int kProgramDescriptor = launcher::kRequestSocket + 1;

int spawn_launcher(int program, int socket, pid_t& pid) {
  SpawnSetup setup;
  auto* actions = &setup.actions_;
  ::posix_spawn_file_actions_addopen(actions, 0, "/dev/null", O_RDWR, 0);
  ::posix_spawn_file_actions_adddup2(actions, 0, 1);
  ::posix_spawn_file_actions_adddup2(actions, 0, 2);
  ::posix_spawn_file_actions_adddup2(actions, socket, launcher::kRequestSocket);
  ::posix_spawn_file_actions_adddup2(actions, program, kProgramDescriptor);
  ::posix_spawn_file_actions_addclosefrom_np(actions, kProgramDescriptor + 1);

  sigset_t signals;
  ::sigfillset(&signals);
  ::posix_spawnattr_setsigdefault(&setup.attributes_, &signals);
  ::sigemptyset(&signals);
  ::posix_spawnattr_setsigmask(&setup.attributes_, &signals);
  ::posix_spawnattr_setflags(
      &setup.attributes_,
      static_cast<short>(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSID));
  const std::string path = "/proc/self/fd/" + std::to_string(kProgramDescriptor);
  std::string name = "sandbox-launcher";
  char* argv[] = {name.data(), nullptr};
  char* envp[] = {nullptr};
  return ::posix_spawn(&pid, path.c_str(), actions, &setup.attributes_, argv, envp);
}

// Out of the way of the fixed places that the spawn fills.
Fd move_above(Fd descriptor, int floor) {
  Fd moved(::fcntl(descriptor.get(), F_DUPFD_CLOEXEC, floor));
  // EINVAL: the floor is above the limit itself.
  if (!moved) throw_errno("copy a descriptor", errno == EINVAL ? EMFILE : errno);
  return moved;
}

// True: sent. False: the socket's buffer is full.
bool try_send(int socket, const std::string& request, const std::vector<int>& descriptors) {
  iovec part{const_cast<char*>(request.data()), request.size()};
  const std::size_t length = sizeof(int) * descriptors.size();
  std::string control(CMSG_SPACE(length), '\0');
  msghdr message{};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  message.msg_control = control.data();
  message.msg_controllen = control.size();
  cmsghdr* head = CMSG_FIRSTHDR(&message);
  head->cmsg_level = SOL_SOCKET;
  head->cmsg_type = SCM_RIGHTS;
  head->cmsg_len = CMSG_LEN(length);
  std::memcpy(CMSG_DATA(head), descriptors.data(), length);
  for (;;) {
    if (::sendmsg(socket, &message, MSG_NOSIGNAL | MSG_DONTWAIT) >= 0) return true;
    if (errno == EINTR) continue;
    if (errno == EAGAIN || errno == ENOBUFS) return false;
    if (errno == ETOOMANYREFS) {
      throw Error(
          errc::too_many,
          "send descriptors to the launcher: this user has too many of them on the way in "
          "sockets already, as a guest of an ordinary user can bring about; wait for such a "
          "run to end, raise ulimit -n of this process, or run as root, where each sandbox "
          "has a user of its own");
    }
    throw Error(errc::launcher_lost, "the launcher process has ended (" +
                                         std::generic_category().message(errno) +
                                         "); close this backend and start another");
  }
}

}  // namespace

LauncherClient::LauncherClient(Fd socket, Fd process, pid_t pid)
    : socket_(std::move(socket)), process_(std::move(process)), pid_(pid) {}

LauncherClient LauncherClient::start() {
  const auto blob = launcher_program();
  constexpr int kFloor = 16;
  const Fd program =
      move_above(make_sealed_program("sandbox-launcher", blob.data(), blob.size()), kFloor);
  FdPair pair = make_packet_pair();
  const Fd theirs = move_above(std::move(pair.second), kFloor);
  pid_t pid = -1;
  const int error = spawn_launcher(program.get(), theirs.get(), pid);
  if (error != 0) {
    throw Error(errc::setup_failed,
                "start the launcher from memory: " + std::generic_category().message(error) + "; " +
                    launcher_start_fix(error, HostFacts::read()));
  }
  Fd process(static_cast<int>(::syscall(SYS_pidfd_open, pid, 0)));
  if (!process) throw_errno("open the launcher's pidfd", errno);
  return {std::move(pair.first), std::move(process), pid};
}

net::awaitable<void> LauncherClient::send(std::string request, std::vector<int> descriptors) const {
  while (!try_send(socket_.get(), request, descriptors)) {
    // A copy to wait on, as several requests may wait at once.
    Fd copy(::fcntl(socket_.get(), F_DUPFD_CLOEXEC, 3));
    if (!copy) throw_errno("copy a descriptor", errno);
    net::posix::stream_descriptor waiter(co_await net::this_coro::executor);
    adopt(waiter, std::move(copy));
    co_await waiter.async_wait(net::posix::stream_descriptor::wait_write, net::use_awaitable);
  }
}

bool LauncherClient::alive() const { return process_ && !has_ended(process_.get()); }

net::awaitable<void> LauncherClient::close() {
  using namespace net::experimental::awaitable_operators;
  if (!process_) co_return;
  socket_.reset();
  const auto executor = co_await net::this_coro::executor;
  net::posix::stream_descriptor process(executor, process_.release());
  net::steady_timer grace(executor, kCloseGrace);
  const auto first =
      co_await (process.async_wait(net::posix::stream_descriptor::wait_read, net::use_awaitable) ||
                grace.async_wait(net::use_awaitable));
  if (first.index() == 1) {
    signal_process(process.native_handle(), SIGKILL);
    co_await process.async_wait(net::posix::stream_descriptor::wait_read, net::use_awaitable);
  }
  // A host that ignores SIGCHLD has no zombie to take: then this finds no child, which is as good.
  siginfo_t info{};
  ::waitid(P_PID, static_cast<id_t>(pid_), &info, WEXITED | WNOHANG);
}

void signal_process(int pidfd, int signal) {
  if (pidfd >= 0) ::syscall(SYS_pidfd_send_signal, pidfd, signal, nullptr, 0);
}

bool has_ended(int pidfd) {
  pollfd wait{pidfd, POLLIN, 0};
  return ::poll(&wait, 1, 0) > 0;
}

}  // namespace sandbox::runner
