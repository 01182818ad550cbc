// The texts of --help that are not about one option.
// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

namespace sandbox::ctl {

inline constexpr std::string_view kAbout =
    "Runs a program in a sandbox: Linux namespaces without any network, a system call filter and "
    "limits.";

inline constexpr std::string_view kExitCodes =
    "Exit codes:\n"
    "  the program's own code, when it ended by itself\n"
    "  124      stopped: its wall-clock time was over\n"
    "  125      our own failure: a wrong command line, a refusal, a file that could not be "
    "brought\n"
    "           back; stderr (with --json: the object's \"error\") says why\n"
    "  126, 127 exec: the command could not be started, was not found\n"
    "  128+N    ended by signal N; 137 also for its memory, CPU or output limit\n"
    "  129, 130, 143  you stopped it (hang-up, Ctrl-C, SIGTERM); nothing of it is left running\n"
    "  141      nobody reads the output any more; the program was stopped\n";

inline constexpr std::string_view kMainExamples =
    "Examples:\n"
    "  sandboxctl run report.py --in sales.csv --out results\n"
    "  echo 'print(6 * 7)' | sandboxctl run -\n"
    "  sandboxctl exec --timeout 5s --memory 256M -- ls -la /\n"
    "  sandboxctl image build data\n"
    "  sandboxctl doctor\n"
    "  sandboxctl selftest\n"
    "\n"
    "'sandboxctl run --help' tells all options.\n";

inline constexpr std::string_view kRunExamples =
    "Examples:\n"
    "  sandboxctl run report.py --in sales.csv --out results\n"
    "      the program finds ./sales.csv; what it writes beside it lands in results/\n"
    "  sandboxctl run --timeout 30s --memory 2G --image host:$HOME/venv/bin/python model.py\n"
    "  echo 'print(6 * 7)' | sandboxctl run --json -\n"
    "      one JSON object: how it ended, what it printed, what it used, what was in force\n";

inline constexpr std::string_view kExecExamples =
    "Examples:\n"
    "  sandboxctl exec -- ls -la /\n"
    "  sandboxctl exec --in data.csv -- sort -t, -k2 data.csv\n"
    "  sandboxctl exec --stdin notes.txt --timeout 5s -- python3 -c 'print(len(input()))'\n"
    "      there is no shell: the command gets its arguments as they stand\n";

inline constexpr std::string_view kDoctorNotes =
    "Each thing that a sandbox needs is tried, in a process of its own; then a program is run.\n"
    "  ok       it works\n"
    "  weaker   it does not; programs run without it, and their receipts say so\n"
    "  refused  it does not, and nothing runs without it\n"
    "  ->       what to do\n"
    "\n"
    "Exit codes:\n"
    "  0    programs run here\n"
    "  1    they do not\n"
    "  125  a wrong command line\n"
    "\n"
    "Examples:\n"
    "  sandboxctl doctor\n"
    "  sandboxctl doctor --require landlock --require cgroup\n"
    "  sandboxctl doctor --json | jq '.checks[] | select(.state == \"refused\")'\n";

inline constexpr std::string_view kImageNotes =
    "An image is a read-only file system with a Python, kept in ~/.local/share/libsandbox/images\n"
    "(or $XDG_DATA_HOME/libsandbox/images) and used by name: sandboxctl run --image data FILE.\n"
    "It is built from signed Debian packages with mmdebstrap, as root or as any other user.\n"
    "\n"
    "Examples:\n"
    "  sandboxctl image build data\n"
    "  sandboxctl image build data --name geo --add python3-shapely --add python3-pyproj\n"
    "  sandboxctl image list\n"
    "  sandboxctl image inspect data --verify\n"
    "  sandboxctl image remove data\n";

inline constexpr std::string_view kSelftestNotes =
    "Each attempt runs in a sandbox of its own and must meet what it is told to meet; then the "
    "host "
    "is\nlooked at: a canary file, the mounts, descriptors and processes.\n"
    "  contained  it met a refusal or a limit, as it must\n"
    "  escaped    something worked that must not, or the host is not as it was\n"
    "  broken     it met something that nobody foresaw\n"
    "  skipped    this machine lacks what it needs\n"
    "\n"
    "Exit codes:\n"
    "  0    all good: nothing was skipped, broken or escaped\n"
    "  1    not all good; the list says what and why\n"
    "  125  nothing could be tried; stderr says why\n"
    "\n"
    "Examples:\n"
    "  sandboxctl selftest --layers\n"
    "  sandboxctl selftest --only 55,60 --without seccomp\n"
    "  sandboxctl selftest --json | jq .totals\n";

}  // namespace sandbox::ctl
