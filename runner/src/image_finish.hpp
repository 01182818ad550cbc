// What an image's own programs add to it, run inside a sandbox: bytecode and the loader's cache.
// SPDX-License-Identifier: MIT
#pragma once

#include <boost/asio/awaitable.hpp>
#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace sandbox::runner {

// A file that the guest made: a path below the image's root, and its bytes.
using MadeFile = std::pair<std::string_view, std::string_view>;

// Takes apart what the guest printed: for each file a line with its path, one with its size, and
// its bytes. Only bytecode beside its module and /etc/ld.so.cache are taken; the views are into
// `output`. A record "python" is the interpreter's version.
// Errors: errc::image_unusable for anything else.
std::vector<MadeFile> parse_made_files(std::string_view output);

class Finished {
 public:
  std::string python;     // version
  std::size_t files = 0;  // that were added

  Finished() = default;
};
static_assert(!std::is_aggregate_v<Finished>);

class Worker;

// Runs the image in `root` (an absolute path of the host) in a sandbox a few times and gives what
// it made to `keep`; then it must be able to import `modules` ("numpy, pandas"). `keep` is what the
// worker carries out; when this is cancelled, possibly still after it has returned. Errors: those
// of LinuxBackend::start; errc::image_unusable when the interpreter fails. Cancel: terminal;
// nothing is left running.
boost::asio::awaitable<Finished> finish_image(
    std::shared_ptr<Worker> worker, std::string root, std::string modules,
    std::function<void(const std::vector<MadeFile>&)> keep);

}  // namespace sandbox::runner
