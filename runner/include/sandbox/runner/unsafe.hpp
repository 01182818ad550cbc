// Making the boundary weaker, on purpose. A reviewer finds every such place by this file's name.
// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "sandbox/runner/protection.hpp"

namespace sandbox::runner::unsafe {

// The token that turns one protection off. `reason` says to whoever reads the log why a guest runs
// without it; a token without a reason is refused.
//
// Errors: errc::invalid_argument for an empty reason.
// Thread safety: as a plain value.
class TurnOff {
 public:
  TurnOff(Protection protection, std::string reason);

  [[nodiscard]] Protection protection() const { return protection_; }
  [[nodiscard]] const std::string& reason() const { return reason_; }

 private:
  Protection protection_;
  std::string reason_;
};

}  // namespace sandbox::runner::unsafe
