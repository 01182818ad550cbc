// What stands at a path inside a sandbox.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace sandbox {

enum class EntryKind {
  file,
  directory,
  symlink,  // any link; never followed to find out more
  other,    // device, socket, fifo
};

std::string_view to_string(EntryKind kind);

class SandboxEntry {
 public:
  SandboxEntry(std::string path, EntryKind kind, std::optional<std::uint64_t> size_bytes)
      : path_(std::move(path)), kind_(kind), size_bytes_(size_bytes) {}

  // Relative to the working directory of the call that reported it (SB-35).
  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] EntryKind kind() const { return kind_; }
  // Known for regular files only; callers must treat "unknown" as "too large".
  [[nodiscard]] std::optional<std::uint64_t> size_bytes() const { return size_bytes_; }

  friend bool operator==(const SandboxEntry&, const SandboxEntry&) = default;

 private:
  std::string path_;
  EntryKind kind_;
  std::optional<std::uint64_t> size_bytes_;
};

}  // namespace sandbox
