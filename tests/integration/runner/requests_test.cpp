// Requests that make no sense, and where programs run.
// SPDX-License-Identifier: MIT
#include <gmock/gmock.h>

#include "runner_fixture.hpp"
#include "sandbox/router.hpp"
#include "sandbox/router_errors.hpp"

namespace sandbox::runner::testing {
namespace {

class RequestsTest : public RunnerTest {};

TEST_F(RequestsTest, SenselessRequestsAreRefusedBeforeAnythingRuns) {
  using Requests = std::vector<ExecRequest>;
  const std::string nul("a\0b", 3);
  const Requests requests = {
      ExecRequest(std::vector<std::string>()),
      ExecRequest({nul}),
      ExecRequest({"true"}).timeout(std::chrono::milliseconds(0)),
      ExecRequest({"true"}).timeout(std::chrono::milliseconds(-1)),
      ExecRequest({"true"}).environment({{"A=B", "x"}}),
      ExecRequest({"true"}).environment({{"", "x"}}),
      ExecRequest({"true"}).limits(Limits().memory(Bytes(1))),
      ExecRequest({"true"}).limits(Limits().processes(0)),
  };
  for (std::size_t i = 0; i < requests.size(); ++i) {
    EXPECT_EQ(error_of([&] { exec(requests[i]); }), errc::invalid_argument) << "request " << i;
  }
}

TEST_F(RequestsTest, ArgumentsThatAreTooLongAreRefusedWithAHint) {
  const ExecRequest request({"true", std::string(std::size_t{300} << 10U, 'x')});
  try {
    exec(request);
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.sandbox_code(), errc::too_large);
    EXPECT_THAT(error.what(), ::testing::HasSubstr("stdin"));
  }
}

// SB-22, WK-10.
TEST_F(RequestsTest, RunsInTheWorkingDirectoryExactly) {
  const std::shared_ptr<Sandbox> box = sandbox();
  EXPECT_EQ(python("import os; print(os.getcwd())").standard_output.bytes(), "/work\n");
  await(box->write_file("sub/file", "x", "/work"));
  EXPECT_EQ(exec(ExecRequest({"pwd"}).working_directory("/work/sub/.")).standard_output.bytes(),
            "/work/sub\n");
  EXPECT_EQ(error_of([&] { exec(ExecRequest({"pwd"}).working_directory("/work/none")); }),
            errc::not_found);
  EXPECT_EQ(error_of([&] { exec(ExecRequest({"pwd"}).working_directory("/work/sub/file")); }),
            errc::not_a_directory);
}

TEST_F(RequestsTest, TheWorkDirectoryIsWhereTheSpecSaysIt) {
  SandboxSpec spec("elsewhere");
  spec.work_dir("/maf-sandbox/work");
  const auto box = await(backend().acquire(SandboxKey("s", "t", "a"), spec));
  await(box->write_file("here", "x", "/maf-sandbox/work"));
  const ExecResult result = await(box->exec(ExecRequest({"sh", "-c", "pwd; ls"})));
  EXPECT_EQ(result.standard_output.bytes(), "/maf-sandbox/work\nhere\n");
}

TEST_F(RequestsTest, AWorkDirectoryThatCannotBeOneIsAConfigurationError) {
  for (const char* path : {"/", "relative", "/proc", "/usr/work", "/tmp/work", "/a/../b", "/dev"}) {
    SandboxSpec spec("odd");
    spec.work_dir(path);
    EXPECT_EQ(error_of([&] { await(backend().acquire(SandboxKey("s", "t", "a"), spec)); }),
              errc::config_error)
        << path;
  }
}

// BE-17: the router's interaction, both ways.
TEST_F(RequestsTest, TheRouterRefusesTheBackendAtItsDefaultFloorAndAdmitsItBelow) {
  const std::shared_ptr<LinuxBackend> shared = await(LinuxBackend::start(BackendOptions()));
  EXPECT_THROW(Router(shared, RouterOptions()), BackendNotPermitted);
  const Router router(shared, RouterOptions().min_isolation(Isolation::container));
  EXPECT_NO_THROW(router.ensure_can_serve(SandboxSpec("kind")));
  SandboxSpec open("kind");
  open.egress(Egress::unrestricted);
  EXPECT_THROW(router.ensure_can_serve(open), EgressNotEnforced);
  SandboxSpec listing("kind");
  listing.require_capabilities({Capability::exec, Capability::snapshot});
  EXPECT_THROW(router.ensure_can_serve(listing), CapabilityNotSupported);
  await(shared->close());
}

TEST_F(RequestsTest, AnImageThatIsNotThereIsRefusedWithTheFix) {
  for (const char* image : {"host:/nonexistent/python3", "dir:/nonexistent", "what"}) {
    try {
      await(LinuxBackend::start(BackendOptions().image(image)));
      FAIL() << image;
    } catch (const Error& error) {
      EXPECT_THAT(error.what(), ::testing::HasSubstr("/")) << image;
    }
  }
}

}  // namespace
}  // namespace sandbox::runner::testing
