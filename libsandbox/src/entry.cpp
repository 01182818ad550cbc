// Words of the entry kinds.
// SPDX-License-Identifier: MIT
#include "sandbox/entry.hpp"

#include "words.hpp"

namespace sandbox {
namespace {

constexpr detail::WordTable<EntryKind, 4> kWords{{
    {EntryKind::file, "file"},
    {EntryKind::directory, "directory"},
    {EntryKind::symlink, "symlink"},
    {EntryKind::other, "other"},
}};

}  // namespace

std::string_view to_string(EntryKind kind) { return detail::word_of(kWords, kind); }

}  // namespace sandbox
