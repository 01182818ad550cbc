// Where data comes from, with whose authority a tool acts, and what a host declares of its tools
// (contract sections 1.1 and 1.2).
// SPDX-License-Identifier: MIT
#pragma once

#include <boost/system/result.hpp>
#include <optional>
#include <set>
#include <string>
#include <string_view>

namespace sandbox {

// Ordered, weakest first.
enum class SourceIntegrity { untrusted, trusted };

bool is_known(SourceIntegrity integrity);
std::string_view to_string(SourceIntegrity integrity);
// Errors: errc::config_error for any other string.
boost::system::result<SourceIntegrity> source_integrity_from_string(std::string_view text);

enum class Identity {
  app,   // the host process's own authority
  user,  // authority that the end user delegated
};

using IdentitySet = std::set<Identity>;

bool is_known(Identity identity);
std::string_view to_string(Identity identity);
// Errors: errc::config_error for any other string.
boost::system::result<Identity> identity_from_string(std::string_view text);

// What a host says of one tool. All three legs must be answered; nullopt is the answer "not that
// role", not silence.
class HostToolDeclaration {
 public:
  HostToolDeclaration(std::optional<SourceIntegrity> source, std::optional<std::string> sink,
                      std::optional<Identity> identity)
      : source_(source), sink_(std::move(sink)), identity_(identity) {}

  [[nodiscard]] std::optional<SourceIntegrity> source() const { return source_; }
  [[nodiscard]] const std::optional<std::string>& sink() const { return sink_; }
  [[nodiscard]] std::optional<Identity> identity() const { return identity_; }

  friend bool operator==(const HostToolDeclaration&, const HostToolDeclaration&) = default;

 private:
  std::optional<SourceIntegrity> source_;
  std::optional<std::string> sink_;
  std::optional<Identity> identity_;
};

}  // namespace sandbox
