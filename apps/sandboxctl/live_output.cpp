// Passes a program's output on while it runs.
// SPDX-License-Identifier: MIT
#include "live_output.hpp"

#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <climits>
#include <cstdint>
#include <utility>

#include "sandbox/utf8.hpp"

namespace sandbox::ctl {
namespace {

unsigned char byte_of(char c) { return static_cast<unsigned char>(c); }

// How many bytes at the end may be the begin of a character that the next chunk completes.
std::size_t open_end(std::string_view text) {
  const std::size_t longest = std::min<std::size_t>(text.size(), 3);
  for (std::size_t length = 1; length <= longest; ++length) {
    const unsigned char byte = byte_of(text[text.size() - length]);
    if (byte < 0x80) return 0;
    if (byte < 0xC0) continue;  // goes on with an earlier byte
    const std::size_t whole = byte >= 0xF0 ? 4 : byte >= 0xE0 ? 3 : 2;
    return length < whole ? length : 0;
  }
  return 0;
}

}  // namespace

std::string TerminalEscaper::add(std::string_view bytes) {
  std::string text = std::exchange(unfinished_, {});
  text += bytes;
  const std::size_t whole = text.size() - open_end(text);
  unfinished_ = text.substr(whole);
  text.resize(whole);
  return escape_for_terminal(text);
}

std::string TerminalEscaper::finish() {
  return escape_for_terminal(std::exchange(unfinished_, {}));
}

LiveOutput::LiveOutput(OutputTarget standard_output, OutputTarget standard_error,
                       FailureHandler on_failure)
    : standard_output_(standard_output),
      standard_error_(standard_error),
      on_failure_(std::move(on_failure)),
      wake_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)),
      writer_([this] { write_until_closed(); }) {}

LiveOutput::~LiveOutput() { abandon(); }

void LiveOutput::write(OutputChunk chunk) {
  const bool to_output = chunk.stream == Stream::standard_output;
  const OutputTarget& target = to_output ? standard_output_ : standard_error_;
  TerminalEscaper& escaper = to_output ? escape_output_ : escape_error_;
  push(target, target.form() == OutputTarget::Form::escaped ? escaper.add(chunk.bytes)
                                                            : std::string(chunk.bytes));
}

int LiveOutput::finish() {
  push(standard_output_, escape_output_.finish());
  push(standard_error_, escape_error_.finish());
  end();
  return error_;
}

void LiveOutput::abandon() {
  abandoned_ = true;
  const std::uint64_t one = 1;
  // A full counter wakes as well.
  (void)!::write(wake_.get(), &one, sizeof one);
  end();
}

void LiveOutput::end() {
  {
    const std::lock_guard lock(mutex_);
    closed_ = true;
  }
  changed_.notify_one();
  if (writer_.joinable()) writer_.join();
}

void LiveOutput::push(const OutputTarget& target, std::string bytes) {
  if (bytes.empty() || error_ != 0) return;
  {
    const std::lock_guard lock(mutex_);
    pieces_.push_back(Piece{target.descriptor(), std::move(bytes)});
  }
  changed_.notify_one();
}

void LiveOutput::write_until_closed() {
  for (;;) {
    Piece piece{};
    {
      std::unique_lock lock(mutex_);
      changed_.wait(lock, [this] { return closed_ || !pieces_.empty(); });
      if (pieces_.empty()) return;
      piece = std::move(pieces_.front());
      pieces_.pop_front();
    }
    if (!write_piece(piece)) return;
  }
}

bool LiveOutput::write_piece(const Piece& piece) {
  std::string_view rest = piece.bytes;
  while (!rest.empty()) {
    if (!wait_for_room(piece.descriptor)) return false;
    // So much a pipe with room takes without blocking (pipe(7)).
    const std::string_view part = rest.substr(0, PIPE_BUF);
    const ssize_t wrote = ::write(piece.descriptor, part.data(), part.size());
    if (wrote >= 0) {
      rest.remove_prefix(static_cast<std::size_t>(wrote));
    } else if (errno != EINTR && errno != EAGAIN) {
      error_ = errno;
      if (on_failure_) on_failure_(error_);
      return false;
    }
  }
  return true;
}

bool LiveOutput::wait_for_room(int descriptor) const {
  for (;;) {
    std::array<pollfd, 2> waits{{{descriptor, POLLOUT, 0}, {wake_.get(), POLLIN, 0}}};
    // Once abandoned the wake-up stays readable, so this never waits again.
    if (::poll(waits.data(), waits.size(), -1) < 0 && errno != EINTR) return true;
    if (waits[0].revents != 0) return true;
    if (abandoned_) return false;
  }
}

}  // namespace sandbox::ctl
