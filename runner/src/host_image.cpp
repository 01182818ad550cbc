// The machine's own Python as an image: the interpreter, its libraries, and nothing else.
// SPDX-License-Identifier: MIT
#include "host_image.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>
#include <variant>

#include "host_path.hpp"
#include "image_builder.hpp"
#include "interpreter_probe.hpp"
#include "sandbox/error.hpp"
#include "sandbox/utf8.hpp"

namespace sandbox::runner {
namespace {

constexpr int kOldestMinor = 8;
// A place of the guest that no host has, for names that cannot be added where the interpreter is.
constexpr std::string_view kAliasDirectory = "/opt/libsandbox/bin";

[[noreturn]] void refuse(const std::string& what) { throw Error(errc::image_unusable, what); }

// Follows links: the file itself is what matters.
PinnedPath pin_file(const std::string& path) { return pin_path(AT_FDCWD, path, 0, true); }

// Why a path cannot be run by this process. Empty: it can.
std::string reason_not_runnable(const std::string& path) {
  const PinnedPath pin = pin_file(path);
  if (pin.error != 0) return std::generic_category().message(pin.error);
  if (!S_ISREG(pin.mode)) return "it is not a regular file";
  if (::faccessat(AT_FDCWD, path.c_str(), X_OK, AT_EACCESS) != 0) {
    return std::generic_category().message(errno);
  }
  return {};
}

void require_supported(const InterpreterFacts& facts, const std::string& asked) {
  const std::string mend = "; name a CPython 3.8 or newer with host:/path/to/python";
  if (facts.implementation != "cpython" && facts.major >= 3) {
    refuse("the interpreter " + asked + " is " + escape_for_terminal(facts.implementation) +
           ", not CPython" + mend);
  }
  if (facts.major != 3 || facts.minor < kOldestMinor) {
    refuse("the interpreter " + asked + " is Python " + escape_for_terminal(facts.version) +
           ", which is too old" + mend);
  }
  for (const std::string* path : {&facts.executable, &facts.prefix, &facts.base_prefix}) {
    if (!path->starts_with('/') || has_control_characters(*path)) {
      refuse("the interpreter " + asked + " does not say where it is installed (sys.executable \"" +
             escape_for_terminal(facts.executable) + "\", sys.prefix \"" +
             escape_for_terminal(facts.prefix) + "\")" + mend);
    }
  }
  if (facts.executable.find(':') != std::string::npos) {
    refuse("the path " + facts.executable +
           " has a colon, so that its directory cannot stand in PATH; give it another name");
  }
}

// ".." in the name would need directories that the guest does not have.
std::string settled_path(const std::string& path) {
  std::string plain = without_dots(path);
  if (join_path(plain, "").find("/../") == std::string::npos) return plain;
  const HostWalk directory = walk_host_path(parent_of(plain));
  return join_path(directory.real_path, last_name_of(plain));
}

// The facts of the interpreter itself, also when `program` only leads to it; a failure is returned.
ProbeResult probe_through(const std::string& program) {
  ProbeResult first = probe_interpreter(program);
  const auto* facts = std::get_if<InterpreterFacts>(&first);
  if (facts == nullptr || facts->executable == program || !facts->executable.starts_with('/')) {
    return first;
  }
  // The guest starts it without the script that led to it, so that is what must be asked.
  const std::string direct = settled_path(facts->executable);
  ProbeResult second = probe_interpreter(direct);
  if (auto* failure = std::get_if<ProbeFailure>(&second)) {
    failure->reason = "it leads to " + direct + ", but alone " + failure->reason;
  } else {
    std::get<InterpreterFacts>(second).executable = direct;
  }
  return second;
}

// Puts the parts of one interpreter into an image.
class HostImageMaker {
 public:
  explicit HostImageMaker(const InterpreterFacts& facts) : facts_(facts) {}

  Image make() {
    add_system();
    find_own_bin();
    add_executable();
    add_prefix(facts_.prefix);
    add_prefix(facts_.exec_prefix);
    add_prefix(facts_.base_prefix);
    add_prefix(facts_.base_exec_prefix);
    add_modules();
    Image image;
    add_names(image);
    builder_.finish(image);
    image.interpreter = facts_.executable;
    image.version = facts_.version;
    return image;
  }

 private:
  void add_system() {
    for (const std::string_view name :
         {"bin", "sbin", "lib", "lib32", "lib64", "libx32", "libexec", "share"}) {
      builder_.expose_system(join_path("/usr", name));
    }
    for (const std::string_view name : {"bin", "sbin", "lib", "lib32", "lib64", "libx32"}) {
      builder_.expose_system(join_path("/", name));
    }
    for (const std::string& path : shared_etc_paths()) builder_.expose_system(path);
  }

  // Whether "python3" in the interpreter's directory is this interpreter.
  void find_own_bin() {
    const std::string directory = parent_of(facts_.executable);
    own_bin_ = walk_host_path(directory).real_path;
    const PinnedPath self = pin_file(facts_.executable);
    python3_is_it_ = self.same_as(pin_file(join_path(own_bin_, "python3")));
  }

  void add_executable() {
    for (const std::string* path : {&facts_.executable, &facts_.base_executable}) {
      if (!path->starts_with('/')) continue;
      // What it leads to is bound as part of its prefix; here only the way to it.
      const ImageBuilder::Outcome outcome = builder_.follow(*path);
      if (!outcome.ok() && path == &facts_.executable) cannot_show(*path, outcome.refusal);
    }
  }

