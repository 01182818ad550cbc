# What is tried on a host, and told.
# SPDX-License-Identifier: MIT
target_sources(sandbox_runner
  PRIVATE
    doctor/doctor.cpp
    doctor/findings.cpp)
