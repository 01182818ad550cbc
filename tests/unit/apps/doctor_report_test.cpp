// What doctor prints.
// SPDX-License-Identifier: MIT
#include "doctor_report.hpp"

#include <gmock/gmock.h>

#include <boost/json/array.hpp>

#include "options.hpp"

namespace sandbox::ctl {
namespace {

using runner::Diagnosis;
using runner::Finding;
using runner::FindingState;
using testing::HasSubstr;
using testing::Not;

Finding finding(const std::string& name, FindingState state, const std::string& found,
                const std::string& fix = "") {
  Finding one;
  one.name = name;
  one.state = state;
  one.found = found;
  one.fix = fix;
  return one;
}

Diagnosis working() {
  Diagnosis diagnosis;
  diagnosis.findings.push_back(finding("kernel", FindingState::note, "6.1.0"));
  diagnosis.findings.push_back(finding("seccomp", FindingState::ok, "a filter can be installed"));
  diagnosis.run.emplace();
  diagnosis.run->enforced.protections.emplace("seccomp", "on");
  return diagnosis;
}

TEST(DoctorText, SaysThatAllIsWellWhenItIs) {
  EXPECT_EQ(doctor_text(working(), false),
            "           kernel   6.1.0\n"
            "  ok       seccomp  a filter can be installed\n"
            "in force in a run:\n"
            "  seccomp               on\n"
            "programs run here, with every protection\n");
  EXPECT_EQ(doctor_text(working(), true), "");
}

TEST(DoctorText, AWeaknessComesWithItsFix) {
  Diagnosis diagnosis = working();
  diagnosis.findings.push_back(
      finding("landlock", FindingState::weaker, "no Landlock\x1b", "a newer kernel"));
  const std::string text = doctor_text(diagnosis, false);
  EXPECT_THAT(text, HasSubstr("  weaker   landlock  no Landlock\\x1b\n"
                              "                     -> a newer kernel\n"));
  EXPECT_THAT(text, HasSubstr("programs run here; weaker than they could by 1: see the line with"));
  EXPECT_EQ(doctor_text(diagnosis, true),
            "  weaker   landlock  no Landlock\\x1b\n"
            "                     -> a newer kernel\n");
}

TEST(DoctorText, ARefusalIsTheVerdict) {
  Diagnosis diagnosis = working();
  diagnosis.run.reset();
  diagnosis.error = Error(errc::userns_unavailable, "no user namespaces; do this");
  const std::string text = doctor_text(diagnosis, false);
  EXPECT_THAT(text, HasSubstr("programs do not run here"));
  EXPECT_THAT(text, Not(HasSubstr("in force")));
}

TEST(DoctorJson, HasEveryFieldInBothCases) {
  boost::json::object object = doctor_json(working());
  EXPECT_TRUE(object.at("works").as_bool());
  EXPECT_TRUE(object.at("error").is_null());
  EXPECT_EQ(object.at("enforced").at("protections").at("seccomp").as_string(), "on");
  const boost::json::object& check = object.at("checks").as_array().at(1).as_object();
  EXPECT_EQ(check.at("name").as_string(), "seccomp");
  EXPECT_EQ(check.at("state").as_string(), "ok");
  EXPECT_EQ(check.at("fix").as_string(), "");

  Diagnosis refused;
  refused.error = Error(errc::userns_unavailable, "no user namespaces; do this");
  object = doctor_json(refused);
  EXPECT_FALSE(object.at("works").as_bool());
  EXPECT_TRUE(object.at("enforced").is_null());
  EXPECT_EQ(object.at("error").at("code").as_string(), "userns_unavailable");
}

TEST(DoctorOptions, TakesImageAndModes) {
  const ParsedLine line = parse_command_line(
      {"doctor", "--json", "--quiet", "--image", "host:/x", "--require", "landlock"});
  const auto* call = std::get_if<DoctorCall>(&line);
  ASSERT_NE(call, nullptr);
  EXPECT_TRUE(call->json);
  EXPECT_TRUE(call->quiet);
  EXPECT_EQ(call->backend.image(), "host:/x");
  EXPECT_EQ(call->backend.mode_of(runner::Protection::landlock), runner::Mode::required);
  EXPECT_THROW(parse_command_line({"doctor", "--require", "nothing"}), Error);
  EXPECT_THROW(parse_command_line({"doctor", "extra"}), Error);
}

}  // namespace
}  // namespace sandbox::ctl
