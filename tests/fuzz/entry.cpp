// The door that libFuzzer knocks at; SANDBOX_FUZZ_TARGET is the function behind it.
// SPDX-License-Identifier: MIT
#include <cstddef>
#include <cstdint>

#include "targets/targets.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  sandbox::fuzz::SANDBOX_FUZZ_TARGET({data, size});
  return 0;
}
