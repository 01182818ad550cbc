// Names of the launcher's steps, and what a failed one tells.
// SPDX-License-Identifier: MIT
#include "explain.hpp"

#include <gmock/gmock.h>

#include <cerrno>
#include <regex>
#include <set>
#include <sstream>
#include <system_error>
#include <vector>

#include "host_support.hpp"

namespace sandbox::runner::test {
namespace {

using launcher::Reply;
using launcher::Step;
using ::testing::HasSubstr;

struct Enumerator {
  std::string name;
  unsigned number;
};

// As the header has them, in its order.
std::vector<Enumerator> enumerators() {
  std::istringstream lines(content_of(STEPS_HEADER));
  const std::regex pattern(R"(^\s+(\w+) = (\d+),.*$)");
  std::vector<Enumerator> found;
  for (std::string line; std::getline(lines, line);) {
    std::smatch match;
    if (!std::regex_match(line, match, pattern)) continue;
    found.push_back({match[1], static_cast<unsigned>(std::stoul(match[2]))});
  }
  return found;
}

Reply failed_at(Step step, int error) {
  Reply reply;
  reply.step = step;
  reply.error = error;
  return reply;
}

std::string message_of(Step step, int error, std::string_view subject = "") {
  return explain(failed_at(step, error), subject).what();
}

TEST(StepNames, NoNumberInTheHeaderIsUsedTwiceAndTheFirstIsNone) {
  const std::vector<Enumerator> steps = enumerators();
  ASSERT_GT(steps.size(), 70U) << "the header was not read";
  EXPECT_EQ(steps.front().name, "none");
  EXPECT_EQ(steps.front().number, 0U);
  std::set<unsigned> numbers;
  for (const Enumerator& step : steps) {
    EXPECT_TRUE(numbers.insert(step.number).second) << step.name;
  }
}

TEST(StepNames, EveryEnumeratorHasItsOwnNameAndNoOtherNumberHasOne) {
  std::vector<std::string> expected(1000);
  for (const Enumerator& step : enumerators()) expected.at(step.number) = step.name;
  expected[0].clear();  // none is no step
  std::set<std::string> names;
  for (unsigned number = 0; number < expected.size(); ++number) {
    const std::string name = step_name(static_cast<Step>(number));
    EXPECT_EQ(name, expected[number].empty() ? "step " + std::to_string(number) : expected[number]);
    EXPECT_TRUE(names.insert(name).second) << name;
  }
}

TEST(Explain, EveryFailureHoldsStepErrnoAndAHint) {
  const int errors[] = {EPERM,  EACCES, ENOSPC, ENOMEM, EAGAIN, EMFILE,
                        ENOENT, ENOSYS, EINVAL, EROFS,  ESTALE, EIO};
  for (const Enumerator& step : enumerators()) {
    if (step.number == 0) continue;
    for (const int error : errors) {
      const std::string text = message_of(static_cast<Step>(step.number), error);
      const std::string reason = std::generic_category().message(error);
      const std::string label = "[step " + std::to_string(step.number) + " " + step.name + "]; ";
      EXPECT_THAT(text, HasSubstr(": " + reason + " " + label));
      EXPECT_GT(text.size() - text.find(label), label.size() + 20) << "no hint: " << text;
      EXPECT_THAT(text, ::testing::Not(HasSubstr("unknown step")));
    }
  }
}

// Different steps tell different things: no sentence was copied.
TEST(Explain, NoTwoStepsAreDescribedAlike) {
  std::set<std::string> sentences;
  for (const Enumerator& step : enumerators()) {
    const std::string text = message_of(static_cast<Step>(step.number), EIO);
    EXPECT_TRUE(sentences.insert(text.substr(0, text.find(" [step"))).second) << text;
  }
}

TEST(Explain, TheSubjectIsNamedWhenThereIsOne) {
  EXPECT_THAT(message_of(Step::open_source, ENOENT, "/usr"),
              HasSubstr("open a path of the image (/usr): No such file"));
  EXPECT_THAT(message_of(Step::open_source, ENOENT),
              HasSubstr("open a path of the image: No such file"));
}

// What a caller can tell apart: no user namespaces, no such protection here, anything else.
TEST(Explain, EachStepHasTheCodeOfWhatIsMissing) {
  const std::set<std::string> about_users = {
      "user_namespace",       "setgroups_deny", "uid_map",      "gid_map",
      "inner_user_namespace", "inner_uid_map",  "inner_gid_map"};
  const std::set<std::string> about_protections = {
      "landlock",        "write_xor_execute", "time_namespace",  "time_offsets",
      "core_scheduling", "namespace_lock",    "session_keyring", "denied_calls"};
  std::size_t found = 0;
  for (const Enumerator& step : enumerators()) {
    const bool is_protection = about_protections.contains(step.name);
    found += is_protection || about_users.contains(step.name) ? 1 : 0;
    const errc expected = about_users.contains(step.name) ? errc::userns_unavailable
                          : is_protection                 ? errc::protection_unavailable
                                                          : errc::setup_failed;
    EXPECT_EQ(explain(failed_at(static_cast<Step>(step.number), EPERM), "").sandbox_code(),
              expected)
        << step.name;
  }
  EXPECT_EQ(found, about_users.size() + about_protections.size()) << "a name that is none";
}

struct Hint {
  Step step;
  int error;
  const char* fix;
};

TEST(Explain, TheLikelyCauseComesWithItsFix) {
  HostFacts host;
  host.kernel = "6.1.0";
  const Hint rows[] = {
      {Step::user_namespace, ENOSPC, "user.max_user_namespaces"},
      {Step::inner_user_namespace, ENOSYS, "without user namespaces"},
      {Step::user_namespace, EINVAL, "without user namespaces"},
      {Step::spawn_init, EAGAIN, "ulimit -u"},
      {Step::fork_stage, ENOMEM, "out of memory"},
      {Step::open_namespaces, EMFILE, "ulimit -n"},
      {Step::status_pipe, ENFILE, "ulimit -n"},
      {Step::proc_mount, EPERM, "wholly visible"},
      {Step::open_source, ESTALE, "start the backend again"},
      {Step::open_source, EACCES, "must be able to reach the path"},
      {Step::clone_source, ENOSYS, "5.14"},
      {Step::clone_source, EINVAL, "5.14"},
      {Step::seccomp_filter, EINVAL, "5.14"},
      {Step::pivot_root, EPERM, "security module"},
      {Step::root_mount, ENOSYS, "5.14"},
      {Step::spawn_workload, EIO, "out of memory"},
      {Step::tree_link, EEXIST, "bug report"},
      {Step::host_proc, ENOENT, "mount -t proc"},
  };
  for (const Hint& row : rows) {
    EXPECT_THAT(explain(failed_at(row.step, row.error), "", host).what(), HasSubstr(row.fix));
  }
}

TEST(Explain, WhatMayBeMissedIsToldHow) {
  for (const Step step :
       {Step::landlock, Step::namespace_lock, Step::write_xor_execute, Step::time_offsets,
        Step::core_scheduling, Step::session_keyring, Step::denied_calls}) {
    const std::string text = message_of(step, EINVAL);
    EXPECT_THAT(text, HasSubstr("preferred (sandboxctl: --without ")) << text;
  }
  EXPECT_THAT(message_of(Step::landlock, ENOSYS), HasSubstr("make landlock preferred"));
  EXPECT_THAT(message_of(Step::time_offsets, EPERM), HasSubstr("make time_namespace preferred"));
}

TEST(Explain, AStepFromAnotherVersionIsToldByItsNumber) {
  const std::string text = message_of(static_cast<Step>(999), EIO);
  EXPECT_THAT(text, HasSubstr("step 999"));
  EXPECT_THAT(text, HasSubstr("Input/output error"));
}

}  // namespace
}  // namespace sandbox::runner::test
