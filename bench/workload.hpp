// A program that every contestant runs, and the answer that counts.
// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace sandbox::bench {

class Workload {
 public:
  // `argv` starts with an absolute path, so that no contestant searches longer than another.
  Workload(std::string name, std::vector<std::string> argv, std::string output)
      : name_(std::move(name)), argv_(std::move(argv)), output_(std::move(output)) {}

  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] const std::vector<std::string>& argv() const { return argv_; }
  // All that a right run prints on stdout; it ends with exit code 0.
  [[nodiscard]] const std::string& output() const { return output_; }

 private:
  std::string name_;
  std::vector<std::string> argv_;
  std::string output_;
};

}  // namespace sandbox::bench
