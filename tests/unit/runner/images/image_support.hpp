// What the tests of images share: temporary trees, real interpreters, a look through a guest's
// eyes. SPDX-License-Identifier: MIT
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "captured_process.hpp"
#include "image.hpp"
#include "sandbox/error.hpp"

namespace sandbox::runner::test {

// A directory of its own below the system's temporary directory, readable by everyone.
class TemporaryDirectory {
 public:
  TemporaryDirectory();
  TemporaryDirectory(const TemporaryDirectory&) = delete;
  TemporaryDirectory& operator=(const TemporaryDirectory&) = delete;
  TemporaryDirectory(TemporaryDirectory&&) = delete;
  TemporaryDirectory& operator=(TemporaryDirectory&&) = delete;
  ~TemporaryDirectory();

  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] std::string at(const std::string& name) const { return path_ + "/" + name; }

  // Parents are made. Each gives the absolute path.
  std::string directory(const std::string& name) const;
  std::string file(const std::string& name, const std::string& content = "") const;
  std::string program(const std::string& name, const std::string& content) const;
  std::string link(const std::string& name, const std::string& target) const;

 private:
  std::string path_;
};

// An environment variable for the length of a test.
class ScopedVariable {
 public:
  ScopedVariable(const char* name, const std::string& value);
  ScopedVariable(const ScopedVariable&) = delete;
  ScopedVariable& operator=(const ScopedVariable&) = delete;
  ScopedVariable(ScopedVariable&&) = delete;
  ScopedVariable& operator=(ScopedVariable&&) = delete;
  ~ScopedVariable();

 private:
  const char* name_;
  std::optional<std::string> before_;
};

inline constexpr const char* kSystemPython = "/usr/bin/python3";

bool have_system_python();
// "3.11"
std::string system_python_series();

// A script that answers the probe as an interpreter with these facts would. `extra` goes into its
// JSON as it is.
std::string fake_interpreter(const TemporaryDirectory& where, const std::string& name,
                             const std::string& version, const std::string& implementation,
                             const std::string& prefix, const std::string& extra = "");

std::string make_venv(const TemporaryDirectory& where, const std::string& name,
                      const std::vector<std::string>& options = {});

const ImageBind* find_bind(const std::vector<ImageBind>& binds, const std::string& guest_path);
const ImageLink* find_link(const std::vector<ImageLink>& links, const std::string& guest_path);

// The place on the host that a guest of this image sees at a path; nullopt: nothing is there.
std::optional<std::string> seen_at(const Image& image, const std::string& guest_path);

// The invariants that image.hpp states.
void expect_well_formed(const Image& image);

// Runs a Python program in a root made of the image. nullopt: this machine lets us make none.
std::optional<CapturedRun> run_python_in(const Image& image, const std::string& program);

// Runs a body in a child process as another, ordinary user when this one is root. Returns what it
// returned.
std::string as_ordinary_user(const std::function<std::string()>& body);

// The error that a call throws; a test failure when it throws none.
std::optional<Error> error_of(const std::function<void()>& call);

}  // namespace sandbox::runner::test
