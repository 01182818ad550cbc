// What the command line asks for.
// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <map>
#include <optional>
#include <string>
#include <type_traits>
#include <variant>
#include <vector>

#include "doctor_options.hpp"
#include "image_options.hpp"
#include "inputs.hpp"
#include "sandbox/limits.hpp"
#include "sandbox/runner/backend_options.hpp"
#include "sandbox/transfer_limits.hpp"
#include "selftest_options.hpp"

namespace sandbox::ctl {

enum class Verb { run, exec };

enum class Existing { keep, replace };

// How much we say on stderr beside what the program does.
enum class Talk { quiet, normal, verbose };

class Options {
 public:
  Verb verb = Verb::run;
  std::string program_file;       // run: a path, or "-"
  std::vector<std::string> argv;  // exec

  runner::BackendOptions backend;
  std::chrono::milliseconds timeout{120000};
  Limits limits;
  std::map<std::string, std::string> environment;
  std::optional<std::string> working_directory;  // guest path
  std::optional<std::string> stdin_file;         // a path, or "-"
  std::vector<InputOption> inputs;

  std::optional<std::string> out_directory;  // host path
  TransferLimits out_limits;
  Existing out_existing = Existing::keep;

  bool json = false;
  bool raw = false;  // bytes reach a terminal as they are
  Talk talk = Talk::normal;

  Options() = default;
};
static_assert(!std::is_aggregate_v<Options>);

// Asked for by --help or --version: print and end well.
class TextToPrint {
 public:
  explicit TextToPrint(std::string text) : text_(std::move(text)) {}
  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  std::string text_;
};

// `arguments` without the command's own name.
// Errors: errc::invalid_argument (and what parse_input throws) with the option, its value and what
// is allowed. Nothing is read, made or started.
using ParsedLine = std::variant<Options, DoctorCall, ImageCall, SelftestCall, TextToPrint>;
ParsedLine parse_command_line(const std::vector<std::string>& arguments);

// Whether --json stands on a command line that may well be wrong otherwise.
bool asks_for_json(const std::vector<std::string>& arguments);

}  // namespace sandbox::ctl
