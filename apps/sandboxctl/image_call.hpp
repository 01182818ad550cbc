// Carries `sandboxctl image` out.
// SPDX-License-Identifier: MIT
#pragma once

#include "image_options.hpp"

namespace sandbox::ctl {

// The exit code: 0 when it is done, else that of the signal that stopped it.
// Errors: those of the store and the build, and a stdout that takes no text.
int run_image_call(const ImageCall& call);

}  // namespace sandbox::ctl
