// Words of source integrity and identity.
// SPDX-License-Identifier: MIT
#include "sandbox/information_flow.hpp"

#include "words.hpp"

namespace sandbox {
namespace {

constexpr detail::WordTable<SourceIntegrity, 2> kIntegrityWords{{
    {SourceIntegrity::untrusted, "untrusted"},
    {SourceIntegrity::trusted, "trusted"},
}};

constexpr detail::WordTable<Identity, 2> kIdentityWords{{
    {Identity::app, "app"},
    {Identity::user, "user"},
}};

}  // namespace

bool is_known(SourceIntegrity integrity) { return detail::has_word(kIntegrityWords, integrity); }

std::string_view to_string(SourceIntegrity integrity) {
  return detail::word_of(kIntegrityWords, integrity);
}

boost::system::result<SourceIntegrity> source_integrity_from_string(std::string_view text) {
  return detail::value_of(kIntegrityWords, text);
}

bool is_known(Identity identity) { return detail::has_word(kIdentityWords, identity); }

std::string_view to_string(Identity identity) { return detail::word_of(kIdentityWords, identity); }

boost::system::result<Identity> identity_from_string(std::string_view text) {
  return detail::value_of(kIdentityWords, text);
}

}  // namespace sandbox
