// SPDX-License-Identifier: MIT
#include "plain_run.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <vector>

#include "captured_process.hpp"
#include "selftest/verdict.hpp"

namespace sandbox::runner::testing {
namespace {

namespace fs = std::filesystem;

constexpr std::chrono::seconds kDeadline(40);
constexpr std::size_t kOutputCap = std::size_t{1} << 20U;
// Some attempts flood their stderr; the end of it is enough.
constexpr const char* kEndOfErrors = "{ \"$@\" 2>&1 >&3 3>&- | tail -c 500 >&2 3>&-; } 3>&1";
constexpr unsigned kNobody = 65534;

// A directory of the ordinary user's own; gone with this.
class Place {
 public:
  Place() {
    std::string name = (fs::temp_directory_path() / "adversarial-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error("no temporary directory");
    path_ = name;
    if (::geteuid() == 0 && ::chown(path_.c_str(), kNobody, kNobody) != 0) {
      throw std::runtime_error("cannot give the temporary directory away");
    }
  }
  Place(const Place&) = delete;
  Place& operator=(const Place&) = delete;
  Place(Place&&) = delete;
  Place& operator=(Place&&) = delete;
  ~Place() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }

  void write(const std::string& name, const std::string& text) const {
    std::ofstream(path_ / name, std::ios::binary) << text;
    fs::permissions(path_ / name, fs::perms(0644));
  }
  [[nodiscard]] std::string path() const { return path_.string(); }

 private:
  fs::path path_;
};

CapturedRun run_outside(const Place& place, PlainRun::Where where,
                        const std::vector<std::string>& program) {
  std::vector<std::string> command = {"/bin/sh", "-c", kEndOfErrors, "sh"};
  const bool in_namespaces = where == PlainRun::Where::namespaces;
  if (in_namespaces && ::geteuid() == 0) {
    const std::vector<std::string> become_nobody = {"/usr/bin/setpriv", "--reuid=65534",
                                                    "--regid=65534", "--clear-groups"};
    command.insert(command.end(), become_nobody.begin(), become_nobody.end());
  }
  if (in_namespaces) {
    const std::vector<std::string> namespaces = {
        "/usr/bin/unshare", "-Ur",   "--mount", "--pid", "--fork",
        "--kill-child",     "--net", "--ipc",   "--uts"};
    command.insert(command.end(), namespaces.begin(), namespaces.end());
  }
  command.insert(command.end(), {"/usr/bin/env", "-C", place.path()});
  command.insert(command.end(), program.begin(), program.end());
  return run_captured(command, {"PATH=/usr/bin:/bin", "LC_ALL=C.UTF-8"}, kDeadline, kOutputCap);
}

}  // namespace

bool first_label_worked(const Attempt& attempt, const std::vector<Met>& met) {
  const Met wanted(attempt.expectations.front().label(), "worked");
  return std::find(met.begin(), met.end(), wanted) != met.end();
}

PlainRun::PlainRun(const Attempt& attempt, Where where) {
  const Place place;
  const CapturedRun probe = run_outside(place, where, {"/usr/bin/python3", "-c", "print('up')"});
  if (probe.start_error != 0 || probe.out != "up\n") {
    lacking_ = "an ordinary user cannot run python3 in namespaces of his own here: " + probe.err;
    return;
  }
  place.write("attempt.py", attempt.program);
  const CapturedRun run = run_outside(place, where, {"/usr/bin/python3", "attempt.py"});
  const Told told((CapturedOutput(run.out)));
  worked_ = first_label_worked(attempt, told.met());
  for (const Met& met : told.met()) {
    story_ += met.label() + "=" + met.word() + " ";
    if (met.label() == attempt.expectations.front().label()) word_ = met.word();
  }
  story_ += run.timed_out ? "(timed out) " : "";
  story_ += run.err;
}

}  // namespace sandbox::runner::testing
