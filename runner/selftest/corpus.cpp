// The attempts that the build embedded.
// SPDX-License-Identifier: MIT
#include <cstdint>
#include <cstring>
#include <string_view>
#include <vector>

#include "attempt_parse.hpp"
#include "sandbox/error.hpp"

// Defined by selftest_corpus.S, which selftest.cmake writes.
extern "C" {
extern const char sandbox_selftest_begin[];
extern const char sandbox_selftest_end[];
}

namespace sandbox::runner {
namespace {

// Takes the next file off the front of `rest`.
class EmbeddedFile {
 public:
  explicit EmbeddedFile(std::string_view& rest) {
    const std::uint32_t name_size = take_size(rest);
    const std::uint32_t text_size = take_size(rest);
    name_ = take(rest, name_size);
    text_ = take(rest, text_size);
  }

  [[nodiscard]] std::string_view name() const { return name_; }
  [[nodiscard]] std::string_view text() const { return text_; }

 private:
  static std::string_view take(std::string_view& rest, std::size_t size) {
    if (size > rest.size()) {
      throw Error(errc::internal, "read the embedded attempts: they end early; build anew");
    }
    const std::string_view taken = rest.substr(0, size);
    rest.remove_prefix(size);
    return taken;
  }

  static std::uint32_t take_size(std::string_view& rest) {
    std::uint32_t size = 0;
    std::memcpy(&size, take(rest, sizeof size).data(), sizeof size);
    return size;
  }

  std::string_view name_;
  std::string_view text_;
};

}  // namespace

std::vector<Attempt> builtin_attempts() {
  std::string_view rest(
      &sandbox_selftest_begin[0],
      static_cast<std::size_t>(&sandbox_selftest_end[0] - &sandbox_selftest_begin[0]));
  const EmbeddedFile prelude(rest);
  std::vector<Attempt> attempts;
  while (!rest.empty()) {
    const EmbeddedFile file(rest);
    attempts.push_back(parse_attempt(file.name(), file.text(), prelude.text()));
  }
  return attempts;
}

}  // namespace sandbox::runner
