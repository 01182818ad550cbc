// What a program sees and cannot do. A test of a protection was seen to fail with it taken out.
// SPDX-License-Identifier: MIT
#include <gmock/gmock.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "runner_fixture.hpp"

namespace sandbox::runner::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

class BoundaryTest : public RunnerTest {
 protected:
  // What the program printed; it must have ended well.
  std::string printed(const std::string& source) {
    const ExecResult result = python(source);
    EXPECT_TRUE(result.status.exited_with(0)) << result.status.sentence() << "\n"
                                              << result.standard_error.text();
    return result.standard_output.bytes();
  }
};

TEST_F(BoundaryTest, RunsAsAnUnprivilegedUserWithoutAnyCapability) {
  EXPECT_EQ(printed("import os; print(os.getresuid(), os.getresgid())"),
            "(1000, 1000, 1000) (1000, 1000, 1000)\n");
  EXPECT_EQ(printed("for l in open('/proc/self/status'):\n"
                    "    if l.startswith(('Cap', 'NoNewPrivs', 'Seccomp:')): print(l.split()[1])"),
            "0000000000000000\n0000000000000000\n0000000000000000\n0000000000000000\n"
            "0000000000000000\n1\n2\n");
}

TEST_F(BoundaryTest, IsNeverPidOneAndSeesOnlyItsOwnProcesses) {
  EXPECT_EQ(printed("import os; print(os.getpid() > 1, os.getppid())"), "True 1\n");
  EXPECT_EQ(printed("import os; print([p for p in os.listdir('/proc') if p.isdigit()] == "
                    "[str(os.getpid())])"),
            "True\n");
}

// Read by a program that changes none itself.
TEST_F(BoundaryTest, StartsWithNoSignalBlockedIgnoredOrPending) {
  const ExecResult result =
      exec(ExecRequest({"grep", "-E", "^(Sig(Pnd|Blk|Ign|Cgt)|ShdPnd)", "/proc/self/status"}));
  EXPECT_THAT(result.standard_output.bytes(), Not(::testing::ContainsRegex("[1-9a-f]\n")));
  EXPECT_THAT(result.standard_output.bytes(), HasSubstr("SigIgn:\t0000000000000000\n"));
}

TEST_F(BoundaryTest, HasThreeDescriptorsAndASessionOfItsOwn) {
  EXPECT_EQ(printed("import os; print(sorted(os.listdir('/proc/self/fd'))[:-1], os.getsid(0) == "
                    "os.getpid())"),
            "['0', '1', '2'] True\n");
  EXPECT_EQ(printed("import os\n"
                    "try: os.open('/dev/tty', os.O_RDWR)\n"
                    "except OSError as e: print('no terminal')"),
            "no terminal\n");
}

TEST_F(BoundaryTest, HasNoNetworkInterfaceUpAndNoSocketBeyondUnix) {
  EXPECT_EQ(
      printed(
          "import socket\n"
          "for family in (socket.AF_INET, socket.AF_INET6, socket.AF_NETLINK, socket.AF_PACKET):\n"
          "    try: socket.socket(family, socket.SOCK_DGRAM); print('socket')\n"
          "    except OSError as e: print(e.errno)\n"
          "a, b = socket.socketpair(); a.send(b'x'); print(b.recv(1))"),
      "97\n97\n97\n97\nb'x'\n");
}

// The namespace stops it too: with a profile that lets the socket through there is no way out.
TEST_F(BoundaryTest, LoopbackIsReachableWithItsProfileAndNothingElseIs) {
  options().profile("loopback");
  EXPECT_EQ(printed("import socket\n"
                    "s = socket.create_server(('127.0.0.1', 0))\n"
                    "c = socket.create_connection(s.getsockname()); c.close()\n"
                    "print('loopback')\n"
                    "for address in ('192.0.2.1', '169.254.169.254', '8.8.8.8'):\n"
                    "    try: socket.create_connection((address, 80), timeout=3); print('out')\n"
                    "    except OSError as e: print(e.errno)"),
            "loopback\n101\n101\n101\n");
}

