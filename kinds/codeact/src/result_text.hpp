// How the end of a program reads to a model (CA-20).
// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <string>

#include "sandbox/exec.hpp"

namespace sandbox::codeact {

// The sections `stdout:`, `stderr:` and `exit code:` (not for zero), a blank line between them; a
// sentence when there are none. A program that was ended from outside gets a sentence that starts
// with "Error:" before its sections; a plain exit code, zero or not, does not. `timeout` is the
// bound that the program was given.
// REQUIRES: the status is Exited, Signaled or LimitHit.
std::string result_text(const ExecResult& result, std::chrono::milliseconds timeout);

// "120s", "1.5s".
std::string seconds_text(std::chrono::milliseconds time);

}  // namespace sandbox::codeact
