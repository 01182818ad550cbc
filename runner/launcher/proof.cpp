// SPDX-License-Identifier: MIT
#include "proof.hpp"

#include <fcntl.h>
#include <net/if.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "kernel.hpp"

namespace sandbox::runner::launcher {
namespace {

// A piece of a line, not terminated.
class Word {
 public:
  Word(const char* begin, std::size_t length) : begin_(begin), length_(length) {}

  [[nodiscard]] bool is(const char* text) const {
    return strlen(text) == length_ && memcmp(begin_, text, length_) == 0;
  }
  // Of a path, in which the kernel writes blanks and the like as three octal digits: this one, or
  // something below it.
  [[nodiscard]] bool is_at_or_below(const char* path) const {
    std::size_t at = 0;
    for (; *path != 0; ++path) {
      if (at >= length_ || next_byte(at) != *path) return false;
    }
    return at == length_ || begin_[at] == '/';
  }
  // One of a comma-separated list.
  [[nodiscard]] bool has(const char* option) const {
    const std::size_t length = strlen(option);
    for (std::size_t at = 0; at + length <= length_; ++at) {
      const bool starts = at == 0 || begin_[at - 1] == ',';
      const bool ends = at + length == length_ || begin_[at + length] == ',';
      if (starts && ends && memcmp(begin_ + at, option, length) == 0) return true;
    }
    return false;
  }

 private:
  char next_byte(std::size_t& at) const {
    const char byte = begin_[at++];
    if (byte != '\\' || at + 3 > length_) return byte;
    int value = 0;
    for (int i = 0; i < 3; ++i) value = value * 8 + (begin_[at++] - '0');
    return static_cast<char>(value);
  }

