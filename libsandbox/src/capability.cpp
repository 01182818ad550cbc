// Words of the capabilities, and the default set.
// SPDX-License-Identifier: MIT
#include "sandbox/capability.hpp"

#include "words.hpp"

namespace sandbox {
namespace {

constexpr detail::WordTable<Capability, 9> kWords{{
    {Capability::exec, "exec"},
    {Capability::run_code, "run_code"},
    {Capability::host_tools, "host_tools"},
    {Capability::files_in, "files_in"},
    {Capability::files_out, "files_out"},
    {Capability::files_list, "files_list"},
    {Capability::files_delete, "files_delete"},
    {Capability::snapshot, "snapshot"},
    {Capability::attached_identity, "attached_identity"},
}};

}  // namespace

const CapabilitySet& default_capabilities() {
  static const CapabilitySet kDefault{Capability::exec, Capability::files_in};
  return kDefault;
}

bool is_known(Capability value) { return detail::has_word(kWords, value); }

std::string_view to_string(Capability value) { return detail::word_of(kWords, value); }

boost::system::result<Capability> capability_from_string(std::string_view text) {
  return detail::value_of(kWords, text);
}

}  // namespace sandbox
