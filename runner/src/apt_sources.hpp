// Where an image's packages come from: the host's own apt sources, or those that were named.
// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace sandbox::runner {

// Two files for apt, in its two forms; either may be empty. They may hold credentials.
struct AptSources {
  std::string lines;    // sources.list
  std::string stanzas;  // deb822
  std::string options;  // apt.conf: proxies and passwords that the host's apt would use
  std::string told;     // for people, without credentials: "this machine's apt sources"
};

// Of a Debian host's sources those for the suite, its updates and its security fixes; Debian's own
// mirror when there are none. Blocks.
AptSources find_apt_sources(std::string_view suite, const std::vector<std::string>& mirrors);

// What a sources.list says about a suite and its updates, line by line; and the same of deb822.
std::string lines_for_suite(std::string_view text, std::string_view suite);
std::string stanzas_for_suite(std::string_view text, std::string_view suite);

// "https://user:secret@host/x" becomes "https://***@host/x", as often as it stands there.
std::string without_credentials(std::string_view text);

}  // namespace sandbox::runner
