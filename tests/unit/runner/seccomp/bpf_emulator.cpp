// Runs a seccomp filter in user space, as the kernel would.
// SPDX-License-Identifier: MIT
#include "bpf_emulator.hpp"

#include <cstddef>
#include <cstring>
#include <string>

namespace sandbox::runner::test {
namespace {

[[noreturn]] void bad(std::size_t at, const char* why) {
  throw BadProgram("instruction " + std::to_string(at) + ": " + why);
}

std::uint32_t load(const seccomp_data& call, std::size_t at, std::uint32_t offset) {
  if (offset % 4 != 0) bad(at, "load is not aligned");
  if (offset > sizeof(call) - 4) bad(at, "load outside seccomp_data");
  std::uint32_t word = 0;
  std::memcpy(&word, reinterpret_cast<const char*>(&call) + offset, sizeof(word));
  return word;
}

bool holds(std::uint16_t code, std::uint32_t accumulator, std::uint32_t k) {
  switch (BPF_OP(code)) {
    case BPF_JEQ:
      return accumulator == k;
    case BPF_JGT:
      return accumulator > k;
    case BPF_JGE:
      return accumulator >= k;
    default:
      return (accumulator & k) != 0;  // BPF_JSET
  }
}

}  // namespace

std::uint32_t run_filter(std::span<const sock_filter> program, const seccomp_data& call) {
  std::uint32_t accumulator = 0;
  std::size_t at = 0;
  while (at < program.size()) {
    const sock_filter& now = program[at];
    std::size_t skip = 0;
    switch (now.code) {
      case BPF_LD | BPF_W | BPF_ABS:
        accumulator = load(call, at, now.k);
        break;
      case BPF_ALU | BPF_AND | BPF_K:
        accumulator &= now.k;
        break;
      case BPF_JMP | BPF_JA:
        skip = now.k;
        break;
      case BPF_JMP | BPF_JEQ | BPF_K:
      case BPF_JMP | BPF_JGT | BPF_K:
      case BPF_JMP | BPF_JGE | BPF_K:
      case BPF_JMP | BPF_JSET | BPF_K:
        skip = holds(now.code, accumulator, now.k) ? now.jt : now.jf;
        break;
      case BPF_RET | BPF_K:
        return now.k;
      default:
        bad(at, "not an instruction of our filters");
    }
    at += 1 + skip;  // jumps only go forward, so this ends
  }
  bad(at, "beyond the end of the program");
}

void check_program(std::span<const sock_filter> program) {
  if (program.empty() || program.size() > BPF_MAXINSNS) bad(program.size(), "length");
  for (std::size_t at = 0; at < program.size(); ++at) {
    const sock_filter& now = program[at];
    const std::size_t room = program.size() - at - 1;
    switch (now.code) {
      case BPF_LD | BPF_W | BPF_ABS:
        (void)load(seccomp_data{}, at, now.k);
        break;
      case BPF_JMP | BPF_JA:
        if (now.k >= room) bad(at, "jump out of the program");
        break;
      case BPF_JMP | BPF_JEQ | BPF_K:
      case BPF_JMP | BPF_JGT | BPF_K:
      case BPF_JMP | BPF_JGE | BPF_K:
      case BPF_JMP | BPF_JSET | BPF_K:
        if (now.jt >= room || now.jf >= room) bad(at, "jump out of the program");
        break;
      case BPF_ALU | BPF_AND | BPF_K:
      case BPF_RET | BPF_K:
        break;
      default:
        bad(at, "not an instruction of our filters");
    }
  }
  if (program.back().code != (BPF_RET | BPF_K)) bad(program.size() - 1, "the end is no return");
}

}  // namespace sandbox::runner::test
