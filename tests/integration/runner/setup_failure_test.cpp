// Every set-up step made to fail: always an error that names it, never a weaker run, nothing left.
// SPDX-License-Identifier: MIT
#include <gmock/gmock.h>

#include <cerrno>

#include "backend_core.hpp"
#include "explain.hpp"
#include "linux_sandbox.hpp"
#include "runner_fixture.hpp"

namespace sandbox::runner::testing {
namespace {

using launcher::Step;
using ::testing::HasSubstr;

class SetupFailureTest : public RunnerTest {
 protected:
  void start(const std::string& profile = "default") {
    BackendOptions chosen;
    chosen.profile(profile);
    core_ = std::make_shared<BackendCore>(
        io().get_executor(), chosen, LauncherClient::start(),
        compile_profile(profile, builtin_profile(profile), native_arch()),
        find_outside_identity(std::nullopt));
    image_ = std::make_shared<const Image>(resolve_image("host"));
  }

  void TearDown() override {
    if (core_) await(core_->launcher.close());
    core_.reset();
    RunnerTest::TearDown();
  }

  void fail_at(Step step, int error) {
    core_->fail_at.step = step;
    core_->fail_at.error = error;
  }

  std::shared_ptr<LinuxSandbox> make() { return await(LinuxSandbox::make(core_, image_, "/work")); }

  std::shared_ptr<BackendCore> core_;
  std::shared_ptr<const Image> image_;
};

// Steps that do not happen on every host.
bool is_for_root(Step step) {
  return step == Step::drop_groups || step == Step::drop_gid || step == Step::drop_uid;
}

TEST_F(SetupFailureTest, EachStepOfMakingASandboxIsNamedWhenItFails) {
  start("loopback");
  for (int number = 10; number <= static_cast<int>(Step::open_work); ++number) {
    const auto step = static_cast<Step>(number);
    if (step == Step::tree_keep || (is_for_root(step) && !core_->identity.switch_identity))
      continue;
    SCOPED_TRACE(step_name(step));
    fail_at(step, EIO);
    try {
      make();
      ADD_FAILURE() << "the sandbox was made all the same";
    } catch (const Error& error) {
      EXPECT_THAT(error.what(), HasSubstr(" " + step_name(step) + "]"));
      EXPECT_THAT(error.what(), HasSubstr("Input/output error"));
      EXPECT_THAT(error.sandbox_code(),
                  ::testing::AnyOf(errc::setup_failed, errc::userns_unavailable));
    }
  }
  fail_at(Step::none, 0);
  EXPECT_NO_THROW(make());
}

TEST_F(SetupFailureTest, EachStepOfARunIsNamedWhenItFailsAndNothingRuns) {
  start();
  const auto box = make();
  for (int number = 50; number <= static_cast<int>(Step::exec); ++number) {
    const auto step = static_cast<Step>(number);
    if (step_name(step).starts_with("step ")) continue;  // a gap in the numbers
    SCOPED_TRACE(step_name(step));
    fail_at(step, step == Step::exec ? E2BIG : EIO);
    ExecRequest request = python_request("open('/work/ran', 'w')");
    try {
      const ExecResult result = await(box->exec(request));
      ADD_FAILURE() << "a run all the same: " << result.status.sentence();
    } catch (const Error& error) {
      if (step != Step::working_directory) {
        EXPECT_THAT(error.what(), HasSubstr(" " + step_name(step) + "]"));
      }
    }
    EXPECT_EQ(await(box->stat_file("ran", "/work")), std::nullopt);
  }
  fail_at(Step::none, 0);
  EXPECT_TRUE(await(box->exec(ExecRequest({"true"}))).status.exited_with(0));
}

// What people really meet, and what they must be told.
TEST_F(SetupFailureTest, TheUsualCausesComeWithTheirFix) {
  start();
  struct Row {
    Step step;
    int error;
    errc code;
    const char* fix;
  };
  const Row rows[] = {
      {Step::user_namespace, EPERM, errc::userns_unavailable,
       "apparmor_restrict_unprivileged_userns"},
      {Step::user_namespace, ENOSPC, errc::userns_unavailable, "user.max_user_namespaces"},
      {Step::uid_map, EPERM, errc::userns_unavailable, "uid_map"},
      {Step::proc_mount, EPERM, errc::setup_failed, "systempaths=unconfined"},
      {Step::sandbox_namespaces, ENOSPC, errc::setup_failed, "user.max_"},
      {Step::open_source, ESTALE, errc::setup_failed, "start the backend again"},
      {Step::clone_source, ENOSYS, errc::setup_failed, "5.12"},
  };
  for (const Row& row : rows) {
    fail_at(row.step, row.error);
    try {
      make();
      ADD_FAILURE() << step_name(row.step);
    } catch (const Error& error) {
      EXPECT_EQ(error.sandbox_code(), row.code) << error.what();
      EXPECT_THAT(error.what(), HasSubstr(row.fix));
      EXPECT_THAT(error.model_sentence(), ::testing::Not(HasSubstr("/proc")));
    }
  }
}

TEST_F(SetupFailureTest, AnImagePathThatChangedSinceItWasLookedAtIsRefused) {
  start();
  auto changed = std::make_shared<Image>(*image_);
  ASSERT_FALSE(changed->binds.empty());
  changed->binds.front().inode += 1;
  image_ = changed;
  try {
    make();
    FAIL();
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("open_source]"));
    EXPECT_THAT(error.what(), HasSubstr(changed->binds.front().host_path));
  }
}

TEST_F(SetupFailureTest, ARequestThatIsNotWellFormedIsRefusedByTheLauncher) {
  start();
  for (const std::string& bytes :
       {std::string("x"), std::string(4000, '\0'), std::string(4000, 'A')}) {
    FdPair pair = make_packet_pair();
    ReplySocket replies(io().get_executor(), std::move(pair.first));
    await(core_->launcher.send(bytes, {pair.second.get()}));
    pair.second.reset();
    const std::optional<ReceivedReply> received = await(replies.next());
    ASSERT_TRUE(received);
    EXPECT_EQ(received->reply.kind, launcher::ReplyKind::failed);
    EXPECT_EQ(received->reply.step, Step::read_request);
  }
  EXPECT_NO_THROW(make()) << "and it goes on serving";
}

}  // namespace
}  // namespace sandbox::runner::testing
