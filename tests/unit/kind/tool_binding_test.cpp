// The layer between a kind and a host (contract 6.1).
// SPDX-License-Identifier: MIT
#include "sandbox/tool_binding.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/asio/error.hpp>
#include <stdexcept>
#include <system_error>

#include "kind_fixture.hpp"
#include "sandbox/router_errors.hpp"
#include "support/run_awaitable.hpp"

namespace sandbox {
namespace {

namespace net = boost::asio;
namespace json = boost::json;
using ::testing::AllOf;
using testing::caller_of;
using testing::code_of;
using testing::FakeBackend;
using testing::FakeBackendOperation;
using ::testing::HasSubstr;
using testing::KeptLog;
using testing::kSecret;
using ::testing::Not;
using testing::router_of;
using testing::run_awaitable;
using ::testing::StartsWith;

json::object no_parameters() {
  json::object schema;
  schema["type"] = "object";
  return schema;
}

net::awaitable<ToolReply> say_ok(std::shared_ptr<const ToolSession>, json::object) {
  co_return ToolReply("ok");
}

SandboxedToolOptions options_for(SandboxSpec spec) {
  return SandboxedToolOptions("probe", "A probe.", no_parameters(), std::move(spec), &say_ok);
}

OutputSink some_sink() {
  return OutputSink([](Artifact artifact) -> net::awaitable<LandedArtifact> {
    co_return LandedArtifact(artifact.name(), artifact.name(), std::nullopt);
  });
}

SandboxSpec landing_spec() {
  SandboxSpec spec("probe");
  CapabilitySet capabilities = default_capabilities();
  capabilities.insert(Capability::files_out);
  spec.outputs_named_at_call_time(true).require_capabilities(std::move(capabilities));
  return spec;
}

class SandboxedTool : public ::testing::Test {
 protected:
  SandboxedTool() {
    CapabilitySet all = default_capabilities();
    all.insert(Capability::files_out);
    testing::FakeBackendOptions options;
    options.capabilities(all).egress_modes(
        EgressSet{Egress::unrestricted, Egress::allowlist, Egress::closed});
    backend_ = std::make_shared<FakeBackend>(options);
  }

  std::vector<Tool> attach(SandboxedToolOptions options) {
    return sandboxed_tool(router_of(backend_), caller_of("scope", "thread"), "agent",
                          std::move(options));
  }
  std::optional<errc> refusal(SandboxedToolOptions options) {
    return code_of([&] { attach(std::move(options)); });
  }
  ToolProperties properties(SandboxedToolOptions options) {
    return attach(std::move(options)).front().properties();
  }