TEST_F(BoundaryTest, SeesNothingOfTheHostsFiles) {
  namespace fs = std::filesystem;
  const fs::path canary =
      fs::temp_directory_path() / ("sandbox-canary-" + std::to_string(::getpid()));
  std::ofstream(canary) << "canary";
  const std::string out = printed(
      "import os\n"
      "for p in ('" +
      canary.string() +
      "', '/etc/shadow', '/root', '/home', '/var/log', '/sys', '/boot', '/srv', '/opt', "
      "'/run/docker.sock', '/etc/machine-id', '/usr/local/bin'):\n"
      "    if os.path.exists(p): print(p)\n"
      "print(sorted(os.listdir('/dev')))\n"
      "print(open('/etc/passwd').read().count('\\n'), open('/etc/resolv.conf').read() == '')\n");
  fs::remove(canary);
  // An interpreter below a home directory brings the empty directories on the way to it along.
  EXPECT_THAT(out, Not(HasSubstr("canary")));
  EXPECT_THAT(out, Not(HasSubstr("shadow")));
  EXPECT_THAT(out, Not(HasSubstr("/var/log")));
  EXPECT_THAT(out, Not(HasSubstr("/sys")));
  EXPECT_THAT(out, Not(HasSubstr("machine-id")));
  EXPECT_THAT(out, HasSubstr("['fd', 'full', 'null', 'random', 'shm', 'stderr', 'stdin', 'stdout', "
                             "'urandom', 'zero']\n3 True\n"));
}

TEST_F(BoundaryTest, HomeIsWritableAndNeitherTheWorkDirectoryNorKept) {
  const std::string source =
      "import os, pwd\n"
      "home = os.path.expanduser('~')\n"
      "print(home == pwd.getpwuid(os.getuid()).pw_dir, os.listdir(home), os.listdir('/work'))\n"
      "os.makedirs(home + '/.cache/x'); open('/var/tmp/y', 'w').close()";
  EXPECT_EQ(printed(source), "True [] []\n");
  EXPECT_EQ(printed(source), "True [] []\n");
}

TEST_F(BoundaryTest, TheStandardStreamsCanBeOpenedByName) {
  EXPECT_EQ(printed("open('/dev/stdout', 'w').write('by name\\n')"), "by name\n");
}

TEST_F(BoundaryTest, CanWriteNowhereButInItsOwnPlaces) {
  EXPECT_EQ(printed("import os, sys, sysconfig\n"
                    "for d in ('/', '/etc', '/usr', '/usr/bin', '/dev', '/proc', '/proc/self', "
                    "'/run', '/var', sysconfig.get_path('stdlib')):\n"
                    "    try:\n"
                    "        open(d + '/probe', 'w').close(); print('wrote', d)\n"
                    "    except OSError: pass\n"
                    "    try:\n"
                    "        os.chmod(d, 0o777); print('chmod', d)\n"
                    "    except OSError: pass\n"
                    "for d in ('/work', '/tmp', '/dev/shm'): open(d + '/probe', 'w').close()"),
            "");
}

TEST_F(BoundaryTest, EveryMountIsReadOnlyOrOneOfItsOwn) {
  const std::string mounts = printed(
      "for line in open('/proc/self/mountinfo'):\n"
      "    f = line.split(); where, flags = f[4], f[5].split(',')\n"
      "    if 'nosuid' not in flags: print('suid', where)\n"
      "    if 'nodev' not in flags and not where.startswith('/dev/'): print('dev', where)\n"
      "    if 'rw' in flags: print('rw', where)");
  EXPECT_EQ(mounts, "rw /work\nrw /tmp\nrw /dev/shm\n");
}

TEST_F(BoundaryTest, NothingThatItWroteCanBeExecuted) {
  EXPECT_EQ(printed("import os, shutil\n"
                    "for d in ('/work', '/tmp', '/dev/shm'):\n"
                    "    shutil.copy('/bin/true', d + '/prog'); os.chmod(d + '/prog', 0o755)\n"
                    "    try: os.execv(d + '/prog', ['prog'])\n"
                    "    except PermissionError: print('refused')"),
            "refused\nrefused\nrefused\n");
}

// hardening M9: blocks alone are no limit.
TEST_F(BoundaryTest, FilesAndLinksAreCountedToo) {
  EXPECT_EQ(printed("import os, errno\n"
                    "for d in ('/work', '/tmp', '/dev/shm'):\n"
                    "    try:\n"
                    "        for i in range(1 << 20): os.symlink('x', d + '/l%d' % i)\n"
                    "    except OSError as e: print(errno.errorcode[e.errno])"),
            "ENOSPC\nENOSPC\nENOSPC\n");
}

TEST_F(BoundaryTest, WorkIsBoundedInBytes) {
  options().work_size(Bytes(std::uint64_t{4} << 20U));
  ExecRequest request = python_request(
      "import errno\n"
      "try:\n"
      "    for i in range(8): open('f%d' % i, 'wb').write(b'x' * (1 << 20))\n"
      "except OSError as e: print(errno.errorcode[e.errno])");
  EXPECT_EQ(exec(request).standard_output.bytes(), "ENOSPC\n");
}

