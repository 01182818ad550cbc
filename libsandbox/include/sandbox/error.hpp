// What we could not do. What the guest did is a value: see exit_status.hpp.
// SPDX-License-Identifier: MIT
#pragma once

#include <boost/system/error_code.hpp>
#include <boost/system/result.hpp>
#include <boost/system/system_error.hpp>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>

namespace sandbox {

// Grows over time. Each code has one row in error_info(): condition, HTTP status, CLI exit code.
enum class errc {
  // bad_request: the caller can mend it
  config_error = 1,   // the host configured something that cannot be
  invalid_argument,   // a value that makes no sense (empty argv, zero limit, NUL in a path)
  path_not_confined,  // a path that leaves the working directory, or a link on the way
  not_found,          //
  not_a_directory,    //
  is_a_directory,     //
  os_error,           // any other "no" of the file system
  transfer_cap_exceeded,
  artifact_name_invalid,
  // denied: the host's policy says no
  no_sandbox_backend = 40,
  backend_not_permitted,
  capability_denied,
  identity_denied,
  transfer_limits_not_permitted,
  egress_not_enforced,
  permission_denied,
  output_sink_required,
  // unsupported: this backend or this machine cannot
  capability_not_supported = 80,
  os_family_not_supported,
  not_supported,
  image_unusable,          // the image's interpreter does not run, or is not what was recorded
  userns_unavailable,      // user namespaces are off, restricted or used up
  protection_unavailable,  // a required protection cannot be had on this host
  // exhausted
  too_large = 120,
  too_many,
  // unavailable
  setup_failed = 160,  // a numbered set-up step failed; nothing ran
  backend_closed,
  sandbox_disposed,
  launcher_lost,  // the launcher ended while we needed it
  guest_lost,     // our own failure after the start of the guest
  // cancelled
  cancelled = 200,
  // internal
  internal = 240,
};

// What the caller can do about it.
enum class condition {
  bad_request = 1,
  denied,
  unsupported,
  exhausted,
  unavailable,
  cancelled,
  internal
};

std::string_view to_string(condition value);

struct ErrorInfo {
  errc code;
  std::string_view name;  // short machine code, as in a receipt
  condition what_to_do;
  int http_status;
  int cli_exit_code;
};

// The row of a code. REQUIRES: `code` is an enumerator.
const ErrorInfo& error_info(errc code);

const boost::system::error_category& sandbox_category();
boost::system::error_code make_error_code(errc code);

const boost::system::error_category& condition_category();
boost::system::error_condition make_error_condition(condition value);

// Values and ordinary "no"s at leaves; `.value()` throws.
template <class T>
using Result = boost::system::result<T>;

// Thrown by public operations. Three texts, never mixed:
//   what()            for the operator: what we tried, on what, why it failed, what to do
//   model_sentence()  the only text that may reach a model; fixed wording, no host facts
//   host_detail()     for the log
//
// Thread safety: as a plain value.
class Error : public boost::system::system_error {
 public:
  Error(errc code, std::string what);
  Error(errc code, std::string what, std::string host_detail);
  Error(const Error&) = default;
  Error& operator=(const Error&) = default;
  Error(Error&&) = default;
  Error& operator=(Error&&) = default;
  ~Error() override;

  [[nodiscard]] const char* what() const noexcept override { return what_.c_str(); }
  [[nodiscard]] errc sandbox_code() const { return code_; }
  [[nodiscard]] condition what_to_do() const { return error_info(code_).what_to_do; }
  [[nodiscard]] const std::string& model_sentence() const { return model_sentence_; }
  [[nodiscard]] const std::string& host_detail() const { return host_detail_; }

  // REQUIRES: `sentence` is this stack's own text, without paths, addresses or provider messages.
  Error& with_model_sentence(std::string sentence);

 private:
  errc code_;
  std::string what_;
  std::string host_detail_;
  std::string model_sentence_;
};

}  // namespace sandbox

namespace boost::system {
template <>
struct is_error_code_enum<::sandbox::errc> : std::true_type {};
template <>
struct is_error_condition_enum<::sandbox::condition> : std::true_type {};
}  // namespace boost::system
