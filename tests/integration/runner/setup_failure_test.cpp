// Every set-up step made to fail: always an error that names it, never a weaker run, nothing left.
// SPDX-License-Identifier: MIT
#include <gmock/gmock.h>

#include <cerrno>

#include "backend_core.hpp"
#include "explain.hpp"
#include "linux_sandbox.hpp"
#include "runner_fixture.hpp"
#include "sandbox/runner/unsafe.hpp"

namespace sandbox::runner::testing {
namespace {

using launcher::Step;
using ::testing::HasSubstr;

// What a host may lack, and what this one has of it.
std::vector<Protection> available_protections(const Enforced& enforced) {
  std::vector<Protection> found;
  for (const Protection protection : kAllProtections) {
    if (enforced.protections.at(std::string(to_string(protection))) == "on") {
      found.push_back(protection);
    }
  }
  return found;
}

class SetupFailureTest : public RunnerTest {
 protected:
  void start(const std::string& profile = "default") {
    BackendOptions chosen;
    chosen.profile(profile);
    start_with(chosen);
  }

  // Everything that this host has is required, so that each failure is one.
  void start_strict(const std::string& profile) {
    BackendOptions chosen;
    chosen.profile(profile);
    for (const Protection which : available_protections(python("pass").enforced)) {
      chosen.protect(which, Mode::required);
    }
    close_backend();
    start_with(chosen);
  }

  void start_with(const BackendOptions& chosen) {
    const std::string& profile = chosen.profile();
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

// What the kernel says where it has no room, no memory, no right, or something odd happened.
constexpr int kErrors[] = {EPERM, ENOMEM, ENOSPC, EINTR, EIO};

// Steps that do not happen on every host, or in every sandbox.
bool is_for_root(Step step) {
  return step == Step::drop_groups || step == Step::drop_gid || step == Step::drop_uid;
}

bool is_elsewhere(Step step, const BackendCore& core) {
  return step_name(step).starts_with("step ") ||  // a gap in the numbers
         step == Step::tree_keep ||
         (step == Step::seccomp_filter && core.wants(Protection::denied_calls)) ||
         step == Step::own_cgroup || step == Step::spawn_workload ||
         (is_for_root(step) && !core.identity.switch_identity) ||
         (step == Step::core_scheduling &&
          core.options.mode_of(Protection::core_scheduling) != Mode::required);
}

TEST_F(SetupFailureTest, EachStepOfMakingASandboxIsNamedWhenItFails) {
  start_strict("loopback");
  for (int number = 10; number < static_cast<int>(Step::join_user); ++number) {
    const auto step = static_cast<Step>(number);
    if (is_elsewhere(step, *core_)) continue;
    for (const int code : kErrors) {
      SCOPED_TRACE(step_name(step));
      fail_at(step, code);
      try {
        make();
        ADD_FAILURE() << "the sandbox was made all the same";
      } catch (const Error& error) {
        EXPECT_THAT(error.what(), HasSubstr(" " + step_name(step) + "]"));
        EXPECT_THAT(error.what(), HasSubstr(std::generic_category().message(code)));
        EXPECT_NE(error.sandbox_code(), errc::launcher_lost);
      }
    }
  }
  fail_at(Step::none, 0);
  EXPECT_NO_THROW(make());
}

TEST_F(SetupFailureTest, EachStepOfARunIsNamedWhenItFailsAndNothingRuns) {
  start_strict("default");
  const auto box = make();
  for (int number = static_cast<int>(Step::join_user); number <= static_cast<int>(Step::go);
       ++number) {
    const auto step = static_cast<Step>(number);
    if (is_elsewhere(step, *core_)) continue;
    for (const int code : kErrors) {
      SCOPED_TRACE(step_name(step));
      fail_at(step, step == Step::exec ? E2BIG : code);
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
  }
  fail_at(Step::none, 0);
  EXPECT_TRUE(await(box->exec(ExecRequest({"true"}))).status.exited_with(0));
}

// Without an observer the filter is installed in another step.
TEST_F(SetupFailureTest, AFilterThatCannotBeInstalledRefusesTheRun) {
  BackendOptions chosen;
  chosen.turn_off(unsafe::TurnOff(Protection::denied_calls, "a test of the step behind it"));
  start_with(chosen);
  const auto box = make();
  fail_at(Step::seccomp_filter, EINVAL);
  try {
    await(box->exec(ExecRequest({"true"})));
    FAIL() << "a run without a filter";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("seccomp_filter]"));
  }
}

// What is only preferred: the run goes on without it, and the receipt says so.
TEST_F(SetupFailureTest, APreferredProtectionThatFailsIsReportedAndTheRestHolds) {
  start();
  struct Row {
    Step step;
    const char* protection;
  };
  const Row rows[] = {
      {Step::time_namespace, "time_namespace"},
      {Step::session_keyring, "session_keyring"},
      {Step::landlock, "landlock"},
      {Step::write_xor_execute, "write_xor_execute"},
      {Step::core_scheduling, "core_scheduling"},
      {Step::denied_calls, "denied_calls"},
  };
  for (const Row& row : rows) {
    SCOPED_TRACE(row.protection);
    fail_at(row.step, EPERM);
    const ExecResult result =
        await(make()->exec(python_request("import os\n"
                                          "try: os.mknod('/work/x', 0o60600, 1)\n"
                                          "except PermissionError: print('refused')")));
    EXPECT_TRUE(result.status.exited_with(0)) << result.status.sentence();
    EXPECT_EQ(result.standard_output.bytes(), "refused\n");
    for (const Protection protection : kAllProtections) {
      const std::string name(to_string(protection));
      if (name == row.protection) {
        EXPECT_EQ(result.enforced.protections.at(name), "unavailable");
      } else if (default_mode(protection) == Mode::required) {
        EXPECT_EQ(result.enforced.protections.at(name), "on") << name;
      }
    }
  }
}

// What people really meet, and what they must be told.
// Which cause is named depends on the host, too; fixes_test.cpp has all of them.
TEST_F(SetupFailureTest, TheUsualCausesComeWithTheirFix) {
  start();
  struct Row {
    Step step;
    int error;
    errc code;
    const char* fix;
  };
  const Row rows[] = {
      {Step::user_namespace, EINVAL, errc::userns_unavailable, "CONFIG_USER_NS"},
      {Step::user_namespace, ENOSPC, errc::userns_unavailable, "user.max_user_namespaces"},
      {Step::uid_map, EPERM, errc::userns_unavailable, "uid_map"},
      {Step::proc_mount, EPERM, errc::setup_failed, "wholly visible"},
      {Step::sandbox_namespaces, ENOSPC, errc::setup_failed, "user.max_"},
      {Step::open_source, ESTALE, errc::setup_failed, "start the backend again"},
      {Step::clone_source, ENOSYS, errc::setup_failed, "5.14"},
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
