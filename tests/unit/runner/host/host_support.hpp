// What the tests of the host side share.
// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <optional>
#include <ostream>
#include <string>

#include "sandbox/error.hpp"

namespace sandbox::runner::test {

// What an Error told; nullopt when the call did not throw.
struct Told {
  errc code;
  std::string what;
};

template <class Call>
std::optional<Told> told_by(Call&& call) {
  try {
    call();
  } catch (const Error& error) {
    return Told{error.sandbox_code(), error.what()};
  }
  return std::nullopt;
}

template <class Call>
std::optional<errc> error_of(Call&& call) {
  const std::optional<Told> told = told_by(call);
  if (!told) return std::nullopt;
  return told->code;
}

// Runs `body` in a forked child, for what changes the whole process. Its return value; 200 for an
// exception, 300 + N for death by signal N.
int run_in_child(const std::function<int()>& body);

// A directory of its own, removed with all that is in it.
class TemporaryDirectory {
 public:
  // In memory where the machine has such a place.
  TemporaryDirectory();
  TemporaryDirectory(const TemporaryDirectory&) = delete;
  TemporaryDirectory& operator=(const TemporaryDirectory&) = delete;
  TemporaryDirectory(TemporaryDirectory&&) = delete;
  TemporaryDirectory& operator=(TemporaryDirectory&&) = delete;
  ~TemporaryDirectory();

  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] std::string at(const std::string& name) const { return path_ + "/" + name; }

 private:
  std::string path_;
};

// The whole file, as bytes.
std::string content_of(const std::string& path);

}  // namespace sandbox::runner::test

namespace sandbox {

// For gtest's messages.
inline void PrintTo(errc code, std::ostream* out) { *out << error_info(code).name; }

}  // namespace sandbox
