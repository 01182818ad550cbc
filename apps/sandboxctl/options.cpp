// What the command line asks for.
// SPDX-License-Identifier: MIT
#include "options.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <string_view>

#include "help.hpp"
#include "host_file.hpp"
#include "protection_options.hpp"
#include "repeatable.hpp"
#include "sandbox/error.hpp"
#include "sandbox/exec.hpp"
#include "sandbox/utf8.hpp"
#include "sizes.hpp"

namespace sandbox::ctl {
namespace {

using Text = std::optional<std::string>;

// What the backend hands out at most (its declared transfer limits).
constexpr TransferLimits kOutLimits(Bytes(64ULL << 20U), Bytes(256ULL << 20U), 256);

constexpr std::string_view kCommandForm =
    "put the command behind --, as in: sandboxctl exec -- ls -la /";

// As typed.
class Words {
 public:
  Text program_file;
  Text timeout, memory, processes, cpu_time, output, work, file_size;
  Text image, profile, workdir, stdin_file, out, out_max_files, out_max_bytes;
  std::vector<std::string> environment;
  std::vector<std::string> inputs;
  ProtectionWords protections;
  bool force = false;
  bool json = false;
  bool raw = false;
  bool quiet = false;
  bool verbose = false;

  Words() = default;
};

[[noreturn]] void refuse(std::string what) { throw Error(errc::invalid_argument, std::move(what)); }

void add_limits(CLI::App& command, Words& words) {
  const auto add = [&command](const char* name, Text& value, const char* form, const char* help) {
    command.add_option(name, value, help)->type_name(form)->group("Limits");
  };
  add("--timeout", words.timeout, "TIME", "Wall-clock time (default 120s)");
  add("--cpu-time", words.cpu_time, "TIME",
      "CPU time of the run, all its processes together (default: none)");
  add("--memory", words.memory, "SIZE", "Memory, at least 16M (default 1G)");
  add("--processes", words.processes, "N", "Processes and threads at one time (default 64)");
  add("--output", words.output, "SIZE",
      "How much of each of stdout and stderr is kept (default 1M)");
  add("--work", words.work, "SIZE", "Size of the work directory (default 256M)");
  add("--file-size", words.file_size, "SIZE", "The largest file it may write (default: --work)");
}

void add_place(CLI::App& command, Words& words) {
  const auto add = [&command](const char* name, Text& value, const char* form, const char* help) {
    command.add_option(name, value, help)->type_name(form)->group("Place");
  };
  add("--image", words.image, "REF",
      "host (this machine's python3, the default), host:/path/to/python, dir:/path of a root "
      "file system, or the name of an image, as data (see sandboxctl image)");
  add("--profile", words.profile, "NAME",
      "System call policy: default, strict, or loopback (127.0.0.1 inside works)");
  add("--workdir", words.workdir, "DIR", "Where it starts, seen from inside (default /work)");
  add_repeatable(command, "--env", words.environment, "NAME=VALUE",
                 "A variable for the program, repeatable; it gets none of yours")
      ->group("Place");
}

void add_files(CLI::App& command, Words& words) {
  const auto add = [&command](const char* name, Text& value, const char* form, const char* help) {
    command.add_option(name, value, help)->type_name(form)->group("Files");
  };
  add("--stdin", words.stdin_file, "FILE", "What it reads on stdin, - for ours (default: nothing)");
  add_repeatable(command, "--in", words.inputs, "HOST[:NAME]",
                 "Copies a file of yours to /work/NAME, repeatable")
      ->group("Files");
  add("--out", words.out, "DIR",
      "Brings back the regular files that it left in /work, without unchanged inputs; makes DIR");
  add("--out-max-files", words.out_max_files, "N", "At most so many of them (default 256)");
  add("--out-max-bytes", words.out_max_bytes, "SIZE", "At most so much in all (default 256M)");
  command.add_flag("--force", words.force, "Files of the same name in DIR are replaced")
      ->group("Files");
}

void add_report(CLI::App& command, Words& words) {
  const auto add = [&command](const char* name, bool& value, const char* help) {
    command.add_flag(name, value, help)->group("Report");
  };
  add("--json", words.json, "Prints one JSON object at the end, and nothing else on stdout");
  add("--raw", words.raw, "Control characters reach your terminal too (else they show as \\x1b)");
  add("--quiet", words.quiet, "No remarks on stderr, errors only");
  add("--verbose", words.verbose, "Tells on stderr what is done");
}

void describe(CLI::App& command, Words& words, std::string_view examples) {
  command.get_formatter()->column_width(30);
  add_limits(command, words);
  add_place(command, words);
  add_protection_options(command, words.protections);
  add_files(command, words);
  add_report(command, words);
  command.footer(fmt::format(
      "SIZE: bytes, or with K, M, G, T (512M, 64K). TIME: with ms, s, m, h (500ms, 5s, 2m).\n\n"
      "{}\n{}",
      examples, kExitCodes));
}

void set_limits(Options& options, const Words& words) {
  if (words.timeout) options.timeout = parse_duration("--timeout", *words.timeout);
  if (words.memory) options.limits.memory(parse_size("--memory", *words.memory));
  if (words.processes) options.limits.processes(parse_count("--processes", *words.processes));
  if (words.cpu_time) options.limits.cpu_time(parse_duration("--cpu-time", *words.cpu_time));
  if (words.output) options.limits.output(parse_size("--output", *words.output));
  if (words.file_size) options.limits.file_size(parse_size("--file-size", *words.file_size));
  options.limits.validate();
}

void set_place(Options& options, const Words& words) {
  for (const std::string& variable : words.environment) {
    const std::size_t equals = variable.find('=');
    if (equals == std::string::npos || equals == 0) {
      refuse(fmt::format("--env '{}': give NAME=VALUE", escape_for_terminal(variable)));
    }
    options.environment[variable.substr(0, equals)] = variable.substr(equals + 1);
  }
  if (words.image) options.backend.image(*words.image);
  if (words.profile) options.backend.profile(*words.profile);
  if (words.work) options.backend.work_size(parse_size("--work", *words.work));
  set_protections(options.backend, words.protections);
  options.backend.validate();
  options.working_directory = words.workdir;
}

void set_files(Options& options, const Words& words) {
  options.stdin_file = words.stdin_file;
  if (options.program_file == "-" && options.stdin_file == "-") {
    refuse("--stdin -: standard input already holds the program; give one of them as a file");
  }
  for (const std::string& input : words.inputs) options.inputs.push_back(parse_input(input));
  check_inputs(options.inputs, options.verb == Verb::run ? "program.py" : "");

  const bool about_out = words.out_max_files || words.out_max_bytes || words.force;
  if (about_out && !words.out) {
    refuse(
        "--out-max-files, --out-max-bytes and --force say how files are brought back; name the "
        "directory for them with --out DIR");
  }
  if (words.out && words.out->empty()) refuse("--out '': give the name of a directory");
  options.out_directory = words.out;
  options.out_existing = words.force ? Existing::replace : Existing::keep;
  const Bytes total = words.out_max_bytes ? parse_size("--out-max-bytes", *words.out_max_bytes)
                                          : kOutLimits.max_total_bytes();
  const std::uint32_t count = words.out_max_files
                                  ? parse_count("--out-max-files", *words.out_max_files)
                                  : kOutLimits.max_files();
  const TransferLimits asked(std::min(total, kOutLimits.max_bytes_per_file()), total, count);
  if (!asked.within(kOutLimits)) {
    refuse("--out-max-files may be 256 at most, --out-max-bytes 256M at most");
  }
  options.out_limits = asked;
}

void set_report(Options& options, const Words& words) {
  if (words.quiet && words.verbose) refuse("--quiet and --verbose: give one of them");
  options.json = words.json;
  options.raw = words.raw;
  if (words.quiet) options.talk = Talk::quiet;
  if (words.verbose) options.talk = Talk::verbose;
}

Options options_of(const Words& words, Verb verb, std::vector<std::string> command) {
  Options options;
  options.verb = verb;
  options.program_file = words.program_file.value_or("");
  options.argv = std::move(command);
  set_report(options, words);
  set_limits(options, words);
  set_place(options, words);
  set_files(options, words);
  return options;
}

// CLI11 takes a vector from its back.
std::vector<std::string> reversed(const std::vector<std::string>& arguments) {
  return {arguments.rbegin(), arguments.rend()};
}

// What stands behind `exec ... --` is the command's own, down to the last byte; it is cut off.
std::vector<std::string> take_command(std::vector<std::string>& arguments) {
  std::vector<std::string> command;
  if (!arguments.empty() && arguments.front() == "exec") {
    const auto end = std::find(arguments.begin(), arguments.end(), "--");
    if (end != arguments.end()) command.assign(end + 1, arguments.end());
    arguments.erase(end, arguments.end());
  }
  return command;
}

// The command as CLI11 knows it.
class Grammar {
 public:
  Grammar() : app_(std::string(kAbout), "sandboxctl") {
    app_.set_version_flag("--version", "sandboxctl " SANDBOX_VERSION);
    app_.footer(fmt::format("{}\n{}", kMainExamples, kExitCodes));
    app_.require_subcommand(1);
    run_ = app_.add_subcommand("run", "Runs a Python program");
    run_->add_option("FILE", words_.program_file, "The program, - for standard input")
        ->type_name("")
        ->required();
    exec_ = app_.add_subcommand(
        "exec", "Runs any command: sandboxctl exec [OPTIONS] -- COMMAND [ARGUMENTS]");
    describe(*run_, words_, kRunExamples);
    describe(*exec_, words_, kExecExamples);
    doctor_ = add_doctor(app_, doctor_words_);
    image_ = add_image(app_, image_words_);
    selftest_ = add_selftest(app_, selftest_words_);
  }

