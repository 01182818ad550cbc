// Where images are kept, how they are called, and who may write there.
// SPDX-License-Identifier: MIT
#include "image_place.hpp"

#include <fcntl.h>
#include <pwd.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <filesystem>

#include "directory_listing.hpp"
#include "host_path.hpp"
#include "image_recipe.hpp"
#include "sandbox/error.hpp"
#include "sandbox/runner/image_store.hpp"

namespace sandbox::runner {
namespace {

constexpr std::size_t kLongestName = 64;
constexpr std::string_view kBelowData = "libsandbox/images";

std::string home_directory() {
  const char* home = std::getenv("HOME");
  if (home != nullptr && *home == '/') return home;
  std::array<char, 16384> buffer{};
  passwd entry{};
  passwd* found = nullptr;
  const int error = ::getpwuid_r(::geteuid(), &entry, buffer.data(), buffer.size(), &found);
  if (error != 0 || found == nullptr || found->pw_dir == nullptr || *found->pw_dir != '/') {
    throw Error(errc::config_error,
                "find the image store: this user has no home directory; set XDG_DATA_HOME");
  }
  return found->pw_dir;
}

bool is_name_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '.' || c == '_' || c == '-';
}

}  // namespace

std::string image_store_directory() {
  const char* data = std::getenv("XDG_DATA_HOME");
  // The specification has relative ones ignored.
  const std::string base =
      data != nullptr && *data == '/' ? data : join_path(home_directory(), ".local/share");
  if (has_control_characters(base)) {
    throw Error(errc::config_error,
                "find the image store: XDG_DATA_HOME or HOME has control characters");
  }
  return join_path(base, kBelowData);
}

bool is_image_name(std::string_view name) {
  if (name.empty() || name.size() > kLongestName || name == "host") return false;
  const char first = name.front();
  if (first == '.' || first == '_' || first == '-') return false;
  return std::all_of(name.begin(), name.end(), is_name_character);
}

std::string build_command(std::string_view name) {
  const std::string command = "sandboxctl image build ";
  if (is_recipe(name)) return command + std::string(name);
  return command + "data --name " + std::string(name);
}

void refuse_foreign(int directory, const std::string& path) {
  struct stat status {};
  if (::fstat(directory, &status) != 0) throw_os_error("look at " + path, errno);
  if (status.st_uid != 0 && status.st_uid != ::geteuid()) {
    throw Error(errc::image_unusable, path + " belongs to another user (uid " +
                                          std::to_string(status.st_uid) +
                                          "), who could change images; set XDG_DATA_HOME to a "
                                          "directory of your own");
  }
  const bool by_group = (status.st_mode & S_IWGRP) != 0 && status.st_gid != ::getegid();
  if (by_group || (status.st_mode & S_IWOTH) != 0) {
    throw Error(errc::image_unusable, path +
                                          " can be written to by others, who could change "
                                          "images; chmod go-w " +
                                          path);
  }
}

Fd open_store(IfMissing missing) {
  const std::string path = image_store_directory();
  if (missing == IfMissing::make) {
    std::error_code error;
    std::filesystem::create_directories(path, error);
    if (error) throw_os_error("make the image store " + path, error.value());
  }
  Fd store(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!store && errno == ENOENT && missing == IfMissing::none) return store;
  if (!store) throw_os_error("open the image store " + path, errno);
  const Fd above(::openat(store.get(), "..", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (above) refuse_foreign(above.get(), parent_of(path));
  refuse_foreign(store.get(), path);
  return store;
}

}  // namespace sandbox::runner
