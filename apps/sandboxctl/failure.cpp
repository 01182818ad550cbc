// SPDX-License-Identifier: MIT
#include "failure.hpp"

#include <new>
#include <string>
#include <system_error>

#include "sandbox/tool_binding.hpp"

namespace sandbox::ctl {
namespace {

constexpr const char* kLimits =
    "a limit on this program is reached: of processes (ulimit -u, pids.max) or of memory "
    "(ulimit -v, ulimit -d)";

}  // namespace

Error error_of(const std::exception_ptr& failure) {
  if (is_cancellation(failure)) {
    return {errc::cancelled, "the call was cancelled; nothing of it is left running"};
  }
  try {
    std::rethrow_exception(failure);
  } catch (const Error& error) {
    return error;
  } catch (const std::system_error& error) {
    // Of ours only threads throw it: one writes the program's output.
    return {errc::setup_failed, "start a thread: " + error.code().message() + "; " + kLimits};
  } catch (const std::bad_alloc&) {
    return {errc::setup_failed,
            "no memory is left for this program: the host is out of it, or a limit is reached "
            "(ulimit -v, ulimit -d)"};
  } catch (const std::exception& error) {
    return {errc::internal, error.what()};
  } catch (...) {
    return {errc::internal, "an exception of an unknown type"};
  }
}

}  // namespace sandbox::ctl
