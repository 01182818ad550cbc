// Order, checking of answers, and what foreign load does; with contestants and a meter of straw.
// SPDX-License-Identifier: MIT
#include "race.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <stdexcept>
#include <utility>

namespace sandbox::bench {
namespace {

using namespace std::chrono_literals;
using ::testing::AllOf;
using ::testing::Each;
using ::testing::HasSubstr;
using ::testing::SizeIs;

const Workload kWorkload("hello", {"/bin/echo", "hello"}, "hello\n");

class StrawContestant : public Contestant {
 public:
  StrawContestant(std::string name, std::string& diary) : name_(std::move(name)), diary_(diary) {
    lap.output = "hello\n";
    lap.wall = 1500us;
  }

  [[nodiscard]] const std::string& name() const override { return name_; }
  Lap run(const Workload&) override {
    diary_ += name_;
    if (!trouble.empty()) throw std::runtime_error(trouble);
    return lap;
  }

  Lap lap;
  std::string trouble;

 private:
  std::string name_;
  std::string& diary_;
};

// Reading n is made from the n-th step; the last one repeats.
class StrawMeter : public CpuMeter {
 public:
  struct Step {
    std::chrono::nanoseconds machine;
    std::chrono::nanoseconds harness;
  };
  explicit StrawMeter(std::vector<Step> steps) : steps_(std::move(steps)) {}

  CpuReading read() override {
    const Step& step = steps_[std::min(next_++, steps_.size() - 1)];
    total_.machine += step.machine;
    total_.harness += step.harness;
    return total_;
  }

 private:
  std::vector<Step> steps_;
  std::size_t next_ = 0;
  CpuReading total_;
};

class RaceTest : public ::testing::Test {
 protected:
  RaceTest() {
    rules_.rounds = 10;
    rules_.warm_up = 0;
    rules_.window = 0ms;  // each round is judged alone
    rules_.pause = 0ms;
  }

  StrawContestant& enter(const std::string& name) {
    auto contestant = std::make_unique<StrawContestant>(name, diary_);
    StrawContestant& entered = *contestant;
    contestants_.push_back(std::move(contestant));
    return entered;
  }
  RaceResult run(std::vector<StrawMeter::Step> steps = {{0ms, 0ms}}) {
    StrawMeter meter(std::move(steps));
    return race(kWorkload, contestants_, rules_, meter);
  }
  std::string complaint() {
    try {
      run();
    } catch (const std::runtime_error& error) {
      return error.what();
    }
    return "none";
  }

  RaceRules rules_;
  std::string diary_;
  Contestants contestants_;
};

TEST_F(RaceTest, EveryContestantRunsOncePerRoundInChangingOrder) {
  for (const char* name : {"a", "b", "c"}) enter(name);
  rules_.rounds = 60;
  rules_.warm_up = 3;
  const RaceResult result = run();
  ASSERT_EQ(diary_.size(), 63U * 3);
  std::set<std::string> orders;
  for (std::size_t at = 0; at < diary_.size(); at += 3) orders.insert(diary_.substr(at, 3));
  EXPECT_THAT(orders, SizeIs(6));
  for (const std::string& order : orders) {
    EXPECT_EQ(std::set<char>(order.begin(), order.end()).size(), 3U) << order;
  }
  EXPECT_THAT(result.microseconds, AllOf(SizeIs(3), Each(AllOf(SizeIs(60), Each(1500.0)))));
}

TEST_F(RaceTest, RoundsWithForeignLoadAreThrownAwayAndRunAgain) {
  enter("a");
  // Windows 1 and 3: 100 ms that nobody of ours spent.
  const RaceResult result =
      run({{0ms, 0ms}, {100ms, 0ms}, {0ms, 0ms}, {0ms, 0ms}, {0ms, 0ms}, {100ms, 0ms}, {0ms, 0ms}});
  EXPECT_EQ(result.thrown_away, 2U);
  EXPECT_EQ(result.disturbed, 0U);
  EXPECT_THAT(result.microseconds, Each(SizeIs(10)));
  EXPECT_EQ(diary_.size(), 12U);
}

TEST_F(RaceTest, OurOwnLoadIsNotForeign) {
  enter("a").lap.cpu = 60ms;
  const RaceResult result = run({{100ms, 40ms}});
  EXPECT_EQ(result.thrown_away, 0U);
}

TEST_F(RaceTest, AWholeWindowIsThrownAway) {
  enter("a");
  rules_.window = 1h;
  const RaceResult result = run({{0ms, 0ms}, {100ms, 0ms}, {0ms, 0ms}});
  EXPECT_EQ(result.thrown_away, 10U);
  EXPECT_THAT(result.microseconds, Each(SizeIs(10)));
}

TEST_F(RaceTest, OnAMachineThatIsNeverQuietItEndsAndSaysSo) {
  enter("a");
  rules_.most_thrown_away = 4;
  const RaceResult result = run({{100ms, 0ms}});
  EXPECT_EQ(result.thrown_away, 4U);
  EXPECT_EQ(result.disturbed, 10U);
  EXPECT_THAT(result.microseconds, Each(SizeIs(10)));
}

TEST_F(RaceTest, AWrongOutputEndsTheRace) {
  enter("slow").lap.output = "hello";
  EXPECT_THAT(complaint(), AllOf(HasSubstr("slow answered 'hello' wrongly"),
                                 HasSubstr("stdout 'hello' where 'hello\\x0a' is right")));
}

TEST_F(RaceTest, AFailedRunEndsTheRaceAndShowsWhatItSaid) {
  StrawContestant& contestant = enter("a");
  contestant.lap.exit_code = 3;
  contestant.lap.error_output = "no such thing";
  EXPECT_THAT(complaint(), AllOf(HasSubstr("exit code 3"), HasSubstr("'no such thing'")));
}

TEST_F(RaceTest, ARunThatCouldNotStartEndsTheRace) {
  enter("a").trouble = "start /none: No such file or directory";
  EXPECT_THAT(complaint(), HasSubstr("a could not run 'hello': start /none"));
}

TEST_F(RaceTest, AnswersOfTheWarmUpAreCheckedToo) {
  enter("a").lap.exit_code = 1;
  rules_.rounds = 0;
  rules_.warm_up = 1;
  EXPECT_THAT(complaint(), HasSubstr("wrongly"));
}

}  // namespace
}  // namespace sandbox::bench
