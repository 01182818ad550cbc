// SPDX-License-Identifier: MIT
#include "report.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <boost/json/array.hpp>
#include <boost/json/value_from.hpp>
#include <limits>
#include <utility>

namespace json = boost::json;

namespace sandbox::bench {
namespace {

// NaN, of which no ratio is made, for a contestant that did not run.
double median(const WorkloadFigures& figures, const std::string& name) {
  for (const ContestantFigures& contestant : figures.contestants) {
    if (contestant.name == name) return contestant.microseconds.p50();
  }
  return std::numeric_limits<double>::quiet_NaN();
}

std::string workload_text(const WorkloadFigures& figures) {
  const double bare = median(figures, kBare);
  std::string text = fmt::format("\n{}: {}\n", figures.name, fmt::join(figures.argv, " "));
  text += fmt::format("  {:<12}{:>10}{:>10}{:>10}{:>10}{:>12}\n", "us", "min", "p50", "p95", "p99",
                      "p50-bare");
  for (const ContestantFigures& contestant : figures.contestants) {
    const Summary& us = contestant.microseconds;
    text += fmt::format("  {:<12}{:>10.0f}{:>10.0f}{:>10.0f}{:>10.0f}{:>12.0f}\n", contestant.name,
                        us.min(), us.p50(), us.p95(), us.p99(), us.p50() - bare);
  }
  for (const Ratio& ratio : ratios_of(figures)) {
    text += fmt::format("  {:<42}{:>10}\n", ratio.label,
                        ratio.value ? fmt::format("{:.3f}", *ratio.value) : "-");
  }
  text += fmt::format("  {} rounds; {} more thrown away for foreign load\n", figures.rounds,
                      figures.thrown_away);
  if (figures.disturbed > 0) {
    text += fmt::format(
        "  NOT TO BE TRUSTED: the machine was busy with other work in {} of these rounds\n",
        figures.disturbed);
  }
  return text;
}

json::object workload_json(const WorkloadFigures& figures) {
  json::array contestants;
  for (const ContestantFigures& contestant : figures.contestants) {
    const Summary& us = contestant.microseconds;
    json::object row;
    row["name"] = contestant.name;
    row["min_us"] = us.min();
    row["p50_us"] = us.p50();
    row["p95_us"] = us.p95();
    row["p99_us"] = us.p99();
    contestants.push_back(std::move(row));
  }
  json::object ratios;
  for (const Ratio& ratio : ratios_of(figures)) {
    ratios[ratio.key] = ratio.value ? json::value(*ratio.value) : json::value(nullptr);
  }
  json::object object;
  object["name"] = figures.name;
  object["argv"] = json::value_from(figures.argv);
  object["rounds"] = figures.rounds;
  object["thrown_away"] = figures.thrown_away;
  object["disturbed"] = figures.disturbed;
  object["contestants"] = std::move(contestants);
  object["ratios"] = std::move(ratios);
  return object;
}

}  // namespace

ContestantFigures::ContestantFigures(std::string who, Summary us)
    : name(std::move(who)), microseconds(us) {}

SkippedContestant::SkippedContestant(std::string who, std::string why)
    : name(std::move(who)), reason(std::move(why)) {}

Ratio::Ratio(std::string in_json, std::string for_people, std::optional<double> of)
    : key(std::move(in_json)), label(std::move(for_people)), value(of) {}

std::vector<Ratio> ratios_of(const WorkloadFigures& figures) {
  const double bare = median(figures, kBare);
  const double ours = median(figures, kOurs);
  const double bubblewrap = median(figures, kBubblewrap);
  const double sandboxctl = median(figures, kSandboxctl);
  std::vector<Ratio> ratios;
  ratios.emplace_back("ours_to_bare", "ours / bare, wall", ratio(ours, bare));
  ratios.emplace_back("overhead_ours_to_bubblewrap", "(ours - bare) / (bubblewrap - bare)",
                      ratio(ours - bare, bubblewrap - bare));
  ratios.emplace_back("ours_to_bubblewrap", "ours / bubblewrap, wall", ratio(ours, bubblewrap));
  ratios.emplace_back("overhead_sandboxctl_to_bubblewrap",
                      "(sandboxctl - bare) / (bubblewrap - bare)",
                      ratio(sandboxctl - bare, bubblewrap - bare));
  return ratios;
}

std::string to_text(const Report& report) {
  const Machine& machine = report.machine;
  std::string text =
      fmt::format("machine: {}, {} x {}, uid {}, load {:.2f}\nbuild: {}, {}\n", machine.kernel,
                  machine.processors, machine.processor, machine.uid, machine.load, machine.build,
                  machine.optimised ? "optimised" : "NOT optimised: ours and sandboxctl look slow");
  for (const SkippedContestant& skipped : report.skipped) {
    text += fmt::format("skipped: {}: {}\n", skipped.name, skipped.reason);
  }
  for (const WorkloadFigures& figures : report.workloads) text += workload_text(figures);
  return text;
}

json::object to_json(const Report& report) {
  json::object machine;
  machine["kernel"] = report.machine.kernel;
  machine["processor"] = report.machine.processor;
  machine["processors"] = report.machine.processors;
  machine["uid"] = report.machine.uid;
  machine["load"] = report.machine.load;
  machine["build"] = report.machine.build;
  machine["optimised"] = report.machine.optimised;
  json::array workloads;
  for (const WorkloadFigures& figures : report.workloads) {
    workloads.push_back(workload_json(figures));
  }
  json::array skipped;
  for (const SkippedContestant& one : report.skipped) {
    json::object row;
    row["name"] = one.name;
    row["reason"] = one.reason;
    skipped.push_back(std::move(row));
  }
  json::object object;
  object["machine"] = std::move(machine);
  object["workloads"] = std::move(workloads);
  object["skipped"] = std::move(skipped);
  return object;
}

}  // namespace sandbox::bench
