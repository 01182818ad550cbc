// The error table, its two categories, and the thrown error.
// SPDX-License-Identifier: MIT
#include "sandbox/error.hpp"

#include <algorithm>
#include <utility>

#include "words.hpp"

namespace sandbox {
namespace {

// Our own failures as a command's exit code: 125 as container tools have it, so that codes of the
// guest (0 to 124, 126 and up) stay free; 130 is 128 + SIGINT.
constexpr int kCliFailure = 125;
constexpr int kCliCancelled = 130;

// 499 is nginx's "client closed request": no registered status says that the caller went away.
constexpr std::array kErrors{
    ErrorInfo{errc::config_error, "config_error", condition::bad_request, 400, kCliFailure},
    ErrorInfo{errc::invalid_argument, "invalid_argument", condition::bad_request, 400, kCliFailure},
    ErrorInfo{errc::path_not_confined, "path_not_confined", condition::bad_request, 400,
              kCliFailure},
    ErrorInfo{errc::not_found, "not_found", condition::bad_request, 404, kCliFailure},
    ErrorInfo{errc::not_a_directory, "not_a_directory", condition::bad_request, 409, kCliFailure},
    ErrorInfo{errc::is_a_directory, "is_a_directory", condition::bad_request, 409, kCliFailure},
    ErrorInfo{errc::os_error, "os_error", condition::bad_request, 409, kCliFailure},
    ErrorInfo{errc::transfer_cap_exceeded, "transfer_cap_exceeded", condition::bad_request, 413,
              kCliFailure},
    ErrorInfo{errc::artifact_name_invalid, "artifact_name_invalid", condition::bad_request, 400,
              kCliFailure},
    ErrorInfo{errc::no_sandbox_backend, "no_sandbox_backend", condition::denied, 503, kCliFailure},
    ErrorInfo{errc::backend_not_permitted, "backend_not_permitted", condition::denied, 403,
              kCliFailure},
    ErrorInfo{errc::capability_denied, "capability_denied", condition::denied, 403, kCliFailure},
    ErrorInfo{errc::identity_denied, "identity_denied", condition::denied, 403, kCliFailure},
    ErrorInfo{errc::transfer_limits_not_permitted, "transfer_limits_not_permitted",
              condition::denied, 422, kCliFailure},
    ErrorInfo{errc::egress_not_enforced, "egress_not_enforced", condition::denied, 403,
              kCliFailure},
    ErrorInfo{errc::permission_denied, "permission_denied", condition::denied, 403, kCliFailure},
    ErrorInfo{errc::output_sink_required, "output_sink_required", condition::denied, 403,
              kCliFailure},
    ErrorInfo{errc::capability_not_supported, "capability_not_supported", condition::unsupported,
              501, kCliFailure},
    ErrorInfo{errc::os_family_not_supported, "os_family_not_supported", condition::unsupported, 501,
              kCliFailure},
    ErrorInfo{errc::not_supported, "not_supported", condition::unsupported, 501, kCliFailure},
    ErrorInfo{errc::image_unusable, "image_unusable", condition::unsupported, 501, kCliFailure},
    ErrorInfo{errc::userns_unavailable, "userns_unavailable", condition::unsupported, 501,
              kCliFailure},
    ErrorInfo{errc::protection_unavailable, "protection_unavailable", condition::unsupported, 501,
              kCliFailure},
    ErrorInfo{errc::too_large, "too_large", condition::exhausted, 413, kCliFailure},
    ErrorInfo{errc::too_many, "too_many", condition::exhausted, 429, kCliFailure},
    ErrorInfo{errc::setup_failed, "setup_failed", condition::unavailable, 503, kCliFailure},
    ErrorInfo{errc::backend_closed, "backend_closed", condition::unavailable, 503, kCliFailure},
    ErrorInfo{errc::sandbox_disposed, "sandbox_disposed", condition::unavailable, 404, kCliFailure},
    ErrorInfo{errc::launcher_lost, "launcher_lost", condition::unavailable, 503, kCliFailure},
    ErrorInfo{errc::guest_lost, "guest_lost", condition::unavailable, 503, kCliFailure},
    ErrorInfo{errc::cancelled, "cancelled", condition::cancelled, 499, kCliCancelled},
    ErrorInfo{errc::internal, "internal", condition::internal, 500, kCliFailure},
};

constexpr detail::WordTable<condition, 7> kConditionWords{{
    {condition::bad_request, "bad_request"},
    {condition::denied, "denied"},
    {condition::unsupported, "unsupported"},
    {condition::exhausted, "exhausted"},
    {condition::unavailable, "unavailable"},
    {condition::cancelled, "cancelled"},
    {condition::internal, "internal"},
}};

const ErrorInfo* find_info(errc code) {
  const auto* const row =
      std::find_if(kErrors.begin(), kErrors.end(),
                   [code](const ErrorInfo& candidate) { return candidate.code == code; });
  return row == kErrors.end() ? nullptr : row;
}

// What a model is told unless the thrower has a better sentence of ours.
std::string_view default_sentence(condition value) {
  switch (value) {
    case condition::bad_request:
      return "The request could not be carried out as it was given.";
    case condition::denied:
      return "This is not permitted here.";
    case condition::unsupported:
      return "The sandbox does not support this.";
    case condition::exhausted:
      return "A limit of the sandbox was reached.";
    case condition::unavailable:
      return "The sandbox is not available.";
    case condition::cancelled:
      return "The call was cancelled.";
    case condition::internal:
      break;
  }
  return "The sandbox failed.";
}

std::string as_words(std::string_view name) {
  std::string text(name);
  std::replace(text.begin(), text.end(), '_', ' ');
  return text;
}

// Boost's category has a protected destructor that is not virtual; ours are final and static.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wnon-virtual-dtor"
class SandboxCategory final : public boost::system::error_category {
 public:
  // A fixed id keeps two copies of the category equal when the library is linked twice.
  constexpr SandboxCategory() : error_category(0x5f1c0d0b8a6e47c1U) {}

