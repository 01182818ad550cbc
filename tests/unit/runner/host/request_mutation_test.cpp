// Random damage to requests: never a read out of bounds, never an accepted request that is not
// whole.
// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <array>
#include <random>

#include "request_support.hpp"

namespace sandbox::runner::test {
namespace {

using launcher::Header;

constexpr int kMutations = 100000;

class Mutator {
 public:
  explicit Mutator(std::uint32_t seed) : random_(seed) {}

  std::string mutate(std::string message) {
    for (auto changes = 1 + random_() % 3; changes > 0; --changes) change_once(message);
    // Mostly past the first checks, where the rest of them are.
    if (random_() % 8 != 0) mend(message);
    return message;
  }

 private:
  std::uint32_t interesting(std::size_t size) {
    const auto end = static_cast<std::uint32_t>(size);
    const std::array<std::uint32_t, 12> values = {
        0, 1, 7, 8, end - 1, end, end + 1, ~0U, 0x8000U, ~0U / 8, 0x80000000U, end - end % 8 - 8};
    const auto choice = static_cast<std::size_t>(random_()) % (values.size() + 1);
    return choice < values.size() ? values[choice] : static_cast<std::uint32_t>(random_()) % end;
  }

  void change_once(std::string& message) {
    if (message.size() <= sizeof(Header)) return;
    const std::size_t place = random_() % message.size();
    switch (random_() % 6) {
      case 0:
        message[place] = static_cast<char>(message[place] ^ (1 << random_() % 8));
        break;
      case 1:
        message[place] = static_cast<char>(random_());
        break;
      case 2:
      case 3: {
        // A field, most often: the fixed part and the arrays are words.
        const std::size_t word = random_() % (message.size() / 4);
        const std::uint32_t value = interesting(message.size());
        std::memcpy(message.data() + word * 4, &value, sizeof value);
        break;
      }
      case 4:
        message.resize(place + 1);
        break;
      default:
        message.insert(place, random_() % 40, '\0');
        break;
    }
  }

  void mend(std::string& message) {
    if (message.size() < sizeof(Header)) return;
    message = with_true_size(edit<Header>(std::move(message), [](Header& header) {
      header.magic = launcher::kMagic;
      header.version = launcher::kVersion;
    }));
    message.back() = '\0';
  }

  std::mt19937 random_;
};

void check_damaged(const std::string& whole, int descriptors, std::uint32_t seed) {
  GuardedMemory memory;
  Mutator mutator(seed);
  int accepted = 0;
  for (int i = 0; i < kMutations / 2; ++i) {
    const std::string damaged = mutator.mutate(whole);
    const unsigned char* bytes = memory.put(damaged);
    if (!launcher::is_valid_request(bytes, damaged.size(), descriptors)) continue;
    ++accepted;
    ASSERT_EQ(walk_request(bytes, damaged.size(), descriptors), "") << "mutation " << i;
    // The heap's own guards see what lies in front of the message as well.
    ASSERT_TRUE(launcher::is_valid_request(reinterpret_cast<const unsigned char*>(damaged.data()),
                                           damaged.size(), descriptors));
  }
  EXPECT_GT(accepted, kMutations / 100) << "the damage never got past the first checks";
  EXPECT_LT(accepted, kMutations * 45 / 100) << "the damage did no harm";
}

TEST(RequestMutation, NoDamagedMakeRequestIsReadOutOfBounds) { check_damaged(valid_make(), 1, 11); }

TEST(RequestMutation, NoDamagedRunRequestIsReadOutOfBounds) {
  check_damaged(valid_run(), launcher::kRunDescriptors, 12);
}

TEST(RequestMutation, NeitherIsOneWithAllDescriptors) {
  check_damaged(make_in_cgroup(), 2, 13);
  check_damaged(run_with_all_descriptors(), launcher::kMaxDescriptors, 14);
}

// Each field of the fixed part, in turn, with each number of descriptors: what is accepted is
// whole.
void damage_each_word(const std::string& whole, std::size_t fixed_size) {
  GuardedMemory memory;
  const auto end = static_cast<std::uint32_t>(whole.size());
  const std::uint32_t values[] = {0, 1, 2, 7, 8, end - 1, end, end / 8 * 8, 0x80000000U, ~0U};
  int refused = 0;
  for (std::size_t word = 0; word < fixed_size / 4; ++word) {
    for (const std::uint32_t value : values) {
      std::string damaged = whole;
      std::memcpy(damaged.data() + word * 4, &value, sizeof value);
      const unsigned char* bytes = memory.put(damaged);
      for (int count = 0; count <= launcher::kMaxDescriptors + 1; ++count) {
        if (!launcher::is_valid_request(bytes, damaged.size(), count)) {
          ++refused;
          continue;
        }
        ASSERT_EQ(walk_request(bytes, damaged.size(), count), "")
            << "word " << word << " is " << value << ", " << count << " descriptors";
      }
    }
  }
  EXPECT_GT(refused, 0);
}

TEST(RequestMutation, EachWordOfTheFixedPartMayBeAnything) {
  for (const std::string& whole : {valid_make(), make_in_cgroup()}) {
    damage_each_word(whole, sizeof(launcher::MakeRequest));
  }
  for (const std::string& whole : {valid_run(), run_with_all_descriptors()}) {
    damage_each_word(whole, sizeof(launcher::RunRequest));
  }
}

}  // namespace
}  // namespace sandbox::runner::test
