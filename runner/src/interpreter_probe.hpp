// Asks a Python of the host where its parts are.
// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <variant>
#include <vector>

namespace sandbox::runner {

// What an interpreter says of itself. Paths are as it names them: links are not resolved.
struct InterpreterFacts {
  std::string executable;
  std::string base_executable;  // of a virtual environment: the one it was made from; may be empty
  std::string prefix;
  std::string base_prefix;
  std::string exec_prefix;
  std::string base_exec_prefix;
  std::string implementation;  // "cpython"
  std::string version;         // "3.11.2", "3.14.0rc1"
  int major = 0;
  int minor = 0;
  // Directories and archives that modules come from: sys.path, sysconfig, site; without doubles.
  std::vector<std::string> module_paths;
  std::string shared_library;  // libpython; empty when there is none
};

// Why an interpreter told nothing, in one sentence: "it ended with exit code 127 (...)".
struct ProbeFailure {
  std::string reason;
};

using ProbeResult = std::variant<InterpreterFacts, ProbeFailure>;

// Runs `interpreter` (an absolute path) for a moment: with a small environment of ours, without the
// user's site directory, for at most ten seconds. A start script that ends in an interpreter (a
// pyenv shim) works too. Blocks.
// Errors: as run_captured().
ProbeResult probe_interpreter(const std::string& interpreter);

}  // namespace sandbox::runner
