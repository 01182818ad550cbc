// What the launcher reads out of a filter: any program ends, and one that the kernel would take
// gives the answer that the kernel would give.
// SPDX-License-Identifier: MIT
#include <linux/filter.h>
#include <linux/seccomp.h>

#include <vector>

#include "bpf_emulator.hpp"
#include "launcher/observer.hpp"
#include "targets.hpp"

namespace sandbox::fuzz {
namespace {

// A program that the kernel would take, out of any bytes: known instructions, loads and jumps that
// stay inside, and a return at the end.
void shape(std::vector<sock_filter>& program) {
  constexpr std::uint16_t kCodes[] = {BPF_LD | BPF_W | BPF_ABS,  BPF_ALU | BPF_AND | BPF_K,
                                      BPF_RET | BPF_K,           BPF_JMP | BPF_JA,
                                      BPF_JMP | BPF_JEQ | BPF_K, BPF_JMP | BPF_JGT | BPF_K,
                                      BPF_JMP | BPF_JGE | BPF_K, BPF_JMP | BPF_JSET | BPF_K};
  for (std::size_t at = 0; at < program.size(); ++at) {
    sock_filter& step = program[at];
    const std::size_t behind = program.size() - at - 1;
    step.code = behind == 0 ? BPF_RET | BPF_K : kCodes[step.code % std::size(kCodes)];
    if (behind == 0) return;
    step.jt = static_cast<std::uint8_t>(step.jt % behind);
    step.jf = static_cast<std::uint8_t>(step.jf % behind);
    if (step.code == (BPF_JMP | BPF_JA)) step.k %= static_cast<std::uint32_t>(behind);
    if (step.code == kCodes[0]) step.k = step.k % (sizeof(seccomp_data) / 4) * 4;
  }
}

}  // namespace

void verdict(Bytes input) {
  Reader reader(input);
  const bool is_shaped = reader.take<unsigned char>() % 2 == 1;
  const auto call = reader.take<seccomp_data>();
  std::vector<sock_filter> program(reader.rest().size() / sizeof(sock_filter));
  program.shrink_to_fit();
  for (sock_filter& step : program) step = reader.take<sock_filter>();
  if (is_shaped) shape(program);
  const auto length = static_cast<std::uint32_t>(program.size());
  const std::uint32_t answer = runner::launcher::verdict_of(program.data(), length, call);

  std::uint32_t kernels = 0;
  try {
    runner::test::check_program(program);
    kernels = runner::test::run_filter(program, call);
  } catch (const runner::test::BadProgram&) {
    check(!is_shaped || program.empty() || program.size() > BPF_MAXINSNS, "the shape is right");
    return;
  }
  check(answer == kernels, "the observer's answer is the kernel's");
}

}  // namespace sandbox::fuzz
