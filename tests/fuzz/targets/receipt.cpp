// Receipts: strict JSON in UTF-8 with every field, whatever the guest printed.
// SPDX-License-Identifier: MIT
#include "sandbox/receipt.hpp"

#include <array>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <optional>

#include "sandbox/utf8.hpp"
#include "targets.hpp"

namespace sandbox::fuzz {
namespace {

namespace json = boost::json;

constexpr std::string_view kFields[] = {
    "outcome",          "exit_code",     "signal",        "stdout", "stderr",   "stdout_bytes",
    "stderr_bytes",     "stdout_base64", "stderr_base64", "usage",  "enforced", "stdout_truncated",
    "stderr_truncated", "denied",        "files",         "error"};

constexpr errc kCodes[] = {errc::config_error,   errc::path_not_confined, errc::permission_denied,
                           errc::not_supported,  errc::too_large,         errc::setup_failed,
                           errc::launcher_lost,  errc::guest_lost,        errc::cancelled,
                           errc::backend_closed, errc::internal};

ExitStatus take_status(Reader& reader) {
  const auto kind = reader.take<unsigned char>();
  const auto number = reader.take<unsigned char>();
  switch (kind % 6) {
    case 0:
      return Exited(number);
    case 1:
      return Signaled(number);
    case 2:
      return LimitHit(static_cast<Limit>(number % 4), reader.text());
    case 3:
      return Cancelled();
    case 4:
      return Refused();
    default:
      return Lost();
  }
}

CapturedOutput take_output(Reader& reader) {
  const auto total = reader.take<std::uint32_t>();
  std::string head = reader.text();
  return {std::move(head), reader.text(), total};
}

ExecResult take_result(Reader& reader) {
  ExecResult result(take_status(reader));
  result.standard_output = take_output(reader);
  result.standard_error = take_output(reader);
  result.usage.wall = std::chrono::microseconds(reader.take<std::int64_t>());
  const auto peak = reader.take<std::uint64_t>();
  if (peak % 2 == 1) result.usage.memory_peak_bytes = peak;
  for (std::string* text : {&result.enforced.profile, &result.enforced.kernel})
    *text = reader.text();
  for (int i = 0; i < 2; ++i) {
    const std::string name = reader.text();
    result.enforced.protections[name] = reader.text();
  }
  DeniedCall denied;
  denied.call = reader.text();
  denied.count = peak;
  denied.arguments = {peak, 0, ~peak};
  denied.sentence = reader.text();
  result.denied.push_back(denied);
  return result;
}

std::optional<std::string> from_base64(std::string_view text) {
  constexpr std::string_view kAlphabet =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  if (text.size() % 4 != 0) return std::nullopt;
  const std::size_t end = std::min(text.find('='), text.size());
  if (text.size() - end > 2 || text.substr(end) != std::string(text.size() - end, '=')) return {};
  std::string bytes;
  unsigned window = 0;
  unsigned bits = 0;
  for (const char c : text.substr(0, end)) {
    const std::size_t value = kAlphabet.find(c);
    if (value == std::string_view::npos) return std::nullopt;
    window = (window << 6U | static_cast<unsigned>(value)) & 0xFFFFU;
    bits += 6;
    if (bits < 8) continue;
    bits -= 8;
    bytes += static_cast<char>(window >> bits & 0xFFU);
  }
  return bytes;
}

void check_strict(const json::object& receipt) {
  for (const std::string_view field : kFields) check(receipt.contains(field), "every field");
  check(receipt.size() == std::size(kFields), "and no other");
  const std::string text = json::serialize(receipt);
  check(is_utf8(text), "a receipt is UTF-8");
  boost::system::error_code code;
  const json::value read = json::parse(text, code);
  check(!code, "a receipt is strict JSON");
  check(read == json::value(receipt), "a receipt reads as what was written");
}

void check_twin(const json::value& twin, const CapturedOutput& output) {
  check(twin.is_null() == output.is_utf8(), "a twin exactly where the text is no whole truth");
  if (twin.is_null()) return;
  check(from_base64(twin.as_string()) == output.bytes(), "the twin is what was kept");
}

void check_tables(int signal) {
  const std::string name = signal_name(signal);
  check(!name.empty() && escape_for_terminal(name) == name, "every signal has a plain name");
  check(name.starts_with("SIG") == (signal >= 1 && signal <= 64 && !name.starts_with("signal ")),
        "the names are those of signals");
}

}  // namespace

void receipt(Bytes input) {
  Reader reader(input);
  check_tables(reader.take<std::int32_t>());
  const ExecResult result = take_result(reader);
  const ExitStatus& status = result.status;
  check(!status.outcome().empty() && !status.sentence().empty(), "every end has words");
  check(status.shell_code() >= 0, "every end has a number");

  std::vector<ReceiptFile> files;
  files.emplace_back(reader.text(), reader.take<std::uint64_t>(), reader.text());
  const json::object receipt = make_receipt(result, files);
  check_strict(receipt);
  check_twin(receipt.at("stdout_base64"), result.standard_output);
  check_twin(receipt.at("stderr_base64"), result.standard_error);

  const errc code = kCodes[reader.take<unsigned char>() % std::size(kCodes)];
  check_strict(make_receipt(Error(code, reader.text(), std::string(text_of(reader.rest())))));
}

}  // namespace sandbox::fuzz