  const char* begin_;
  std::size_t length_;
};

// The `index`th word of a line.
Word word_of(const char* line, std::size_t length, int index) {
  std::size_t begin = 0;
  for (; index > 0 && begin < length; ++begin) {
    if (line[begin] == ' ') --index;
  }
  std::size_t end = begin;
  while (end < length && line[end] != ' ') ++end;
  return {line + begin, end - begin};
}

// Each of the comma-separated `wanted`.
bool has_all(const Word& options, const char* wanted) {
  char one[64];
  while (*wanted != 0) {
    std::size_t length = 0;
    while (wanted[length] != ',' && wanted[length] != 0) ++length;
    if (length >= sizeof one) return false;
    memcpy(one, wanted, length);
    one[length] = 0;
    if (!options.has(one)) return false;
    wanted += length;
    if (*wanted == ',') ++wanted;
  }
  return true;
}

Word last_word_of(const char* line, std::size_t length) {
  std::size_t begin = length;
  while (begin > 0 && line[begin - 1] != ' ') --begin;
  return {line + begin, length - begin};
}

// proc(5), /proc/PID/mountinfo: the fifth word is the mount point, the sixth its options.
bool is_planned_mount(const Context& context, const Span& tree, const char* line,
                      std::size_t length) {
  const Word place = word_of(line, length, 4);
  const Word options = word_of(line, length, 5);
  if (!options.has("nosuid")) return false;
  if (place.is("/")) return options.has("ro") && options.has("nodev") && options.has("noexec");
  const auto* ops = context.at<TreeOp>(tree.offset);
  // The last one that fits is the one on top.
  for (std::uint32_t i = tree.count; i > 0; --i) {
    const TreeOp& op = ops[i - 1];
    const char* path = context.text(op.path);
    const bool noexec = (op.flags & kTreeAllowExec) != 0 || options.has("noexec");
    switch (op.kind) {
      case TreeKind::bind:
        if (!place.is_at_or_below(path)) continue;
        return options.has("ro") && ((op.flags & kTreeIsDevice) != 0 || options.has("nodev"));
      case TreeKind::tmpfs:
        if (!place.is(path)) continue;
        return options.has("nodev") && noexec;
      case TreeKind::proc:
        if (!place.is(path)) continue;
        return options.has("ro") && options.has("nodev") && options.has("noexec") &&
               has_all(last_word_of(line, length), context.text(op.text));
      default:
        continue;
    }
  }
  return false;
}

// The value of "Name:<tab>value" in a status file, as a comparison.
bool has_line(const char* status, const char* line) {
  const std::size_t length = strlen(line);
  for (const char* at = status; at != nullptr; at = strchr(at, '\n')) {
    if (*at == '\n') ++at;
    if (strncmp(at, line, length) == 0 && (at[length] == '\n' || at[length] == 0)) return true;
  }
  return false;
}

}  // namespace

void prove_mounts(const Context& context, const Span& tree) {
  const int file = openat(kHostProc, "self/mountinfo", O_RDONLY | O_CLOEXEC);
  context.must(Step::mounts_proven, file >= 0);
  // Longer than any line: four paths of PATH_MAX could stand in one, ours are short.
  char room[16384];
  std::size_t have = 0;
  std::uint32_t number = 0;
  for (;;) {
    const ssize_t got = read(file, room + have, sizeof room - have);
    context.must(Step::mounts_proven, got >= 0);
    if (got == 0) break;
    have += static_cast<std::size_t>(got);
    std::size_t begin = 0;
    for (std::size_t at = 0; at < have; ++at) {
      if (room[at] != '\n') continue;
      const bool planned = is_planned_mount(context, tree, room + begin, at - begin);
      if (!planned) errno = EPERM;
      context.must(Step::mounts_proven, planned, number++);
      begin = at + 1;
    }
    memmove(room, room + begin, have - begin);
    have -= begin;
    if (have == sizeof room) errno = E2BIG;
    context.must(Step::mounts_proven, have < sizeof room);
  }
  close(file);
  errno = EPERM;
  context.must(Step::mounts_proven, have == 0 && number > 0);
}

void prove_network(const Context& context, bool loopback) {
  const int control = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  // A kernel without IPv4 has no interface to ask about in this way, nor a way out by it.
  if (control < 0 && errno == EAFNOSUPPORT) return;
  context.must(Step::network_proven, control >= 0);
  // A new namespace numbers its interfaces from 1; some hosts put fallback tunnels beside lo.
  constexpr int kHighestIndex = 64;
  for (int index = 1; index <= kHighestIndex; ++index) {
    ifreq request;
    memset(&request, 0, sizeof request);
    request.ifr_ifindex = index;
    if (ioctl(control, SIOCGIFNAME, &request) != 0) continue;
    const bool may_be_up = loopback && strcmp(request.ifr_name, "lo") == 0;
    const bool known = ioctl(control, SIOCGIFFLAGS, &request) == 0;
    const bool is_up = (request.ifr_flags & IFF_UP) != 0;
    if (known && is_up && !may_be_up) errno = EPERM;
    context.must(Step::network_proven, known && (!is_up || may_be_up),
                 static_cast<std::uint32_t>(index));
  }
  close(control);
}

void prove_workload(const Context& context, int proc, pid_t workload) {
  KernelLine path;
  path.add(static_cast<std::uint64_t>(workload)).add("/status");
  // The groups of an ordinary user stand before the lines that count, up to 65536 of them.
  static char status[std::size_t{512} << 10U];
  context.must(Step::workload_proven,
               read_kernel_file(proc, path.text(), status, sizeof status) > 0);
  static constexpr const char* kAlways[] = {
      "Uid:\t1000\t1000\t1000\t1000", "Gid:\t1000\t1000\t1000\t1000", "NoNewPrivs:\t1",
      "CapInh:\t0000000000000000",    "CapPrm:\t0000000000000000",    "CapEff:\t0000000000000000",
      "CapAmb:\t0000000000000000"};
  std::uint32_t item = 0;
  const auto must_have = [&](bool holds) {
    if (!holds) errno = EPERM;
    context.must(Step::workload_proven, holds, item++);
  };
  const bool drops = context.wants(Guard::capabilities);
  for (const char* line : kAlways) {
    if (strncmp(line, "Cap", 3) == 0 && !drops) continue;
    must_have(has_line(status, line));
  }
  if (drops) must_have(has_line(status, "CapBnd:\t0000000000000000"));
  if (context.wants(Guard::seccomp)) must_have(has_line(status, "Seccomp:\t2"));
}

void prove_descriptors(const Context& context, int status) {
  // fd 3 is the lowest that could be free; were anything else open above, /proc would name it.
  const int list = openat(kHostProc, "self/fd", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  context.must(Step::descriptors_proven, list >= 0);
  close(kHostProc);
  alignas(8) char entries[1024];
  int found = 0;
  for (;;) {
    const long got = syscall(SYS_getdents64, list, entries, sizeof entries);
    context.must(Step::descriptors_proven, got >= 0);
    if (got == 0) break;
    for (long at = 0; at < got;) {
      unsigned short length = 0;
      memcpy(&length, entries + at + 16, sizeof length);  // getdents(2): linux_dirent64
      if (entries[at + 19] != '.') ++found;
      at += length;
    }
  }
  close(list);
  // 0, 1, 2, the status socket and the list itself.
  const bool exact = found == 5 && status == 3;
  if (!exact) errno = EPERM;
  context.must(Step::descriptors_proven, exact, static_cast<std::uint32_t>(found));
}

}  // namespace sandbox::runner::launcher
