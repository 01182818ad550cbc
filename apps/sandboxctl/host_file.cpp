// Files of the host that go into a sandbox.
// SPDX-License-Identifier: MIT
#include "host_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>

#include "descriptor.hpp"
#include "sandbox/error.hpp"
#include "sandbox/utf8.hpp"

namespace sandbox::ctl {
namespace {

errc code_of(int error) {
  switch (error) {
    case ENOENT:
      return errc::not_found;
    case EISDIR:
      return errc::is_a_directory;
    case EACCES:
    case EPERM:
      return errc::permission_denied;
    default:
      return errc::os_error;
  }
}

class Source {
 public:
  Source(std::string_view what, const std::string& path)
      : name_(path == "-" ? fmt::format("read {} from standard input", what)
                          : fmt::format("read {} '{}'", what, escape_for_terminal(path))) {}

  [[noreturn]] void fail(int error) const {
    throw Error(code_of(error), fmt::format("{}: {}; nothing was run", name_,
                                            std::generic_category().message(error)));
  }

  [[noreturn]] void too_large() const {
    throw Error(errc::too_large, fmt::format("{}: it has more than {} MiB, the most that one file "
                                             "may have; nothing was run",
                                             name_, kMostFileBytes >> 20U));
  }

 private:
  std::string name_;
};

std::string read_all(int descriptor, const Source& source) {
  struct stat facts {};
  if (::fstat(descriptor, &facts) != 0) source.fail(errno);
  if (S_ISDIR(facts.st_mode)) source.fail(EISDIR);
  if (S_ISREG(facts.st_mode) && static_cast<std::uint64_t>(facts.st_size) > kMostFileBytes) {
    source.too_large();
  }
  std::string content;
  std::string buffer(std::size_t{256} << 10U, '\0');
  for (;;) {
    const ssize_t got = ::read(descriptor, buffer.data(), buffer.size());
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) source.fail(errno);
    if (got == 0) return content;
    content.append(buffer, 0, static_cast<std::size_t>(got));
    // A pipe or a device has no size to look at beforehand.
    if (content.size() > kMostFileBytes) source.too_large();
  }
}

}  // namespace

std::string read_host_file(const std::string& path, std::string_view what) {
  const Source source(what, path);
  if (path == "-") return read_all(STDIN_FILENO, source);
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY));
  if (!file) source.fail(errno);
  return read_all(file.get(), source);
}

}  // namespace sandbox::ctl
