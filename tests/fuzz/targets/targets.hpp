// What the fuzz targets share: their names, how they take an input apart, how they complain.
// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>

namespace sandbox::fuzz {

using Bytes = std::span<const unsigned char>;

// Each takes any bytes, and comes back unless the code under test broke a promise.
void attempt(Bytes input);
void captured(Bytes input);
void cgroup_place(Bytes input);
void id_map(Bytes input);
void manifest(Bytes input);
void path(Bytes input);
void profile(Bytes input);
void receipt(Bytes input);
void reply(Bytes input);
void request(Bytes input);
void told(Bytes input);
void utf8(Bytes input);
void verdict(Bytes input);

// Ends the process where a promise is broken: a finding.
inline void check(bool holds, std::string_view promise) {
  if (holds) return;
  std::fprintf(stderr, "broken promise: %.*s\n", static_cast<int>(promise.size()), promise.data());
  std::abort();
}

inline std::string_view text_of(Bytes input) {
  return {reinterpret_cast<const char*>(input.data()), input.size()};
}

// Takes an input apart from its front; whatever is missing at the end is zero or empty.
class Reader {
 public:
  explicit Reader(Bytes input) : rest_(input) {}

  template <class T>
  T take() {
    static_assert(std::is_trivially_copyable_v<T>);
    T value{};
    const std::size_t size = std::min(sizeof value, rest_.size());
    if (size > 0) std::memcpy(&value, rest_.data(), size);
    rest_ = rest_.subspan(size);
    return value;
  }

  // A text behind one byte that tells its length.
  std::string text() {
    const std::size_t size = std::min<std::size_t>(take<unsigned char>(), rest_.size());
    const std::string found(text_of(rest_.first(size)));
    rest_ = rest_.subspan(size);
    return found;
  }

  [[nodiscard]] Bytes rest() const { return rest_; }

 private:
  Bytes rest_;
};

}  // namespace sandbox::fuzz
