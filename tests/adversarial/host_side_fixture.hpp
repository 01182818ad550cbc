// Tests with two sides: a guest goes on while the host, or another guest, does something.
// SPDX-License-Identifier: MIT
#pragma once

#include <condition_variable>
#include <future>
#include <initializer_list>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "fd.hpp"
#include "runner_fixture.hpp"
#include "sandbox/runner/protection.hpp"

namespace sandbox::runner::testing {

// A run that has started and is looked at from outside.
class LiveRun {
 public:
  LiveRun(boost::asio::io_context& context, const std::shared_ptr<Sandbox>& box,
          ExecRequest request);

  // Waits until stdout or stderr holds `text`. False when the run ended without it, or after 20 s.
  bool printed(const std::string& text);
  [[nodiscard]] bool ended() const;
  // Waits. Once only.
  ExecResult result() { return running_.get(); }

 private:
  class Heard {
   public:
    std::mutex mutex;
    std::condition_variable more;
    std::string text;
  };
  std::shared_ptr<Heard> heard_ = std::make_shared<Heard>();
  std::future<ExecResult> running_;
};

class TwoSidedTest : public RunnerTest {
 protected:
  // Must come before the first use of the backend.
  void turn_off(std::initializer_list<Protection> protections);

  // A python program with kHelpers in front of it.
  static ExecRequest program(const std::string& source);
  LiveRun start(const std::shared_ptr<Sandbox>& box, const std::string& source);
  // What it printed on stdout; what stands on stderr is a failure.
  std::string output_of(const std::shared_ptr<Sandbox>& box, const std::string& source);
  // Ends the guest's wait_for(name).
  void tell(const std::shared_ptr<Sandbox>& box, const std::string& name);

  // What the host meets: "=" and the bytes, "ok", or the error's short name. Fails the test when an
  // answer takes longer than 5 s, which is what "it blocks" would look like.
  std::string read(const std::shared_ptr<Sandbox>& box, const std::string& path,
                   std::uint64_t cap = 1000);
  std::string write(const std::shared_ptr<Sandbox>& box, const std::string& path);
  // The kind ("file", "other"), "nothing", or the error's short name.
  std::string kind(const std::shared_ptr<Sandbox>& box, const std::string& path);
  // "ok" and the entries in `into`, or the error's short name.
  std::string list(const std::shared_ptr<Sandbox>& box, const std::string& path,
                   std::vector<SandboxEntry>& into);
};

// A directory of the host that everybody may write to; gone with this.
class OpenDirectory {
 public:
  OpenDirectory();
  OpenDirectory(const OpenDirectory&) = delete;
  OpenDirectory& operator=(const OpenDirectory&) = delete;
  OpenDirectory(OpenDirectory&&) = delete;
  OpenDirectory& operator=(OpenDirectory&&) = delete;
  ~OpenDirectory();

  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  std::string path_;
};

// The exit code of a program of the host, with all descriptors that are not close-on-exec; -1 when
// it could not be started or was killed.
int run_outside(const std::vector<std::string>& arguments);

// A word that no other process of this machine has in its command line.
std::string unique_word();
// All processes of this machine, not only ours, with `word` in the command line.
std::size_t processes_with(const std::string& word);

}  // namespace sandbox::runner::testing
