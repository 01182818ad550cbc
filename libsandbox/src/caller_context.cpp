// Who is calling: the checks at construction.
// SPDX-License-Identifier: MIT
#include "sandbox/caller_context.hpp"

#include <utility>

#include "sandbox/error.hpp"

namespace sandbox {

namespace net = boost::asio;

namespace {

void require(bool present, const char* which) {
  if (present) return;
  throw Error(errc::config_error, std::string("make a CallerContext: the function ") + which +
                                      " is empty; give one that is asked at each call");
}

}  // namespace

CallerContext::CallerContext(CurrentScope scope, CurrentThreadId thread_id, ListFiles list_files)
    : scope_(std::move(scope)),
      thread_id_(std::move(thread_id)),
      list_files_(std::move(list_files)) {
  require(static_cast<bool>(scope_), "current_scope");
  require(static_cast<bool>(thread_id_), "current_thread_id");
  require(static_cast<bool>(list_files_), "list_files (list_no_files for no file channel)");
}

net::awaitable<std::vector<std::string>> list_no_files(std::string /*store*/) {
  co_return std::vector<std::string>();
}

}  // namespace sandbox