  const char* name() const noexcept override { return "sandbox"; }

  std::string message(int value) const override {
    const ErrorInfo* const row = find_info(static_cast<errc>(value));
    return row == nullptr ? "unknown sandbox error" : as_words(row->name);
  }

  boost::system::error_condition default_error_condition(int value) const noexcept override {
    const ErrorInfo* const row = find_info(static_cast<errc>(value));
    if (row == nullptr) return {value, *this};
    return make_error_condition(row->what_to_do);
  }
};

class ConditionCategory final : public boost::system::error_category {
 public:
  constexpr ConditionCategory() : error_category(0x5f1c0d0b8a6e47c2U) {}

  const char* name() const noexcept override { return "sandbox condition"; }

  std::string message(int value) const override {
    return as_words(to_string(static_cast<condition>(value)));
  }
};
#pragma GCC diagnostic pop

constexpr SandboxCategory kSandboxCategory;
constexpr ConditionCategory kConditionCategory;

}  // namespace

std::string_view to_string(condition value) { return detail::word_of(kConditionWords, value); }

const ErrorInfo& error_info(errc code) {
  const ErrorInfo* const row = find_info(code);
  return row == nullptr ? kErrors.back() : *row;
}

const boost::system::error_category& sandbox_category() { return kSandboxCategory; }

boost::system::error_code make_error_code(errc code) {
  return {static_cast<int>(code), kSandboxCategory};
}

const boost::system::error_category& condition_category() { return kConditionCategory; }

boost::system::error_condition make_error_condition(condition value) {
  return {static_cast<int>(value), kConditionCategory};
}

Error::Error(errc code, std::string what) : Error(code, std::move(what), std::string()) {}

Error::Error(errc code, std::string what, std::string host_detail)
    : system_error(make_error_code(code)),
      code_(code),
      what_(std::move(what)),
      host_detail_(std::move(host_detail)),
      model_sentence_(default_sentence(error_info(code).what_to_do)) {}

Error::~Error() = default;

Error& Error::with_model_sentence(std::string sentence) {
  model_sentence_ = std::move(sentence);
  return *this;
}

}  // namespace sandbox
