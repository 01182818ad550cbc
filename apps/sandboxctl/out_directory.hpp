// The host directory that receives what a program left behind.
// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

#include "descriptor.hpp"
#include "options.hpp"

namespace sandbox::ctl {

// Names that come out of a guest are hostile: each step below the directory is taken by descriptor,
// no link is followed and no file of the host's is opened.
class OutDirectory {
 public:
  // The directory and its parents are made where they are missing.
  // Errors: errc::not_a_directory, errc::permission_denied, errc::os_error.
  OutDirectory(const std::string& path, Existing existing);

  // `name` is relative to the directory. What stands there already stays, or (Existing::replace)
  // is unlinked first; a directory is never replaced.
  // Errors: errc::path_not_confined for a name that is no plain relative path, or a link on the
  // way; errc::os_error for all else, with no part of the file left.
  void write(std::string_view name, std::string_view content) const;

 private:
  Descriptor directory_;
  Existing existing_;
};

}  // namespace sandbox::ctl
