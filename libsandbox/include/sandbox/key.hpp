// Which sandbox a caller may reach.
// SPDX-License-Identifier: MIT
#pragma once

#include <compare>
#include <string>

namespace sandbox {

// Identity of the one sandbox of a caller, together with the kind (contract section 1.2, BE-2).
// Any bytes are allowed in the fields; a key is never derived from what a model said.
class SandboxKey {
 public:
  SandboxKey(std::string scope, std::string thread_id, std::string agent_dir)
      : scope_(std::move(scope)),
        thread_id_(std::move(thread_id)),
        agent_dir_(std::move(agent_dir)) {}

  [[nodiscard]] const std::string& scope() const { return scope_; }          // tenant or user
  [[nodiscard]] const std::string& thread_id() const { return thread_id_; }  // conversation
  [[nodiscard]] const std::string& agent_dir() const { return agent_dir_; }  // which agent

  friend auto operator<=>(const SandboxKey&, const SandboxKey&) = default;

 private:
  std::string scope_;
  std::string thread_id_;
  std::string agent_dir_;
};

}  // namespace sandbox
