// SPDX-License-Identifier: MIT
#include "adopt.hpp"

#include "sandbox/error.hpp"

namespace sandbox::runner {

void adopt(boost::asio::posix::stream_descriptor& to, Fd from) {
  boost::system::error_code error;
  to.assign(from.get(), error);
  if (error) {
    throw Error(errc::too_many, "watch a descriptor of a run: " + error.message() +
                                    "; the descriptors or the epoll watches of this user are used "
                                    "up (ulimit -n, sysctl fs.epoll.max_user_watches): run fewer "
                                    "sandboxes, or as root, where each has a user of its own");
  }
  (void)from.release();
}

}  // namespace sandbox::runner
