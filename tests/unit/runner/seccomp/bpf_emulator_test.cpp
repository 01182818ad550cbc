// The emulator itself, against small programs whose answer is known by hand.
// SPDX-License-Identifier: MIT
#include "bpf_emulator.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace sandbox::runner::test {
namespace {

constexpr std::uint16_t kLoad = BPF_LD | BPF_W | BPF_ABS;
constexpr std::uint16_t kReturn = BPF_RET | BPF_K;

sock_filter jump(std::uint16_t op, std::uint32_t k, std::uint8_t yes, std::uint8_t no) {
  return {static_cast<std::uint16_t>(BPF_JMP | op | BPF_K), yes, no, k};
}

// 1 where `op` holds between the system-call number and `k`, else 0.
std::uint32_t compare(std::uint16_t op, int number, std::uint32_t k) {
  const std::vector<sock_filter> program = {
      {kLoad, 0, 0, 0}, jump(op, k, 0, 1), {kReturn, 0, 0, 1}, {kReturn, 0, 0, 0}};
  seccomp_data call{};
  call.nr = number;
  return run_filter(program, call);
}

TEST(BpfEmulator, ComparesUnsigned) {
  EXPECT_EQ(compare(BPF_JEQ, 7, 7), 1U);
  EXPECT_EQ(compare(BPF_JEQ, 7, 8), 0U);
  EXPECT_EQ(compare(BPF_JGT, 7, 7), 0U);
  EXPECT_EQ(compare(BPF_JGT, -1, 7), 1U);
  EXPECT_EQ(compare(BPF_JGE, 7, 7), 1U);
  EXPECT_EQ(compare(BPF_JGE, 6, 7), 0U);
  EXPECT_EQ(compare(BPF_JSET, 6, 4), 1U);
  EXPECT_EQ(compare(BPF_JSET, 6, 1), 0U);
}

TEST(BpfEmulator, LoadsTheWordsOfACall) {
  seccomp_data call{};
  call.nr = 11;
  call.arch = 22;
  call.instruction_pointer = 0x0000004400000033;
  call.args[0] = 0x0000006600000055;
  call.args[5] = 0x0000008800000077;
  const auto word = [&](std::uint32_t offset) {
    // 255 is what a program answers that jumped over the branch for the right word.
    for (std::uint32_t guess = 0; guess < 255; ++guess) {
      const std::vector<sock_filter> program = {{kLoad, 0, 0, offset},
                                                jump(BPF_JEQ, guess, 0, 1),
                                                {kReturn, 0, 0, guess},
                                                {kReturn, 0, 0, 255}};
      const std::uint32_t got = run_filter(program, call);
      if (got != 255) return got;
    }
    return 255U;
  };
  EXPECT_EQ(word(0), 11U);
  EXPECT_EQ(word(4), 22U);
  EXPECT_EQ(word(8), 0x33U);
  EXPECT_EQ(word(12), 0x44U);
  EXPECT_EQ(word(16), 0x55U);
  EXPECT_EQ(word(20), 0x66U);
  EXPECT_EQ(word(56), 0x77U);
  EXPECT_EQ(word(60), 0x88U);
}

TEST(BpfEmulator, MasksAndJumps) {
  const std::vector<sock_filter> program = {{kLoad, 0, 0, 0},
                                            {BPF_ALU | BPF_AND | BPF_K, 0, 0, 0xf0},
                                            {BPF_JMP | BPF_JA, 0, 0, 1},
                                            {kReturn, 0, 0, 1},
                                            jump(BPF_JEQ, 0x30, 0, 1),
                                            {kReturn, 0, 0, 2},
                                            {kReturn, 0, 0, 3}};
  seccomp_data call{};
  call.nr = 0x3f;
  EXPECT_EQ(run_filter(program, call), 2U);
  call.nr = 0x4f;
  EXPECT_EQ(run_filter(program, call), 3U);
}

TEST(BpfEmulator, RefusesWhatTheKernelRefuses) {
  const sock_filter end{kReturn, 0, 0, 0};
  const std::vector<std::vector<sock_filter>> bad = {
      {},                                              // nothing
      {{kLoad, 0, 0, 0}},                              // no return at the end
      {{kLoad, 0, 0, 2}, end},                         // not aligned
      {{kLoad, 0, 0, 64}, end},                        // outside seccomp_data
      {jump(BPF_JEQ, 0, 1, 0), end},                   // jump behind the end
      {jump(BPF_JEQ, 0, 0, 1), end},                   //
      {{BPF_JMP | BPF_JA, 0, 0, 1}, end},              //
      {{BPF_LD | BPF_W | BPF_IND, 0, 0, 0}, end},      // not for seccomp
      std::vector<sock_filter>(BPF_MAXINSNS + 1, end)  // too long
  };
  for (const auto& program : bad) EXPECT_THROW(check_program(program), BadProgram);
  EXPECT_NO_THROW(check_program(std::vector<sock_filter>{end}));
}

TEST(BpfEmulator, ThrowsWhereAProgramWouldRunWild) {
  EXPECT_THROW(run_filter(std::vector<sock_filter>{{kLoad, 0, 0, 0}}, seccomp_data{}), BadProgram);
  EXPECT_THROW(run_filter(std::vector<sock_filter>{{kLoad, 0, 0, 61}}, seccomp_data{}), BadProgram);
  EXPECT_THROW(run_filter(std::vector<sock_filter>{{0xffff, 0, 0, 0}}, seccomp_data{}), BadProgram);
}

}  // namespace
}  // namespace sandbox::runner::test
