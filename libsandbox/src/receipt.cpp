// Receipts: one JSON object for the command, the server and MCP.
// SPDX-License-Identifier: MIT
#include "sandbox/receipt.hpp"

#include <algorithm>
#include <boost/json/array.hpp>
#include <boost/json/value.hpp>
#include <chrono>
#include <optional>
#include <string_view>
#include <variant>

#include "sandbox/utf8.hpp"

namespace sandbox {

namespace json = boost::json;

namespace {

// RFC 4648, section 4, with padding.
std::string base64(std::string_view bytes) {
  static constexpr std::string_view kAlphabet =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  out.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const std::size_t have = std::min<std::size_t>(3, bytes.size() - i);
    std::uint32_t group = 0;
    for (std::size_t k = 0; k < 3; ++k) {
      group <<= 8U;
      if (k < have) group |= static_cast<unsigned char>(bytes[i + k]);
    }
    for (std::size_t k = 0; k < 4; ++k) {
      out += k <= have ? kAlphabet[(group >> (18U - 6U * k)) & 0x3fU] : '=';
    }
  }
  return out;
}

// Strict JSON needs UTF-8; names of files and kernels may be any bytes.
json::string utf8(std::string_view bytes) { return json::string(to_utf8_lossy(bytes)); }

json::value utf8_or_null(std::string_view bytes) {
  if (bytes.empty()) return nullptr;
  return utf8(bytes);
}

template <class T>
json::value number_or_null(const std::optional<T>& number) {
  if (!number) return nullptr;
  return *number;
}

json::value microseconds_or_null(const std::optional<std::chrono::microseconds>& time) {
  if (!time) return nullptr;
  return static_cast<std::int64_t>(time->count());
}

json::value twin(const CapturedOutput& output) {
  if (output.is_utf8()) return nullptr;
  return json::string(base64(output.bytes()));
}

void add_streams(json::object& receipt, const CapturedOutput& out, const CapturedOutput& err) {
  receipt["stdout"] = utf8(out.text());
  receipt["stderr"] = utf8(err.text());
  receipt["stdout_bytes"] = out.total_bytes();
  receipt["stderr_bytes"] = err.total_bytes();
  receipt["stdout_truncated"] = out.truncated();
  receipt["stderr_truncated"] = err.truncated();
  receipt["stdout_base64"] = twin(out);
  receipt["stderr_base64"] = twin(err);
}

json::object usage_of(const Usage& usage) {
  json::object object;
  object["queue_us"] = microseconds_or_null(usage.queue);
  object["setup_us"] = microseconds_or_null(usage.setup);
  object["wall_us"] = microseconds_or_null(usage.wall);
  object["cpu_user_us"] = microseconds_or_null(usage.cpu_user);
  object["cpu_system_us"] = microseconds_or_null(usage.cpu_system);
  object["memory_peak_bytes"] = number_or_null(usage.memory_peak_bytes);
  object["processes_peak"] = number_or_null(usage.processes_peak);
  return object;
}

json::object enforced_of(const Enforced& enforced) {
  json::object protections;
  for (const auto& [name, state] : enforced.protections) protections[utf8(name)] = utf8(state);

  json::object object;
  object["profile"] = utf8_or_null(enforced.profile);
  object["profile_sha256"] = utf8_or_null(enforced.profile_sha256);
  object["memory"] = utf8_or_null(enforced.memory);
  object["landlock_abi"] = number_or_null(enforced.landlock_abi);
  object["wx"] = enforced.wx;
  object["proc"] = utf8_or_null(enforced.proc);
  object["kernel"] = utf8_or_null(enforced.kernel);
  object["protections"] = std::move(protections);
  return object;
}

json::array denied_of(const std::vector<DeniedCall>& denied) {
  json::array array;
  for (const DeniedCall& call : denied) {
    json::object object;
    object["call"] = utf8(call.call);
    object["count"] = call.count;
    object["arguments"] = json::array(call.arguments.begin(), call.arguments.end());
    object["sentence"] = utf8(call.sentence);
    array.push_back(std::move(object));
  }
  return array;
}

json::array files_of(const std::vector<ReceiptFile>& files) {
  json::array array;
  for (const ReceiptFile& file : files) {
    json::object object;
    object["name"] = utf8(file.name());
    object["bytes"] = file.bytes();
    object["sha256"] = utf8(file.sha256());
    array.push_back(std::move(object));
  }
  return array;
}

std::string_view outcome_of(const Error& error) {
  if (error.what_to_do() == condition::cancelled) return "cancelled";
  const errc code = error.sandbox_code();
  return code == errc::guest_lost || code == errc::launcher_lost ? "lost" : "refused";
}

// Host detail stays out: a receipt goes to whoever asked for the run.
json::object error_of(const Error& error) {
  json::object object;
  object["code"] = utf8(error_info(error.sandbox_code()).name);
  object["condition"] = utf8(to_string(error.what_to_do()));
  object["message"] = utf8(error.what());
  object["model_sentence"] = utf8(error.model_sentence());
  return object;
}

}  // namespace

json::object make_receipt(const ExecResult& result, const std::vector<ReceiptFile>& files) {
  const auto* exited = std::get_if<Exited>(&result.status.value());
  const auto* signaled = std::get_if<Signaled>(&result.status.value());
  json::object receipt;
  receipt["outcome"] = utf8(result.status.outcome());
  receipt["exit_code"] = exited == nullptr ? json::value(nullptr) : json::value(exited->code());
  receipt["signal"] = signaled == nullptr ? json::value(nullptr)
                                          : json::value(utf8(signal_name(signaled->signal())));
  add_streams(receipt, result.standard_output, result.standard_error);
  receipt["usage"] = usage_of(result.usage);
  receipt["enforced"] = enforced_of(result.enforced);
  receipt["denied"] = denied_of(result.denied);
  receipt["files"] = files_of(files);
  receipt["error"] = nullptr;
  return receipt;
}

json::object make_receipt(const Error& error) {
  // No output was captured and no time was measured: null, where zero would be a measurement.
  static constexpr std::string_view kUnknown[] = {
      "exit_code",    "signal",           "stdout",           "stderr",        "stdout_bytes",
      "stderr_bytes", "stdout_truncated", "stderr_truncated", "stdout_base64", "stderr_base64",
      "usage",        "enforced"};
  json::object receipt;
  receipt["outcome"] = utf8(outcome_of(error));
  for (const std::string_view field : kUnknown) receipt[field] = nullptr;
  receipt["denied"] = json::array();
  receipt["files"] = json::array();
  receipt["error"] = error_of(error);
  return receipt;
}

}  // namespace sandbox
