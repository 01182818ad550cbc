// Uids for guests: no two sandboxes have the same, in one process or in several.
// SPDX-License-Identifier: MIT
#include "uid_pool.hpp"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <set>
#include <string>
#include <thread>
#include <vector>

#include "host_support.hpp"

namespace sandbox::runner::test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

using Leases = std::vector<std::unique_ptr<UidLease>>;

constexpr UidRange kSix{1000, 6};

std::set<std::uint32_t> uids_of(const Leases& leases) {
  std::set<std::uint32_t> uids;
  for (const auto& lease : leases) uids.insert(lease->uid());
  return uids;
}

// In a directory that only this user has.
class UidPoolTest : public ::testing::Test {
 protected:
  [[nodiscard]] std::string locks() const { return directory_.at("locks"); }

  TemporaryDirectory directory_;
};

TEST_F(UidPoolTest, ALeaseIsOfTheRangeAndOfNobodyElse) {
  UidPool pool(kSix, locks());
  EXPECT_TRUE(pool.is_shared());
  Leases leases;
  for (std::uint32_t i = 0; i < kSix.count; ++i) leases.push_back(pool.take());
  EXPECT_EQ(uids_of(leases), (std::set<std::uint32_t>{1000, 1001, 1002, 1003, 1004, 1005}));
}

TEST_F(UidPoolTest, WhenAllAreInUseItSaysSoAndWhatToDo) {
  UidPool pool(kSix, locks());
  Leases leases;
  for (std::uint32_t i = 0; i < kSix.count; ++i) leases.push_back(pool.take());
  const auto told = told_by([&] { (void)pool.take(); });
  ASSERT_TRUE(told);
  EXPECT_EQ(told->code, errc::too_many);
  EXPECT_THAT(told->what,
              AllOf(HasSubstr("all 6 uids"), HasSubstr("from 1000"), HasSubstr("outside_uid")));
  leases.pop_back();
  EXPECT_EQ(pool.take()->uid(), 1005U);
}

TEST_F(UidPoolTest, AnEmptyRangeHasNone) {
  UidPool pool({1000, 0}, locks());
  EXPECT_EQ(error_of([&] { (void)pool.take(); }), errc::too_many);
}

TEST_F(UidPoolTest, TwoPoolsOnOneDirectoryNeverGiveTheSame) {
  UidPool one(kSix, locks());
  UidPool other(kSix, locks());
  ASSERT_TRUE(one.is_shared() && other.is_shared());
  Leases leases;
  for (std::uint32_t i = 0; i < kSix.count / 2; ++i) {
    leases.push_back(one.take());
    leases.push_back(other.take());
  }
  EXPECT_EQ(uids_of(leases).size(), kSix.count);
  EXPECT_EQ(error_of([&] { (void)one.take(); }), errc::too_many);
  EXPECT_EQ(error_of([&] { (void)other.take(); }), errc::too_many);
  const std::uint32_t freed = leases.front()->uid();
  leases.erase(leases.begin());
  EXPECT_EQ(other.take()->uid(), freed) << "of the one pool, to be had by the other";
}

TEST_F(UidPoolTest, AnotherProcessDoesNotGiveTheSame) {
  UidPool mine(kSix, locks());
  Leases leases;
  for (int i = 0; i < 4; ++i) leases.push_back(mine.take());
  const auto count_free = [&] {
    UidPool theirs(kSix, locks());
    Leases found;
    while (found.size() <= kSix.count && !error_of([&] { found.push_back(theirs.take()); })) {
    }
    return static_cast<int>(found.size());
  };
  EXPECT_EQ(run_in_child(count_free), 2);
  leases.clear();
  EXPECT_EQ(run_in_child(count_free), 6);
  // The child took all of them and has ended without giving one back.
  EXPECT_EQ(count_free(), 6);
}

TEST_F(UidPoolTest, ALeaseOutlivesItsPool) {
  std::unique_ptr<UidLease> lease;
  {
    UidPool pool(kSix, locks());
    lease = pool.take();
  }
  UidPool pool({lease->uid(), 1}, locks());
  EXPECT_EQ(error_of([&] { (void)pool.take(); }), errc::too_many);
  lease.reset();
  EXPECT_EQ(pool.take()->uid(), 1000U);
}