  void add_prefix(const std::string& prefix) {
    if (!prefix.starts_with('/')) return;
    for (const std::string_view name : {"bin", "lib", "lib64", "share", "pyvenv.cfg"}) {
      const std::string path = join_path(prefix, name);
      const HostWalk walk = walk_host_path(path);
      if (!walk.failure.empty()) continue;
      // Without a python3 of its own the directory stays open for one.
      if (walk.real_path == own_bin_ && !python3_is_it_) {
        builder_.follow(path);
        continue;
      }
      const ImageBuilder::Outcome outcome = builder_.expose(path);
      if (outcome.ok()) continue;
      if (name == "share") {
        builder_.note(path + " is left out: " + outcome.refusal);
      } else {
        cannot_show(path, outcome.refusal);
      }
    }
  }

  void add_modules() {
    for (const std::string& path : facts_.module_paths) {
      if (has_control_characters(path)) {
        builder_.note("a module directory is left out: its name has control characters");
        continue;
      }
      if (!walk_host_path(path).failure.empty()) continue;  // Python passes over these as well
      const ImageBuilder::Outcome outcome = builder_.expose(path);
      if (!outcome.ok()) builder_.note(path + " (on sys.path) is left out: " + outcome.refusal);
    }
    if (facts_.shared_library.empty()) return;
    // Relocated interpreters still tell where they were built; there is nothing there.
    if (!walk_host_path(facts_.shared_library).failure.empty()) return;
    const ImageBuilder::Outcome outcome = builder_.expose(facts_.shared_library);
    if (!outcome.ok()) {
      builder_.note(facts_.shared_library + " is left out: " + outcome.refusal);
    }
  }

  // Makes "python", "python3" and "python3.X" this interpreter, and sets PATH.
  void add_names(Image& image) {
    const ImageBuilder::Outcome self = builder_.expose(facts_.executable);
    if (!self.ok()) cannot_show(facts_.executable, self.refusal);
    std::vector<std::string>& path = image.path_directories;
    path = {parent_of(facts_.executable)};
    const std::vector<std::string> names = {"python3", "python",
                                            "python3." + std::to_string(facts_.minor)};
    if (!python3_is_it_ && builder_.shows(own_bin_)) {
      path.insert(path.begin(), std::string(kAliasDirectory));
      for (const std::string& name : names) {
        builder_.add_link(join_path(kAliasDirectory, name), facts_.executable);
      }
    } else if (!builder_.shows(own_bin_)) {
      add_names_beside(names);
    }
    for (const std::string_view usual : {"/usr/local/bin", "/usr/bin", "/bin"}) {
      if (std::find(path.begin(), path.end(), usual) == path.end()) path.emplace_back(usual);
    }
  }

  void add_names_beside(const std::vector<std::string>& names) {
    const std::string own_name = last_name_of(facts_.executable);
    // The link of the interpreter itself, if it is one, so that all take the same way.
    const std::string own_place = join_path(own_bin_, own_name);
    const HostWalk walk = walk_host_path(own_place);
    const bool is_link = !walk.links.empty() && walk.links[0].guest_path == own_place;
    const std::string target = is_link ? walk.links[0].target : own_name;
    for (const std::string& name : names) {
      const std::string place = join_path(own_bin_, name);
      if (!builder_.has(place)) builder_.add_link(place, target);
    }
  }

  [[noreturn]] void cannot_show(const std::string& path, const std::string& why) const {
    refuse("the interpreter " + facts_.executable + " needs " + path +
           ", which cannot be shown to a guest: " + why +
           "; install it elsewhere or name another one with host:/path/to/python");
  }

  const InterpreterFacts& facts_;
  ImageBuilder builder_;
  std::string own_bin_;
  bool python3_is_it_ = false;
};

Image image_of(const InterpreterFacts& facts, const std::string& asked) {
  require_supported(facts, asked);
  return HostImageMaker(facts).make();
}

std::vector<std::string> split_search_path(std::string_view search_path) {
  std::vector<std::string> entries;
  while (true) {
    const std::size_t colon = search_path.find(':');
    entries.emplace_back(search_path.substr(0, colon));
    if (colon == std::string_view::npos) return entries;
    search_path.remove_prefix(colon + 1);
  }
}

}  // namespace

Image host_image_on_path(std::string_view search_path) {
  std::string tried;
  for (const std::string& entry : split_search_path(search_path)) {
    const std::string candidate = join_path(without_dots(entry), "python3");
    std::string reason = "it is not absolute";
    if (has_control_characters(entry)) {
      reason = "its name has control characters";
    } else if (entry.starts_with('/')) {
      reason = reason_not_runnable(candidate);
    }
    if (reason.empty()) {
      const ProbeResult result = probe_through(settled_path(candidate));
      if (const auto* facts = std::get_if<InterpreterFacts>(&result)) {
        return image_of(*facts, candidate);
      }
      reason = std::get<ProbeFailure>(result).reason;
    }
    if (!tried.empty()) tried += ", ";
    tried.append("\"").append(escape_for_terminal(entry)).append("\": ").append(reason);
  }
  refuse("python3 was not found on PATH (looked in " + tried +
         "); install python3 or name one with host:/path/to/python");
}

Image host_image_of(const std::string& interpreter) {
  const std::string mend = "; name an interpreter that this user can run";
  if (const std::string reason = reason_not_runnable(interpreter); !reason.empty()) {
    refuse("the interpreter " + interpreter + " cannot be run: " + reason + mend);
  }
  const ProbeResult result = probe_through(settled_path(interpreter));
  if (const auto* failure = std::get_if<ProbeFailure>(&result)) {
    refuse("the interpreter " + interpreter + " was asked where its parts are, but " +
           failure->reason + mend);
  }
  return image_of(std::get<InterpreterFacts>(result), interpreter);
}

}  // namespace sandbox::runner
