// What a sandbox answers for methods that its backend does not serve.
// SPDX-License-Identifier: MIT
#include "sandbox/sandbox.hpp"

#include <boost/asio/this_coro.hpp>
#include <string_view>

#include "sandbox/error.hpp"

namespace sandbox {
namespace {

namespace net = boost::asio;

// The await makes this a coroutine, so the error is met where the answer is awaited.
template <class T>
net::awaitable<T> not_served(std::string_view method, std::string_view capability) {
  co_await net::this_coro::executor;
  throw Error(errc::not_supported,
              "Sandbox::" + std::string(method) +
                  ": this backend does not implement it; require the capability " +
                  std::string(capability) + " in the spec, so the router picks one that does");
}

}  // namespace

Sandbox::~Sandbox() = default;

net::awaitable<ExecResult> Sandbox::run_code(std::string /*code*/,
                                             std::chrono::milliseconds /*timeout*/) {
  return not_served<ExecResult>("run_code", "run_code");
}

net::awaitable<std::optional<SandboxEntry>> Sandbox::stat_file(std::string /*path*/,
                                                               std::string /*working_directory*/) {
  return not_served<std::optional<SandboxEntry>>("stat_file", "files_out");
}

net::awaitable<std::string> Sandbox::read_file(std::string /*path*/,
                                               std::string /*working_directory*/,
                                               std::uint64_t /*max_bytes*/) {
  return not_served<std::string>("read_file", "files_out");
}

net::awaitable<std::vector<SandboxEntry>> Sandbox::list_dir(std::string /*path*/,
                                                            std::string /*working_directory*/) {
  return not_served<std::vector<SandboxEntry>>("list_dir", "files_list");
}

net::awaitable<void> Sandbox::remove(std::string /*path*/, std::string /*working_directory*/,
                                     RemoveMode /*mode*/) {
  return not_served<void>("remove", "files_delete");
}

}  // namespace sandbox
