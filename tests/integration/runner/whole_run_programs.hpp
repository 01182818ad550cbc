// Programs that stay below a limit in each process and go over it together; what counts them, a
// cgroup or init, is the test's.
// SPDX-License-Identifier: MIT
#pragma once

namespace sandbox::runner::testing {

// Up to 80 MiB in each of six.
inline constexpr const char* kMemoryOfSixProcesses =
    "import os, time\n"
    "for i in range(6):\n"
    "    if os.fork() == 0: b = bytearray(os.urandom(1 << 20) * 40); time.sleep(30)\n"
    "time.sleep(30)";

// 300 MiB that no process shows as its data.
inline constexpr const char* kSharedMemoryWithoutAFile =
    "import mmap, os, time\n"
    "if os.fork() == 0:\n"
    "    m = mmap.mmap(-1, 300 << 20)\n"
    "    for i in range(0, 300 << 20, 4096): m[i] = 1\n"
    "    time.sleep(20)\n"
    "else: os.wait()";

}  // namespace sandbox::runner::testing
