// The error table and the thrown error.
// SPDX-License-Identifier: MIT
#include "sandbox/error.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

namespace sandbox {
namespace {

// No default: the compiler names the code that a new row forgot.
bool is_enumerator(errc code) {
  switch (code) {
    case errc::config_error:
    case errc::invalid_argument:
    case errc::path_not_confined:
    case errc::not_found:
    case errc::not_a_directory:
    case errc::is_a_directory:
    case errc::os_error:
    case errc::transfer_cap_exceeded:
    case errc::artifact_name_invalid:
    case errc::no_sandbox_backend:
    case errc::backend_not_permitted:
    case errc::capability_denied:
    case errc::identity_denied:
    case errc::transfer_limits_not_permitted:
    case errc::egress_not_enforced:
    case errc::permission_denied:
    case errc::output_sink_required:
    case errc::capability_not_supported:
    case errc::os_family_not_supported:
    case errc::not_supported:
    case errc::image_unusable:
    case errc::userns_unavailable:
    case errc::protection_unavailable:
    case errc::too_large:
    case errc::too_many:
    case errc::setup_failed:
    case errc::backend_closed:
    case errc::sandbox_disposed:
    case errc::launcher_lost:
    case errc::guest_lost:
    case errc::cancelled:
    case errc::internal:
      return true;
  }
  return false;
}

std::vector<errc> every_code() {
  std::vector<errc> codes;
  for (int value = -1; value < 1000; ++value) {
    const auto code = static_cast<errc>(value);
    if (is_enumerator(code)) codes.push_back(code);
  }
  return codes;
}

// The groups of the header: codes are numbered by what the caller can do.
condition condition_of_group(errc code) {
  const int value = static_cast<int>(code);
  if (value < 40) return condition::bad_request;
  if (value < 80) return condition::denied;
  if (value < 120) return condition::unsupported;
  if (value < 160) return condition::exhausted;
  if (value < 200) return condition::unavailable;
  if (value < 240) return condition::cancelled;
  return condition::internal;
}

TEST(ErrorTable, HasOneRowForEveryCode) {
  std::set<std::string_view> names;
  ASSERT_EQ(every_code().size(), 32U);
  for (const errc code : every_code()) {
    const ErrorInfo& row = error_info(code);
    SCOPED_TRACE(row.name);
    EXPECT_EQ(row.code, code);
    EXPECT_TRUE(names.insert(row.name).second) << "the name is taken";
    EXPECT_THAT(std::string(row.name), testing::MatchesRegex("[a-z_]+"));
    EXPECT_EQ(row.what_to_do, condition_of_group(code));
    EXPECT_NE(to_string(row.what_to_do), "?");
    EXPECT_GE(row.http_status, 400);
    EXPECT_LT(row.http_status, 600);
    EXPECT_EQ(row.cli_exit_code, code == errc::cancelled ? 130 : 125);
  }
}

TEST(ErrorTable, HttpStatusSaysWhoseFaultItIs) {
  for (const errc code : every_code()) {
    const ErrorInfo& row = error_info(code);
    SCOPED_TRACE(row.name);
    const bool callers = row.what_to_do == condition::bad_request ||
                         row.what_to_do == condition::exhausted ||
                         row.what_to_do == condition::cancelled;
    if (callers) {
      EXPECT_LT(row.http_status, 500);
    }
    if (row.what_to_do == condition::unsupported) {
      EXPECT_EQ(row.http_status, 501);
    }
  }
  EXPECT_EQ(error_info(errc::not_found).http_status, 404);
  EXPECT_EQ(error_info(errc::too_many).http_status, 429);
  EXPECT_EQ(error_info(errc::internal).http_status, 500);
}

TEST(ErrorTable, UnknownCodeReadsAsInternal) {
  EXPECT_EQ(error_info(static_cast<errc>(7777)).what_to_do, condition::internal);
  const boost::system::error_code unknown(7777, sandbox_category());
  EXPECT_EQ(unknown.message(), "unknown sandbox error");
  EXPECT_NE(unknown, condition::internal);
}

TEST(ErrorCode, ComparesWithItsConditionOnly) {
  const std::vector<condition> all{
      condition::bad_request, condition::denied,    condition::unsupported, condition::exhausted,
      condition::unavailable, condition::cancelled, condition::internal};
  for (const errc code : every_code()) {
    const boost::system::error_code ec = code;
    SCOPED_TRACE(ec.message());
    EXPECT_STREQ(ec.category().name(), "sandbox");
    EXPECT_TRUE(ec.failed());
    for (const condition candidate : all) {
      EXPECT_EQ(ec == candidate, candidate == error_info(code).what_to_do) << to_string(candidate);
    }
  }
}

// SB-41
TEST(ErrorCode, NotConfinedIsNoOperatingSystemError) {
  const boost::system::error_code ec = errc::path_not_confined;
  EXPECT_NE(ec.category(), boost::system::system_category());
  EXPECT_NE(ec.category(), boost::system::generic_category());
}

TEST(ErrorCondition, HasItsWords) {
  EXPECT_EQ(make_error_condition(condition::bad_request).message(), "bad request");
  EXPECT_STREQ(make_error_condition(condition::denied).category().name(), "sandbox condition");
}

TEST(Error, KeepsItsThreeTextsApart) {
  Error error(errc::setup_failed, "step 12 failed: EPERM on /srv/secret", "uid_map of pid 71");
  EXPECT_STREQ(error.what(), "step 12 failed: EPERM on /srv/secret");
  EXPECT_EQ(error.host_detail(), "uid_map of pid 71");
  EXPECT_EQ(error.sandbox_code(), errc::setup_failed);
  EXPECT_EQ(error.what_to_do(), condition::unavailable);
  EXPECT_EQ(error.code(), condition::unavailable);
  EXPECT_EQ(error.model_sentence(), "The sandbox is not available.");
  error.with_model_sentence("Try again later.");
  EXPECT_EQ(error.model_sentence(), "Try again later.");
  EXPECT_STREQ(error.what(), "step 12 failed: EPERM on /srv/secret");
}

TEST(Error, DefaultSentenceIsFixedForEachCondition) {
  std::set<std::string> sentences;
  for (const errc code : every_code()) {
    const Error error(code, "secret what", "secret detail");
    SCOPED_TRACE(error_info(code).name);
    EXPECT_THAT(error.model_sentence(), testing::Not(testing::HasSubstr("secret")));
    EXPECT_THAT(error.model_sentence(), testing::EndsWith("."));
    EXPECT_THAT(error.model_sentence(), testing::Not(testing::ContainsRegex("[/0-9:]")));
    sentences.insert(error.model_sentence());
  }
  EXPECT_EQ(sentences.size(), 7U);
}

TEST(Error, CanBeCaughtAsASystemError) {
  try {
    throw Error(errc::not_found, "read /work/x: nothing is there");
  } catch (const boost::system::system_error& error) {
    EXPECT_EQ(error.code(), errc::not_found);
    EXPECT_STREQ(error.what(), "read /work/x: nothing is there");
  }
}

}  // namespace
}  // namespace sandbox
