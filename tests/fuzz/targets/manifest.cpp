// Manifests of images: an error that says what is wrong, or entries that lead nowhere else.
// SPDX-License-Identifier: MIT
#include "image_manifest.hpp"
#include "sandbox/error.hpp"
#include "targets.hpp"

namespace sandbox::fuzz {
namespace {

using runner::EntryType;
using runner::Manifest;
using runner::ManifestEntry;

void check_place(const std::vector<ManifestEntry>& entries, std::size_t index) {
  const ManifestEntry& entry = entries[index];
  check(index == 0 || runner::path_less(entries[index - 1].path, entry.path), "strictly in order");
  const std::string path = runner::unescape_path(entry.path);
  check(!path.starts_with('/') && path.find('\0') == std::string::npos, "a relative path");
  const std::string name = runner::unescape_path(entry.name());
  check(!name.empty() && name != "." && name != "..", "a plain name");
  if (entry.parent == ManifestEntry::kTop) {
    check(name == path, "what has no parent stands at the top");
    return;
  }
  check(entry.parent < index, "a parent comes first");
  const ManifestEntry& parent = entries[entry.parent];
  check(parent.type == EntryType::directory, "a parent is a directory");
  check(runner::unescape_path(parent.path) + "/" + name == path, "it is the parent");
}

}  // namespace

void manifest(Bytes input) {
  const std::string text(text_of(input));
  check(runner::unescape_path(runner::escape_path(text)) == text, "an escape can be undone");
  try {
    const Manifest read = Manifest::parse(text);
    runner::ManifestWriter writer(read.head());
    for (std::size_t i = 0; i < read.entries().size(); ++i) {
      check_place(read.entries(), i);
      writer.add(read.entries()[i]);
    }
    check(writer.finish() == text, "there is one way to write it");
  } catch (const Error& error) {
    check(error.sandbox_code() == errc::image_unusable, "the error that is promised");
  }
}

}  // namespace sandbox::fuzz
