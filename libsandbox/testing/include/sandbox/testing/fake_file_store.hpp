// The files of a fake sandbox: bytes by absolute guest path, with a real backend's refusals.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sandbox/entry.hpp"
#include "sandbox/sandbox.hpp"

namespace sandbox::testing {

// Confinement, component walk and errors are those of contract 3.1, 3.2 and 3.9. A seeded link has
// no target, so a passing test proves that links are refused, not that following one is safe.
//
// Thread safety: none; the fake sandbox locks around it.
class FakeFileStore {
 public:
  // Seeding: absolute paths, normalised; missing parents become directories; what stands there is
  // replaced. An entry seeded below a link or a file is stored, and the walk then meets the parent.
  void seed_file(std::string_view path, std::string content);
  void seed_link(std::string_view path);
  void seed_other(std::string_view path);  // a device, socket or FIFO
  void seed_directory(std::string_view path);

  // Looks without any rule: the bytes of a regular file, or nullopt.
  [[nodiscard]] std::optional<std::string> content(std::string_view absolute_path) const;
  [[nodiscard]] std::optional<EntryKind> kind(std::string_view absolute_path) const;
  // Every entry's absolute path, sorted bytewise.
  [[nodiscard]] std::vector<std::string> paths() const;

  // As the Sandbox methods of the same name. Errors: sandbox::Error.
  void write_file(std::string_view path, std::string content, std::string_view working_directory);
  [[nodiscard]] std::optional<SandboxEntry> stat_file(std::string_view path,
                                                      std::string_view working_directory) const;
  [[nodiscard]] std::string read_file(std::string_view path, std::string_view working_directory,
                                      std::uint64_t max_bytes) const;
  [[nodiscard]] std::vector<SandboxEntry> list_dir(std::string_view path,
                                                   std::string_view working_directory) const;
  void remove(std::string_view path, std::string_view working_directory, RemoveMode mode);

 private:
  class Node {
   public:
    Node(EntryKind kind, std::string content) : kind_(kind), content_(std::move(content)) {}
    [[nodiscard]] EntryKind kind() const { return kind_; }
    [[nodiscard]] const std::string& content() const { return content_; }
    [[nodiscard]] std::optional<std::uint64_t> size_bytes() const;

   private:
    EntryKind kind_;
    std::string content_;
  };

  void seed(std::string_view path, Node node);
  void make_parents(const std::string& absolute_path);
  void walk_parents(std::string_view what, const std::string& absolute_path) const;
  [[nodiscard]] const Node* find(const std::string& absolute_path) const;
  [[nodiscard]] std::string resolve(std::string_view what, std::string_view path,
                                    std::string_view working_directory) const;

  std::map<std::string, Node> nodes_;
};

}  // namespace sandbox::testing
