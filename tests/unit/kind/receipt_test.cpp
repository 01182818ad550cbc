// Receipts: one shape, strict JSON, no host detail.
// SPDX-License-Identifier: MIT
#include "sandbox/receipt.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <boost/json/value_to.hpp>

#include "sandbox/utf8.hpp"

namespace sandbox {
namespace {

namespace json = boost::json;
using ::testing::HasSubstr;
using ::testing::Not;

ExecResult exited(int code) { return ExecResult(ExitStatus(Exited(code))); }

std::string text_of(const json::value& value) { return json::value_to<std::string>(value); }

std::vector<std::string> keys_of(const json::object& object) {
  std::vector<std::string> keys;
  for (const auto& [key, value] : object) keys.emplace_back(key);
  return keys;
}

TEST(Receipt, IsTheGoldenObject) {
  ExecResult result = exited(0);
  result.standard_output = CapturedOutput("42\n");
  result.usage.setup = std::chrono::microseconds(610);
  result.usage.wall = std::chrono::microseconds(11240);
  result.usage.cpu_user = std::chrono::microseconds(9100);
  result.usage.cpu_system = std::chrono::microseconds(1900);
  result.usage.memory_peak_bytes = 9437184;
  result.usage.processes_peak = 1;
  result.enforced.profile = "default";
  result.enforced.profile_sha256 = "ab12";
  result.enforced.memory = "cgroup";
  result.enforced.landlock_abi = 7;
  result.enforced.wx = true;
  result.enforced.proc = "subset";
  result.enforced.kernel = "6.18";
  result.enforced.protections["mount_nosuid"] = "on";
  DeniedCall denied;
  denied.call = "socket";
  denied.count = 2;
  denied.arguments = {2, 1, 0};
  denied.sentence = "tried to open a network socket; this sandbox has no network";
  result.denied.push_back(denied);
  std::vector<ReceiptFile> files;
  files.emplace_back("plot.png", 18233, "cd34");

  EXPECT_EQ(json::serialize(make_receipt(result, files)),
            R"({"outcome":"exited","exit_code":0,"signal":null,)"
            R"("stdout":"42\n","stderr":"","stdout_bytes":3,"stderr_bytes":0,)"
            R"("stdout_truncated":false,"stderr_truncated":false,)"
            R"("stdout_base64":null,"stderr_base64":null,)"
            R"("usage":{"queue_us":0,"setup_us":610,"wall_us":11240,"cpu_user_us":9100,)"
            R"("cpu_system_us":1900,"memory_peak_bytes":9437184,"processes_peak":1},)"
            R"("enforced":{"profile":"default","profile_sha256":"ab12","memory":"cgroup",)"
            R"("landlock_abi":7,"wx":true,"proc":"subset","kernel":"6.18",)"
            R"("protections":{"mount_nosuid":"on"}},)"
            R"("denied":[{"call":"socket","count":2,"arguments":[2,1,0],)"
            R"("sentence":"tried to open a network socket; this sandbox has no network"}],)"
            R"("files":[{"name":"plot.png","bytes":18233,"sha256":"cd34"}],)"
            R"("error":null})");
}

TEST(Receipt, HasTheSameFieldsWhateverHappened) {
  const json::object ran = make_receipt(exited(0), {});
  const json::object refused = make_receipt(Error(errc::config_error, "no"));
  EXPECT_EQ(keys_of(ran), keys_of(refused));
  EXPECT_TRUE(ran.at("usage").at("memory_peak_bytes").is_null());
  EXPECT_TRUE(ran.at("usage").at("cpu_user_us").is_null());
  EXPECT_TRUE(ran.at("enforced").at("landlock_abi").is_null());
  EXPECT_TRUE(ran.at("enforced").at("profile").is_null());
}

TEST(Receipt, ListsWhatWasRefusedInItsOrder) {
  EXPECT_TRUE(make_receipt(exited(0), {}).at("denied").as_array().empty());
  ExecResult result = exited(0);
  result.denied.resize(3);
  result.denied[0].call = "unshare";
  // The program chooses its arguments, and they may be as large as a word is.
  result.denied[0].arguments = {18446744073709551615U, 0, 1};
  result.denied[0].count = 18446744073709551615U;
  result.denied[1].call = "others";
  result.denied[2].call = "disk";
  const std::string text = json::serialize(make_receipt(result, {}));
  const json::array back = json::parse(text).at("denied").as_array();
  ASSERT_EQ(back.size(), 3U);
  EXPECT_EQ(back[0].at("call"), "unshare");
  EXPECT_EQ(back[0].at("count").to_number<std::uint64_t>(), 18446744073709551615U);
  EXPECT_EQ(back[0].at("arguments").at(0).to_number<std::uint64_t>(), 18446744073709551615U);
  EXPECT_EQ(back[0].at("arguments").as_array().size(), 3U);
  EXPECT_EQ(back[1].at("call"), "others");
  EXPECT_EQ(back[2].at("call"), "disk");
  EXPECT_TRUE(back[2].at("arguments").as_array().empty());
}

TEST(Receipt, TellsASignalByItsName) {
  const json::object receipt = make_receipt(ExecResult(ExitStatus(Signaled(11))), {});
  EXPECT_EQ(receipt.at("outcome"), "signaled");
  EXPECT_TRUE(receipt.at("exit_code").is_null());
  EXPECT_EQ(receipt.at("signal"), "SIGSEGV");
}

TEST(Receipt, TellsALimitByItsOutcome) {
  const auto outcome = [](Limit limit) {
    const json::object receipt = make_receipt(ExecResult(ExitStatus(LimitHit(limit, "1"))), {});
    EXPECT_TRUE(receipt.at("exit_code").is_null());
    EXPECT_TRUE(receipt.at("signal").is_null());
    return text_of(receipt.at("outcome"));
  };
  EXPECT_EQ(outcome(Limit::wall_time), "timeout");
  EXPECT_EQ(outcome(Limit::cpu_time), "cpu_limit");
  EXPECT_EQ(outcome(Limit::memory), "memory_limit");
  EXPECT_EQ(outcome(Limit::output), "output_limit");
}

TEST(Receipt, IsUtf8WhateverTheGuestPrinted) {
  ExecResult result = exited(1);
  result.standard_output = CapturedOutput(std::string("a\xff\0z", 4));
  result.standard_error = CapturedOutput("ok\n");
  std::vector<ReceiptFile> files;
  files.emplace_back("\xc3(", 1, "ab");
  const std::string text = json::serialize(make_receipt(result, files));
  EXPECT_TRUE(is_utf8(text));
  const json::object back = json::parse(text).as_object();
  EXPECT_EQ(text_of(back.at("stdout")), std::string("a\xef\xbf\xbd\0z", 6));
  EXPECT_EQ(text_of(back.at("stdout_base64")), "Yf8Aeg==");
  EXPECT_TRUE(back.at("stderr_base64").is_null());
  EXPECT_EQ(back.at("stdout_bytes"), 4);
  EXPECT_EQ(text_of(back.at("files").at(0).at("name")), "\xef\xbf\xbd(");
}

TEST(Receipt, EncodesBase64AsTheStandardSays) {  // RFC 4648, section 10, with a leading bad byte
  const auto twin = [](const std::string& bytes) {
    ExecResult result = exited(0);
    result.standard_output = CapturedOutput(bytes);
    return text_of(make_receipt(result, {}).at("stdout_base64"));
  };
  EXPECT_EQ(twin("\xff"), "/w==");
  EXPECT_EQ(twin("\xff\xfe"), "//4=");
  EXPECT_EQ(twin("\xff\xfe\xfd"), "//79");
  EXPECT_EQ(twin("\xfbo\x62\x61r"), "+29iYXI=");
}

TEST(Receipt, CountsWhatWasLeftOut) {
  ExecResult result = exited(0);
  result.standard_output = CapturedOutput("head", "tail", 1000);
  const json::object receipt = make_receipt(result, {});
  EXPECT_EQ(receipt.at("stdout_bytes"), 1000);
  EXPECT_TRUE(receipt.at("stdout_truncated").as_bool());
  EXPECT_FALSE(receipt.at("stderr_truncated").as_bool());
}

TEST(Receipt, TellsARefusalWithoutTheHostsDetail) {
  Error error(errc::image_unusable, "start the interpreter of 'py': no such file",
              "/srv/secret/rootfs");
  error.with_model_sentence("The image cannot run Python.");
  const json::object receipt = make_receipt(error);
  EXPECT_EQ(receipt.at("outcome"), "refused");
  EXPECT_TRUE(receipt.at("stdout").is_null());
  EXPECT_EQ(json::serialize(receipt.at("error")),
            R"({"code":"image_unusable","condition":"unsupported",)"
            R"("message":"start the interpreter of 'py': no such file",)"
            R"("model_sentence":"The image cannot run Python."})");
  EXPECT_THAT(json::serialize(receipt), Not(HasSubstr("secret")));
}

TEST(Receipt, TellsLostAndCancelledApartFromRefused) {
  const auto outcome = [](errc code) {
    return text_of(make_receipt(Error(code, "x")).at("outcome"));
  };
  EXPECT_EQ(outcome(errc::guest_lost), "lost");
  EXPECT_EQ(outcome(errc::launcher_lost), "lost");
  EXPECT_EQ(outcome(errc::cancelled), "cancelled");
  EXPECT_EQ(outcome(errc::setup_failed), "refused");
  EXPECT_EQ(outcome(errc::internal), "refused");
}

TEST(Receipt, IsUtf8WhateverAnErrorSays) {
  const std::string text = json::serialize(make_receipt(Error(errc::not_found, "open '\xff'")));
  EXPECT_TRUE(is_utf8(text));
}

}  // namespace
}  // namespace sandbox
