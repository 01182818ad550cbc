// An attempt without any sandbox, where it does no harm.
// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>

#include "sandbox/runner/selftest.hpp"

namespace sandbox::runner::testing {

class PlainRun {
 public:
  enum class Where {
    namespaces,  // of an ordinary user, thrown away
    machine,     // as whoever we are, with all that this may do: in a virtual machine only
  };
  // Runs the text with /usr/bin/python3, within 40 s.
  explicit PlainRun(const Attempt& attempt, Where where = Where::namespaces);

  // Why this machine cannot do it; nullopt when it ran.
  [[nodiscard]] const std::optional<std::string>& lacking() const { return lacking_; }
  // What the first label met last; empty when it was not met.
  [[nodiscard]] const std::string& word() const { return word_; }
  [[nodiscard]] bool worked() const { return worked_; }
  // For a message.
  [[nodiscard]] const std::string& story() const { return story_; }

 private:
  std::optional<std::string> lacking_;
  std::string word_;
  bool worked_ = false;
  std::string story_;
};

// Whether the attempt's first label was met as "worked", once at least.
bool first_label_worked(const Attempt& attempt, const std::vector<Met>& met);

}  // namespace sandbox::runner::testing
