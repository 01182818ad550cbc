// The files of a fake sandbox.
// SPDX-License-Identifier: MIT
#include "sandbox/testing/fake_file_store.hpp"

#include <utility>

#include "sandbox/error.hpp"
#include "sandbox/path.hpp"

namespace sandbox::testing {
namespace {

// A guest on Linux reads "//w" as "/w", so the store does too.
std::string store_key(std::string_view absolute_path) {
  std::string key = normalize_path(absolute_path);
  if (key.starts_with("//")) key.erase(0, 1);
  if (!key.starts_with('/')) {
    throw Error(errc::invalid_argument,
                "fake files: \"" + key + "\" is not absolute; give a path from the guest's root");
  }
  return key;
}

std::string below(const std::string& directory) {
  return directory == "/" ? directory : directory + '/';
}

[[noreturn]] void refuse(errc code, std::string_view what, const std::string& path,
                         std::string_view why) {
  throw Error(code, std::string(what) + " " + path + ": " + std::string(why));
}

}  // namespace

std::optional<std::uint64_t> FakeFileStore::Node::size_bytes() const {
  if (kind_ != EntryKind::file) return std::nullopt;
  return content_.size();
}

void FakeFileStore::seed(std::string_view path, Node node) {
  const std::string key = store_key(path);
  make_parents(key);
  nodes_.insert_or_assign(key, std::move(node));
}

void FakeFileStore::seed_file(std::string_view path, std::string content) {
  seed(path, Node(EntryKind::file, std::move(content)));
}

void FakeFileStore::seed_link(std::string_view path) { seed(path, Node(EntryKind::symlink, "")); }

void FakeFileStore::seed_other(std::string_view path) { seed(path, Node(EntryKind::other, "")); }

void FakeFileStore::seed_directory(std::string_view path) {
  seed(path, Node(EntryKind::directory, ""));
}

std::optional<std::string> FakeFileStore::content(std::string_view absolute_path) const {
  const Node* const node = find(store_key(absolute_path));
  if (node == nullptr || node->kind() != EntryKind::file) return std::nullopt;
  return node->content();
}

std::optional<EntryKind> FakeFileStore::kind(std::string_view absolute_path) const {
  const std::string key = store_key(absolute_path);
  if (key == "/") return EntryKind::directory;
  const Node* const node = find(key);
  if (node == nullptr) return std::nullopt;
  return node->kind();
}

std::vector<std::string> FakeFileStore::paths() const {
  std::vector<std::string> all;
  all.reserve(nodes_.size());
  for (const auto& [path, node] : nodes_) all.push_back(path);
  return all;
}

void FakeFileStore::make_parents(const std::string& absolute_path) {
  for (const std::string& parent : parents_from_root(absolute_path)) {
    nodes_.try_emplace(parent, EntryKind::directory, "");
  }
}

const FakeFileStore::Node* FakeFileStore::find(const std::string& absolute_path) const {
  const auto found = nodes_.find(absolute_path);
  return found == nodes_.end() ? nullptr : &found->second;
}

std::string FakeFileStore::resolve(std::string_view what, std::string_view path,
                                   std::string_view working_directory) const {
  const Result<std::string> resolved = confine(path, working_directory);
  if (!resolved) {
    refuse(errc::path_not_confined, what, std::string(path),
           "the path leaves the working directory, or is no path at all");
  }
  std::string key = store_key(*resolved);
  walk_parents(what, key);
  return key;
}

// Each directory from the root down to the parent, the working directory's own ancestors included:
// a guest may have put a link there (SB-9 to SB-12).
void FakeFileStore::walk_parents(std::string_view what, const std::string& absolute_path) const {
  for (const std::string& parent : parents_from_root(absolute_path)) {
    const Node* const node = find(parent);
    if (node == nullptr) return;
    if (node->kind() == EntryKind::symlink) {
      refuse(errc::path_not_confined, what, absolute_path, "a link stands on the way at " + parent);
    }
    if (node->kind() != EntryKind::directory) {
      refuse(errc::not_a_directory, what, absolute_path, parent + " is no directory");
    }
  }
}

void FakeFileStore::write_file(std::string_view path, std::string content,
                               std::string_view working_directory) {
  constexpr std::string_view kWhat = "write_file";
  const std::string key = resolve(kWhat, path, working_directory);
  if (key == store_key(working_directory)) {
    refuse(errc::path_not_confined, kWhat, key, "this is the working directory itself");
  }
  if (const Node* const node = find(key)) {
    switch (node->kind()) {
      case EntryKind::symlink:
        refuse(errc::path_not_confined, kWhat, key, "a link stands there, and is not followed");
      case EntryKind::directory:
        refuse(errc::is_a_directory, kWhat, key, "a directory stands there");
      case EntryKind::other:
        refuse(errc::os_error, kWhat, key, "what stands there is no regular file");
      case EntryKind::file:
        break;
    }
  }
  seed_file(key, std::move(content));
}

std::optional<SandboxEntry> FakeFileStore::stat_file(std::string_view path,
                                                     std::string_view working_directory) const {
  const std::string key = resolve("stat_file", path, working_directory);
  std::string relative = relative_to(key, store_key(working_directory)).value_or("");
  if (key == "/") return SandboxEntry(std::move(relative), EntryKind::directory, std::nullopt);
  const Node* const node = find(key);
  if (node == nullptr) return std::nullopt;
  return SandboxEntry(std::move(relative), node->kind(), node->size_bytes());
}

std::string FakeFileStore::read_file(std::string_view path, std::string_view working_directory,
                                     std::uint64_t max_bytes) const {
  constexpr std::string_view kWhat = "read_file";
  const std::string key = resolve(kWhat, path, working_directory);
  if (key == "/") refuse(errc::is_a_directory, kWhat, key, "this is a directory");
  const Node* const node = find(key);
  if (node == nullptr) refuse(errc::not_found, kWhat, key, "nothing is there");
  if (node->kind() == EntryKind::directory) {
    refuse(errc::is_a_directory, kWhat, key, "this is a directory");
  }
  if (node->kind() != EntryKind::file) {
    refuse(errc::os_error, kWhat, key, "only regular files are read");
  }
  if (node->content().size() > max_bytes) {
    refuse(errc::transfer_cap_exceeded, kWhat, key,
           "it holds " + std::to_string(node->content().size()) + " bytes and at most " +
               std::to_string(max_bytes) + " may be read");
  }
  return node->content();
}

std::vector<SandboxEntry> FakeFileStore::list_dir(std::string_view path,
                                                  std::string_view working_directory) const {
  constexpr std::string_view kWhat = "list_dir";
  const std::string key = resolve(kWhat, path, working_directory);
  if (key != "/") {
    const Node* const node = find(key);
    if (node == nullptr) refuse(errc::not_found, kWhat, key, "nothing is there");
    if (node->kind() == EntryKind::symlink) {
      refuse(errc::path_not_confined, kWhat, key, "this is a link, and is not followed");
    }
    if (node->kind() != EntryKind::directory) {
      refuse(errc::not_a_directory, kWhat, key, "this is no directory");
    }
  }
  const std::string prefix = below(key);
  const std::string base = store_key(working_directory);
  std::vector<SandboxEntry> entries;
  for (auto next = nodes_.upper_bound(prefix);
       next != nodes_.end() && next->first.starts_with(prefix); ++next) {
    const bool immediate = next->first.find('/', prefix.size()) == std::string::npos;
    if (!immediate) continue;
    entries.emplace_back(relative_to(next->first, base).value_or(""), next->second.kind(),
                         next->second.size_bytes());
  }
  return entries;
}

void FakeFileStore::remove(std::string_view path, std::string_view working_directory,
                           RemoveMode mode) {
  constexpr std::string_view kWhat = "remove";
  const std::string key = resolve(kWhat, path, working_directory);
  if (key == store_key(working_directory)) {
    refuse(errc::path_not_confined, kWhat, key, "this is the working directory itself");
  }
  const Node* const node = find(key);
  if (node == nullptr) return;
  if (node->kind() == EntryKind::directory && mode != RemoveMode::recursive) {
    refuse(errc::os_error, kWhat, key, "this is a directory; it needs RemoveMode::recursive");
  }
  nodes_.erase(key);
  const std::string prefix = below(key);
  std::erase_if(nodes_, [&prefix](const auto& item) { return item.first.starts_with(prefix); });
}

}  // namespace sandbox::testing
