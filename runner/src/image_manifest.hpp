// The list of everything in an image: what it is made of, and what its tree must look like.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sandbox::runner {

// What an image says of itself.
struct ManifestHead {
  std::string name;
  std::string recipe;
  std::string suite;
  std::string architecture;  // of the packages: "amd64"
  std::int64_t time = 0;     // when it was built, Unix seconds; every entry's mtime
  std::string library;       // version of the library that built it
  std::string python;        // "3.11.2"
  std::vector<std::pair<std::string, std::string>> packages;  // name and version, sorted

  friend bool operator==(const ManifestHead&, const ManifestHead&) = default;
};

enum class EntryType { directory, file, link };

// One entry. Texts are as written in the manifest: escaped.
struct ManifestEntry {
  static constexpr std::size_t kTop = static_cast<std::size_t>(-1);

  EntryType type = EntryType::directory;
  unsigned mode = 0;        // permission bits; of a link 0
  std::uint64_t size = 0;   // of a file
  std::string_view sha256;  // of a file
  std::string_view target;  // of a link
  std::string_view path;    // relative, "usr/bin/env"
  std::size_t parent = kTop;

  [[nodiscard]] std::string_view name() const { return path.substr(path.rfind('/') + 1); }
};

// Bytes up to the space, DEL and '%' are written as %XX, so that a line is a line and a word a
// word.
std::string escape_path(std::string_view raw);
std::string unescape_path(std::string_view escaped);

// The order of entries: a directory right before what is in it.
bool path_less(std::string_view a, std::string_view b);

// A manifest that was read. Every entry's parent is a directory that stands before it; names are
// plain; the order is strict, so there are no doubles.
//
// Thread safety: immutable.
class Manifest {
 public:
  // Errors: errc::image_unusable, naming the line and what is wrong with it.
  static Manifest parse(std::string text);

  [[nodiscard]] const ManifestHead& head() const { return head_; }
  [[nodiscard]] const std::vector<ManifestEntry>& entries() const { return entries_; }
  [[nodiscard]] std::uint64_t total_bytes() const;

 private:
  friend class ManifestParser;
  Manifest() = default;

  std::shared_ptr<const std::string> text_;  // what the entries point into
  ManifestHead head_;
  std::vector<ManifestEntry> entries_;
};

// Writes one. Entries come in order, their paths and targets escaped.
class ManifestWriter {
 public:
  explicit ManifestWriter(const ManifestHead& head);
  void add(const ManifestEntry& entry);
  std::string finish();

 private:
  std::string text_;
  std::size_t count_ = 0;
};

}  // namespace sandbox::runner
