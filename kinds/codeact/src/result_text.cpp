// How the end of a program reads to a model.
// SPDX-License-Identifier: MIT
#include "result_text.hpp"

#include <optional>
#include <string_view>
#include <variant>

namespace sandbox::codeact {

namespace {

constexpr std::string_view kPrintedNothing =
    "The program ran and printed nothing. End it with print(...) of what you need.";

void add_section(std::string& text, std::string_view section) {
  if (!text.empty()) text += "\n\n";
  text += section;
}

void add_stream(std::string& text, std::string_view label, const CapturedOutput& output) {
  std::string content = output.text();
  while (!content.empty() && (content.back() == '\n' || content.back() == '\r')) content.pop_back();
  if (content.empty()) return;
  add_section(text, std::string(label) + ":\n" + content);
}

std::string stopped(std::string_view because, const LimitHit& hit) {
  std::string text = "Error: the program was stopped because it " + std::string(because);
  if (!hit.limit_text().empty()) text += " of " + hit.limit_text();
  return text + ".";
}

std::string limit_sentence(const LimitHit& hit, std::chrono::milliseconds timeout) {
  switch (hit.which()) {
    case Limit::wall_time:
      return "Error: the program timed out after " + seconds_text(timeout) + ".";
    case Limit::cpu_time:
      return stopped("used up its CPU time limit", hit);
    case Limit::memory:
      return stopped("needed more than its memory limit", hit);
    case Limit::output:
      return stopped("printed more than its output limit", hit);
  }
  return stopped("reached a limit", hit);
}

// What ended the program from outside; nullopt for a plain exit.
std::optional<std::string> end_sentence(const ExitStatus& status,
                                        std::chrono::milliseconds timeout) {
  if (const auto* hit = std::get_if<LimitHit>(&status.value())) {
    return limit_sentence(*hit, timeout);
  }
  if (const auto* signaled = std::get_if<Signaled>(&status.value())) {
    return "Error: the program was ended by the signal " + signal_name(signaled->signal()) + ".";
  }
  return std::nullopt;
}

bool shows_exit_code(const ExitStatus& status) {
  // A limit has said all there is in its sentence; for a signal the shell's 128+N is what
  // tracebacks and manuals speak of.
  return !std::holds_alternative<LimitHit>(status.value()) && !status.exited_with(0);
}

}  // namespace

std::string seconds_text(std::chrono::milliseconds time) {
  const auto whole = time.count() / 1000;
  const auto thousandths = time.count() % 1000;
  std::string text = std::to_string(whole);
  if (thousandths != 0) {
    std::string fraction = std::to_string(1000 + thousandths).substr(1);
    fraction.erase(fraction.find_last_not_of('0') + 1);
    text += "." + fraction;
  }
  return text + "s";
}

std::string result_text(const ExecResult& result, std::chrono::milliseconds timeout) {
  std::string sections;
  add_stream(sections, "stdout", result.standard_output);
  add_stream(sections, "stderr", result.standard_error);

  const std::optional<std::string> ended = end_sentence(result.status, timeout);
  if (shows_exit_code(result.status)) {
    add_section(sections, "exit code: " + std::to_string(result.status.shell_code()));
  }
  if (!ended) return sections.empty() ? std::string(kPrintedNothing) : sections;
  std::string text = *ended;
  if (!sections.empty()) add_section(text, sections);
  return text;
}

}  // namespace sandbox::codeact
