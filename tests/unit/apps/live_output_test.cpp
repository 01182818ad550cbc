// What a program prints goes on at once, and holds up nobody.
// SPDX-License-Identifier: MIT
#include "live_output.hpp"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <string>

namespace sandbox::ctl {
namespace {

using Form = OutputTarget::Form;

class Pipe {
 public:
  Pipe() {
    std::array<int, 2> ends{};
    EXPECT_EQ(::pipe2(ends.data(), O_CLOEXEC), 0);
    reader_ = Descriptor(ends[0]);
    writer_ = Descriptor(ends[1]);
  }

  [[nodiscard]] int writer() const { return writer_.get(); }
  void close_reader() { reader_ = Descriptor(); }
  // All that was written.
  [[nodiscard]] std::string drain() {
    writer_ = Descriptor();
    std::string text;
    std::array<char, 4096> buffer{};
    for (ssize_t got = 0; (got = ::read(reader_.get(), buffer.data(), buffer.size())) > 0;) {
      text.append(buffer.data(), static_cast<std::size_t>(got));
    }
    return text;
  }

 private:
  Descriptor reader_;
  Descriptor writer_;
};

class LiveOutputTest : public testing::Test {
 protected:
  void SetUp() override { before_ = std::signal(SIGPIPE, SIG_IGN); }
  void TearDown() override { (void)std::signal(SIGPIPE, before_); }

  void (*before_)(int) = nullptr;
};

TEST_F(LiveOutputTest, PassesBytesOnAsTheyAre) {
  Pipe out;
  Pipe err;
  LiveOutput live(OutputTarget(out.writer(), Form::as_is), OutputTarget(err.writer(), Form::as_is),
                  nullptr);
  const std::string bytes("a\x1b]52;\xff\0\xc3", 9);
  live.write(OutputChunk{Stream::standard_output, bytes});
  live.write(OutputChunk{Stream::standard_error, "err"});
  EXPECT_EQ(live.finish(), 0);
  EXPECT_EQ(out.drain(), bytes);
  EXPECT_EQ(err.drain(), "err");
}

TEST_F(LiveOutputTest, EscapesForATerminalAcrossChunks) {
  Pipe out;
  LiveOutput live(OutputTarget(out.writer(), Form::escaped),
                  OutputTarget(out.writer(), Form::as_is), nullptr);
  live.write(OutputChunk{Stream::standard_output, "\x1b]0;t\x07 caf\xc3"});
  live.write(OutputChunk{Stream::standard_output, "\xa9 \xf0\x9f"});
  live.write(OutputChunk{Stream::standard_output, "\x9a"});
  live.write(OutputChunk{Stream::standard_output, "\x80 \xc2"});
  live.write(OutputChunk{Stream::standard_output, "\x9b\n\xe2\x82"});
  EXPECT_EQ(live.finish(), 0);
  EXPECT_EQ(out.drain(), "\\x1b]0;t\\x07 caf\xc3\xa9 \xf0\x9f\x9a\x80 \\x9b\n\xef\xbf\xbd");
}

TEST_F(LiveOutputTest, TellsOnceThatNobodyReads) {
  Pipe out;
  out.close_reader();
  std::atomic<int> told{0};
  std::atomic<int> error{0};
  LiveOutput live(OutputTarget(out.writer(), Form::as_is), OutputTarget(out.writer(), Form::as_is),
                  [&](int failed_with) {
                    ++told;
                    error = failed_with;
                  });
  live.write(OutputChunk{Stream::standard_output, "one"});
  live.write(OutputChunk{Stream::standard_output, "two"});
  EXPECT_EQ(live.finish(), EPIPE);
  EXPECT_EQ(error, EPIPE);
  EXPECT_EQ(told, 1);
}

TEST_F(LiveOutputTest, AReaderThatNeverComesHoldsUpNeitherWriteNorAbandon) {
  Pipe out;
  LiveOutput live(OutputTarget(out.writer(), Form::as_is), OutputTarget(out.writer(), Form::as_is),
                  nullptr);
  const std::string much(1U << 20U, 'x');
  live.write(OutputChunk{Stream::standard_output, much});  // far more than a pipe holds
  live.abandon();
  const std::size_t got = out.drain().size();
  EXPECT_GT(got, 0U);
  EXPECT_LT(got, much.size());
}

TEST_F(LiveOutputTest, AbandonedOutputStillGoesWhereThereIsRoom) {
  Pipe out;
  LiveOutput live(OutputTarget(out.writer(), Form::as_is), OutputTarget(out.writer(), Form::as_is),
                  nullptr);
  live.write(OutputChunk{Stream::standard_output, "last words"});
  live.abandon();
  EXPECT_EQ(out.drain(), "last words");
}

}  // namespace
}  // namespace sandbox::ctl
