// A function that a host hands to its model.
// SPDX-License-Identifier: MIT
#pragma once

#include <boost/asio/awaitable.hpp>
#include <boost/json/object.hpp>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "sandbox/information_flow.hpp"

namespace sandbox {

enum class ApprovalMode { never_require, always_require };

std::string_view to_string(ApprovalMode mode);

// Information-flow facts that a host's policy may read. nullopt: nothing is declared, and the
// host's own default applies.
class ToolProperties {
 public:
  ToolProperties() = default;

  ToolProperties& source_integrity(SourceIntegrity value);
  ToolProperties& max_allowed_confidentiality(std::string value);  // opaque host vocabulary

  [[nodiscard]] std::optional<SourceIntegrity> source_integrity() const { return source_; }
  [[nodiscard]] const std::optional<std::string>& max_allowed_confidentiality() const {
    return max_confidentiality_;
  }

  friend bool operator==(const ToolProperties&, const ToolProperties&) = default;

 private:
  std::optional<SourceIntegrity> source_;
  std::optional<std::string> max_confidentiality_;
};

// What goes back to the model.
class ToolReply {
 public:
  ToolReply() = default;  // empty; co_spawn of Boost 1.81 needs results that have a default
  explicit ToolReply(std::string text) : text_(std::move(text)) {}

  [[nodiscard]] const std::string& text() const { return text_; }
  // True for a refusal or a failure: the text then starts with "Error:".
  [[nodiscard]] bool is_error() const;

 private:
  std::string text_;
};

// Thread safety: immutable; invoke() may run many times at once.
class Tool {
 public:
  using Handler = std::function<boost::asio::awaitable<ToolReply>(boost::json::object)>;

  // `parameters` is a JSON Schema of type object (draft 2020-12 vocabulary).
  // Errors: errc::config_error for an empty name or handler, or a schema that cannot be checked.
  Tool(std::string name, std::string description, boost::json::object parameters,
       ApprovalMode approval_mode, ToolProperties properties, Handler handler);

  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] const std::string& description() const { return description_; }
  [[nodiscard]] const boost::json::object& parameters() const { return parameters_; }
  [[nodiscard]] ApprovalMode approval_mode() const { return approval_mode_; }
  [[nodiscard]] const ToolProperties& properties() const { return properties_; }

  // Arguments that do not fit the schema come back as an "Error:" reply that names the parameter:
  // required ones missing, unknown ones, and types of the top level are checked here.
  // Cancel: passes through to the handler.
  [[nodiscard]] boost::asio::awaitable<ToolReply> invoke(boost::json::object arguments) const;

 private:
  std::string name_;
  std::string description_;
  boost::json::object parameters_;
  ApprovalMode approval_mode_;
  ToolProperties properties_;
  Handler handler_;
};

}  // namespace sandbox
