// What was refused, in words: any reply of the launcher gives a short list of whole sentences.
// SPDX-License-Identifier: MIT
#include "denied_calls.hpp"
#include "sandbox/utf8.hpp"
#include "targets.hpp"

namespace sandbox::fuzz {
namespace {

constexpr std::size_t kLimitsThatEndNothing = 4;

void check_call(const DeniedCall& call) {
  check(!call.call.empty() && !call.sentence.empty(), "what was refused has a name and a sentence");
  const auto plain = [](const std::string& text) {
    return is_utf8(text) && escape_for_terminal(text) == text && text.find('\n') == text.npos;
  };
  check(plain(call.call) && plain(call.sentence), "what was refused is told in plain text");
  check(call.arguments.empty() || call.arguments.size() == 3, "three arguments or none");
}

}  // namespace

void reply(Bytes input) {
  Reader reader(input);
  const auto told = reader.take<runner::launcher::Reply>();
  Limits limits;
  limits.processes(64);
  for (const runner::FilterArch arch : {runner::FilterArch::x86_64, runner::FilterArch::aarch64}) {
    const bool has_loopback = told.denied_others % 2 == 1;
    const std::vector<DeniedCall> list = denied_calls_of(told, arch, limits, has_loopback);
    check(list.size() <= runner::launcher::kMaxDeniedCalls + 1 + kLimitsThatEndNothing,
          "the list of what was refused is short");
    for (const DeniedCall& call : list) check_call(call);
  }
}

}  // namespace sandbox::fuzz