  std::shared_ptr<FakeBackend> backend_;
};

TEST_F(SandboxedTool, IsOneToolThatCallsItsBody) {
  const std::vector<Tool> tools = attach(options_for(SandboxSpec("probe")));
  ASSERT_EQ(tools.size(), 1U);
  EXPECT_EQ(tools.front().name(), "probe");
  EXPECT_EQ(tools.front().approval_mode(), ApprovalMode::never_require);
  EXPECT_EQ(run_awaitable(tools.front().invoke(json::object())).text(), "ok");
}

TEST_F(SandboxedTool, IsNothingWhenUnconfiguredWhateverElseIsWrong) {  // PIN-43
  SandboxSpec spec("probe");
  spec.outputs_named_at_call_time(true).work_dir("/").egress_allow({"example.org"});
  SandboxedToolOptions options("", "", json::object(), spec, nullptr);
  options.output_sink(some_sink()).properties(ToolProperties());
  const CallerContext caller = caller_of("scope", "thread");
  EXPECT_TRUE(sandboxed_tool(std::nullopt, caller, "agent", options).empty());
  const Router nothing{std::vector<std::shared_ptr<Backend>>()};
  EXPECT_TRUE(sandboxed_tool(nothing, caller, "agent", options).empty());
}

TEST_F(SandboxedTool, RefusesASinkWithExplicitPropertiesFirst) {  // PIN-44
  SandboxedToolOptions fine_but_for_that = options_for(landing_spec());
  fine_but_for_that.properties(ToolProperties()).output_sink(some_sink());
  EXPECT_EQ(refusal(fine_but_for_that), errc::config_error);

  SandboxSpec also_unservable = landing_spec();
  also_unservable.require_capabilities(CapabilitySet{Capability::files_out, Capability::snapshot});
  SandboxedToolOptions two_faults = options_for(also_unservable);
  two_faults.properties(ToolProperties()).output_sink(some_sink());
  EXPECT_EQ(refusal(two_faults), errc::config_error);
}

TEST_F(SandboxedTool, RefusesLandingWithoutASinkBeforeItsCapability) {
  SandboxSpec at_call_time("probe");
  at_call_time.outputs_named_at_call_time(true);  // files_out is missing too: next test
  EXPECT_EQ(refusal(options_for(at_call_time)), errc::output_sink_required);
  SandboxSpec named("probe");
  named.declared_outputs({DeclaredOutput("plot.png")});
  try {
    attach(options_for(named));
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.sandbox_code(), errc::output_sink_required);
    EXPECT_THAT(error.what(), HasSubstr("plot.png"));
  }
}

TEST_F(SandboxedTool, RefusesOutputsWithoutFilesOut) {
  SandboxSpec consumed("probe");
  consumed.declared_outputs({DeclaredOutput("x").disposition(OutputDisposition::consume)});
  EXPECT_EQ(refusal(options_for(consumed)), errc::config_error);
  SandboxSpec landed("probe");
  landed.outputs_named_at_call_time(true);
  EXPECT_EQ(refusal(options_for(landed).output_sink(some_sink())), errc::config_error);
}

TEST_F(SandboxedTool, AsksTheRouterBeforeItAttaches) {
  SandboxSpec spec("probe");
  spec.require_capabilities(CapabilitySet{Capability::snapshot});
  EXPECT_EQ(refusal(options_for(spec)), errc::capability_not_supported);
  EXPECT_TRUE(backend_->acquired_keys().empty());
}

TEST_F(SandboxedTool, RefusesTheGuestsRootAsWorkDirectory) {
  for (const char* root : {"/", "//", "/a/..", "/."}) {
    EXPECT_EQ(refusal(options_for(SandboxSpec("probe").work_dir(root))), errc::config_error)
        << root;
  }
}

TEST_F(SandboxedTool, RefusesAnEmptyBody) {
  EXPECT_EQ(refusal(SandboxedToolOptions("probe", "", no_parameters(), SandboxSpec("probe"),
                                         SandboxedToolOptions::Body())),
            errc::config_error);
}

TEST_F(SandboxedTool, WritesItsIntegrityUnlessThereIsNone) {  // TB-10
  EXPECT_EQ(properties(options_for(SandboxSpec("probe"))).source_integrity(),
            SourceIntegrity::trusted);
  EXPECT_EQ(properties(options_for(SandboxSpec("probe")).source_integrity(std::nullopt)),
            ToolProperties());
}

TEST_F(SandboxedTool, WritesTheCapOnlyWhereSomethingCanLeave) {  // TB-10
  const auto cap_of = [&](SandboxSpec spec, bool sink) {
    SandboxedToolOptions options = options_for(std::move(spec));
    options.outbound_max_confidentiality("internal");
    if (sink) options.output_sink(some_sink());
    return properties(std::move(options)).max_allowed_confidentiality();
  };
  const std::optional<std::string> internal = "internal";
  const std::optional<std::string> none;
  EXPECT_EQ(cap_of(SandboxSpec("probe"), false), none);
  EXPECT_EQ(cap_of(SandboxSpec("probe"), true), none);
  EXPECT_EQ(cap_of(SandboxSpec("probe").egress(Egress::allowlist), false), none);
  EXPECT_EQ(
      cap_of(SandboxSpec("probe").egress(Egress::allowlist).egress_allow({"example.org"}), false),
      internal);
  EXPECT_EQ(cap_of(SandboxSpec("probe").egress(Egress::unrestricted), false), internal);
  EXPECT_EQ(cap_of(landing_spec(), true), internal);
  // No cap was given: nothing to write.
  EXPECT_EQ(properties(options_for(SandboxSpec("probe").egress(Egress::unrestricted)))
                .max_allowed_confidentiality(),
            none);
}

TEST_F(SandboxedTool, TakesExplicitPropertiesVerbatim) {  // PIN-44
  ToolProperties given;
  given.source_integrity(SourceIntegrity::untrusted);
  SandboxedToolOptions options = options_for(SandboxSpec("probe").egress(Egress::unrestricted));
  options.properties(given).outbound_max_confidentiality("internal");
  EXPECT_EQ(properties(options), given);
}

class Session : public ::testing::Test {
 protected:
  ToolSession session(CallerContext context) const {
    return ToolSession("probe", router_of(backend_), std::move(context), "agent",
                       SandboxSpec("probe"), log_.sink());
  }
  // What acquire tells the model when the backend fails in this way.
  template <class E>
  std::string reply_when_acquire_fails(E error) {
    backend_->fail_with(FakeBackendOperation::acquire, std::move(error));
    const ToolSession one = session(caller_of("scope", "thread"));
    const auto got = run_awaitable(one.acquire(SandboxKey("scope", "thread", "agent")));
    return std::get<ModelMessage>(got).text();
  }

