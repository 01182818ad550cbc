// Command lines of selftest, and the modes of single protections.
// SPDX-License-Identifier: MIT
#include "selftest_options.hpp"

#include <gmock/gmock.h>

#include "options.hpp"
#include "sandbox/error.hpp"

namespace sandbox::ctl {
namespace {

using runner::Mode;
using runner::Protection;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

SelftestCall call_of(const std::vector<std::string>& arguments) {
  return std::get<SelftestCall>(parse_command_line(arguments));
}

runner::BackendOptions backend_of(const std::vector<std::string>& arguments) {
  return std::get<Options>(parse_command_line(arguments)).backend;
}

std::string refusal_of(const std::vector<std::string>& arguments) {
  try {
    (void)parse_command_line(arguments);
  } catch (const Error& error) {
    return error.what();
  }
  return "accepted";
}

TEST(SelftestLine, HasDefaults) {
  const SelftestCall call = call_of({"selftest"});
  EXPECT_THAT(call.only, IsEmpty());
  EXPECT_FALSE(call.layers || call.json || call.quiet);
  EXPECT_THAT(call.backend.turned_off(), IsEmpty());
  EXPECT_EQ(call.backend.image(), "host");
}

TEST(SelftestLine, OptionsReachTheirPlaces) {
  const SelftestCall call =
      call_of({"selftest", "--only", "60,7,60", "--layers", "--json", "--quiet", "--image",
               "dir:/x", "--without", "seccomp", "--without=landlock", "--require", "cgroup"});
  EXPECT_THAT(call.only, ElementsAre(7, 60));
  EXPECT_TRUE(call.layers && call.json && call.quiet);
  EXPECT_EQ(call.backend.image(), "dir:/x");
  EXPECT_EQ(call.backend.mode_of(Protection::seccomp), Mode::off);
  EXPECT_EQ(call.backend.mode_of(Protection::landlock), Mode::off);
  EXPECT_EQ(call.backend.mode_of(Protection::cgroup), Mode::required);
}

TEST(SelftestLine, RefusesInOneSentence) {
  EXPECT_THAT(refusal_of({"selftest", "--only", "1,,2"}), HasSubstr("--only ''"));
  EXPECT_THAT(refusal_of({"selftest", "--only", "0"}), HasSubstr("--only '0'"));
  EXPECT_THAT(refusal_of({"selftest", "x.py"}), HasSubstr("see sandboxctl selftest --help"));
  EXPECT_THAT(refusal_of({"selftest", "--memory", "1G"}), HasSubstr("--memory"));
}

TEST(SelftestLine, HelpTellsTheExitCodes) {
  const auto text = std::get<TextToPrint>(parse_command_line({"selftest", "--help"})).text();
  EXPECT_THAT(text, HasSubstr("Usage: sandboxctl selftest [OPTIONS]"));
  EXPECT_THAT(text, HasSubstr("all good: nothing was skipped"));
}

TEST(ProtectionOptions, ReachTheBackendOfRunAndExec) {
  for (const std::vector<std::string>& line :
       {std::vector<std::string>{"run", "--without", "no_exec", "--require", "landlock", "a.py"},
        std::vector<std::string>{"exec", "--require=landlock", "--without=no_exec", "--", "ls"}}) {
    const runner::BackendOptions options = backend_of(line);
    EXPECT_EQ(options.mode_of(Protection::no_exec), Mode::off);
    EXPECT_EQ(options.mode_of(Protection::landlock), Mode::required);
    EXPECT_EQ(options.mode_of(Protection::seccomp), Mode::required);
    EXPECT_THAT(options.turned_off().at(Protection::no_exec), HasSubstr("--without no_exec"));
  }
}

TEST(ProtectionOptions, RefuseWhatIsNone) {
  const std::string refusal = refusal_of({"run", "--without", "magic\x1b", "a.py"});
  EXPECT_THAT(refusal, HasSubstr("--without 'magic\\x1b'"));
  for (const Protection one : runner::kAllProtections) {
    EXPECT_THAT(refusal, HasSubstr(std::string(to_string(one))));
  }
  EXPECT_THAT(refusal_of({"run", "--require", "magic", "a.py"}), HasSubstr("--require 'magic'"));
  EXPECT_THAT(refusal_of({"run", "--require", "cgroup", "--without", "cgroup", "a.py"}),
              HasSubstr("one of them"));
}

}  // namespace
}  // namespace sandbox::ctl
