// What the kind asks for, and what it shows to a model (CA0-1 to CA0-3, CA0-11).
// SPDX-License-Identifier: MIT
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/json/serialize.hpp>

#include "kind_fixture.hpp"
#include "sandbox/codeact/codeact.hpp"

namespace sandbox::codeact {
namespace {

using namespace std::chrono_literals;
using testing::caller_of;
using testing::code_of;
using testing::FakeBackend;
using testing::FakeBackendOptions;
using ::testing::HasSubstr;
using testing::router_of;

std::vector<Tool> attach(std::shared_ptr<Backend> backend,
                         CodeactOptions options = CodeactOptions()) {
  return make_codeact_tools(router_of(std::move(backend)), "agent", caller_of("scope", "thread"),
                            std::move(options));
}

TEST(CodeactSpec, AsksForNoMoreThanTheSeedDoes) {  // CA0-2
  const SandboxSpec spec = codeact_spec(CodeactOptions());
  const SandboxSpec silent("codeact");
  EXPECT_EQ(spec.kind(), "codeact");
  EXPECT_EQ(spec.work_dir(), "/work");
  const CapabilitySet wanted = {Capability::exec, Capability::files_in};
  EXPECT_EQ(spec.required_capabilities(), wanted);
  EXPECT_EQ(spec.egress(), Egress::closed);
  EXPECT_TRUE(spec.egress_allow().empty());
  EXPECT_EQ(spec.min_isolation(), std::nullopt);
  EXPECT_EQ(spec.image(), std::nullopt);
  EXPECT_EQ(spec.image_id(), std::nullopt);
  EXPECT_TRUE(spec.labels().empty());
  EXPECT_TRUE(spec.declared_outputs().empty());
  EXPECT_FALSE(spec.outputs_named_at_call_time());
  EXPECT_TRUE(spec.identities().empty());
  EXPECT_EQ(spec.required_os_family(), std::nullopt);
  EXPECT_EQ(spec.files_in(), silent.files_in());
  EXPECT_EQ(spec.files_out(), silent.files_out());
}

TEST(CodeactSpec, NamesTheImageThatWasGiven) {
  const SandboxSpec spec = codeact_spec(CodeactOptions().image("py").image_id("sha256:ab"));
  EXPECT_EQ(spec.image(), "py");
  EXPECT_EQ(spec.image_id(), "sha256:ab");
}

TEST(CodeactTools, AreOneToolThatDeclaresNothing) {  // CA0-1, CA0-3, PIN-54
  const std::vector<Tool> tools = attach(std::make_shared<FakeBackend>());
  ASSERT_EQ(tools.size(), 1U);
  const Tool& tool = tools.front();
  EXPECT_EQ(tool.name(), "execute_code");
  EXPECT_EQ(tool.approval_mode(), ApprovalMode::never_require);
  EXPECT_EQ(tool.properties(), ToolProperties());
}

TEST(CodeactTools, TakeOneRequiredString) {
  const std::vector<Tool> tools = attach(std::make_shared<FakeBackend>());
  const boost::json::object& schema = tools.front().parameters();
  EXPECT_EQ(schema.at("type"), "object");
  EXPECT_EQ(schema.at("properties").as_object().size(), 1U);
  EXPECT_EQ(schema.at("properties").at("code").at("type"), "string");
  EXPECT_EQ(boost::json::serialize(schema.at("required")), R"(["code"])");
  EXPECT_EQ(schema.at("additionalProperties"), false);
}

TEST(CodeactTools, SayWhatAModelMustKnow) {  // CA0-11
  const std::vector<Tool> tools = attach(std::make_shared<FakeBackend>());
  const std::string& text = tools.front().description();
  for (const char* fact :
       {"instead of guessing", "python3 program.py", "no network access", "Only printed text",
        "complete program every time", "replaces the previous", "go on without it"}) {
    EXPECT_THAT(text, HasSubstr(fact));
  }
}

TEST(CodeactTools, AreNothingWhenUnconfigured) {  // PIN-43
  const CodeactOptions bad = CodeactOptions().exec_timeout(0ms);
  const CallerContext caller = caller_of("scope", "thread");
  EXPECT_TRUE(make_codeact_tools(std::nullopt, "agent", caller, bad).empty());
  const Router nothing{std::vector<std::shared_ptr<Backend>>()};
  EXPECT_TRUE(make_codeact_tools(nothing, "agent", caller, bad).empty());
}

TEST(CodeactTools, RefuseATimeoutThatIsNotPositive) {
  for (const auto timeout : {0ms, -1ms}) {
    EXPECT_EQ(code_of([&] {
                attach(std::make_shared<FakeBackend>(), CodeactOptions().exec_timeout(timeout));
              }),
              errc::config_error);
  }
}

TEST(CodeactTools, RefuseABackendThatLacksExecOrFilesIn) {  // CA0-1
  for (const Capability only : {Capability::exec, Capability::files_in}) {
    FakeBackendOptions options;
    options.capabilities(CapabilitySet{only});
    const auto backend = std::make_shared<FakeBackend>(options);
    EXPECT_EQ(code_of([&] { attach(backend); }), errc::capability_not_supported);
  }
}

}  // namespace
}  // namespace sandbox::codeact
