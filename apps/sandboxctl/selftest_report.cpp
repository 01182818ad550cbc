// What `sandboxctl selftest` prints.
// SPDX-License-Identifier: MIT
#include "selftest_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <boost/json/array.hpp>
#include <iterator>
#include <map>
#include <set>
#include <string_view>
#include <utility>

#include "sandbox/utf8.hpp"

namespace json = boost::json;

namespace sandbox::ctl {
namespace {

using runner::AttemptReport;
using runner::Protection;
using runner::SelftestReport;
using runner::Verdict;

constexpr std::array kVerdicts = {Verdict::contained, Verdict::escaped, Verdict::broken,
                                  Verdict::skipped};

json::string text_of(std::string_view text) { return json::string(to_utf8_lossy(text)); }

template <class Protections>
json::array names_of(const Protections& protections) {
  json::array names;
  for (const Protection one : protections) names.emplace_back(to_string(one));
  return names;
}

std::string names_text(const std::set<Protection>& off) {
  std::string text;
  for (const Protection one : off) text += (text.empty() ? "" : ", ") + std::string(to_string(one));
  return text;
}

json::object attempt_json(const AttemptReport& attempt, const std::set<Protection>& off) {
  json::array met;
  for (const runner::Met& one : attempt.met) {
    json::object entry;
    entry["label"] = text_of(one.label());
    entry["word"] = text_of(one.word());
    met.push_back(std::move(entry));
  }
  json::object object;
  object["number"] = attempt.number;
  object["name"] = text_of(attempt.name);
  object["title"] = text_of(attempt.title);
  object["group"] = text_of(attempt.group);
  object["layers"] = names_of(attempt.layers);
  object["lacking"] = names_of(attempt.lacking);
  object["without"] = names_of(off);
  object["verdict"] = to_string(attempt.verdict);
  object["met"] = std::move(met);
  object["reason"] = nullptr;
  if (!attempt.reason.empty()) object["reason"] = text_of(attempt.reason);
  object["micros"] = attempt.time.count();
  return object;
}

std::size_t total(const std::vector<SelftestReport>& reports, Verdict verdict) {
  std::size_t count = 0;
  for (const SelftestReport& report : reports) count += report.count(verdict);
  return count;
}

// What would have held some attempt, and is not there.
std::set<Protection> lacking_in(const std::vector<SelftestReport>& reports) {
  std::set<Protection> lacking;
  for (const SelftestReport& report : reports) {
    for (const AttemptReport& attempt : report.attempts) {
      lacking.insert(attempt.lacking.begin(), attempt.lacking.end());
    }
  }
  return lacking;
}

// In the order in which groups first occur.
void add_groups(std::string& text, const SelftestReport& report) {
  std::vector<std::string> order;
  std::map<std::string, std::pair<std::size_t, std::size_t>> counts;  // contained, all
  for (const AttemptReport& attempt : report.attempts) {
    if (!counts.contains(attempt.group)) order.push_back(attempt.group);
    auto& [contained, all] = counts[attempt.group];
    ++all;
    if (attempt.verdict == Verdict::contained) ++contained;
  }
  for (const std::string& group : order) {
    const auto& [contained, all] = counts.at(group);
    fmt::format_to(std::back_inserter(text), "  {:<12} {:>3} of {:>3} contained\n", group,
                   contained, all);
  }
}

// The first report by its groups, each further one by its layer.
void add_counts(std::string& text, const std::vector<SelftestReport>& reports) {
  bool first = true;
  for (const SelftestReport& report : reports) {
    const std::string off = report.off.empty() ? "" : ", without " + names_text(report.off);
    if (std::exchange(first, false)) {
      text += fmt::format("on kernel {}{}:\n", escape_for_terminal(report.kernel), off);
      add_groups(text, report);
    } else {
      text += fmt::format("critical ones{}: {} of {} contained\n", off,
                          report.count(Verdict::contained), report.attempts.size());
    }
  }
  const std::set<Protection> lacking = lacking_in(reports);
  if (!lacking.empty()) text += "cannot be had on this machine: " + names_text(lacking) + "\n";
}

void add_rest(std::string& text, const SelftestReport& report, bool skipped) {
  const std::string off = report.off.empty() ? "" : " (without " + names_text(report.off) + ")";
  for (const AttemptReport& attempt : report.attempts) {
    if (attempt.verdict == Verdict::contained) continue;
    if ((attempt.verdict == Verdict::skipped) != skipped) continue;
    fmt::format_to(std::back_inserter(text), "  {:<8} {}: {}{}\n           {}\n",
                   to_string(attempt.verdict), attempt.name, escape_for_terminal(attempt.title),
                   off, escape_for_terminal(attempt.reason));
  }
}

void add_list(std::string& text, const std::vector<SelftestReport>& reports, bool skipped) {
  std::string list;
  for (const SelftestReport& report : reports) add_rest(list, report, skipped);
  if (!list.empty()) text += (skipped ? "skipped:\n" : "not contained:\n") + list;
}

}  // namespace

bool all_good(const std::vector<SelftestReport>& reports) {
  return !reports.empty() && std::all_of(reports.begin(), reports.end(),
                                         [](const SelftestReport& one) { return one.all_good(); });
}

std::string selftest_text(const std::vector<SelftestReport>& reports, bool quiet) {
  std::string text;
  if (!quiet) add_counts(text, reports);
  add_list(text, reports, false);
  add_list(text, reports, true);
  const bool good = all_good(reports);
  if (quiet && good) return text;
  std::string counts;
  for (const Verdict verdict : kVerdicts) {
    const std::size_t count = total(reports, verdict);
    if (count == 0) continue;
    counts += fmt::format("{}{} {}", counts.empty() ? "" : ", ", count, to_string(verdict));
  }
  if (counts.empty()) counts = "nothing was tried";
  return text + (good ? "all good: " : "not all good: ") + counts + "\n";
}

json::object selftest_json(const std::vector<SelftestReport>& reports) {
  json::array attempts;
  for (const SelftestReport& report : reports) {
    for (const AttemptReport& attempt : report.attempts) {
      attempts.push_back(attempt_json(attempt, report.off));
    }
  }
  json::object totals;
  totals["attempts"] = attempts.size();
  for (const Verdict verdict : kVerdicts) totals[to_string(verdict)] = total(reports, verdict);
  json::object object;
  object["kernel"] = text_of(reports.empty() ? "" : reports.front().kernel);
  object["all_good"] = all_good(reports);
  object["totals"] = std::move(totals);
  object["attempts"] = std::move(attempts);
  return object;
}

}  // namespace sandbox::ctl