TEST_F(UidPoolTest, AUidRestsForAsLongAsOthersAreFree) {
  UidPool pool(kSix, locks());
  std::vector<std::uint32_t> given;
  for (int i = 0; i < 8; ++i) given.push_back(pool.take()->uid());
  EXPECT_THAT(given, ::testing::ElementsAre(1000, 1001, 1002, 1003, 1004, 1005, 1000, 1001));
}

void take_in_threads(const std::string& where, int rounds) {
  UidPool pool({1000, 64}, where);
  std::vector<Leases> taken(4);
  std::vector<std::thread> threads;
  for (Leases& mine : taken) {
    threads.emplace_back([&, rounds] {
      for (int i = 0; i < rounds; ++i) {
        if (mine.size() == 12) mine.erase(mine.begin());
        mine.push_back(pool.take());
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  std::set<std::uint32_t> all;
  for (const Leases& mine : taken) {
    for (const std::uint32_t uid : uids_of(mine)) EXPECT_TRUE(all.insert(uid).second) << uid;
  }
  EXPECT_EQ(all.size(), 48U);
}

TEST_F(UidPoolTest, ManyThreadsGetDifferentOnes) {
  take_in_threads(locks(), 100);
  // Nothing but memory, so that the threads meet.
  take_in_threads(directory_.at("missing/locks"), 20000);
}

// Without a place for locks, one process can still keep its own apart.
void expect_only_own_leases(const std::string& where) {
  UidPool pool(kSix, where);
  EXPECT_FALSE(pool.is_shared()) << where;
  Leases leases;
  for (std::uint32_t i = 0; i < kSix.count; ++i) leases.push_back(pool.take());
  EXPECT_EQ(uids_of(leases).size(), kSix.count);
  EXPECT_EQ(error_of([&] { (void)pool.take(); }), errc::too_many);
  leases.clear();
  EXPECT_EQ(error_of([&] { (void)pool.take(); }), std::nullopt);
}

TEST_F(UidPoolTest, APlaceWhereOthersCanWriteIsNotUsed) {
  ASSERT_EQ(::mkdir(locks().c_str(), 0700), 0);
  for (const mode_t mode : {0720U, 0702U, 0722U, 0777U, 01777U}) {
    ASSERT_EQ(::chmod(locks().c_str(), mode), 0);
    expect_only_own_leases(locks());
  }
  for (const mode_t mode : {0700U, 0755U}) {
    ASSERT_EQ(::chmod(locks().c_str(), mode), 0);
    EXPECT_TRUE(UidPool(kSix, locks()).is_shared()) << mode;
  }
}

TEST_F(UidPoolTest, APlaceOfAnotherUserIsNotUsed) {
  if (::geteuid() == 0) {
    ASSERT_EQ(::mkdir(locks().c_str(), 0700), 0);
    ASSERT_EQ(::chown(locks().c_str(), 65534, 65534), 0);
    expect_only_own_leases(locks());
  } else {
    expect_only_own_leases("/usr");
  }
}

TEST_F(UidPoolTest, APlaceThatCannotBeIsNotUsed) {
  expect_only_own_leases(directory_.at("missing/locks"));
  const std::string link = directory_.at("link");
  ASSERT_EQ(::symlink(directory_.path().c_str(), link.c_str()), 0);
  expect_only_own_leases(link);
  const std::string file = directory_.at("file");
  ASSERT_EQ(::close(::open(file.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600)), 0);
  expect_only_own_leases(file);
}

TEST_F(UidPoolTest, OnlyItsOwnerMayLookIntoADirectoryThatItMade) {
  const UidPool pool(kSix, locks());
  struct stat found {};
  ASSERT_EQ(::lstat(locks().c_str(), &found), 0);
  EXPECT_EQ(found.st_mode, static_cast<mode_t>(S_IFDIR | 0700));
}

// A link planted for a lock must not lead to a file of somebody else.
TEST_F(UidPoolTest, ALinkInPlaceOfALockIsPassedOver) {
  ASSERT_EQ(::mkdir(locks().c_str(), 0700), 0);
  const std::string target = directory_.at("target");
  ASSERT_EQ(::symlink(target.c_str(), (locks() + "/1000").c_str()), 0);
  UidPool pool(kSix, locks());
  EXPECT_EQ(pool.take()->uid(), 1001U);
  EXPECT_NE(::access(target.c_str(), F_OK), 0);
}

}  // namespace
}  // namespace sandbox::runner::test
