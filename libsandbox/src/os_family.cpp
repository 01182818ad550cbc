// Words of the guest families.
// SPDX-License-Identifier: MIT
#include "sandbox/os_family.hpp"

#include "words.hpp"

namespace sandbox {
namespace {

constexpr detail::WordTable<OsFamily, 2> kWords{{
    {OsFamily::posix, "posix"},
    {OsFamily::windows, "windows"},
}};

}  // namespace

bool is_known(OsFamily value) { return detail::has_word(kWords, value); }

std::string_view to_string(OsFamily value) { return detail::word_of(kWords, value); }

boost::system::result<OsFamily> os_family_from_string(std::string_view text) {
  return detail::value_of(kWords, text);
}

}  // namespace sandbox
