// One run: the request's checks, and views of captured output.
// SPDX-License-Identifier: MIT
#include "sandbox/exec.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "format.hpp"
#include "sandbox/error.hpp"
#include "sandbox/utf8.hpp"
#include "utf8_scan.hpp"

namespace sandbox {
namespace {

// A NUL would end the text early at the system call and change what is meant. The text itself is
// not repeated: the value of a variable may be a secret.
void refuse_nul(const std::string& where, std::string_view text) {
  if (text.find('\0') == std::string_view::npos) return;
  throw Error(errc::invalid_argument, "exec request: " + where + " holds a NUL byte; take it out");
}

// Bytes at the begin of a tail that may belong to a character whose start was left out. A character
// has at most three such bytes.
std::size_t orphaned_start(std::string_view tail) {
  const std::size_t longest = std::min<std::size_t>(tail.size(), 3);
  std::size_t count = 0;
  while (count < longest && (static_cast<unsigned char>(tail[count]) & 0xC0U) == 0x80U) ++count;
  return count;
}

std::string left_out_line(std::uint64_t bytes) {
  return "\n[... " + std::to_string(bytes) + (bytes == 1 ? " byte" : " bytes") + " left out ...]\n";
}

// The two kept parts without the halves of characters that the cut split.
class WholeCharacters {
 public:
  explicit WholeCharacters(const CapturedOutput& output)
      : head_(output.head()), tail_(output.tail()) {
    head_.remove_suffix(detail::unfinished_tail(head_));
    tail_.remove_prefix(orphaned_start(tail_));
  }

  [[nodiscard]] std::string_view head() const { return head_; }
  [[nodiscard]] std::string_view tail() const { return tail_; }

 private:
  std::string_view head_;
  std::string_view tail_;
};

}  // namespace

ExecRequest ExecRequest::shell(std::string fixed_template) {
  std::vector<std::string> argv{"sh", "-c"};
  argv.push_back(std::move(fixed_template));
  return ExecRequest(std::move(argv));
}

ExecRequest& ExecRequest::working_directory(std::string path) {
  working_directory_ = std::move(path);
  return *this;
}

ExecRequest& ExecRequest::timeout(std::chrono::milliseconds value) {
  timeout_ = value;
  return *this;
}

ExecRequest& ExecRequest::limits(Limits value) {
  limits_ = value;
  return *this;
}

ExecRequest& ExecRequest::environment(std::map<std::string, std::string> variables) {
  environment_ = std::move(variables);
  return *this;
}

ExecRequest& ExecRequest::standard_input(std::string bytes) {
  standard_input_ = std::move(bytes);
  return *this;
}

ExecRequest& ExecRequest::on_output(OutputCallback callback) {
  on_output_ = std::move(callback);
  return *this;
}

void ExecRequest::validate() const {
  if (argv_.empty()) {
    throw Error(errc::invalid_argument, "exec request: argv is empty; name a program to run");
  }
  for (std::size_t i = 0; i < argv_.size(); ++i) {
    refuse_nul("argument " + std::to_string(i), argv_[i]);
  }
  if (working_directory_) refuse_nul("the working directory", *working_directory_);
  for (const auto& [name, value] : environment_) {
    refuse_nul("the variable name " + detail::in_quotes(name), name);
    if (name.empty() || name.find('=') != std::string::npos) {
      throw Error(errc::invalid_argument, "exec request: the variable name " +
                                              detail::in_quotes(name) +
                                              " is empty or holds '='; give a plain name");
    }
    refuse_nul("the value of the variable " + detail::in_quotes(name), value);
  }
  if (timeout_ && *timeout_ <= std::chrono::milliseconds::zero()) {
    throw Error(errc::invalid_argument, "exec request: the timeout is " +
                                            detail::format_duration(*timeout_) +
                                            "; give a positive one, or none for the default");
  }
  limits_.validate();
}

CapturedOutput::CapturedOutput(std::string bytes)
    : head_(std::move(bytes)), total_bytes_(head_.size()) {}

CapturedOutput::CapturedOutput(std::string head, std::string tail, std::uint64_t total_bytes)
    : head_(std::move(head)),
      tail_(std::move(tail)),
      total_bytes_(std::max<std::uint64_t>(total_bytes, head_.size() + tail_.size())) {}

std::string CapturedOutput::bytes() const { return head_ + tail_; }

std::string CapturedOutput::text() const {
  if (!truncated()) return to_utf8_lossy(bytes());
  const WholeCharacters kept(*this);
  const std::uint64_t shown = kept.head().size() + kept.tail().size();
  return to_utf8_lossy(kept.head()) + left_out_line(total_bytes_ - shown) +
         to_utf8_lossy(kept.tail());
}

bool CapturedOutput::is_utf8() const {
  if (!truncated()) return sandbox::is_utf8(bytes());
  const WholeCharacters kept(*this);
  return sandbox::is_utf8(kept.head()) && sandbox::is_utf8(kept.tail());
}

}  // namespace sandbox
