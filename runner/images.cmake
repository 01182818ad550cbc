# Finding the guest's root file system.
# SPDX-License-Identifier: MIT
target_sources(sandbox_runner PRIVATE
  src/bind_policy.cpp
  src/captured_process.cpp
  src/directory_image.cpp
  src/host_image.cpp
  src/host_path.cpp
  src/image.cpp
  src/image_builder.cpp
  src/interpreter_probe.cpp
  src/spawn.cpp)

# Building images and keeping them.
target_sources(sandbox_runner PRIVATE
  src/apt_sources.cpp
  src/builder_process.cpp
  src/directory_listing.cpp
  src/image_build.cpp
  src/image_check.cpp
  src/image_finish.cpp
  src/image_manifest.cpp
  src/image_manifest_parse.cpp
  src/image_packages.cpp
  src/image_place.cpp
  src/image_recipe.cpp
  src/image_seal.cpp
  src/image_store.cpp
  src/image_unpack.cpp
  src/store_change.cpp
  src/store_sweep.cpp
  src/stored_image.cpp
  src/tree_removal.cpp
  src/whole_file.cpp)
set_source_files_properties(src/image_build.cpp PROPERTIES
  COMPILE_DEFINITIONS "SANDBOX_VERSION=\"${PROJECT_VERSION}\"")
