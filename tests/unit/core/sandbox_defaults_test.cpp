// Methods that a backend leaves out (BE-9, SB-1).
// SPDX-License-Identifier: MIT
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

#include "run_awaitable.hpp"
#include "sandbox/error.hpp"
#include "sandbox/sandbox.hpp"

namespace sandbox {
namespace {

using ::testing::HasSubstr;
using testing::run_awaitable;

class BareSandbox final : public Sandbox {
 public:
  boost::asio::awaitable<void> write_file(std::string, std::string, std::string) override {
    co_return;
  }
  boost::asio::awaitable<ExecResult> exec(ExecRequest) override { co_return ExecResult(Exited(0)); }
};

struct LeftOut {
  std::string method;
  std::string capability;
  std::function<void()> call;
};

// BE-9
TEST(Sandbox, MethodsThatAreLeftOutFailByName) {
  BareSandbox box;
  const std::vector<LeftOut> cases{
      {"run_code", "run_code",
       [&] { run_awaitable(box.run_code("1", std::chrono::milliseconds(1))); }},
      {"stat_file", "files_out", [&] { run_awaitable(box.stat_file("a", "/w")); }},
      {"read_file", "files_out", [&] { run_awaitable(box.read_file("a", "/w", 1)); }},
      {"list_dir", "files_list", [&] { run_awaitable(box.list_dir("a", "/w")); }},
      {"remove", "files_delete", [&] { run_awaitable(box.remove("a", "/w", RemoveMode::single)); }},
  };
  for (const LeftOut& row : cases) {
    SCOPED_TRACE(row.method);
    try {
      row.call();
      ADD_FAILURE() << "it answered";
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), errc::not_supported);
      EXPECT_THAT(error.what(), HasSubstr("Sandbox::" + row.method));
      EXPECT_THAT(error.what(), HasSubstr("capability " + row.capability));
    }
  }
}

TEST(Sandbox, TheErrorIsMetAtTheAwaitNotAtTheCall) {
  BareSandbox box;
  EXPECT_NO_THROW(static_cast<void>(box.stat_file("a", "/w")));
}

}  // namespace
}  // namespace sandbox
