// Where images are kept, how they are called, and who may write there.
// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

#include "fd.hpp"

namespace sandbox::runner {

// Names are [a-z0-9][a-z0-9._-]{0,63}; "host" is taken.
bool is_image_name(std::string_view name);

// What builds an image of this name: "sandboxctl image build data".
std::string build_command(std::string_view name);

// The store, opened; with nothing in it when there is no store and none is to be made.
// Errors: errc::image_unusable when others may write to it, errc::os_error.
enum class IfMissing { none, make };
Fd open_store(IfMissing missing);

// Refuses what belongs to someone else than us or root, or what others may write to.
// Errors: errc::image_unusable with what to do.
void refuse_foreign(int directory, const std::string& path);

}  // namespace sandbox::runner
