// What is printed: a table for people, one object for programs.
// SPDX-License-Identifier: MIT
#pragma once

#include <boost/json/object.hpp>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "machine.hpp"
#include "statistics.hpp"

namespace sandbox::bench {

inline constexpr const char* kBare = "bare";
inline constexpr const char* kOurs = "ours";
inline constexpr const char* kBubblewrap = "bubblewrap";
inline constexpr const char* kSandboxctl = "sandboxctl";

class ContestantFigures {
 public:
  ContestantFigures(std::string name, Summary microseconds);

  std::string name;
  Summary microseconds;
};

class SkippedContestant {
 public:
  SkippedContestant(std::string name, std::string reason);

  std::string name;
  std::string reason;
};

class WorkloadFigures {
 public:
  std::string name;
  std::vector<std::string> argv;
  std::vector<ContestantFigures> contestants;
  std::size_t rounds = 0;  // that the figures are of
  std::size_t thrown_away = 0;
  std::size_t disturbed = 0;

  WorkloadFigures() = default;
};

// Of medians; none where a contestant is missing or the parts have no ratio.
class Ratio {
 public:
  Ratio(std::string key, std::string label, std::optional<double> value);

  std::string key;    // in JSON
  std::string label;  // for people
  std::optional<double> value;
};

// Ratios of one workload, always the same ones in the same order.
std::vector<Ratio> ratios_of(const WorkloadFigures& figures);

class Report {
 public:
  Machine machine;
  std::vector<WorkloadFigures> workloads;
  std::vector<SkippedContestant> skipped;

  Report() = default;
};

std::string to_text(const Report& report);
boost::json::object to_json(const Report& report);

}  // namespace sandbox::bench
