// Seccomp policies: OCI JSON in, BPF out.
// SPDX-License-Identifier: MIT
#pragma once

#include <linux/filter.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace sandbox::runner {

// A compiled policy.
struct FilterProgram {
  std::string name;
  std::string sha256;  // over the instructions as bytes
  std::vector<sock_filter> instructions;
  // The same policy for a filter with an observer: a refused call is a notification, which the
  // observer answers with what `instructions` say. Success without effect, and what every program
  // tries and does without, a number unknown to libseccomp and clone3 where it is ENOSYS, is still
  // answered by the kernel.
  std::vector<sock_filter> observed;
};

enum class FilterArch { x86_64, aarch64 };

// The policies that ship with the library: "default", "strict", "loopback".
std::vector<std::string> builtin_profile_names();

// The JSON text of a built-in policy.
// Errors: errc::config_error naming the known ones.
std::string_view builtin_profile(std::string_view name);

// Compiles OCI JSON ("defaultAction", "defaultErrnoRet", "architectures", "syscalls": names,
// action, errnoRet, args). Rules with args are tried in file order, the first that applies wins;
// the rule of the same name without args is "otherwise". In front of what libseccomp makes of it
// stands: a foreign architecture (i386 and x32 too) is killed, and a number that libseccomp does
// not know answers ENOSYS, as what the kernel may add later should. Errors: errc::config_error that
// says where in the JSON and what to mend; errc::internal when libseccomp fails.
FilterProgram compile_profile(std::string_view name, std::string_view json, FilterArch arch);

// "socket"; "call 999" for a number that libseccomp has no name for.
std::string system_call_name(FilterArch arch, std::uint32_t number);

// The architecture this library was built for.
FilterArch native_arch();

}  // namespace sandbox::runner
