// What --out brings back from a run.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "inputs.hpp"
#include "options.hpp"
#include "out_directory.hpp"
#include "sandbox/collect.hpp"
#include "sandbox/receipt.hpp"

namespace sandbox::ctl {

// Thread safety: none; one run.
class Outputs {
 public:
  // `options.out_directory` is set. The directory is made now, so that a bad one is told before the
  // program runs.
  Outputs(const Options& options, const std::vector<Input>& inputs);

  [[nodiscard]] CollectOptions collect_options() const;
  // For collect_files; valid while this object is. An input that did not change is left out; what
  // cannot be written is remembered, and the others are written all the same.
  [[nodiscard]] std::function<void(const std::string& name, const std::string& content)> receiver();

  [[nodiscard]] const std::vector<ReceiptFile>& files() const { return files_; }
  // "name: reason", for people.
  [[nodiscard]] const std::vector<std::string>& left_out() const { return left_out_; }
  // Errors: errc::os_error when some file could not be written.
  void throw_if_failed() const;

 private:
  void deliver(const std::string& name, const std::string& content);

  OutDirectory directory_;
  std::string path_;
  TransferLimits limits_;
  bool skip_program_;
  std::map<std::string, std::string> input_hashes_;
  std::uint64_t input_bytes_ = 0;
  std::uint64_t bytes_ = 0;
  std::vector<ReceiptFile> files_;
  std::vector<std::string> left_out_;
  std::vector<std::string> failures_;
};

}  // namespace sandbox::ctl
