// Output of a guest: counted in full, kept in part, and UTF-8 wherever it was cut.
// SPDX-License-Identifier: MIT
#include "output_capture.hpp"
#include "sandbox/utf8.hpp"
#include "targets.hpp"

namespace sandbox::fuzz {
namespace {

constexpr std::size_t kLongestLine = 64;  // that says how much was left out

std::size_t replacements_in(std::string_view text) {
  constexpr std::string_view kReplacement = "\xEF\xBF\xBD";
  std::size_t count = 0;
  for (std::size_t at = text.find(kReplacement); at != std::string_view::npos;
       at = text.find(kReplacement, at + kReplacement.size())) {
    ++count;
  }
  return count;
}

void check_views(const CapturedOutput& output) {
  const std::string bytes = output.bytes();
  const std::string text = output.text();
  check(output.total_bytes() >= bytes.size(), "no more is kept than was there");
  check(is_utf8(text), "the text is UTF-8");
  check(text.size() <= 3 * bytes.size() + kLongestLine, "the text is as long as what was kept");
  const std::size_t own = replacements_in(bytes);
  if (output.is_utf8()) check(replacements_in(text) <= own, "of UTF-8 nothing is replaced");
  if (output.truncated()) {
    check(text.find(" left out ...]\n") != std::string::npos, "what was left out is told");
    return;
  }
  check(output.is_utf8() == is_utf8(bytes), "the whole is UTF-8 when its bytes are");
  check(text == to_utf8_lossy(bytes), "the whole is shown as it is");
}

void check_capture(std::string_view stream, std::uint64_t limit, std::size_t step) {
  runner::OutputCapture capture(limit);
  std::string live;
  std::size_t size = 1;
  for (std::size_t at = 0; at < stream.size(); at += size) {
    size = 1 + (at * 7 + step) % (step + 1);
    live += capture.add(stream.substr(at, size));
  }
  check(live == stream.substr(0, limit), "listeners get the first bytes");
  check(capture.total_bytes() == stream.size(), "all of it is counted");
  const CapturedOutput output = capture.take();
  check(output.total_bytes() == stream.size(), "all of it is told");
  check(
      output.head().size() + output.tail().size() == std::min<std::uint64_t>(limit, stream.size()),
      "as much is kept as may be");
  check(stream.starts_with(output.head()) && stream.ends_with(output.tail()),
        "the first and the last part are kept");
  if (is_utf8(stream)) check(output.is_utf8(), "a cut makes no bad bytes");
  check_views(output);
  check(capture.take().bytes().empty(), "what was taken is gone");
}

// However a text was cut, what is left of it is one.
void check_cut(std::string_view stream, std::size_t head, std::size_t tail) {
  const CapturedOutput output(std::string(stream.substr(0, head)), std::string(stream.substr(tail)),
                              stream.size());
  check_views(output);
  check(output.is_utf8(), "no cut makes bad bytes");
}

void check_cuts(std::string_view stream, std::size_t place) {
  constexpr std::size_t kShort = 16;
  stream = stream.substr(std::min(place, stream.size()), kShort);
  if (!is_utf8(stream)) return;
  for (std::size_t head = 0; head < stream.size(); ++head) {
    for (std::size_t tail = head + 1; tail <= stream.size(); ++tail) check_cut(stream, head, tail);
  }
}

}  // namespace

void captured(Bytes input) {
  Reader reader(input);
  const std::uint64_t limit = reader.take<std::uint16_t>();
  const std::size_t step = reader.take<unsigned char>();
  const auto total = reader.take<std::uint64_t>();
  const std::string_view stream = text_of(reader.rest());
  check_capture(stream, limit, step);
  check_capture(stream, stream.size() / 2, step);
  check_views(CapturedOutput(std::string(stream)));
  check_cuts(stream, limit);
  const std::size_t cut = std::min<std::size_t>(limit, stream.size());
  check_views(
      CapturedOutput(std::string(stream.substr(0, cut)), std::string(stream.substr(cut)), total));
}

}  // namespace sandbox::fuzz
