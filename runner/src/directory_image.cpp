// A directory with a root file system as an image.
// SPDX-License-Identifier: MIT
#include "directory_image.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <climits>
#include <memory>
#include <optional>
#include <system_error>
#include <utility>

#include "bind_policy.hpp"
#include "host_path.hpp"
#include "image_builder.hpp"
#include "sandbox/error.hpp"
#include "sandbox/utf8.hpp"

namespace sandbox::runner {
namespace {

// The guest has its own, or has no business there.
constexpr std::array<std::string_view, 14> kLeftOut = {"boot",  "dev", "etc",  "home", "lost+found",
                                                       "media", "mnt", "proc", "root", "run",
                                                       "sys",   "tmp", "var",  "work"};
constexpr std::array<std::string_view, 3> kInterpreters = {"usr/local/bin/python3",
                                                           "usr/bin/python3", "bin/python3"};
constexpr std::string_view kVersionedName = "python3.";

[[noreturn]] void refuse(const std::string& directory, const std::string& why) {
  throw Error(errc::image_unusable, "the image directory " + directory + " cannot be used: " + why);
}

std::string message_of(int error) { return std::generic_category().message(error); }

struct CloseDirectory {
  void operator()(DIR* directory) const { ::closedir(directory); }
};
using DirectoryStream = std::unique_ptr<DIR, CloseDirectory>;

bool is_left_out(std::string_view name) {
  return std::find(kLeftOut.begin(), kLeftOut.end(), name) != kLeftOut.end();
}

class DirectoryImageMaker {
 public:
  explicit DirectoryImageMaker(const std::string& directory) : named_(directory) {
    root_ = pin_path(AT_FDCWD, directory, 0, true);
    if (root_.error != 0) refuse(named_, message_of(root_.error));
    if (!S_ISDIR(root_.mode)) refuse(named_, "it is not a directory");
    real_root_ = path_of_descriptor(root_.descriptor.get());
    if (!real_root_.starts_with('/') || has_control_characters(real_root_)) {
      refuse(named_, "its real path cannot be told or has control characters");
    }
    if (real_root_ == "/") refuse(named_, "it is the root of this machine; use \"host\" for that");
  }

  Image make() {
    refuse_writable(root_, named_);
    refuse_writable(inside("usr"), named_ + "/usr");
    add_top_level();
    for (const std::string& path : shared_etc_paths()) add_etc(path);
    Image image;
    find_interpreter(image);
    builder_.finish(image);
    return image;
  }

 private:
  // As the guest sees it: "/" is the image, also for links.
  [[nodiscard]] PinnedPath inside(const std::string& path) const {
    return pin_path(root_.descriptor.get(), path, RESOLVE_IN_ROOT | RESOLVE_NO_MAGICLINKS, true);
  }

  // Where the guest sees something that was found with inside().
  [[nodiscard]] std::string guest_path_of(const PinnedPath& pin) const {
    const std::string real = path_of_descriptor(pin.descriptor.get());
    return is_within(real, real_root_) ? real.substr(real_root_.size()) : std::string();
  }

  void refuse_writable(const PinnedPath& pin, const std::string& name) const {
    if (pin.error == ENOENT) return;
    if (pin.error != 0) refuse(named_, name + ": " + message_of(pin.error));
    if ((pin.mode & S_IWOTH) == 0) return;
    refuse(named_, name + " can be written by every user of this machine; chmod o-w it");
  }

  void add_top_level() {
    for (const std::string& name : names_at_top()) {
      if (is_left_out(name)) continue;
      if (has_control_characters(name)) {
        builder_.note("an entry is left out: its name has control characters");
        continue;
      }
      const PinnedPath pin = pin_path(root_.descriptor.get(), name, RESOLVE_BENEATH);
      if (pin.error != 0) refuse(named_, name + ": " + message_of(pin.error));
      if (S_ISLNK(pin.mode)) {
        add_link(name, pin);
      } else if (S_ISDIR(pin.mode) || S_ISREG(pin.mode)) {
        bind(join_path("/", name), join_path("/", name), pin);
      } else {
        builder_.note(join_path("/", name) +
                      " is left out: it is neither a directory, a file nor a link");
      }
    }
  }