// M10, M11: the kernel counts the processes of the run's own user namespace.
TEST_F(BoundaryTest, ForksEndAtTheProcessLimit) {
  ExecRequest request = python_request(
      "import os, time\n"
      "n = 0\n"
      "try:\n"
      "    while n < 500:\n"
      "        if os.fork() == 0: time.sleep(30); os._exit(0)\n"
      "        n += 1\n"
      "except BlockingIOError: print('EAGAIN', n)");
  request.limits(Limits().processes(20));
  EXPECT_EQ(exec(request).standard_output.bytes(), "EAGAIN 19\n");
}

TEST_F(BoundaryTest, MemoryIsLimited) {
  ExecRequest request =
      python_request("try: bytearray(400 << 20)\nexcept MemoryError: print('no')");
  request.limits(Limits().memory(Bytes(std::uint64_t{256} << 20U)));
  const ExecResult result = exec(request);
  EXPECT_EQ(result.standard_output.bytes(), "no\n");
  EXPECT_EQ(result.enforced.memory, "rlimit");
}

TEST_F(BoundaryTest, CoreDumpsAreOffAndStayOff) {
  EXPECT_EQ(printed("import resource\n"
                    "print(resource.getrlimit(resource.RLIMIT_CORE)[0] <= 1)\n"
                    "for new in ((0, 0), (1, 1)):\n"
                    "    try: resource.setrlimit(resource.RLIMIT_CORE, new); print('changed')\n"
                    "    except (OSError, ValueError): print('refused')\n"
                    "print(open('/proc/self/coredump_filter').read().strip())"),
            "True\nrefused\nrefused\n00000000\n");
}

TEST_F(BoundaryTest, IsTheFirstToGoWhenTheHostHasNoMemoryLeft) {
  EXPECT_EQ(printed("print(open('/proc/self/oom_score_adj').read(), end='')"), "900\n");
}

TEST_F(BoundaryTest, InitCannotBeKilledOrLookedInto) {
  EXPECT_EQ(printed("import os, signal\n"
                    "for s in (9, 15, 19, 2):\n"
                    "    try: os.kill(1, s)\n"
                    "    except PermissionError: pass\n"
                    "for p in ('/proc/1/fd', '/proc/1/root', '/proc/1/ns/mnt', '/proc/1/environ', "
                    "'/proc/1/mem'):\n"
                    "    try: os.listdir(p) if p.endswith(('fd', 'root')) else open(p).read(1); "
                    "print('saw', p)\n"
                    "    except OSError: pass\n"
                    "print('alive')"),
            "alive\n");
}

TEST_F(BoundaryTest, NewNamespacesMountsAndTracingAreRefused) {
  EXPECT_EQ(printed("import ctypes, errno\n"
                    "libc = ctypes.CDLL(None, use_errno=True)\n"
                    "def tried(*args):\n"
                    "    ctypes.set_errno(0); r = libc.syscall(*args)\n"
                    "    return 'ok' if r >= 0 else errno.errorcode[ctypes.get_errno()]\n"
                    "for flag in (0x10000000, 0x00020000, 0x40000000, 0x20000000, 0x80): "
                    "print(tried(272, flag), end=' ')\n"
                    "print(tried(165, b'x', b'/work', b'tmpfs', 0, 0), tried(166, b'/proc', 2), "
                    "tried(101, 0, 0, 0, 0), tried(435, 0, 88), tried(425, 1, 0))"),
            "EPERM EPERM EPERM EPERM EPERM EPERM EPERM EPERM ENOSYS ENOSYS\n");
}

TEST_F(BoundaryTest, TheHostNameIsNeutral) {
  EXPECT_EQ(printed("import os, socket; u = os.uname(); print(u.nodename, socket.gethostname())"),
            "sandbox sandbox\n");
}

TEST_F(BoundaryTest, TheReceiptSaysWhatIsInForce) {
  const ExecResult result = python("pass");
  EXPECT_EQ(result.enforced.profile, "default");
  EXPECT_EQ(result.enforced.profile_sha256.size(), 64U);
  EXPECT_EQ(result.enforced.proc, "subset");
  EXPECT_EQ(result.enforced.protections.at("network"), "none");
  EXPECT_FALSE(result.enforced.kernel.empty());
}

TEST_F(BoundaryTest, TheStrictProfileRunsPythonAndRefusesMore) {
  options().profile("strict");
  EXPECT_EQ(
      printed(
          "import os, threading, subprocess, sys\n"
          "t = threading.Thread(target=lambda: print('thread')); t.start(); t.join()\n"
          "print(subprocess.run([sys.executable, '-c', 'print(1)'], capture_output=True).stdout)\n"
          "try: os.setsid()\n"
          "except OSError as e: print(e.errno)"),
      "thread\nb'1\\n'\n1\n");
}

}  // namespace
}  // namespace sandbox::runner::testing
