// The launcher's own reading of a policy: the same as the kernel's, and a kill for what is no
// policy of ours.
// SPDX-License-Identifier: MIT
#include "launcher/observer.hpp"

#include <gmock/gmock.h>
#include <linux/audit.h>

#include <algorithm>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "bpf_emulator.hpp"
#include "policy_support.hpp"

namespace sandbox::runner::test {
namespace {

using launcher::verdict_of;

constexpr std::uint16_t kLoad = BPF_LD | BPF_W | BPF_ABS;
constexpr std::uint16_t kAlways = BPF_JMP | BPF_JA;
constexpr std::uint16_t kEqual = BPF_JMP | BPF_JEQ | BPF_K;
constexpr std::uint16_t kReturn = BPF_RET | BPF_K;

std::uint32_t verdict(const std::vector<sock_filter>& program, const seccomp_data& call) {
  // No element is behind the program: a read of one is seen by the heap's guards.
  const auto exact = std::make_unique<sock_filter[]>(program.size());
  std::copy(program.begin(), program.end(), exact.get());
  return verdict_of(exact.get(), static_cast<std::uint32_t>(program.size()), call);
}

TEST(ObserverVerdict, AgreesWithTheEmulatorOnEveryPolicy) {
  const std::vector<Arguments> arguments = spread_of_arguments();
  for (const std::string& name : builtin_profile_names()) {
    for (const FilterArch arch : kBothArchs) {
      const FilterProgram& program = builtin_program(name, arch);
      const auto length = static_cast<std::uint32_t>(program.instructions.size());
      for (const std::uint32_t number : all_numbers()) {
        for (const Arguments& each : arguments) {
          const seccomp_data call = call_of(arch, number, each);
          ASSERT_EQ(verdict_of(program.instructions.data(), length, call),
                    run_filter(program.instructions, call))
              << number << ' ' << name << ' ' << arch_name(arch);
        }
      }
    }
  }
}

TEST(ObserverVerdict, AgreesOnForeignArchitectures) {
  const FilterProgram& program = builtin_program("default", native_arch());
  for (const std::uint32_t arch : {static_cast<std::uint32_t>(AUDIT_ARCH_I386), 0U}) {
    seccomp_data call = call_of(native_arch(), 1);
    call.arch = arch;
    EXPECT_EQ(verdict(program.instructions, call), SECCOMP_RET_KILL_PROCESS);
  }
}

// One step each, with words that differ in one bit or in their sign.
TEST(ObserverVerdict, EachInstructionDoesWhatItDoesInTheEmulator) {
  const std::uint32_t words[] = {0, 1, 6, 7, 8, 0x7fffffff, 0x80000000, 0xfffffffe, 0xffffffff};
  for (const std::uint16_t code : {static_cast<std::uint16_t>(BPF_JMP | BPF_JEQ | BPF_K),
                                   static_cast<std::uint16_t>(BPF_JMP | BPF_JGT | BPF_K),
                                   static_cast<std::uint16_t>(BPF_JMP | BPF_JGE | BPF_K),
                                   static_cast<std::uint16_t>(BPF_JMP | BPF_JSET | BPF_K),
                                   static_cast<std::uint16_t>(BPF_ALU | BPF_AND | BPF_K)}) {
    for (const std::uint32_t loaded : words) {
      for (const std::uint32_t k : words) {
        std::vector<sock_filter> program = {{kLoad, 0, 0, 0}};
        const bool jumps = (code & 0x07) == BPF_JMP;
        program.push_back({code, static_cast<std::uint8_t>(jumps ? 1 : 0), 0, k});
        if (!jumps) program.push_back({kEqual, 1, 0, loaded & k});
        program.push_back({kReturn, 0, 0, 11});
        program.push_back({kReturn, 0, 0, 22});
        seccomp_data call{};
        call.nr = static_cast<int>(loaded);
        EXPECT_EQ(verdict(program, call), run_filter(program, call))
            << std::hex << code << ' ' << loaded << ' ' << k;
      }
    }
  }
}

TEST(ObserverVerdict, EveryWordOfACallCanBeLoaded) {
  seccomp_data call = call_of(native_arch(), 77, {0x0000000200000001, 4, 6, 8, 10, 0xc0000000b});
  call.instruction_pointer = 0x0000002200000011;
  for (std::uint32_t offset = 0; offset < sizeof call; offset += 4) {
    for (const std::uint32_t guess : {77U, 1U, 2U, 0x11U, 0x22U, 4U, 0U, 6U, 8U, 10U, 11U, 12U}) {
      const std::vector<sock_filter> program = {
          {kLoad, 0, 0, offset}, {kEqual, 0, 1, guess}, {kReturn, 0, 0, 1}, {kReturn, 0, 0, 2}};
      EXPECT_EQ(verdict(program, call), run_filter(program, call)) << offset << ' ' << guess;
    }
  }
}

TEST(ObserverVerdict, AMalformedProgramIsAnsweredWithAKill) {
  const sock_filter allow{kReturn, 0, 0, SECCOMP_RET_ALLOW};
  const std::vector<std::pair<const char*, std::vector<sock_filter>>> rows = {
      {"nothing", {}},
      {"no return at the end", {{kLoad, 0, 0, 0}}},
      {"a taken jump to just behind the end", {{kEqual, 1, 0, 0}, allow}},
      {"a taken jump far behind the end", {{kEqual, 255, 0, 0}, allow}},
      {"a jump not taken behind the end", {{kEqual, 0, 7, 1}, allow}},
      {"a long jump to just behind the end", {{kAlways, 0, 0, 1}, allow}},
      {"a long jump behind the end", {{kAlways, 0, 0, 2}, allow}},
      {"a long jump that would wrap to itself", {{kAlways, 0, 0, 0xffffffff}, allow}},
      {"a long jump that would wrap to a return",
       {{kAlways, 0, 0, 1}, allow, {kAlways, 0, 0, 0xfffffffe}, allow}},
      {"a load of the byte behind", {{kLoad, 0, 0, 61}, allow}},
      {"a load behind the call", {{kLoad, 0, 0, 64}, allow}},
      {"a load far away", {{kLoad, 0, 0, 0xffffffff}, allow}},
      {"a load that would wrap", {{kLoad, 0, 0, 0xfffffffc}, allow}},
      {"an unknown instruction", {{0xffff, 0, 0, 0}, allow}},
      {"a load of a half word", {{BPF_LD | BPF_H | BPF_ABS, 0, 0, 0}, allow}},
      {"a load by the index", {{BPF_LD | BPF_W | BPF_IND, 0, 0, 0}, allow}},
      {"a load of the length", {{BPF_LD | BPF_W | BPF_LEN, 0, 0, 0}, allow}},
      {"a store", {{BPF_ST, 0, 0, 0}, allow}},
      {"a division", {{BPF_ALU | BPF_DIV | BPF_K, 0, 0, 0}, allow}},
      {"a comparison with the index", {{BPF_JMP | BPF_JEQ | BPF_X, 0, 0, 0}, allow}},
      {"a return of the accumulator", {{BPF_RET | BPF_A, 0, 0, 0}, allow}},
  };
  const seccomp_data call = call_of(native_arch(), 0);
  for (const auto& [what, program] : rows) {
    EXPECT_EQ(verdict(program, call), SECCOMP_RET_KILL_PROCESS) << what;
  }
}

// Whatever stands in a program, it ends, inside it, and never with more than a return says.
TEST(ObserverVerdict, RandomProgramsAgreeOrAreKilled) {
  std::mt19937 random(4711);  // NOLINT(cert-msc51-cpp): the same cases each time
  const std::uint16_t codes[] = {kLoad,
                                 kAlways,
                                 kEqual,
                                 BPF_JMP | BPF_JGT | BPF_K,
                                 BPF_JMP | BPF_JGE | BPF_K,
                                 BPF_JMP | BPF_JSET | BPF_K,
                                 BPF_ALU | BPF_AND | BPF_K,
                                 kReturn,
                                 kReturn,
                                 BPF_MISC};
  int agreed = 0;
  int killed = 0;
  for (int round = 0; round < 20000; ++round) {
    std::vector<sock_filter> program(1 + random() % 12);
    for (sock_filter& step : program) {
      step.code = codes[random() % std::size(codes)];
      step.jt = static_cast<std::uint8_t>(random() % 6);
      step.jf = static_cast<std::uint8_t>(random() % 6);
      step.k = random() % 4 == 0 ? static_cast<std::uint32_t>(random())
                                 : static_cast<std::uint32_t>(random() % 17) * 4;
      if (step.code == kAlways && random() % 2 == 0) step.k %= 6;
    }
    const seccomp_data call = call_of(native_arch(), static_cast<std::uint32_t>(random() % 64));
    std::uint32_t expected = SECCOMP_RET_KILL_PROCESS;
    try {
      expected = run_filter(program, call);
      ++agreed;
    } catch (const BadProgram&) {
      ++killed;
    }
    // The kernel takes no unaligned load, so what one would read is not in question.
    bool has_unaligned = false;
    for (const sock_filter& step : program) {
      has_unaligned = has_unaligned || (step.code == kLoad && step.k % 4 != 0 && step.k <= 60);
    }
    const std::uint32_t got = verdict(program, call);
    if (has_unaligned) continue;
    ASSERT_EQ(got, expected) << "round " << round;
  }
  EXPECT_GT(agreed, 1000);
  EXPECT_GT(killed, 1000);
}

}  // namespace
}  // namespace sandbox::runner::test
