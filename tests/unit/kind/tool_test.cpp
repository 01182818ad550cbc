// Tools: schemas, arguments, lifetimes.
// SPDX-License-Identifier: MIT
#include "sandbox/tool.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/json/parse.hpp>

#include "kind_fixture.hpp"
#include "support/run_awaitable.hpp"

namespace sandbox {
namespace {

namespace net = boost::asio;
namespace json = boost::json;
using testing::code_of;
using ::testing::HasSubstr;
using ::testing::Not;
using testing::run_awaitable;
using ::testing::StartsWith;

json::object object(const char* text) { return json::parse(text).as_object(); }

net::awaitable<ToolReply> answer(json::object arguments) {
  co_return ToolReply("called with " + std::to_string(arguments.size()));
}

Tool tool_with(const char* schema) {
  return Tool("probe", "A probe.", object(schema), ApprovalMode::never_require, ToolProperties(),
              &answer);
}

constexpr const char* kSchema = R"({"type": "object", "required": ["text"], "properties": {
    "text": {"type": "string"}, "flag": {"type": "boolean"}, "count": {"type": "integer"},
    "ratio": {"type": "number"}, "list": {"type": "array"}, "map": {"type": "object"},
    "maybe": {"type": ["string", "null"]}, "any": {}}})";

std::string reply_to(const char* schema, const char* arguments) {
  return run_awaitable(tool_with(schema).invoke(object(arguments))).text();
}

TEST(Tool, CallsTheHandlerWhenTheArgumentsFit) {
  EXPECT_EQ(reply_to(kSchema, R"({"text": "x"})"), "called with 1");
  EXPECT_EQ(reply_to(kSchema, R"({"text": "", "flag": true, "count": -3, "ratio": 1.5, "list": [],
                                  "map": {}, "maybe": null, "any": [1]})"),
            "called with 8");
}

TEST(Tool, NamesARequiredParameterThatIsMissing) {
  const std::string reply = reply_to(kSchema, R"({"txt": "x"})");
  EXPECT_THAT(reply, StartsWith("Error: "));
  EXPECT_THAT(reply, HasSubstr("'text' is missing"));
}

TEST(Tool, NamesAnUnknownParameterAndTheKnownOnes) {
  const std::string reply = reply_to(kSchema, R"({"text": "x", "file": 1})");
  EXPECT_THAT(reply, StartsWith("Error: "));
  EXPECT_THAT(reply, HasSubstr("'file'"));
  EXPECT_THAT(reply, HasSubstr("'maybe'"));
}

TEST(Tool, QuotesAnUnknownNameShortAndOnOneLine) {
  json::object arguments = object(R"({"text": "x"})");
  std::string name = "a\nb";
  for (int i = 0; i < 200; ++i) name += "\u00e9";
  arguments[name] = 1;
  const std::string reply = run_awaitable(tool_with(kSchema).invoke(arguments)).text();
  EXPECT_THAT(reply, HasSubstr("'a?b\u00e9"));
  EXPECT_THAT(reply, HasSubstr("\u00e9...'"));
  EXPECT_THAT(reply, Not(HasSubstr("\n")));
  EXPECT_LT(reply.size(), 400U);
}

TEST(Tool, TakesUnknownParametersWhenTheSchemaSaysSo) {
  EXPECT_EQ(reply_to(R"({"type": "object", "additionalProperties": true})", R"({"x": 1})"),
            "called with 1");
  EXPECT_THAT(reply_to(R"({"type": "object", "additionalProperties": false})", R"({"x": 1})"),
              HasSubstr("it takes none"));
}

class ToolArgumentType : public ::testing::TestWithParam<std::pair<const char*, const char*>> {};

TEST_P(ToolArgumentType, IsRefusedByName) {
  const auto [name, value] = GetParam();
  json::object arguments = object(R"({"text": "x"})");
  arguments[name] = json::parse(value);
  const std::string reply = run_awaitable(tool_with(kSchema).invoke(arguments)).text();
  EXPECT_THAT(reply, StartsWith("Error: "));
  EXPECT_THAT(reply, HasSubstr("'" + std::string(name) + "' must be "));
}

