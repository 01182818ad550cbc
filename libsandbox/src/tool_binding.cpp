// Attach checks in their order, identity of the caller, acquire ladder (contract section 6.1).
// SPDX-License-Identifier: MIT
#include "sandbox/tool_binding.hpp"

#include <boost/system/errc.hpp>
#include <boost/system/system_error.hpp>
#include <system_error>
#include <utility>

#include "sandbox/error.hpp"
#include "sandbox/path.hpp"

namespace sandbox {

namespace net = boost::asio;
namespace json = boost::json;

namespace {

// The two fixed sentences of TB-5: they name which of the failures it was and nothing of the host.
constexpr const char* kNoBackend =
    "Error: no sandbox backend is configured here; degrading to T0: go on without running code.";
constexpr const char* kUnavailable =
    "Error: the sandbox is unavailable at the moment; degrading to T0: go on without running code.";

// What the model is told; `log` gets the detail. Rethrows a cancellation.
std::string refusal_of_acquire(const ToolSession& session, const std::exception_ptr& failure) {
  if (is_cancellation(failure)) std::rethrow_exception(failure);
  session.log(LogLevel::error, "acquire a sandbox: " + failure_text(failure));
  try {
    std::rethrow_exception(failure);
  } catch (const Error& error) {
    if (error.sandbox_code() == errc::no_sandbox_backend) return kNoBackend;
    if (error.sandbox_code() == errc::config_error) return "Error: " + error.model_sentence();
    return kUnavailable;
  } catch (...) {
    return kUnavailable;
  }
}

std::string attach_of(const std::string& tool) { return "attach the tool '" + tool + "': "; }

// OU-20: nothing can be named yet when the outputs are told at call time.
std::string missing_sink(const std::string& tool, const SandboxSpec& spec) {
  std::string names;
  for (const DeclaredOutput& output : spec.declared_outputs()) {
    if (output.disposition() != OutputDisposition::land) continue;
    if (!names.empty()) names += ", ";
    names += output.name();
  }
  return attach_of(tool) + "its kind '" + spec.kind() + "' hands back files (" +
         (names.empty() ? "named at call time" : names) +
         ") but no output sink is given; give one, or declare no outputs to land";
}

bool declares_outputs(const SandboxSpec& spec) {
  return !spec.declared_outputs().empty() || spec.outputs_named_at_call_time();
}

bool is_guest_root(const std::string& work_dir) {
  const std::string path = normalize_path(work_dir);
  return path == "/" || path == "//";  // POSIX keeps exactly two leading slashes
}

// TB-10: a cap matters only where something can leave. An unrestricted run names no hosts and can
// still send anything anywhere, so the mode counts as well.
bool carries_out(const SandboxSpec& spec, bool has_sink) {
  return spec.egress() == Egress::unrestricted || !spec.egress_allow().empty() ||
         (has_sink && spec.lands_artifacts());
}

ToolProperties derive_properties(const SandboxSpec& spec, std::optional<SourceIntegrity> integrity,
                                 const std::optional<std::string>& cap, bool has_sink) {
  ToolProperties properties;
  if (integrity) properties.source_integrity(*integrity);
  if (cap && carries_out(spec, has_sink)) properties.max_allowed_confidentiality(*cap);
  return properties;
}

}  // namespace

bool is_cancellation(const std::exception_ptr& failure) {
  try {
    std::rethrow_exception(failure);
  } catch (const Error& error) {
    return error.what_to_do() == condition::cancelled;
  } catch (const boost::system::system_error& error) {
    return error.code() == boost::system::errc::operation_canceled;
  } catch (const std::system_error& error) {
    return error.code() == std::errc::operation_canceled;
  } catch (...) {
    return false;
  }
}

std::string failure_text(const std::exception_ptr& failure) {
  try {
    std::rethrow_exception(failure);
  } catch (const Error& error) {
    std::string text = error.what();
    if (!error.host_detail().empty()) text += " (" + error.host_detail() + ")";
    return text;
  } catch (const std::exception& error) {
    return error.what();
  } catch (...) {
    return "something that is no std::exception was thrown";
  }
}

ToolSession::ToolSession(std::string tool_name, Router router, CallerContext context,
                         std::string agent_dir, SandboxSpec spec, LogSink log)
    : tool_name_(std::move(tool_name)),
      router_(std::move(router)),
      context_(std::move(context)),
      agent_dir_(std::move(agent_dir)),
      spec_(std::move(spec)),
      log_(std::move(log)) {}

OrMessage<SandboxKey> ToolSession::key() const {
  std::optional<std::string> thread = context_.current_thread_id();
  if (!thread) {
    return ModelMessage("Error: " + tool_name_ +
                        " must be called from within a thread; there is no active thread context.");
  }
  return SandboxKey(context_.current_scope(), std::move(*thread), agent_dir_);
}

net::awaitable<OrMessage<std::shared_ptr<Sandbox>>> ToolSession::acquire(SandboxKey key) const {
  std::exception_ptr failure;
  try {
    std::shared_ptr<Sandbox> sandbox = co_await router_.acquire(std::move(key), spec_);
    if (sandbox) co_return sandbox;
    failure = std::make_exception_ptr(Error(errc::internal, "the backend gave a null sandbox"));
  } catch (...) {
    failure = std::current_exception();
  }
  co_return ModelMessage(refusal_of_acquire(*this, failure));
}

void ToolSession::log(LogLevel level, const std::string& message) const {
  write_log(log_, level, tool_name_ + ": " + message);
}

SandboxedToolOptions::SandboxedToolOptions(std::string name, std::string description,
                                           json::object parameters, SandboxSpec spec, Body body)
    : name_(std::move(name)),
      description_(std::move(description)),
      parameters_(std::move(parameters)),
      spec_(std::move(spec)),
      body_(std::move(body)) {}

SandboxedToolOptions& SandboxedToolOptions::approval_mode(ApprovalMode mode) {
  approval_mode_ = mode;
  return *this;
}

SandboxedToolOptions& SandboxedToolOptions::properties(ToolProperties properties) {
  properties_ = std::move(properties);
  return *this;
}

SandboxedToolOptions& SandboxedToolOptions::source_integrity(std::optional<SourceIntegrity> value) {
  source_integrity_ = value;
  return *this;
}

SandboxedToolOptions& SandboxedToolOptions::outbound_max_confidentiality(std::string cap) {
  outbound_max_confidentiality_ = std::move(cap);
  return *this;
}

SandboxedToolOptions& SandboxedToolOptions::output_sink(OutputSink sink) {
  output_sink_ = std::move(sink);
  return *this;
}

SandboxedToolOptions& SandboxedToolOptions::log(LogSink sink) {
  log_ = std::move(sink);
  return *this;
}

std::vector<Tool> sandboxed_tool(std::optional<Router> router, CallerContext context,
                                 std::string agent_dir, SandboxedToolOptions options) {
  if (!router || !router->enabled()) return {};

  const std::string& name = options.name_;
  const SandboxSpec& spec = options.spec_;
  const bool has_sink = options.output_sink_.has_value();
  if (has_sink && options.properties_) {
    throw Error(errc::config_error, attach_of(name) +
                                        "explicit properties and an output sink exclude each "
                                        "other; leave the properties to be derived");
  }
  if (spec.lands_artifacts() && !has_sink) {
    throw Error(errc::output_sink_required, missing_sink(name, spec));
  }
  if (declares_outputs(spec) && !spec.required_capabilities().contains(Capability::files_out)) {
    throw Error(errc::config_error, attach_of(name) + "its kind '" + spec.kind() +
                                        "' declares outputs but does not require files_out, which "
                                        "reading them needs");
  }
  router->ensure_can_serve(spec);
  if (is_guest_root(spec.work_dir())) {
    throw Error(errc::config_error, attach_of(name) +
                                        "its work directory is the guest's root; a tool works in a "
                                        "directory below it");
  }
  if (!options.body_) throw Error(errc::config_error, attach_of(name) + "its body is empty");

  const ToolProperties properties =
      options.properties_ ? *options.properties_
                          : derive_properties(spec, options.source_integrity_,
                                              options.outbound_max_confidentiality_, has_sink);
  auto session = std::make_shared<const ToolSession>(name, std::move(*router), std::move(context),
                                                     std::move(agent_dir), spec, options.log_);
  Tool::Handler handler = [session = std::move(session),
                           body = std::move(options.body_)](json::object arguments) {
    return body(session, std::move(arguments));
  };
  std::vector<Tool> tools;
  tools.emplace_back(std::move(options.name_), std::move(options.description_),
                     std::move(options.parameters_), options.approval_mode_, properties,
                     std::move(handler));
  return tools;
}

}  // namespace sandbox
