// The files that --in names.
// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace sandbox::ctl {

// One HOST[:NAME]: where the file is, and what it is called in the work directory.
class InputOption {
 public:
  InputOption(std::string host_path, std::string name)
      : host_path_(std::move(host_path)), name_(std::move(name)) {}

  [[nodiscard]] const std::string& host_path() const { return host_path_; }
  [[nodiscard]] const std::string& name() const { return name_; }

 private:
  std::string host_path_;
  std::string name_;
};

// A text that is the path of an existing file as a whole names no NAME; else the last ':' parts the
// two. Without a NAME the file keeps the last part of its path.
// Errors: errc::invalid_argument for an empty path; errc::path_not_confined for a NAME that is not
// a plain relative path.
InputOption parse_input(const std::string& text);

// Refuses two inputs of one name, one called `reserved` (when not empty), and more than
// kMostInputs.
void check_inputs(const std::vector<InputOption>& inputs, std::string_view reserved);

// An input with its content.
class Input {
 public:
  Input(std::string name, std::string content)
      : name_(std::move(name)), content_(std::move(content)) {}

  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] const std::string& content() const { return content_; }

 private:
  std::string name_;
  std::string content_;
};

// Errors: as read_host_file; errc::too_large for more than kMostInputBytes in all.
std::vector<Input> read_inputs(const std::vector<InputOption>& inputs);

}  // namespace sandbox::ctl
