// How mmdebstrap is called, and what its failures mean.
// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "builder_process.hpp"
#include "sandbox/runner/image_store.hpp"
#include "stored_image.hpp"

namespace sandbox::runner {

struct BuilderCommand {
  std::vector<std::string> arguments;
  std::vector<std::string> environment;
  std::string sources;  // for people
};

// Writes what it reads into the staging directory. Packages are unpacked below "root" there.
// Blocks. Errors: errc::not_supported when there is no mmdebstrap on PATH; errc::os_error.
BuilderCommand prepare_builder(const ImageBuild& build, const Staging& staging);

// Errors: errc::setup_failed when the builder failed: its last words, and what to do.
void refuse_failed_builder(const ImageBuild& build, const std::string& sources,
                           const BuilderEnd& end);

}  // namespace sandbox::runner