INSTANTIATE_TEST_SUITE_P(All, ToolArgumentType,
                         ::testing::Values(std::pair("text", "1"), std::pair("text", "null"),
                                           std::pair("flag", "0"), std::pair("count", "1.5"),
                                           std::pair("count", "\"1\""), std::pair("ratio", "true"),
                                           std::pair("list", "{}"), std::pair("map", "[]"),
                                           std::pair("maybe", "1")));

TEST(Tool, SaysWhatWasWantedAndWhatCame) {
  EXPECT_EQ(reply_to(kSchema, R"({"text": "x", "maybe": 1})"),
            "Error: probe was not called: the parameter 'maybe' must be a string or null, not a "
            "number.");
}

TEST(Tool, TakesAnIntegerHoweverItIsWritten) {
  EXPECT_EQ(reply_to(kSchema, R"({"text": "x", "count": 2.0})"), "called with 2");
  EXPECT_EQ(reply_to(kSchema, R"({"text": "x", "count": 18446744073709551615})"), "called with 2");
}

TEST(Tool, RefusesASchemaThatItCannotCheck) {
  const std::vector<const char*> bad = {
      R"({})",
      R"({"type": "array"})",
      R"({"type": "object", "properties": []})",
      R"({"type": "object", "properties": {"a": 1}})",
      R"({"type": "object", "properties": {"a": {"type": "text"}}})",
      R"({"type": "object", "properties": {"a": {"type": []}}})",
      R"({"type": "object", "properties": {"a": {"type": ["string", 1]}}})",
      R"({"type": "object", "required": "a"})",
      R"({"type": "object", "required": ["a"]})",
  };
  for (const char* schema : bad) {
    EXPECT_EQ(code_of([&] { tool_with(schema); }), errc::config_error) << schema;
  }
}

TEST(Tool, RefusesAnEmptyNameOrHandler) {
  const json::object schema = object(R"({"type": "object"})");
  EXPECT_EQ(code_of([&] {
              Tool("", "", schema, ApprovalMode::never_require, ToolProperties(), &answer);
            }),
            errc::config_error);
  EXPECT_EQ(code_of([&] {
              Tool("x", "", schema, ApprovalMode::never_require, ToolProperties(), nullptr);
            }),
            errc::config_error);
}

TEST(Tool, MayGoAwayDuringACall) {
  net::awaitable<ToolReply> call = [] {
    const std::string secret(100, 's');
    const Tool tool(
        "probe", "", object(R"({"type": "object"})"), ApprovalMode::never_require, ToolProperties(),
        [secret](json::object) -> net::awaitable<ToolReply> { co_return ToolReply(secret); });
    return tool.invoke(json::object());
  }();
  EXPECT_EQ(run_awaitable(std::move(call)).text(), std::string(100, 's'));
}

TEST(ToolReply, IsAnErrorByItsFirstWord) {
  EXPECT_TRUE(ToolReply("Error: no").is_error());
  EXPECT_FALSE(ToolReply("stdout:\nError: no").is_error());
  EXPECT_FALSE(ToolReply("").is_error());
}

TEST(ToolProperties, DeclareNothingUnlessTold) {
  ToolProperties properties;
  EXPECT_EQ(properties.source_integrity(), std::nullopt);
  EXPECT_EQ(properties.max_allowed_confidentiality(), std::nullopt);
  properties.source_integrity(SourceIntegrity::untrusted).max_allowed_confidentiality("secret");
  EXPECT_EQ(properties.source_integrity(), SourceIntegrity::untrusted);
  EXPECT_EQ(properties.max_allowed_confidentiality(), "secret");
}

TEST(ApprovalMode, HasWireWords) {
  EXPECT_EQ(to_string(ApprovalMode::never_require), "never_require");
  EXPECT_EQ(to_string(ApprovalMode::always_require), "always_require");
}

}  // namespace
}  // namespace sandbox
