// SPDX-License-Identifier: MIT
#include "doctor_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/json/array.hpp>
#include <iterator>

#include "sandbox/receipt.hpp"
#include "sandbox/utf8.hpp"

namespace sandbox::ctl {
namespace {

namespace json = boost::json;

using runner::Diagnosis;
using runner::Finding;
using runner::FindingState;

std::size_t count(const Diagnosis& diagnosis, FindingState state) {
  return static_cast<std::size_t>(
      std::count_if(diagnosis.findings.begin(), diagnosis.findings.end(),
                    [state](const Finding& finding) { return finding.state == state; }));
}

bool is_amiss(const Finding& finding) {
  return finding.state == FindingState::weaker || finding.state == FindingState::refused;
}

void add_finding(std::string& text, const Finding& finding, std::size_t width) {
  const bool is_note = finding.state == FindingState::note;
  fmt::format_to(std::back_inserter(text), "  {:<8} {:<{}}  {}\n",
                 is_note ? "" : to_string(finding.state), finding.name, width,
                 escape_for_terminal(finding.found));
  if (finding.fix.empty()) return;
  fmt::format_to(std::back_inserter(text), "  {:<8} {:<{}}  -> {}\n", "", "", width,
                 escape_for_terminal(finding.fix));
}

void add_findings(std::string& text, const Diagnosis& diagnosis, bool quiet) {
  std::size_t width = 0;
  for (const Finding& finding : diagnosis.findings) {
    if (!quiet || is_amiss(finding)) width = std::max(width, finding.name.size());
  }
  for (const Finding& finding : diagnosis.findings) {
    if (!quiet || is_amiss(finding)) add_finding(text, finding, width);
  }
}

void add_enforced(std::string& text, const Enforced& enforced) {
  text += "in force in a run:\n";
  for (const auto& [name, state] : enforced.protections) {
    fmt::format_to(std::back_inserter(text), "  {:<22}{}\n", name, state);
  }
}

std::string verdict_of(const Diagnosis& diagnosis) {
  if (!diagnosis.works()) return "programs do not run here; see the lines with 'refused'\n";
  const std::size_t weaker = count(diagnosis, FindingState::weaker);
  if (weaker == 0) return "programs run here, with every protection\n";
  return fmt::format(
      "programs run here; weaker than they could by {}: see the line{} with 'weaker'\n", weaker,
      weaker == 1 ? "" : "s");
}

}  // namespace

std::string doctor_text(const Diagnosis& diagnosis, bool quiet) {
  std::string text;
  add_findings(text, diagnosis, quiet);
  if (quiet) return text;
  if (diagnosis.run) add_enforced(text, diagnosis.run->enforced);
  return text + verdict_of(diagnosis);
}

json::object doctor_json(const Diagnosis& diagnosis) {
  json::array checks;
  for (const Finding& finding : diagnosis.findings) {
    json::object check;
    check["name"] = finding.name;
    check["state"] = to_string(finding.state);
    check["found"] = to_utf8_lossy(finding.found);
    check["fix"] = to_utf8_lossy(finding.fix);
    checks.push_back(std::move(check));
  }
  json::object object;
  object["works"] = diagnosis.works();
  object["checks"] = std::move(checks);
  object["enforced"] = nullptr;
  object["error"] = nullptr;
  if (diagnosis.run) object["enforced"] = make_receipt(*diagnosis.run, {})["enforced"];
  if (diagnosis.error) object["error"] = make_receipt(*diagnosis.error)["error"];
  return object;
}

}  // namespace sandbox::ctl
