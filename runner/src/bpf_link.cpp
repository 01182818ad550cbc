// Puts a filter together: the front, libseccomp's decision tree, the argument blocks.
// SPDX-License-Identifier: MIT
#include "bpf_link.hpp"

#include <linux/audit.h>
#include <linux/seccomp.h>

#include <cerrno>
#include <cstddef>
#include <string>

#include "sandbox/error.hpp"

namespace sandbox::runner {
namespace {

constexpr std::uint16_t kLoad = BPF_LD | BPF_W | BPF_ABS;
constexpr std::uint16_t kReturn = BPF_RET | BPF_K;
constexpr std::uint16_t kJump = BPF_JMP | BPF_JA;
constexpr std::uint16_t kEqual = BPF_JMP | BPF_JEQ | BPF_K;
constexpr std::uint16_t kGreater = BPF_JMP | BPF_JGT | BPF_K;
constexpr std::uint16_t kGreaterEqual = BPF_JMP | BPF_JGE | BPF_K;

constexpr std::uint32_t kNoSuchCall = SECCOMP_RET_ERRNO | ENOSYS;
// x32 calls carry this bit on an otherwise positive number (__X32_SYSCALL_BIT in asm/unistd.h).
constexpr std::uint32_t kX32Bit = 0x40000000;
constexpr std::uint32_t kSignBit = 0x80000000;

}  // namespace

std::uint32_t audit_arch(FilterArch arch) {
  return arch == FilterArch::x86_64 ? AUDIT_ARCH_X86_64 : AUDIT_ARCH_AARCH64;
}

std::vector<sock_filter> make_front(FilterArch arch, const KnownNumbers& known) {
  std::vector<sock_filter> code = {
      {kLoad, 0, 0, offsetof(seccomp_data, arch)},
      {kEqual, 1, 0, audit_arch(arch)},
      {kReturn, 0, 0, SECCOMP_RET_KILL_PROCESS},
      {kLoad, 0, 0, offsetof(seccomp_data, nr)},
  };
  if (arch == FilterArch::x86_64) {
    code.insert(code.end(), {{kGreater, 0, 4, known.highest},
                             {kGreaterEqual, 2, 0, kSignBit},
                             {kGreaterEqual, 0, 1, kX32Bit},
                             {kReturn, 0, 0, SECCOMP_RET_KILL_PROCESS},
                             {kReturn, 0, 0, kNoSuchCall}});
  } else {
    code.insert(code.end(), {{kGreater, 0, 1, known.highest}, {kReturn, 0, 0, kNoSuchCall}});
  }
  for (const NumberRange& hole : known.holes) {
    code.insert(code.end(), {{kGreaterEqual, 0, 2, hole.first},
                             {kGreater, 1, 0, hole.last},
                             {kReturn, 0, 0, kNoSuchCall}});
  }
  return code;
}

std::uint32_t block_marker(std::size_t index) {
  return SECCOMP_RET_TRACE | static_cast<std::uint32_t>(index + 1);
}

std::vector<sock_filter> link_blocks(std::vector<sock_filter> tree,
                                     const std::vector<std::vector<sock_filter>>& blocks) {
  const std::size_t tree_size = tree.size();
  for (std::size_t index = 0; index < blocks.size(); ++index) {
    const std::size_t start = tree.size();
    std::size_t jumps = 0;
    for (std::size_t at = 0; at < tree_size; ++at) {
      if (tree[at].code != kReturn || tree[at].k != block_marker(index)) continue;
      // Unlike a conditional jump, this one reaches any distance.
      tree[at] = sock_filter{kJump, 0, 0, static_cast<std::uint32_t>(start - at - 1)};
      ++jumps;
    }
    if (jumps == 0) {
      throw Error(errc::internal,
                  "link seccomp filter: nothing leads to argument block " + std::to_string(index));
    }
    tree.insert(tree.end(), blocks[index].begin(), blocks[index].end());
  }
  for (const sock_filter& instruction : tree) {
    if (instruction.code == kReturn &&
        (instruction.k & SECCOMP_RET_ACTION_FULL) == SECCOMP_RET_TRACE) {
      throw Error(errc::internal, "link seccomp filter: a marker without an argument block");
    }
  }
  return tree;
}

}  // namespace sandbox::runner
