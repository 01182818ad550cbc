// Capture of a stream, against a model that keeps everything.
// SPDX-License-Identifier: MIT
#include "output_capture.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <random>

namespace sandbox::runner::test {
namespace {

constexpr std::uint64_t kLimits[] = {1, 2, 3, 4, 5, 7, 8, 9, 16, 63, 64, 100, 4096};

// All bytes, and what of them should be kept.
class Model {
 public:
  explicit Model(std::uint64_t limit) : limit_(limit) {}

  void add(std::string_view bytes) { all_.append(bytes); }

  [[nodiscard]] const std::string& all() const { return all_; }
  [[nodiscard]] std::string live() const { return all_.substr(0, limit_); }
  [[nodiscard]] std::string head() const { return all_.substr(0, limit_ - limit_ / 4); }
  [[nodiscard]] std::string tail() const {
    const std::string rest = all_.substr(head().size());
    return rest.substr(rest.size() - std::min<std::uint64_t>(rest.size(), limit_ / 4));
  }

 private:
  std::uint64_t limit_;
  std::string all_;
};

// No byte repeats soon, so a piece in the wrong place shows.
std::string next_bytes(std::size_t count, std::uint32_t& state) {
  std::string bytes(count, '\0');
  for (char& byte : bytes) {
    state = state * 1664525U + 1013904223U;
    byte = static_cast<char>(state >> 24U);
  }
  return bytes;
}

std::size_t chunk_size(std::mt19937& random, std::uint64_t limit) {
  const auto around = static_cast<std::uint32_t>(limit);
  switch (random() % 5) {
    case 0:
      return random() % 3;
    case 1:
      return random() % (around / 4 + 2);
    case 2:
      return around / 4 + random() % 3;
    case 3:
      return random() % (around + 2);
    default:
      return random() % (2 * around + 5);
  }
}

void compare(OutputCapture& capture, const Model& model, const std::string& live,
             std::uint64_t limit) {
  ASSERT_EQ(live, model.live());
  ASSERT_EQ(capture.total_bytes(), model.all().size());
  const CapturedOutput kept = capture.take();
  ASSERT_EQ(kept.head(), model.head());
  ASSERT_EQ(kept.tail(), model.tail());
  ASSERT_EQ(kept.total_bytes(), model.all().size());
  ASSERT_EQ(kept.truncated(), model.all().size() > limit);
  ASSERT_LE(kept.head().size() + kept.tail().size(), limit);
  if (!kept.truncated()) {
    ASSERT_EQ(kept.bytes(), model.all());
  }
}

TEST(OutputCapture, KeepsWhatTheModelKeepsForAnyChunks) {
  std::mt19937 random(7);  // NOLINT(cert-msc51-cpp): the same cases each time
  for (const std::uint64_t limit : kLimits) {
    for (int round = 0; round < 150; ++round) {
      SCOPED_TRACE("limit " + std::to_string(limit) + ", round " + std::to_string(round));
      OutputCapture capture(limit);
      Model model(limit);
      std::string live;
      auto state = static_cast<std::uint32_t>(random());
      for (auto chunks = random() % 12; chunks > 0; --chunks) {
        const std::string bytes = next_bytes(chunk_size(random, limit), state);
        live += capture.add(bytes);
        model.add(bytes);
      }
      compare(capture, model, live, limit);
      if (HasFatalFailure()) return;
    }
  }
}

TEST(OutputCapture, KeepsWhatTheModelKeepsByteForByte) {
  for (const std::uint64_t limit : kLimits) {
    if (limit > 100) continue;
    for (std::uint64_t length = 0; length <= 3 * limit + 2; ++length) {
      SCOPED_TRACE("limit " + std::to_string(limit) + ", length " + std::to_string(length));
      OutputCapture capture(limit);
      Model model(limit);
      std::string live;
      std::uint32_t state = 1;
      for (std::uint64_t i = 0; i < length; ++i) {
        const std::string byte = next_bytes(1, state);
        live += capture.add(byte);
        model.add(byte);
      }
      compare(capture, model, live, limit);
      if (HasFatalFailure()) return;
    }
  }
}

struct Example {
  std::uint64_t limit;
  const char* written;
  const char* head;
  const char* tail;
};

// The model itself is held to a few cases worked out by hand.
TEST(OutputCapture, KeepsThreeQuartersOfTheStartAndTheRestOfTheEnd) {
  const Example rows[] = {
      {8, "", "", ""},
      {8, "abcdef", "abcdef", ""},
      {8, "abcdefgh", "abcdef", "gh"},
      {8, "abcdefghijk", "abcdef", "jk"},
      {4, "abcdef", "abc", "f"},
      {3, "abcdef", "abc", ""},
      {1, "abcdef", "a", ""},
  };
  for (const Example& row : rows) {
    OutputCapture capture(row.limit);
    (void)capture.add(row.written);
    const CapturedOutput kept = capture.take();
    EXPECT_EQ(kept.head(), row.head) << row.limit << " " << row.written;
    EXPECT_EQ(kept.tail(), row.tail) << row.limit << " " << row.written;
  }
}

TEST(OutputCapture, LiveBytesAreAViewOfWhatWasGiven) {
  OutputCapture capture(5);
  const std::string chunk = "abc";
  EXPECT_EQ(capture.add(chunk).data(), chunk.data());
  EXPECT_EQ(capture.add("defg"), "de");
  EXPECT_EQ(capture.add("h"), "");
}

TEST(OutputCapture, TakingLeavesItEmpty) {
  OutputCapture capture(4);
  (void)capture.add("abcdefg");
  (void)capture.take();
  EXPECT_EQ(capture.total_bytes(), 0U);
  const CapturedOutput again = capture.take();
  EXPECT_EQ(again.bytes(), "");
  EXPECT_FALSE(again.truncated());
}

}  // namespace
}  // namespace sandbox::runner::test
