// The execute_code kind: one call from its key to its reply (contract 6.2).
// SPDX-License-Identifier: MIT
#include "sandbox/codeact/codeact.hpp"

#include <algorithm>
#include <boost/json/object.hpp>
#include <exception>
#include <memory>
#include <string_view>
#include <utility>
#include <variant>

#include "description.hpp"
#include "result_text.hpp"
#include "sandbox/error.hpp"
#include "sandbox/tool_binding.hpp"
#include "sandbox/utf8.hpp"
#include "turns.hpp"

namespace sandbox::codeact {

namespace net = boost::asio;
namespace json = boost::json;

namespace {

using Session = std::shared_ptr<const ToolSession>;
using Milliseconds = std::chrono::milliseconds;

constexpr const char* kWorkDirectory = "/work";
constexpr const char* kProgramName = "program.py";
constexpr const char* kProgramPath = "/work/program.py";

constexpr const char* kCouldNotWrite =
    "Error: could not write the program into the sandbox; it was not run.";
constexpr const char* kCouldNotRun = "Error: could not run the program.";

// Why this text cannot be a program, or nullopt. Nothing is acquired for one that cannot (CA-IN).
std::optional<std::string> refusal_of(std::string_view code, const TransferLimits& limits) {
  if (!is_utf8(code)) return "Error: the code is not valid UTF-8 text; nothing was run.";
  if (code.find('\0') != std::string_view::npos) {
    return "Error: the code holds a NUL character, which Python source cannot; nothing was run.";
  }
  const std::uint64_t most =
      std::min(limits.max_bytes_per_file().count(), limits.max_total_bytes().count());
  if (code.size() > most) {
    return "Error: the code has " + std::to_string(code.size()) + " bytes and at most " +
           std::to_string(most) + " are allowed; nothing was run.";
  }
  return std::nullopt;
}

// The fixed sentence for the model, the detail for the log; a cancellation goes on (MV-14, MV-18).
ToolReply failed(const ToolSession& session, const std::exception_ptr& failure, const char* what,
                 const char* sentence) {
  if (is_cancellation(failure)) std::rethrow_exception(failure);
  session.log(LogLevel::error, std::string(what) + ": " + failure_text(failure));
  return ToolReply(sentence);
}

ToolReply reply_to(const ToolSession& session, const ExecResult& result, Milliseconds timeout) {
  const ExitStatus::Variant& status = result.status.value();
  if (std::holds_alternative<Cancelled>(status)) {
    throw Error(errc::cancelled, "run the program: cancelled");
  }
  if (std::holds_alternative<Refused>(status) || std::holds_alternative<Lost>(status)) {
    session.log(LogLevel::error, "run the program: " + result.status.sentence());
    return ToolReply(kCouldNotRun);
  }
  return ToolReply(result_text(result, timeout));
}

net::awaitable<ToolReply> write_and_run(Session session, std::shared_ptr<Sandbox> sandbox,
                                        std::string code, Milliseconds timeout) {
  std::exception_ptr failure;
  try {
    co_await write_program(sandbox, std::move(code));
  } catch (...) {
    failure = std::current_exception();
  }
  if (failure) co_return failed(*session, failure, "write the program", kCouldNotWrite);

  std::optional<ExecResult> result;
  try {
    ExecRequest request = program_request();
    request.timeout(timeout);
    result = co_await sandbox->exec(std::move(request));
  } catch (...) {
    failure = std::current_exception();
  }
  if (failure) co_return failed(*session, failure, "run the program", kCouldNotRun);
  co_return reply_to(*session, *result, timeout);
}

net::awaitable<ToolReply> execute_code(Session session, std::shared_ptr<Turns> turns,
                                       json::object arguments, Milliseconds timeout) {
  const OrMessage<SandboxKey> key = session->key();
  if (const auto* message = std::get_if<ModelMessage>(&key)) co_return ToolReply(message->text());

  const json::string& text = arguments.at("code").as_string();
  std::string code(text.data(), text.size());
  if (auto refusal = refusal_of(code, session->spec().files_in())) {
    co_return ToolReply(std::move(*refusal));
  }

  const auto& identity = std::get<SandboxKey>(key);
  const auto sandbox = co_await session->acquire(identity);
  if (const auto* message = std::get_if<ModelMessage>(&sandbox)) {
    co_return ToolReply(message->text());
  }
  const std::unique_ptr<Turns::Turn> turn = co_await turns->take(identity);
  co_return co_await write_and_run(std::move(session), std::get<std::shared_ptr<Sandbox>>(sandbox),
                                   std::move(code), timeout);
}

}  // namespace

CodeactOptions& CodeactOptions::image(std::string reference) {
  image_ = std::move(reference);
  return *this;
}

CodeactOptions& CodeactOptions::image_id(std::string pinned) {
  image_id_ = std::move(pinned);
  return *this;
}

CodeactOptions& CodeactOptions::exec_timeout(std::chrono::milliseconds value) {
  exec_timeout_ = value;
  return *this;
}

CodeactOptions& CodeactOptions::log(LogSink sink) {
  log_ = std::move(sink);
  return *this;
}

SandboxSpec codeact_spec(const CodeactOptions& options) {
  CapabilitySet capabilities;
  capabilities.insert(Capability::exec);
  capabilities.insert(Capability::files_in);

  SandboxSpec spec("codeact");
  spec.work_dir(kWorkDirectory).require_capabilities(std::move(capabilities));
  if (options.image()) spec.image(*options.image());
  if (options.image_id()) spec.image_id(*options.image_id());
  return spec;
}

net::awaitable<void> write_program(std::shared_ptr<Sandbox> sandbox, std::string source) {
  co_await sandbox->write_file(kProgramName, std::move(source), kWorkDirectory);
}

// The source is file content and nothing else: the command line is the same for every program
// (CA0-5).
ExecRequest program_request() {
  std::vector<std::string> argv;
  argv.emplace_back("python3");
  argv.emplace_back(kProgramPath);
  ExecRequest request(std::move(argv));
  request.working_directory(kWorkDirectory);
  return request;
}

std::vector<Tool> make_codeact_tools(std::optional<Router> router, std::string agent_dir,
                                     CallerContext context, CodeactOptions options) {
  if (!router || !router->enabled()) return {};
  const Milliseconds timeout = options.exec_timeout();
  if (timeout <= Milliseconds::zero()) {
    throw Error(errc::config_error, "make the codeact tools: the exec timeout is " +
                                        std::to_string(timeout.count()) +
                                        " ms; give a positive one");
  }
  auto body = [timeout, turns = std::make_shared<Turns>()](Session session,
                                                           json::object arguments) {
    return execute_code(std::move(session), turns, std::move(arguments), timeout);
  };
  SandboxedToolOptions tool(std::string(kToolName), std::string(description()), parameters(),
                            codeact_spec(options), std::move(body));
  // Nothing is declared: the host's own default, untrusted, applies (CA0-3, PIN-54).
  tool.approval_mode(ApprovalMode::never_require).source_integrity(std::nullopt).log(options.log());
  return sandboxed_tool(std::move(router), std::move(context), std::move(agent_dir),
                        std::move(tool));
}

}  // namespace sandbox::codeact
