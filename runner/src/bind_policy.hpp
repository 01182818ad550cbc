// Which paths of the host may become part of a guest, and where the guest can have them.
// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace sandbox::runner {

enum class GuestPlace {
  root,        // in the guest's own root
  late,        // below /tmp or /work: after the guest's own mounts there
  impossible,  // the guest has something of its own there
};

GuestPlace place_of(std::string_view guest_path);

// What of /etc is taken from the host or image; everything else there is made for the guest.
const std::vector<std::string>& shared_etc_paths();

// Directories that are never bound, nor anything that contains them: "/", system directories that
// hold other people's data, and home directories. Reads /etc/passwd and HOME once.
//
// Thread safety: immutable.
class BindPolicy {
 public:
  BindPolicy();

  // Why the directory `real_path` must not be bound. Empty: it may.
  [[nodiscard]] std::string refusal(std::string_view real_path) const;

 private:
  std::vector<std::string> never_;
  std::vector<std::string> homes_;
};

}  // namespace sandbox::runner