  [[nodiscard]] std::vector<std::string> names_at_top() const {
    const int readable = ::openat(root_.descriptor.get(), ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (readable < 0) refuse(named_, "it cannot be read: " + message_of(errno));
    const DirectoryStream stream(::fdopendir(readable));
    if (!stream) {
      const int error = errno;
      ::close(readable);
      refuse(named_, "it cannot be read: " + message_of(error));
    }
    std::vector<std::string> names;
    errno = 0;
    while (const dirent* entry = ::readdir(stream.get())) {
      const std::string name = static_cast<const char*>(entry->d_name);
      if (name != "." && name != "..") names.push_back(name);
      errno = 0;
    }
    if (errno != 0) refuse(named_, "it cannot be read: " + message_of(errno));
    return names;
  }

  void add_link(const std::string& name, const PinnedPath& pin) {
    std::array<char, PATH_MAX> target{};
    const ssize_t length = ::readlinkat(pin.descriptor.get(), "", target.data(), target.size());
    if (length < 0) refuse(named_, name + ": " + message_of(errno));
    const std::string text(target.data(), static_cast<std::size_t>(length));
    if (has_control_characters(text)) {
      builder_.note(join_path("/", name) + " is left out: its target has control characters");
      return;
    }
    builder_.add_link(join_path("/", name), text);
  }

  void bind(const std::string& inner_path, const std::string& guest_path, const PinnedPath& pin) {
    builder_.add_bind(
        ImageBind{real_root_ + inner_path, guest_path, S_ISDIR(pin.mode), pin.device, pin.inode});
  }

  void add_etc(const std::string& path) {
    const PinnedPath pin = inside(path);
    if (pin.error == ENOENT) return;
    const std::string real = pin.error == 0 ? guest_path_of(pin) : std::string();
    if (real.empty() || has_control_characters(real) ||
        (!S_ISDIR(pin.mode) && !S_ISREG(pin.mode))) {
      builder_.note(path + " is left out: it is neither a directory nor a file of the image");
      return;
    }
    bind(real, path, pin);
  }

  void find_interpreter(Image& image) const {
    std::string tried;
    for (const std::string_view candidate : kInterpreters) {
      const std::string path(candidate);
      const PinnedPath pin = inside(path);
      const std::string why = reason_unusable(pin);
      if (why.empty()) {
        image.interpreter = join_path("/", path);
        image.path_directories = {parent_of(image.interpreter)};
        for (const std::string_view usual : {"/usr/local/bin", "/usr/bin", "/bin"}) {
          if (usual != image.path_directories[0]) image.path_directories.emplace_back(usual);
        }
        image.version = version_of(guest_path_of(pin));
        return;
      }
      if (!tried.empty()) tried += ", ";
      tried += path + ": " + why;
    }
    refuse(named_, "it has no python3 that can be run (" + tried +
                       "); put one into it or name another directory");
  }

  [[nodiscard]] std::string reason_unusable(const PinnedPath& pin) const {
    if (pin.error != 0) return message_of(pin.error);
    if (!S_ISREG(pin.mode)) return "it is not a regular file";
    if ((pin.mode & (S_IXUSR | S_IXGRP | S_IXOTH)) == 0) return "it is not executable";
    const std::string real = guest_path_of(pin);
    if (real.empty()) return "it leads out of the directory";
    const std::string top = real.substr(1, real.find('/', 1) - 1);
    if (is_left_out(top)) return "it leads to /" + top + ", which a guest does not see";
    return {};
  }

  // From ".../bin/python3.11" beside ".../lib/python3.11".
  [[nodiscard]] std::string version_of(const std::string& real_interpreter) const {
    const std::string name = last_name_of(real_interpreter);
    if (!name.starts_with(kVersionedName)) return {};
    const std::string minor = name.substr(kVersionedName.size());
    const bool digits = !minor.empty() && std::all_of(minor.begin(), minor.end(),
                                                      [](char c) { return c >= '0' && c <= '9'; });
    const std::string library = join_path(parent_of(parent_of(real_interpreter)), "lib/" + name);
    if (!digits || inside(library).error != 0) return {};
    return "3." + minor;
  }

  std::string named_;
  std::string real_root_;
  PinnedPath root_;
  ImageBuilder builder_;
};

}  // namespace

Image directory_image_of(const std::string& directory) {
  return DirectoryImageMaker(directory).make();
}

}  // namespace sandbox::runner
