// How mmdebstrap is called, and what its failures mean.
// SPDX-License-Identifier: MIT
#include "image_packages.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <sstream>
#include <string_view>

#include "apt_sources.hpp"
#include "directory_listing.hpp"
#include "host_path.hpp"
#include "image_recipe.hpp"
#include "sandbox/error.hpp"
#include "sandbox/utf8.hpp"
#include "whole_file.hpp"

namespace sandbox::runner {
namespace {

constexpr const char* kUsualPath = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";
constexpr std::size_t kLinesTold = 6;

// Merged /usr, as packages expect it: the links must be there before anything is unpacked.
constexpr const char* kMergeHook =
    "--setup-hook=for d in bin sbin lib lib64; do mkdir -p \"$1/usr/$d\" && "
    "ln -sfn \"usr/$d\" \"$1/$d\" || exit 1; done";

std::string search_path() {
  const char* path = std::getenv("PATH");
  return path != nullptr && *path != '\0' ? path : kUsualPath;
}

std::string find_program(const std::string& name) {
  std::istringstream directories(search_path());
  for (std::string directory; std::getline(directories, directory, ':');) {
    if (!directory.starts_with('/')) continue;
    std::string path = join_path(directory, name);
    if (::access(path.c_str(), X_OK) == 0) return path;
  }
  throw Error(errc::not_supported, "build an image: there is no " + name +
                                       " on PATH, which unpacks the packages; install it: apt "
                                       "install " +
                                       name);
}

std::vector<std::string> builder_environment(const std::string& temporary) {
  std::vector<std::string> environment = {"PATH=" + search_path(), "LC_ALL=C.UTF-8",
                                          "DEBIAN_FRONTEND=noninteractive", "HOME=" + temporary,
                                          "TMPDIR=" + temporary};
  for (const char* name :
       {"http_proxy", "https_proxy", "no_proxy", "HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY"}) {
    const char* value = std::getenv(name);
    if (value != nullptr) environment.push_back(std::string(name) + "=" + value);
  }
  return environment;
}

std::string list_of(const ImageBuild& build) {
  std::string list;
  std::vector<std::string> packages = packages_of_recipe(build.recipe());
  packages.insert(packages.end(), build.add().begin(), build.add().end());
  for (const std::string& package : packages) list += (list.empty() ? "" : ",") + package;
  return list;
}

bool says(const std::string& output, std::string_view text) {
  return output.find(text) != std::string::npos;
}

std::string what_to_do(const std::string& output, const std::string& sources) {
  if (says(output, "No space left on device") || says(output, "You don't have enough free space")) {
    return "the disk is full; make room (an image takes up to 3 GB while it is built) or set "
           "XDG_DATA_HOME to a directory on another disk";
  }
  if (says(output, "Unable to locate package") || says(output, "has no installation candidate")) {
    return "a package is not in that release; look at the names given with --add";
  }
  if (says(output, "NO_PUBKEY") || says(output, "is not signed") ||
      says(output, "The following signatures")) {
    return "its signature cannot be checked; install Debian's keys: apt install "
           "debian-archive-keyring";
  }
  constexpr std::array<std::string_view, 8> kNoNetwork = {
      "Could not connect",  "Could not resolve", "Temporary failure", "Unable to connect",
      "Connection refused", "Connection failed", "timed out",         "Failed to fetch"};
  for (const std::string_view text : kNoNetwork) {
    if (says(output, text)) {
      return "packages could not be fetched from " + sources +
             "; check the network, or name a mirror that can be reached with --mirror URL";
    }
  }
  return "mmdebstrap failed";
}

// Its last lines that tell of trouble.
std::string trouble_in(const std::string& output) {
  std::vector<std::string> lines;
  std::istringstream stream(output);
  for (std::string line; std::getline(stream, line);) {
    if (line.starts_with("E: ") || line.starts_with("Err:") || line.find("rror") < line.size()) {
      lines.push_back(line);
    }
  }
  if (lines.size() > kLinesTold) lines.erase(lines.begin(), lines.end() - kLinesTold);
  std::string told;
  for (const std::string& line : lines) told += (told.empty() ? "" : " | ") + line;
  return escape_for_terminal(without_credentials(told));
}

}  // namespace

BuilderCommand prepare_builder(const ImageBuild& build, const Staging& staging) {
  BuilderCommand command;
  const std::string program = find_program("mmdebstrap");
  const AptSources sources = find_apt_sources(build.suite(), build.mirrors());
  command.sources = sources.told;
  const std::string temporary = join_path(staging.path(), "tmp");
  if (::mkdirat(staging.directory(), "tmp", S_IRWXU) != 0) throw_os_error("make tmp", errno);
  const Fd directory = open_directory(staging.directory(), "tmp");
  if (!directory) throw_os_error("open tmp", errno);

  // "chrootless" with "extract": packages are unpacked and nothing else. It mounts nothing and
  // needs neither root nor a user namespace.
  command.arguments = {
      program,          "--variant=extract",           "--mode=chrootless", "--format=directory",
      "--skip=cleanup", "--include=" + list_of(build), kMergeHook};
  if (!sources.options.empty()) {
    write_whole(directory.get(), "apt.conf", sources.options, S_IRUSR | S_IWUSR);
    command.arguments.push_back("--aptopt=" + join_path(temporary, "apt.conf"));
  }
  command.arguments.push_back(build.suite());
  command.arguments.push_back(join_path(staging.path(), "root"));
  // In files and not as arguments: they may hold passwords, and arguments can be read by all.
  const auto add_sources = [&](const char* name, const std::string& text) {
    if (text.empty()) return;
    write_whole(directory.get(), name, text, S_IRUSR | S_IWUSR);
    command.arguments.push_back(join_path(temporary, name));
  };
  add_sources("sources.list", sources.lines);
  add_sources("debian.sources", sources.stanzas);
  command.environment = builder_environment(temporary);
  return command;
}

void refuse_failed_builder(const ImageBuild& build, const std::string& sources,
                           const BuilderEnd& end) {
  const std::string& output = end.last_words;
  const bool good = end.exit_code ? *end.exit_code == 0 : says(output, "I: success in ");
  if (good) return;
  const std::string code = end.exit_code ? std::to_string(*end.exit_code) : "an unknown exit code";
  throw Error(errc::setup_failed,
              "build the image '" + build.name() + "': " + what_to_do(output, sources) +
                  " (mmdebstrap ended with " + code + ": " + trouble_in(output) + ")");
}

}  // namespace sandbox::runner
