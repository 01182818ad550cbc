// What --out brings back from a run.
// SPDX-License-Identifier: MIT
#include "outputs.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "host_file.hpp"
#include "sandbox/digest.hpp"
#include "sandbox/error.hpp"
#include "sandbox/utf8.hpp"

namespace sandbox::ctl {

Outputs::Outputs(const Options& options, const std::vector<Input>& inputs)
    : directory_(*options.out_directory, options.out_existing),
      path_(*options.out_directory),
      limits_(options.out_limits),
      skip_program_(options.verb == Verb::run) {
  for (const Input& input : inputs) {
    input_hashes_.emplace(input.name(), sha256_hex(input.content()));
    input_bytes_ += input.content().size();
  }
}

CollectOptions Outputs::collect_options() const {
  // Inputs are looked at as well, whatever their size, to see whether they changed; deliver()
  // counts without them.
  const TransferLimits looked_at(
      Bytes(kMostFileBytes), Bytes(limits_.max_total_bytes().count() + input_bytes_),
      limits_.max_files() + static_cast<std::uint32_t>(input_hashes_.size()));
  CollectOptions collect;
  collect.limits(looked_at);
  std::vector<std::string> skipped;
  if (skip_program_) skipped.emplace_back("program.py");
  collect.skip(std::move(skipped));
  return collect;
}

std::function<void(const std::string&, const std::string&)> Outputs::receiver() {
  return [this](const std::string& name, const std::string& content) { deliver(name, content); };
}

void Outputs::deliver(const std::string& name, const std::string& content) {
  std::string hash = sha256_hex(content);
  const auto input = input_hashes_.find(name);
  if (input != input_hashes_.end() && input->second == hash) return;
  if (files_.size() + failures_.size() >= limits_.max_files()) {
    left_out_.push_back(fmt::format("{}: more than {} files", name, limits_.max_files()));
    return;
  }
  if (content.size() > limits_.max_total_bytes().count() - bytes_) {
    left_out_.push_back(
        fmt::format("{}: more than {} bytes in all", name, limits_.max_total_bytes().count()));
    return;
  }
  try {
    directory_.write(name, content);
  } catch (const Error& error) {
    failures_.push_back(fmt::format("{}: {}", name, error.what()));
    return;
  }
  bytes_ += content.size();
  files_.emplace_back(name, content.size(), std::move(hash));
}

void Outputs::throw_if_failed() const {
  if (failures_.empty()) return;
  constexpr std::size_t kNamed = 3;
  std::string text = fmt::format("--out '{}': {} of the program's files could not be written: ",
                                 escape_for_terminal(path_), failures_.size());
  const std::size_t named = std::min(kNamed, failures_.size());
  text += fmt::format(
      "{}",
      fmt::join(failures_.begin(), failures_.begin() + static_cast<std::ptrdiff_t>(named), "; "));
  if (named < failures_.size()) text += "; ...";
  throw Error(errc::os_error, std::move(text));
}

}  // namespace sandbox::ctl
