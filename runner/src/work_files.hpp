// The host's hand in a sandbox's work directory: one openat2 walk from its root descriptor, then
// work on descriptors only (WN-1). Names and bytes that come out are hostile.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "fd.hpp"
#include "sandbox/entry.hpp"

namespace sandbox::runner {

struct FileOwner {
  std::uint32_t uid;
  std::uint32_t gid;
};

// Blocking calls on a file system in memory; errors as in contract section 3.9.
//
// Thread safety: methods may run side by side, also beside a hostile guest.
class WorkFiles {
 public:
  // `root`: O_PATH descriptor of the work directory's mount; `guest_path`: where the guest sees it.
  // `owner`: the guest's uid and gid outside, when the host process is another user: everything
  // here is then done as that user (WN-3), as the file system knows no other.
  WorkFiles(Fd root, std::string guest_path, std::optional<FileOwner> owner);

  void write_file(const std::string& path, const std::string& content,
                  const std::string& working_directory) const;
  [[nodiscard]] std::optional<SandboxEntry> stat_file(const std::string& path,
                                                      const std::string& working_directory) const;
  [[nodiscard]] std::string read_file(const std::string& path, const std::string& working_directory,
                                      std::uint64_t max_bytes) const;
  // At most 100 000 entries; errc::too_many above.
  [[nodiscard]] std::vector<SandboxEntry> list_dir(const std::string& path,
                                                   const std::string& working_directory) const;

 private:
  // A confined path: below the work directory, and as reports name it.
  struct Place {
    std::string below_root;  // "" is the work directory itself
    std::string reported;    // relative to the caller's working directory
    bool is_working_directory = false;
  };

  [[nodiscard]] Place place(const std::string& path, const std::string& working_directory) const;
  // Errors: not_found, not_a_directory, path_not_confined.
  [[nodiscard]] Fd open_below(const std::string& below_root, int flags,
                              const std::string& shown) const;
  [[nodiscard]] Fd open_or_make_directory(const std::string& below_root) const;

  Fd root_;
  std::string guest_path_;
  std::optional<FileOwner> owner_;
};

}  // namespace sandbox::runner
