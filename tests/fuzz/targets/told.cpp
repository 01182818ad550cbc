// What an attempt told: an escape is never missed, and no output breaks the judge.
// SPDX-License-Identifier: MIT
#include <set>

#include "sandbox/utf8.hpp"
#include "selftest/attempt_parse.hpp"
#include "selftest/attempt_values.hpp"
#include "selftest/verdict.hpp"
#include "targets.hpp"

namespace sandbox::fuzz {
namespace {

using runner::Met;
using runner::Protection;
using runner::Verdict;

constexpr std::string_view kAttempt =
    "# attempt: 55 make a user namespace\n"
    "# group: privileges\n"
    "# expect: a=EPERM b=EPERM|ENOSYS\n"
    "# without seccomp: a=worked\n"
    "# works: without seccomp\n";

// A second opinion: whole lines, each split by hand.
std::vector<Met> lines_of(std::string_view bytes, bool first_whole, bool last_whole) {
  std::vector<Met> found;
  bool whole = first_whole;
  while (!bytes.empty()) {
    const std::size_t end = bytes.find('\n');
    if (end == std::string_view::npos && !last_whole) break;
    const std::string line(bytes.substr(0, end));
    bytes.remove_prefix(end == std::string_view::npos ? bytes.size() : end + 1);
    const std::size_t blank = line.find(' ', 3);
    const bool told = whole && line.substr(0, 3) == "@@ " && blank != std::string::npos;
    whole = true;
    if (!told) continue;
    const std::string label = line.substr(3, blank - 3);
    const std::string word = line.substr(blank + 1);
    if (runner::is_plain_word(label) && runner::is_plain_word(word))
      found.emplace_back(label, word);
  }
  return found;
}

std::vector<Met> lines_of(const CapturedOutput& output) {
  if (!output.truncated()) return lines_of(output.bytes(), true, true);
  std::vector<Met> found = lines_of(output.head(), true, false);
  for (const Met& met : lines_of(output.tail(), false, true)) found.push_back(met);
  return found;
}

void check_told(const runner::Told& told, std::vector<Met> lines) {
  constexpr std::size_t kMost = 1000;
  check(told.overflowed() == (lines.size() > kMost), "too many lines are told");
  if (lines.size() > kMost) lines.erase(lines.begin() + kMost, lines.end());
  check(told.met() == lines, "each whole line counts, and no other");
}

void check_judgement(const runner::Judgement& judgement, const runner::Told& told,
                     const std::set<Protection>& off, const ExecResult& result) {
  const bool allowed = off.contains(Protection::seccomp);
  const bool escaped = std::any_of(told.met().begin(), told.met().end(), [allowed](const Met& met) {
    return met.word() == "worked" && !(allowed && met.label() == "a");
  });
  check((judgement.verdict() == Verdict::escaped) == escaped, "an escape is never missed");
  check(is_utf8(judgement.reason()), "a reason is UTF-8");
  check(escape_for_terminal(judgement.reason()) == judgement.reason(), "a reason is plain");
  check(judgement.reason().empty() == (judgement.verdict() == Verdict::contained), "a reason why");
  if (judgement.verdict() != Verdict::contained) return;
  const auto met = [&](std::string_view label) {
    return std::any_of(told.met().begin(), told.met().end(),
                       [label](const Met& one) { return one.label() == label; });
  };
  check(met("a") && met("b"), "what is contained was tried");
  check(told.malformed() == 0 && !told.overflowed(), "what is contained was told well");
  check(result.status.exited_with(0), "what is contained ended well");
}

}  // namespace

void told(Bytes input) {
  static const runner::Attempt kParsed = runner::parse_attempt("055_user.py", kAttempt, "");
  Reader reader(input);
  const auto choice = reader.take<unsigned char>();
  const std::size_t left_out = reader.take<unsigned char>();
  const std::size_t cut = reader.take<std::uint16_t>();
  std::set<Protection> off;
  if ((choice & 1U) != 0) off.insert(Protection::seccomp);
  if ((choice & 2U) != 0) off.insert(Protection::landlock);
  const int number = choice >> 2U;
  ExecResult result((choice & 4U) != 0 ? ExitStatus(Signaled(number)) : ExitStatus(Exited(number)));
  result.standard_error = CapturedOutput(reader.text());
  const std::string_view rest = text_of(reader.rest());
  const std::size_t size = std::min(cut, rest.size());
  const CapturedOutput output(std::string(rest.substr(0, size)), std::string(rest.substr(size)),
                              rest.size() + left_out);
  const runner::Told told(output);
  check_told(told, lines_of(output));
  check_judgement(runner::judge(kParsed, off, told, result), told, off, result);
}

}  // namespace sandbox::fuzz
