// SPDX-License-Identifier: MIT
#include "worker.hpp"

#include <boost/system/system_error.hpp>

#include "sandbox/error.hpp"

namespace sandbox::runner {

Worker::Worker() try : pool_(1) {
} catch (const boost::system::system_error& error) {
  throw Error(errc::setup_failed,
              "start a thread: " + error.code().message() +
                  "; a limit on this program is reached: of processes (ulimit -u, pids.max) or "
                  "of memory (ulimit -v, ulimit -d)");
}

}  // namespace sandbox::runner
