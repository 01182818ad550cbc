// sandbox_bench: what a sandbox of ours costs beside a bare run and beside bubblewrap.
// SPDX-License-Identifier: MIT
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <boost/json/serialize.hpp>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "command_contestant.hpp"
#include "library_contestant.hpp"
#include "process.hpp"
#include "race.hpp"
#include "report.hpp"

namespace {

using namespace sandbox::bench;

// A fixed one, so that all contestants start the same interpreter.
constexpr const char* kPython = "/usr/bin/python3";

class Options {
 public:
  std::size_t rounds = 200;
  std::string workload = "all";
  std::string sandboxctl;
  bool json = false;
  bool quick = false;

  Options() = default;
};

std::vector<Workload> workloads_named(const std::string& name) {
  std::vector<Workload> chosen;
  const std::vector<Workload> all = {Workload("true", {"/bin/true"}, ""),
                                     Workload("python", {kPython, "-c", "print(1)"}, "1\n")};
  for (const Workload& workload : all) {
    if (name == "all" || name == workload.name()) chosen.push_back(workload);
  }
  return chosen;
}

std::optional<std::string> find_program(const std::string& name) {
  const char* path = std::getenv("PATH");  // NOLINT(concurrency-mt-unsafe): nothing sets it
  const std::string_view directories = path == nullptr ? "/usr/bin:/bin" : path;
  std::size_t start = 0;
  while (start <= directories.size()) {
    const std::size_t end = std::min(directories.find(':', start), directories.size());
    const std::string file = std::string(directories.substr(start, end - start)) + "/" + name;
    if (end > start && ::access(file.c_str(), X_OK) == 0) return file;
    start = end + 1;
  }
  return std::nullopt;
}

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

class Bench {
 public:
  explicit Bench(Options options) : options_(std::move(options)) {}

  Report run() {
    report_.machine = this_machine();
    enter_contestants();
    RaceRules rules;
    rules.rounds = options_.rounds;
    rules.seed = std::random_device()();
    rules.processors = report_.machine.processors;
    rules.most_thrown_away = options_.quick ? options_.rounds : 3 * options_.rounds;
    for (const Workload& workload : workloads_named(options_.workload)) {
      report_.workloads.push_back(figures_of(workload, rules));
    }
    return std::move(report_);
  }

 private:
  void enter_contestants() {
    const std::string image = std::string("host:") + kPython;
    auto ours = std::make_unique<LibraryContestant>(image);
    environment_ = ours->guest_environment(kPython);
    enter_command(kBare, {}, CpuAccount::whole);
    contestants_.push_back(std::move(ours));
    enter_bubblewrap();
    if (options_.sandboxctl.empty()) {
      report_.skipped.emplace_back(kSandboxctl, "not asked for; name it with --sandboxctl PATH");
    } else {
      enter_command(kSandboxctl, sandboxctl_front(options_.sandboxctl, image), CpuAccount::partial);
    }
  }

  // Machines differ in whom they let make namespaces with it: that is no failure of the bench.
  void enter_bubblewrap() {
    const std::optional<std::string> bwrap = find_program("bwrap");
    if (!bwrap) {
      report_.skipped.emplace_back(kBubblewrap, "not installed: no bwrap on PATH");
      return;
    }
    std::vector<std::string> trial = bubblewrap_front(*bwrap);
    trial.emplace_back("/bin/true");
    const Lap lap = run_process(trial, environment_);
    if (lap.exit_code != 0) {
      report_.skipped.emplace_back(kBubblewrap,
                                   "does not run here: " + first_line(lap.error_output));
      return;
    }
    enter_command(kBubblewrap, bubblewrap_front(*bwrap), CpuAccount::whole);
  }

  void enter_command(const char* name, std::vector<std::string> front, CpuAccount account) {
    contestants_.push_back(
        std::make_unique<CommandContestant>(name, std::move(front), environment_, account));
  }

  WorkloadFigures figures_of(const Workload& workload, const RaceRules& rules) {
    RaceResult result = race(workload, contestants_, rules, meter_);
    WorkloadFigures figures;
    figures.name = workload.name();
    figures.argv = workload.argv();
    figures.rounds = rules.rounds;
    figures.thrown_away = result.thrown_away;
    figures.disturbed = result.disturbed;
    for (std::size_t index = 0; index < contestants_.size(); ++index) {
      figures.contestants.emplace_back(contestants_[index]->name(),
                                       Summary(std::move(result.microseconds[index])));
    }
    return figures;
  }

  Options options_;
  Report report_;
  std::vector<std::string> environment_;
  Contestants contestants_;
  MachineCpuMeter meter_;
};

void describe(CLI::App& app, Options& options) {
  auto* rounds = app.add_option("--rounds", options.rounds, "Rounds to keep of each workload")
                     ->check(CLI::Range(1, 1000000))
                     ->capture_default_str();
  app.add_option("--workload", options.workload, "true, python or all")
      ->check(CLI::IsMember({"true", "python", "all"}))
      ->capture_default_str();
  app.add_option("--sandboxctl", options.sandboxctl, "Measure this command too, one-shot")
      ->type_name("PATH")
      ->check(CLI::ExistingFile);
  app.add_flag("--json", options.json, "Prints one JSON object instead of tables");
  app.add_flag("--quick", options.quick, "20 rounds: shows that it works, not how fast it is")
      ->excludes(rounds);
}

int carry_out(int argc, char** argv) {
  Options options;
  CLI::App app{"Times ours, a bare run and bubblewrap by turns, and prints ratios.",
               "sandbox_bench"};
  describe(app, options);
  CLI11_PARSE(app, argc, argv);
  if (options.quick) options.rounds = 20;
  if (!options.sandboxctl.empty()) {
    options.sandboxctl = std::filesystem::absolute(options.sandboxctl).string();
  }
  adopt_orphans();
  const Report report = Bench(options).run();
  const std::string text =
      options.json ? boost::json::serialize(to_json(report)) + "\n" : to_text(report);
  return std::fputs(text.c_str(), stdout) >= 0 && std::fflush(stdout) == 0 ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return carry_out(argc, argv);
  } catch (const std::exception& error) {
    (void)std::fprintf(stderr, "sandbox_bench: %s\n", error.what());
    return 1;
  }
}
