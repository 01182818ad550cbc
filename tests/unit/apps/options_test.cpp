// Command lines and what they ask for.
// SPDX-License-Identifier: MIT
#include "options.hpp"

#include <gmock/gmock.h>

#include <iterator>
#include <sstream>
#include <string_view>

#include "sandbox/error.hpp"

namespace sandbox::ctl {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::HasSubstr;

Options options_of(const std::vector<std::string>& arguments) {
  return std::get<Options>(parse_command_line(arguments));
}

std::string refusal_of(const std::vector<std::string>& arguments) {
  try {
    (void)parse_command_line(arguments);
  } catch (const Error& error) {
    return error.what();
  }
  return "accepted";
}

TEST(CommandLine, RunHasTheDefaultsThatHelpTells) {
  const Options options = options_of({"run", "a.py"});
  EXPECT_EQ(options.verb, Verb::run);
  EXPECT_EQ(options.program_file, "a.py");
  EXPECT_EQ(options.timeout, 120s);
  EXPECT_EQ(options.limits, Limits());
  EXPECT_EQ(options.backend.image(), "host");
  EXPECT_EQ(options.backend.profile(), "default");
  EXPECT_FALSE(options.json || options.raw || options.stdin_file || options.out_directory);
}

// What a text of help shows as a command line; what a shell would take apart is left out.
std::vector<std::vector<std::string>> examples_in(const std::string& help) {
  std::vector<std::vector<std::string>> examples;
  std::istringstream lines(help);
  for (std::string line; std::getline(lines, line);) {
    constexpr std::string_view kStart = "  sandboxctl ";
    if (!line.starts_with(kStart) || line.find_first_of("'$") != std::string::npos) continue;
    std::istringstream words(line.substr(kStart.size(), line.find(" |") - kStart.size()));
    examples.push_back({std::istream_iterator<std::string>(words), {}});
  }
  return examples;
}

TEST(CommandLine, EveryExampleOfHelpIsUnderstood) {
  const std::vector<std::vector<std::string>> verbs = {
      {}, {"run"}, {"exec"}, {"doctor"}, {"image"}, {"image", "build"}, {"selftest"}};
  for (std::vector<std::string> verb : verbs) {
    verb.emplace_back("--help");
    const std::string help = std::get<TextToPrint>(parse_command_line(verb)).text();
    const auto examples = examples_in(help);
    EXPECT_FALSE(examples.empty()) << help;
    for (const std::vector<std::string>& example : examples) {
      EXPECT_EQ(refusal_of(example), "accepted") << testing::PrintToString(example);
    }
  }
}

TEST(CommandLine, HelpShowsTheWholeCommand) {
  const auto usage_of = [](const std::vector<std::string>& arguments) {
    return std::get<TextToPrint>(parse_command_line(arguments)).text();
  };
  EXPECT_THAT(usage_of({"image", "build", "--help"}),
              testing::AllOf(HasSubstr("Usage: sandboxctl image build "),
                             HasSubstr("sandboxctl image list"),
                             testing::Not(HasSubstr("sandboxctl selftest"))));
  EXPECT_THAT(usage_of({"image", "--help"}), HasSubstr("Usage: sandboxctl image "));
  EXPECT_THAT(usage_of({"doctor", "--help"}), HasSubstr("Usage: sandboxctl doctor "));
}

TEST(CommandLine, OptionsReachTheirPlaces) {
  const Options options = options_of({"run",         "--timeout",
                                      "5s",          "--memory=256M",
                                      "--processes", "8",
                                      "--cpu-time",  "1.5s",
                                      "--output",    "64K",
                                      "--work",      "8M",
                                      "--file-size", "1M",
                                      "--image",     "dir:/x",
                                      "--profile",   "strict",
                                      "--env",       "A=1",
                                      "--env=B=x=y", "--env",
                                      "C=",          "--in",
                                      "/n/a:b",      "--in",
                                      "/n/c",        "--stdin",
                                      "-",           "--out",
                                      "/o",          "--out-max-files",
                                      "3",           "--out-max-bytes",
                                      "1M",          "--force",
                                      "--workdir",   "/work/sub",
                                      "--json",      "--raw",
                                      "--verbose",   "prog.py"});
  EXPECT_EQ(options.program_file, "prog.py");
  EXPECT_EQ(options.timeout, 5s);
  const Limits limits = Limits()
                            .memory(Bytes(256ULL << 20U))
                            .processes(8)
                            .cpu_time(1500ms)
                            .output(Bytes(65536))
                            .file_size(Bytes(1U << 20U));
  EXPECT_EQ(options.limits, limits);
  EXPECT_EQ(options.backend.work_size(), Bytes(8U << 20U));
  EXPECT_EQ(options.backend.image(), "dir:/x");
  EXPECT_EQ(options.backend.profile(), "strict");
  const std::map<std::string, std::string> environment = {{"A", "1"}, {"B", "x=y"}, {"C", ""}};
  EXPECT_EQ(options.environment, environment);
  ASSERT_EQ(options.inputs.size(), 2U);
  EXPECT_EQ(options.inputs[0].name(), "b");
  EXPECT_EQ(options.inputs[1].name(), "c");
  EXPECT_EQ(options.stdin_file, "-");
  EXPECT_EQ(options.out_directory, "/o");
  EXPECT_EQ(options.out_limits.max_files(), 3U);
  EXPECT_EQ(options.out_limits.max_total_bytes(), Bytes(1U << 20U));
  EXPECT_EQ(options.out_existing, Existing::replace);
  EXPECT_EQ(options.working_directory, "/work/sub");
  EXPECT_TRUE(options.json && options.raw);
  EXPECT_EQ(options.talk, Talk::verbose);
}

TEST(CommandLine, TheCommandOfExecStaysAsItIs) {
  const Options options = options_of(
      {"exec", "--timeout", "5s", "--", "sh", "-c", "[a,b]", "--json", "--", "", "--timeout=x"});
  EXPECT_EQ(options.verb, Verb::exec);
  EXPECT_THAT(options.argv, ElementsAre("sh", "-c", "[a,b]", "--json", "--", "", "--timeout=x"));
  EXPECT_FALSE(options.json);
}

TEST(CommandLine, ValuesInBracketsAreNoLists) {
  const Options options = options_of({"run", "--env", "[A=1,B=2]", "x.py"});
  EXPECT_EQ(options.environment.at("[A"), "1,B=2]");
}

TEST(CommandLine, AProgramMayStartWithADashBehindTheDoubleDash) {
  EXPECT_EQ(options_of({"run", "--json", "--", "-x.py"}).program_file, "-x.py");
  EXPECT_EQ(options_of({"run", "-"}).program_file, "-");
}

TEST(CommandLine, RefusesInOneSentence) {
  EXPECT_THAT(refusal_of({}), HasSubstr("--help"));
  EXPECT_THAT(refusal_of({"fly"}), HasSubstr("--help"));
  EXPECT_THAT(refusal_of({"run"}), HasSubstr("FILE is required"));
  EXPECT_THAT(refusal_of({"run", "a.py", "b.py"}), HasSubstr("b.py"));
  EXPECT_THAT(refusal_of({"run", "--fast", "a.py"}), HasSubstr("--fast"));
  EXPECT_THAT(refusal_of({"exec", "ls"}), HasSubstr("put the command behind --"));
  EXPECT_THAT(refusal_of({"exec", "--"}), HasSubstr("no command is given"));
  EXPECT_THAT(refusal_of({"run", "--memory", "12Q", "a.py"}), HasSubstr("--memory '12Q'"));
  EXPECT_THAT(refusal_of({"run", "--memory", "-1M", "a.py"}), HasSubstr("--memory '-1M'"));
  EXPECT_THAT(refusal_of({"run", "--memory", "1M", "a.py"}), HasSubstr("at least 16 MiB"));
  EXPECT_THAT(refusal_of({"run", "--processes", "5000", "a.py"}), HasSubstr("1 to 4096"));
  EXPECT_THAT(refusal_of({"run", "--env", "A", "a.py"}), HasSubstr("NAME=VALUE"));
  EXPECT_THAT(refusal_of({"run", "--env", "=1", "a.py"}), HasSubstr("NAME=VALUE"));
  EXPECT_THAT(refusal_of({"run", "--profile", "none", "a.py"}), HasSubstr("default, strict"));
  EXPECT_THAT(refusal_of({"run", "--stdin", "-", "-"}), HasSubstr("already holds the program"));
  EXPECT_THAT(refusal_of({"run", "--force", "a.py"}), HasSubstr("--out DIR"));
  EXPECT_THAT(refusal_of({"run", "--out", "o", "--out-max-files", "1000", "a.py"}),
              HasSubstr("256 at most"));
  EXPECT_THAT(refusal_of({"run", "--quiet", "--verbose", "a.py"}), HasSubstr("one of them"));
  EXPECT_THAT(refusal_of({"run", "--in", "/n/a:program.py", "a.py"}), HasSubstr("program's own"));
  EXPECT_EQ(refusal_of({"exec", "--in", "/n/a:program.py", "--", "ls"}), "accepted");
}

TEST(CommandLine, HelpAndVersionAreText) {
  const auto text = [](const std::vector<std::string>& arguments) {
    return std::get<TextToPrint>(parse_command_line(arguments)).text();
  };
  EXPECT_THAT(text({"--help"}), HasSubstr("sandboxctl run report.py"));
  EXPECT_THAT(text({"run", "--help"}), HasSubstr("Usage: sandboxctl run [OPTIONS] FILE"));
  EXPECT_THAT(text({"run", "--help"}), HasSubstr("124"));
  EXPECT_THAT(text({"exec", "-h"}), HasSubstr("sandboxctl exec -- ls"));
  EXPECT_THAT(text({"--version"}), testing::StartsWith("sandboxctl 0."));
}

TEST(CommandLine, JsonIsSeenOnAWrongOneToo) {
  EXPECT_TRUE(asks_for_json({"run", "--bogus", "--json"}));
  EXPECT_FALSE(asks_for_json({"exec", "--", "x", "--json"}));
}

}  // namespace
}  // namespace sandbox::ctl