  ParsedLine parse(std::vector<std::string> arguments) {
    std::vector<std::string> command = take_command(arguments);
    try {
      app_.parse(reversed(arguments));
    } catch (const CLI::CallForHelp&) {
      if (verb() == nullptr) return TextToPrint(app_.help());
      return TextToPrint(verb()->help(is_below_image() ? "sandboxctl image" : "sandboxctl"));
    } catch (const CLI::CallForVersion& version) {
      return TextToPrint(std::string(version.what()) + "\n");
    } catch (const CLI::ParseError& error) {
      refuse_line(error, command.empty());
    }
    if (doctor_->parsed()) return doctor_call_of(doctor_words_);
    if (image_->parsed()) return image_call_of(*image_, image_words_);
    if (selftest_->parsed()) return selftest_call_of(selftest_words_);
    if (exec_->parsed() && command.empty()) {
      refuse(fmt::format("exec: no command is given; {}", kCommandForm));
    }
    return options_of(words_, run_->parsed() ? Verb::run : Verb::exec, std::move(command));
  }

 private:
  // What the line names first; null when it names none.
  [[nodiscard]] const CLI::App* verb() const {
    if (image_->parsed() && named_below(*image_)) return named_below(*image_);
    for (const CLI::App* one : {run_, exec_, doctor_, image_, selftest_}) {
      if (one->parsed()) return one;
    }
    return nullptr;
  }

