// How a run ended, in words and numbers.
// SPDX-License-Identifier: MIT
#include "sandbox/exit_status.hpp"

#include <array>
#include <csignal>
#include <utility>

#include "words.hpp"

namespace sandbox {
namespace {

constexpr detail::WordTable<Limit, 4> kLimitWords{{
    {Limit::wall_time, "wall_time"},
    {Limit::cpu_time, "cpu_time"},
    {Limit::memory, "memory"},
    {Limit::output, "output"},
}};

constexpr detail::WordTable<int, 31> kSignalWords{{
    {SIGHUP, "SIGHUP"},   {SIGINT, "SIGINT"},       {SIGQUIT, "SIGQUIT"}, {SIGILL, "SIGILL"},
    {SIGTRAP, "SIGTRAP"}, {SIGABRT, "SIGABRT"},     {SIGBUS, "SIGBUS"},   {SIGFPE, "SIGFPE"},
    {SIGKILL, "SIGKILL"}, {SIGUSR1, "SIGUSR1"},     {SIGSEGV, "SIGSEGV"}, {SIGUSR2, "SIGUSR2"},
    {SIGPIPE, "SIGPIPE"}, {SIGALRM, "SIGALRM"},     {SIGTERM, "SIGTERM"}, {SIGSTKFLT, "SIGSTKFLT"},
    {SIGCHLD, "SIGCHLD"}, {SIGCONT, "SIGCONT"},     {SIGSTOP, "SIGSTOP"}, {SIGTSTP, "SIGTSTP"},
    {SIGTTIN, "SIGTTIN"}, {SIGTTOU, "SIGTTOU"},     {SIGURG, "SIGURG"},   {SIGXCPU, "SIGXCPU"},
    {SIGXFSZ, "SIGXFSZ"}, {SIGVTALRM, "SIGVTALRM"}, {SIGPROF, "SIGPROF"}, {SIGWINCH, "SIGWINCH"},
    {SIGIO, "SIGIO"},     {SIGPWR, "SIGPWR"},       {SIGSYS, "SIGSYS"},
}};

// What a shell shows for each way to end. 137 is 128 + SIGKILL, which is how a limit ends a run;
// 124 is what timeout(1) gives; 125 what container tools give for their own failures; 130 is
// 128 + SIGINT.
constexpr int kShellSignalBase = 128;
constexpr int kShellKilled = 137;
constexpr int kShellTimeout = 124;
constexpr int kShellOwnFailure = 125;
constexpr int kShellCancelled = 130;

class OutcomeOf {
 public:
  std::string_view operator()(Exited) const { return "exited"; }
  std::string_view operator()(Signaled) const { return "signaled"; }
  std::string_view operator()(const LimitHit& hit) const {
    switch (hit.which()) {
      case Limit::wall_time:
        return "timeout";
      case Limit::cpu_time:
        return "cpu_limit";
      case Limit::memory:
        return "memory_limit";
      case Limit::output:
        break;
    }
    return "output_limit";
  }
  std::string_view operator()(Cancelled) const { return "cancelled"; }
  std::string_view operator()(Refused) const { return "refused"; }
  std::string_view operator()(Lost) const { return "lost"; }
};

class SentenceOf {
 public:
  std::string operator()(Exited exited) const {
    return "exited with code " + std::to_string(exited.code());
  }
  std::string operator()(Signaled signaled) const {
    return "killed by " + signal_name(signaled.signal());
  }
  std::string operator()(const LimitHit& hit) const {
    switch (hit.which()) {
      case Limit::wall_time:
        return "stopped after " + hit.limit_text() + " of wall time";
      case Limit::cpu_time:
        return "stopped after " + hit.limit_text() + " of cpu time";
      case Limit::memory:
        return "ran out of memory (limit " + hit.limit_text() + ")";
      case Limit::output:
        break;
    }
    return "wrote more than " + hit.limit_text() + " of output";
  }
  std::string operator()(Cancelled) const { return "cancelled"; }
  std::string operator()(Refused) const { return "refused: nothing was run"; }
  std::string operator()(Lost) const { return "lost"; }
};

class ShellCodeOf {
 public:
  int operator()(Exited exited) const { return exited.code(); }
  int operator()(Signaled signaled) const { return kShellSignalBase + signaled.signal(); }
  int operator()(const LimitHit& hit) const {
    return hit.which() == Limit::wall_time ? kShellTimeout : kShellKilled;
  }
  int operator()(Cancelled) const { return kShellCancelled; }
  int operator()(Refused) const { return kShellOwnFailure; }
  int operator()(Lost) const { return kShellOwnFailure; }
};

}  // namespace

std::string_view to_string(Limit limit) { return detail::word_of(kLimitWords, limit); }

bool ExitStatus::exited_with(int code) const {
  const auto* const exited = std::get_if<Exited>(&value_);
  return exited != nullptr && exited->code() == code;
}

bool ExitStatus::hit(Limit limit) const {
  const auto* const hit = std::get_if<LimitHit>(&value_);
  return hit != nullptr && hit->which() == limit;
}

std::string_view ExitStatus::outcome() const { return std::visit(OutcomeOf(), value_); }

std::string ExitStatus::sentence() const { return std::visit(SentenceOf(), value_); }

int ExitStatus::shell_code() const { return std::visit(ShellCodeOf(), value_); }

std::string signal_name(int signal) {
  if (detail::has_word(kSignalWords, signal)) {
    return std::string(detail::word_of(kSignalWords, signal));
  }
  const int first_real_time = SIGRTMIN;
  if (signal >= first_real_time && signal <= SIGRTMAX) {
    const int offset = signal - first_real_time;
    return offset == 0 ? "SIGRTMIN" : "SIGRTMIN+" + std::to_string(offset);
  }
  return "signal " + std::to_string(signal);
}

}  // namespace sandbox