  std::shared_ptr<FakeBackend> backend_ = std::make_shared<FakeBackend>();
  KeptLog log_;
};

TEST_F(Session, AsksForTheKeyAtEachCall) {  // TB-3
  std::string thread = "one";
  const ToolSession one = session(CallerContext(
      [&] { return "scope-of-" + thread; }, [&] { return std::optional(thread); }, &list_no_files));
  EXPECT_EQ(std::get<SandboxKey>(one.key()), SandboxKey("scope-of-one", "one", "agent"));
  thread = "two";
  EXPECT_EQ(std::get<SandboxKey>(one.key()), SandboxKey("scope-of-two", "two", "agent"));
}

TEST_F(Session, HasNoKeyWithoutAThreadAndDoesNotAskTheScope) {  // TB-4, MV-1
  int asked = 0;
  const ToolSession one = session(CallerContext(
      [&] {
        ++asked;
        return std::string("scope");
      },
      [] { return std::optional<std::string>(); }, &list_no_files));
  const std::string text = std::get<ModelMessage>(one.key()).text();
  EXPECT_THAT(text, StartsWith("Error: "));
  EXPECT_THAT(text, AllOf(HasSubstr("probe"), HasSubstr("no active thread context"),
                          HasSubstr("from within a thread")));
  EXPECT_EQ(asked, 0);
}

TEST_F(Session, GivesTheSandboxOfTheKey) {
  const ToolSession one = session(caller_of("scope", "thread"));
  const auto got = run_awaitable(one.acquire(SandboxKey("scope", "thread", "agent")));
  EXPECT_EQ(std::get<std::shared_ptr<Sandbox>>(got), backend_->shared_sandbox());
}

TEST_F(Session, SaysThatNoBackendIsConfigured) {  // MV-2
  const ToolSession one("probe", Router(std::vector<std::shared_ptr<Backend>>()),
                        caller_of("scope", "thread"), "agent", SandboxSpec("probe"), log_.sink());
  const auto got = run_awaitable(one.acquire(SandboxKey("scope", "thread", "agent")));
  const std::string text = std::get<ModelMessage>(got).text();
  EXPECT_THAT(text, StartsWith("Error: "));
  EXPECT_THAT(text,
              AllOf(HasSubstr("no sandbox backend is configured"), HasSubstr("degrading to T0")));
}

TEST_F(Session, SaysUnavailableAndKeepsTheDetailForTheLog) {  // MV-2
  const std::string of_runtime = reply_when_acquire_fails(std::runtime_error(kSecret));
  const std::string of_error = reply_when_acquire_fails(
      Error(errc::setup_failed, std::string("connect to ") + kSecret, "detail-of-the-host"));
  for (const std::string& text : {of_runtime, of_error}) {
    EXPECT_THAT(text, StartsWith("Error: "));
    EXPECT_THAT(text, AllOf(HasSubstr("unavailable"), HasSubstr("degrading to T0")));
    EXPECT_THAT(text, Not(HasSubstr(kSecret)));
    EXPECT_THAT(text, Not(HasSubstr("detail-of-the-host")));
  }
  EXPECT_THAT(log_.text(), AllOf(HasSubstr(kSecret), HasSubstr("detail-of-the-host")));
}

TEST_F(Session, SaysUnavailableForWhatIsNoException) {
  EXPECT_THAT(reply_when_acquire_fails(42), HasSubstr("unavailable"));
}

TEST_F(Session, TellsAnAuthoredConfigurationErrorVerbatim) {  // MV-3
  Error error(errc::config_error, std::string("open ") + kSecret);
  error.with_model_sentence("No image is configured for this kind; name one.");
  EXPECT_EQ(reply_when_acquire_fails(error),
            "Error: No image is configured for this kind; name one.");
  EXPECT_THAT(log_.text(), HasSubstr(kSecret));
}

TEST_F(Session, KeepsTheTextOfAConfigurationErrorThatNobodyAuthored) {
  const std::string text =
      reply_when_acquire_fails(Error(errc::config_error, std::string("open ") + kSecret));
  EXPECT_THAT(text, StartsWith("Error: "));
  EXPECT_THAT(text, Not(HasSubstr(kSecret)));
}

TEST_F(Session, PassesACancellationOn) {  // TB-5
  EXPECT_EQ(code_of([&] { reply_when_acquire_fails(Error(errc::cancelled, "stop")); }),
            errc::cancelled);
  EXPECT_THROW(reply_when_acquire_fails(
                   boost::system::system_error(make_error_code(net::error::operation_aborted))),
               boost::system::system_error);
  EXPECT_EQ(log_.text(), "");
}

TEST_F(Session, PutsTheToolsNameBeforeALogRecord) {  // TB-12
  const ToolSession one("100%s", router_of(backend_), caller_of("scope", "thread"), "agent",
                        SandboxSpec("probe"), log_.sink());
  one.log(LogLevel::info, "%d done");
  EXPECT_EQ(log_.text(), "100%s: %d done\n");
}

TEST(IsCancellation, KnowsEveryWayToSayIt) {
  const auto says = [](auto error) { return is_cancellation(std::make_exception_ptr(error)); };
  EXPECT_TRUE(says(Error(errc::cancelled, "")));
  EXPECT_TRUE(says(boost::system::system_error(make_error_code(net::error::operation_aborted))));
  EXPECT_TRUE(says(std::system_error(std::make_error_code(std::errc::operation_canceled))));
  EXPECT_FALSE(says(Error(errc::guest_lost, "")));
  EXPECT_FALSE(says(boost::system::system_error(make_error_code(net::error::timed_out))));
  EXPECT_FALSE(says(std::runtime_error("cancelled")));
  EXPECT_FALSE(says(1));
}

TEST(CallerContext, CallsNothingWhenItIsMade) {
  int calls = 0;
  const CallerContext context(
      [&] {
        ++calls;
        return std::string();
      },
      [&] {
        ++calls;
        return std::optional<std::string>();
      },
      [&](std::string store) {
        ++calls;
        return list_no_files(std::move(store));
      });
  EXPECT_EQ(calls, 0);
  EXPECT_TRUE(run_awaitable(context.list_files("store")).empty());
  EXPECT_EQ(calls, 1);
}

TEST(CallerContext, RefusesAnEmptyFunction) {
  const auto scope = [] { return std::string(); };
  const auto thread = [] { return std::optional<std::string>(); };
  EXPECT_EQ(code_of([&] { CallerContext(nullptr, thread, &list_no_files); }), errc::config_error);
  EXPECT_EQ(code_of([&] { CallerContext(scope, nullptr, &list_no_files); }), errc::config_error);
  EXPECT_EQ(code_of([&] { CallerContext(scope, thread, nullptr); }), errc::config_error);
}

}  // namespace
}  // namespace sandbox