  [[noreturn]] void refuse_line(const CLI::ParseError& error, bool no_command) const {
    const bool stray = dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr;
    if (stray && exec_->parsed() && no_command) {
      refuse(fmt::format("{}; {}", escape_for_terminal(error.what()), kCommandForm));
    }
    refuse(fmt::format("{}; see sandboxctl{} --help", escape_for_terminal(error.what()),
                       name_of_verb()));
  }

  [[nodiscard]] std::string name_of_verb() const {
    if (verb() == nullptr) return "";
    return (is_below_image() ? " image " : " ") + verb()->get_name();
  }

  [[nodiscard]] bool is_below_image() const { return image_->parsed() && verb() != image_; }

  Words words_;
  DoctorWords doctor_words_;
  ImageWords image_words_;
  SelftestWords selftest_words_;
  CLI::App app_;
  CLI::App* run_ = nullptr;
  CLI::App* exec_ = nullptr;
  CLI::App* doctor_ = nullptr;
  CLI::App* image_ = nullptr;
  CLI::App* selftest_ = nullptr;
};

}  // namespace

bool asks_for_json(const std::vector<std::string>& arguments) {
  const auto end = std::find(arguments.begin(), arguments.end(), "--");
  return std::find(arguments.begin(), end, "--json") != end;
}

ParsedLine parse_command_line(const std::vector<std::string>& arguments) {
  Grammar grammar;
  return grammar.parse(arguments);
}

}  // namespace sandbox::ctl
