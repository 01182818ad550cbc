// Words of the egress modes.
// SPDX-License-Identifier: MIT
#include "sandbox/egress.hpp"

#include "words.hpp"

namespace sandbox {
namespace {

constexpr detail::WordTable<Egress, 3> kWords{{
    {Egress::unrestricted, "unrestricted"},
    {Egress::allowlist, "allowlist"},
    {Egress::closed, "closed"},
}};

}  // namespace

bool is_known(Egress value) { return detail::has_word(kWords, value); }

std::string_view to_string(Egress value) { return detail::word_of(kWords, value); }

boost::system::result<Egress> egress_from_string(std::string_view text) {
  return detail::value_of(kWords, text);
}

}  // namespace sandbox
