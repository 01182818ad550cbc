// SPDX-License-Identifier: MIT
#include "fd.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <string>
#include <string_view>
#include <system_error>

#include "sandbox/error.hpp"

namespace sandbox::runner {
namespace {

// Since Linux 6.3 a memfd says whether it may be executed; older kernels refuse the flags.
#ifndef MFD_NOEXEC_SEAL
constexpr unsigned MFD_NOEXEC_SEAL = 0x0008U;
#endif
#ifndef MFD_EXEC
constexpr unsigned MFD_EXEC = 0x0010U;
#endif

Fd make_memory_file(const char* name, unsigned flags, const void* bytes, std::size_t size) {
  constexpr unsigned kBase = MFD_CLOEXEC | MFD_ALLOW_SEALING;
  Fd file(::memfd_create(name, kBase | flags));
  if (!file && errno == EINVAL) file = Fd(::memfd_create(name, kBase));
  if (!file && errno == EACCES && flags == MFD_EXEC) {
    throw Error(errc::setup_failed,
                "make a program in memory: Permission denied; sysctl vm.memfd_noexec is 2 here, "
                "which forbids that: set it to 1 or 0");
  }
  if (!file) throw_errno("make a file in memory", errno);
  const char* from = static_cast<const char*>(bytes);
  for (std::size_t left = size; left > 0;) {
    const ssize_t wrote = ::write(file.get(), from, left);
    if (wrote < 0 && errno == EINTR) continue;
    if (wrote < 0) throw_errno("fill a file in memory", errno);
    from += wrote;
    left -= static_cast<std::size_t>(wrote);
  }
  constexpr int kSeals = F_SEAL_WRITE | F_SEAL_GROW | F_SEAL_SHRINK | F_SEAL_SEAL;
  if (::fcntl(file.get(), F_ADD_SEALS, kSeals) != 0) throw_errno("seal a file in memory", errno);
  return file;
}

// What an operator set too low for this program; empty for an error that is no such thing.
std::string_view limit_hint(int error) {
  switch (error) {
    case EMFILE:
    case ENFILE:
      return "raise the limit of open files (ulimit -n) or run fewer at once";
    case EFBIG:
      return "raise the limit of file sizes over this program (ulimit -f)";
    case ENOMEM:
      return "the host is out of memory, or a limit on this program's is reached (ulimit -v, "
             "ulimit -d)";
    case EAGAIN:
      return "a limit of processes is reached on the host (ulimit -u, pids.max)";
    default:
      return {};
  }
}

}  // namespace

void Fd::reset() {
  if (descriptor_ >= 0) ::close(std::exchange(descriptor_, -1));
}

void throw_errno(const char* action, int error) {
  std::string what = std::string(action) + ": " + std::generic_category().message(error);
  const std::string_view hint = limit_hint(error);
  if (!hint.empty()) what += "; " + std::string(hint);
  const bool used_up = error == EMFILE || error == ENFILE;
  throw Error(used_up        ? errc::too_many
              : hint.empty() ? errc::internal
                             : errc::setup_failed,
              std::move(what));
}

FdPair make_pipe() {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) throw_errno("make a pipe", errno);
  return {Fd(ends[0]), Fd(ends[1])};
}

FdPair make_packet_pair() {
  int ends[2];
  if (::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0) {
    throw_errno("make a socket pair", errno);
  }
  return {Fd(ends[0]), Fd(ends[1])};
}

Fd make_sealed_file(const char* name, const void* bytes, std::size_t size) {
  const Fd file = make_memory_file(name, MFD_NOEXEC_SEAL, bytes, size);
  // A descriptor of its own that can only read, from the start.
  const std::string path = "/proc/self/fd/" + std::to_string(file.get());
  Fd reader(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!reader) throw_errno("open a file in memory through /proc", errno);
  return reader;
}

Fd make_sealed_program(const char* name, const void* bytes, std::size_t size) {
  return make_memory_file(name, MFD_EXEC, bytes, size);
}

void set_nonblocking(int descriptor) {
  const int flags = ::fcntl(descriptor, F_GETFL);
  if (flags < 0 || ::fcntl(descriptor, F_SETFL, flags | O_NONBLOCK) != 0) {
    throw_errno("make a descriptor non-blocking", errno);
  }
}

}  // namespace sandbox::runner
