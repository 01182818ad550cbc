// The files that --in names.
// SPDX-License-Identifier: MIT
#include "inputs.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <optional>
#include <set>

#include "host_file.hpp"
#include "sandbox/error.hpp"
#include "sandbox/utf8.hpp"

namespace sandbox::ctl {
namespace {

// Why this cannot be the name of a file in the work directory; nullopt when it can.
std::optional<std::string_view> bad_name(std::string_view name) {
  if (name.empty()) return "it is empty";
  if (!is_utf8(name)) return "it is not UTF-8";
  if (name.find('\0') != std::string_view::npos) return "it holds a NUL";
  if (name.find('\\') != std::string_view::npos) return "it holds a backslash";
  if (name.front() == '/') return "it is not relative";
  for (;;) {
    const std::size_t slash = name.find('/');
    const std::string_view part = name.substr(0, slash);
    if (part.empty()) return "a part of it is empty";
    if (part == "." || part == "..") return "a part of it is '.' or '..'";
    if (slash == std::string_view::npos) return std::nullopt;
    name.remove_prefix(slash + 1);
  }
}

std::string last_part(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string::npos ? path : path.substr(slash + 1);
}

InputOption checked(std::string host_path, std::string name) {
  if (const auto why = bad_name(name)) {
    throw Error(errc::path_not_confined,
                fmt::format("--in: the name '{}' cannot be one in the work directory, as {}; give "
                            "a plain relative path: --in HOST:data/in.csv",
                            escape_for_terminal(name), *why));
  }
  return {std::move(host_path), std::move(name)};
}

}  // namespace

InputOption parse_input(const std::string& text) {
  const std::size_t colon = text.rfind(':');
  if (text.empty() || colon == 0) {
    throw Error(errc::invalid_argument,
                fmt::format("--in '{}': no host file is named; give HOST or HOST:NAME",
                            escape_for_terminal(text)));
  }
  if (colon == std::string::npos || ::access(text.c_str(), F_OK) == 0) {
    return checked(text, last_part(text));
  }
  return checked(text.substr(0, colon), text.substr(colon + 1));
}

void check_inputs(const std::vector<InputOption>& inputs, std::string_view reserved) {
  if (inputs.size() > kMostInputs) {
    throw Error(errc::too_many, fmt::format("--in: {} files are named, at most {} may be",
                                            inputs.size(), kMostInputs));
  }
  std::set<std::string_view> names;
  for (const InputOption& input : inputs) {
    if (!reserved.empty() && input.name() == reserved) {
      throw Error(errc::invalid_argument,
                  fmt::format("--in: '{}' is the program's own name; give the input another: "
                              "--in HOST:NAME",
                              reserved));
    }
    if (!names.insert(input.name()).second) {
      throw Error(errc::invalid_argument,
                  fmt::format("--in: two files are called '{}' inside; give one another name: "
                              "--in HOST:NAME",
                              escape_for_terminal(input.name())));
    }
  }
}

std::vector<Input> read_inputs(const std::vector<InputOption>& inputs) {
  std::vector<Input> read;
  std::uint64_t total = 0;
  for (const InputOption& input : inputs) {
    std::string content = read_host_file(input.host_path(), "the input");
    total += content.size();
    if (total > kMostInputBytes) {
      throw Error(errc::too_large,
                  fmt::format("--in: the inputs have more than {} MiB in all; nothing was run",
                              kMostInputBytes >> 20U));
    }
    read.emplace_back(input.name(), std::move(content));
  }
  return read;
}

}  // namespace sandbox::ctl
