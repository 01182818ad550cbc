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
  src/interpreter_probe.cpp)
