// Sizes with their unit in the type.
// SPDX-License-Identifier: MIT
#pragma once

#include <compare>
#include <cstdint>

namespace sandbox {

// A number of bytes. Explicit on both ways in and out, so a count never passes for a size.
class Bytes {
 public:
  constexpr Bytes() = default;
  constexpr explicit Bytes(std::uint64_t count) : count_(count) {}

  [[nodiscard]] constexpr std::uint64_t count() const { return count_; }

  friend constexpr auto operator<=>(Bytes, Bytes) = default;

 private:
  std::uint64_t count_ = 0;
};

namespace literals {

constexpr Bytes operator""_B(unsigned long long n) { return Bytes(n); }
constexpr Bytes operator""_KiB(unsigned long long n) { return Bytes(n << 10U); }
constexpr Bytes operator""_MiB(unsigned long long n) { return Bytes(n << 20U); }
constexpr Bytes operator""_GiB(unsigned long long n) { return Bytes(n << 30U); }

}  // namespace literals
}  // namespace sandbox
