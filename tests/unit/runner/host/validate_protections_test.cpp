// The launcher's check of what belongs to protections: their bits, lists, rules and descriptors.
// SPDX-License-Identifier: MIT
#include <gmock/gmock.h>

#include <algorithm>

#include "request_support.hpp"

namespace sandbox::runner::test {
namespace {

using launcher::Guard;
using launcher::Header;
using launcher::kRunDescriptors;
using launcher::LandlockAccess;
using launcher::LandlockRule;
using launcher::RunRequest;
using launcher::Span;
using launcher::Text;

// A cgroup and a time namespace each bring one descriptor, whatever stands for "yes".
TEST(ValidateProtections, EachOptionalDescriptorMustBeThereWhenItIsTold) {
  for (const std::uint32_t cgroup : {0U, 1U, 0x80000000U}) {
    for (const std::uint32_t time : {0U, 1U, 0x80000000U}) {
      const int optional = (cgroup != 0 ? 1 : 0) + (time != 0 ? 1 : 0);
      const std::string run = edit<RunRequest>(valid_run(), [&](RunRequest& request) {
        request.header.in_cgroup = cgroup;
        request.has_time_namespace = time;
      });
      for (int count = -1; count <= kRunDescriptors + 3; ++count) {
        EXPECT_EQ(is_accepted(run, count), count == kRunDescriptors + optional)
            << "cgroup " << cgroup << ", time " << time << ", " << count << " descriptors";
      }
    }
    const std::string make =
        edit<Header>(valid_make(), [&](Header& header) { header.in_cgroup = cgroup; });
    for (int count = -1; count <= kRunDescriptors + 3; ++count) {
      EXPECT_EQ(is_accepted(make, count), count == (cgroup != 0 ? 2 : 1))
          << "cgroup " << cgroup << ", " << count << " descriptors";
    }
  }
}

// Bits whose protection has no list in the request.
TEST(ValidateProtections, EachProtectionThatIsRequiredMustBeWanted) {
  constexpr std::uint32_t kWithList = launcher::bit(Guard::seccomp) |
                                      launcher::bit(Guard::denied_calls) |
                                      launcher::bit(Guard::landlock);
  for (const Whole& whole : both_kinds()) {
    const std::uint32_t all = fixed_part<Header>(whole.message).wanted;
    for (std::uint32_t i = 0; i < 32; ++i) {
      const std::uint32_t bit = 1U << i;
      if ((bit & kWithList) != 0) continue;
      const auto with = [&](std::uint32_t wanted, std::uint32_t required) {
        const auto change = [&](Header& header) {
          header.wanted = wanted;
          header.required = required;
        };
        return is_accepted(edit<Header>(whole.message, change), whole.descriptors);
      };
      EXPECT_FALSE(with(all & ~bit, bit)) << whole.name << ": " << i;
      EXPECT_FALSE(with(all & ~bit, (all & ~bit) | bit)) << whole.name << ": " << i;
      EXPECT_TRUE(with(all & ~bit, all & ~bit)) << whole.name << ": " << i;
      EXPECT_TRUE(with(all & ~bit, 0)) << whole.name << ": " << i;
    }
  }
}

TEST(ValidateProtections, EachLandlockRuleIsLookedAt) {
  const std::string run = valid_run();
  const auto request = fixed_part<RunRequest>(run);
  ASSERT_EQ(request.landlock.count, 6U) << "one of each kind";
  Text relative = 0;
  std::memcpy(&relative, run.data() + request.argv.offset, sizeof relative);
  for (std::uint32_t i = 0; i < request.landlock.count; ++i) {
    SCOPED_TRACE("rule " + std::to_string(i));
    const auto changed = [&](const std::function<void(LandlockRule&)>& change) {
      return is_accepted(edit_element<LandlockRule>(run, request.landlock, i, change),
                         kRunDescriptors);
    };
    EXPECT_TRUE(changed([](LandlockRule&) {}));
    for (const std::uint32_t access : {0U, 7U, 0x80000001U, ~0U}) {
      EXPECT_FALSE(changed([&](LandlockRule& rule) {
        rule.access = static_cast<LandlockAccess>(access);
      })) << access;
    }
    for (std::uint32_t access = 1; access <= 6; ++access) {
      EXPECT_TRUE(changed([&](LandlockRule& rule) {
        rule.access = static_cast<LandlockAccess>(access);
      })) << access;
    }
    EXPECT_FALSE(changed([&](LandlockRule& rule) { rule.path = relative; })) << "without '/'";
    for (const auto& entry : places(run.size())) {
      // The last byte is an empty text, and so no absolute path.
      EXPECT_FALSE(changed([&](LandlockRule& rule) { rule.path = entry.first; })) << entry.first;
    }
  }
}

// The lists that belong to a protection, as bits.
constexpr unsigned kFilter = 1;
constexpr unsigned kVerdicts = 2;
constexpr unsigned kRules = 4;

struct GuardLists {
  std::uint32_t wanted;
  unsigned lists;
};

std::string with_guards(const GuardLists& asked) {
  return edit<RunRequest>(valid_run(), [&](RunRequest& request) {
    request.header.wanted = asked.wanted;
    request.header.required = 0;
    if ((asked.lists & kFilter) == 0) request.filter = Span();
    if ((asked.lists & kVerdicts) == 0) request.verdicts = Span();
    if ((asked.lists & kRules) == 0) request.landlock = Span();
  });
}

// No protection without its list, no list without its protection, and no observer of nothing.
TEST(ValidateProtections, ListsOfAProtectionAreThereExactlyWhenItIsWanted) {
  const std::uint32_t filters = launcher::bit(Guard::seccomp);
  const std::uint32_t observes = launcher::bit(Guard::denied_calls);
  const std::uint32_t landlock = launcher::bit(Guard::landlock);
  const std::vector<GuardLists> legal = {
      {0, 0},
      {filters, kFilter},
      {filters | observes, kFilter | kVerdicts},
      {landlock, kRules},
      {filters | landlock, kFilter | kRules},
      {filters | observes | landlock, kFilter | kVerdicts | kRules},
  };
  int accepted = 0;
  for (const std::uint32_t a : {0U, filters}) {
    for (const std::uint32_t b : {0U, observes}) {
      for (const std::uint32_t c : {0U, landlock}) {
        for (unsigned lists = 0; lists < 8; ++lists) {
          const std::uint32_t wanted = a | b | c;
          const bool expected = std::any_of(legal.begin(), legal.end(), [&](const GuardLists& row) {
            return row.wanted == wanted && row.lists == lists;
          });
          accepted += expected ? 1 : 0;
          EXPECT_EQ(is_accepted(with_guards({wanted, lists}), kRunDescriptors), expected)
              << "wanted " << wanted << ", lists " << lists;
        }
      }
    }
  }
  EXPECT_EQ(accepted, 6);
}

// Numbers that mean the same whatever they are: nothing of them leads anywhere.
TEST(ValidateProtections, BudgetAndNetworkMayBeAnything) {
  for (const std::uint64_t value : {std::uint64_t{0}, std::uint64_t{1}, ~std::uint64_t{0}}) {
    const auto change = [&](RunRequest& request) {
      request.budget = {value, value, value};
      request.handles_network = static_cast<std::uint32_t>(value);
    };
    EXPECT_TRUE(is_accepted(edit<RunRequest>(valid_run(), change), kRunDescriptors)) << value;
  }
}

}  // namespace
}  // namespace sandbox::runner::test
