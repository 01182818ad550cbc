// The layer between a kind and a host: attach checks, identity of the caller, acquire ladder
// (contract section 6.1).
// SPDX-License-Identifier: MIT
#pragma once

#include <boost/asio/awaitable.hpp>
#include <boost/json/object.hpp>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "sandbox/caller_context.hpp"
#include "sandbox/log.hpp"
#include "sandbox/outputs.hpp"
#include "sandbox/router.hpp"
#include "sandbox/spec.hpp"
#include "sandbox/tool.hpp"

namespace sandbox {

// A refusal to hand to the model as it is.
class ModelMessage {
 public:
  explicit ModelMessage(std::string text) : text_(std::move(text)) {}
  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  std::string text_;
};

template <class T>
using OrMessage = std::variant<T, ModelMessage>;

// True when what was thrown carries the caller's cancellation: it must propagate and never become
// a reply. REQUIRES: `failure` is not null (also below).
bool is_cancellation(const std::exception_ptr& failure);

// For the log only: what was tried, with the host's detail.
std::string failure_text(const std::exception_ptr& failure);

// What a tool's body works with: configuration only, shared by all concurrent calls of the tool;
// whatever depends on the caller is asked afresh (TB-3).
//
// Thread safety: immutable.
class ToolSession {
 public:
  ToolSession(std::string tool_name, Router router, CallerContext context, std::string agent_dir,
              SandboxSpec spec, LogSink log);

  [[nodiscard]] const std::string& tool_name() const { return tool_name_; }
  [[nodiscard]] const SandboxSpec& spec() const { return spec_; }

  // No active thread is a message that names the tool; the scope is then not asked (TB-4, MV-1).
  [[nodiscard]] OrMessage<SandboxKey> key() const;

  // The ladder of TB-5: authored configuration errors reach the model verbatim, everything else as
  // a fixed sentence, with the detail in the log. Cancel: propagates.
  [[nodiscard]] boost::asio::awaitable<OrMessage<std::shared_ptr<Sandbox>>> acquire(
      SandboxKey key) const;

  // A record prefixed with the tool's name (TB-12).
  void log(LogLevel level, const std::string& message) const;

 private:
  std::string tool_name_;
  Router router_;
  CallerContext context_;
  std::string agent_dir_;
  SandboxSpec spec_;
  LogSink log_;
};

// How a tool is attached.
class SandboxedToolOptions {
 public:
  using Body = std::function<boost::asio::awaitable<ToolReply>(std::shared_ptr<const ToolSession>,
                                                               boost::json::object arguments)>;

  SandboxedToolOptions(std::string name, std::string description, boost::json::object parameters,
                       SandboxSpec spec, Body body);

  SandboxedToolOptions& approval_mode(ApprovalMode mode);
  // Explicit properties win verbatim; not together with a sink (PIN-44).
  SandboxedToolOptions& properties(ToolProperties properties);
  // nullopt: the tool declares none, and the host's default applies (CA0-3).
  SandboxedToolOptions& source_integrity(std::optional<SourceIntegrity> value);
  SandboxedToolOptions& outbound_max_confidentiality(std::string cap);
  SandboxedToolOptions& output_sink(OutputSink sink);
  SandboxedToolOptions& log(LogSink sink);

 private:
  friend std::vector<Tool> sandboxed_tool(std::optional<Router> router, CallerContext context,
                                          std::string agent_dir, SandboxedToolOptions options);
  std::string name_;
  std::string description_;
  boost::json::object parameters_;
  SandboxSpec spec_;
  Body body_;
  ApprovalMode approval_mode_ = ApprovalMode::never_require;
  std::optional<ToolProperties> properties_;
  std::optional<SourceIntegrity> source_integrity_ = SourceIntegrity::trusted;
  std::optional<std::string> outbound_max_confidentiality_;
  std::optional<OutputSink> output_sink_;
  LogSink log_;
};

// One tool, or none when no sandbox is configured; in that case no refusal below fires (TB-1, TB-2,
// PIN-43). Errors, in this order: errc::config_error for a sink with explicit properties;
// errc::output_sink_required for a spec that lands artifacts without one; errc::config_error for
// declared outputs without files_out; then the router's checks; errc::config_error for a work
// directory that is the guest's root, an empty name or body, or a schema that cannot be checked.
std::vector<Tool> sandboxed_tool(std::optional<Router> router, CallerContext context,
                                 std::string agent_dir, SandboxedToolOptions options);

}  // namespace sandbox
