// What one sandbox of a backend makes, holds or uses up is nothing to another one.
// SPDX-License-Identifier: MIT
#include <gmock/gmock.h>
#include <mqueue.h>
#include <sys/ipc.h>
#include <sys/resource.h>
#include <sys/shm.h>
#include <unistd.h>

#include <algorithm>

#include "host_side_fixture.hpp"

namespace sandbox::runner::testing {
namespace {

using ::testing::HasSubstr;

class TwoSandboxes : public TwoSidedTest {
 protected:
  std::shared_ptr<Sandbox> a() { return sandbox("a"); }
  std::shared_ptr<Sandbox> b() { return sandbox("b"); }
};

// By number, as the C library's functions are in different places.
constexpr const char* kLookForIpc = R"py(
MQ = {'x86_64': 240, 'aarch64': 180}[os.uname().machine]
def look_for_ipc():
    told('shm', call, 'shmget', KEY, 0, 0)
    told('sem', call, 'semget', KEY, 0, 0)
    told('msg', call, 'msgget', KEY, 0)
    told('mq', call, 'syscall', MQ, NAME, os.O_RDWR, 0, None)
)py";

// Objects of the host with the same names; gone with this.
class HostIpc {
 public:
  HostIpc(key_t key, std::string queue)
      : memory_(::shmget(key, 4096, IPC_CREAT | IPC_EXCL | 0666)), queue_(std::move(queue)) {
    messages_ = Fd(::mq_open(queue_.c_str(), O_CREAT | O_RDWR | O_CLOEXEC, 0666, nullptr));
  }
  HostIpc(const HostIpc&) = delete;
  HostIpc& operator=(const HostIpc&) = delete;
  HostIpc(HostIpc&&) = delete;
  HostIpc& operator=(HostIpc&&) = delete;
  ~HostIpc() {
    ::shmctl(memory_, IPC_RMID, nullptr);
    ::mq_unlink(queue_.c_str());
  }

  [[nodiscard]] bool is_there() const { return memory_ >= 0 && messages_; }

 private:
  int memory_;
  std::string queue_;
  Fd messages_;
};

TEST_F(TwoSandboxes, N153_N154_ObjectsOfIpcAreInOneRunOnly) {
  // They would answer before the namespaces do.
  turn_off({Protection::seccomp, Protection::resource_limits, Protection::landlock});
  const key_t key = 0x5a000000 + ::getpid();
  const std::string names = "KEY, NAME = " + std::to_string(key) + ", b'adversarial-" +
                            std::to_string(::getpid()) + "'" + kLookForIpc;
  LiveRun maker = start(a(), names + R"py(
call('shmget', KEY, 4096, 0o1666)
call('semget', KEY, 1, 0o1666)
call('msgget', KEY, 0o1666)
call('syscall', MQ, NAME, os.O_CREAT | os.O_RDWR, 0o666, None)
if os.fork() == 0:
    look_for_ipc()
    os._exit(0)
os.wait()
print('up', flush=True)
wait_for('go')
)py");
  ASSERT_TRUE(maker.printed("up")) << maker.result().standard_error.text();
  const HostIpc host(key, "/adversarial-" + std::to_string(::getpid()));
  EXPECT_TRUE(host.is_there());
  const std::string nothing = "shm ENOENT\nsem ENOENT\nmsg ENOENT\nmq ENOENT\n";
  EXPECT_EQ(output_of(b(), names + "look_for_ipc()"), nothing);
  EXPECT_EQ(output_of(a(), names + "look_for_ipc()"), nothing) << "another run of the sandbox";
  tell(a(), "go");
  EXPECT_EQ(maker.result().standard_output.bytes(),
            "shm worked\nsem worked\nmsg worked\nmq worked\nup\n")
      << "they must have been there";
}

// Advisory locks on files of the shared image are seen by others: a documented slow channel.
class ImageLocks : public TwoSandboxes {
 protected:
  static constexpr const char* kImageFile = R"py(
file = os.open(os.__file__, os.O_RDONLY)
LOCK, F_OFD_GETLK, F_OFD_SETLK = 'hhqqi4x', 36, 37
def read_lock(command):
    fcntl.fcntl(file, command, struct.pack(LOCK, fcntl.F_RDLCK, 0, START[command], 1, 0))
def seen(command):
    got = struct.unpack(LOCK, fcntl.fcntl(file, command,
                        struct.pack(LOCK, fcntl.F_WRLCK, 0, START[command], 1, 0)))
    return 'seen, pid %d' % got[4] if got[0] == fcntl.F_RDLCK else 'not seen'
START = {fcntl.F_SETLK: 0, fcntl.F_GETLK: 0, F_OFD_SETLK: 1, F_OFD_GETLK: 1}
)py";

  // "flock=WORD record=WORD ofd=WORD" of `b` while `a` holds all three, after what `a` met.
  std::string met() {
    LiveRun holder = start(a(), std::string(kImageFile) + R"py(
told('flock', fcntl.flock, file, fcntl.LOCK_EX | fcntl.LOCK_NB)
told('record', read_lock, fcntl.F_SETLK)
told('ofd', read_lock, F_OFD_SETLK)
print('up', flush=True)
wait_for('go')
)py");
    EXPECT_TRUE(holder.printed("up"));
    const std::string other = output_of(b(), std::string(kImageFile) + R"py(
told('flock', fcntl.flock, file, fcntl.LOCK_EX | fcntl.LOCK_NB)
print('record', seen(fcntl.F_GETLK))
print('ofd', seen(F_OFD_GETLK))
)py");
    tell(a(), "go");
    return holder.result().standard_output.bytes() + other;
  }
};

// The number of the holder's process says nothing in any case.
TEST_F(ImageLocks, N156_AreSeenByDefaultWithoutTheHoldersNumber) {
  EXPECT_EQ(met(),
            "flock worked\nrecord worked\nofd worked\nup\n"
            "flock EAGAIN\nrecord seen, pid 0\nofd seen, pid -1\n");
}

TEST_F(ImageLocks, N156_StrictHasNoFlockAndKeepsRecordLocks) {
  options().profile("strict");
  EXPECT_EQ(met(),
            "flock ENOSYS\nrecord worked\nofd worked\nup\n"
            "flock ENOSYS\nrecord seen, pid 0\nofd seen, pid -1\n");
}

class ImageWatch : public TwoSandboxes {
 protected:
  // What `b` met that watches the image's directory while `a` opens a file in it.
  std::string met() {
    LiveRun watcher = start(b(), R"py(
import select
watch = -1
def watched():
    global watch
    watch = call('inotify_init1', 0)
    call('inotify_add_watch', watch, os.path.dirname(os.__file__).encode(), 0x20)
told('watch', watched)
print('up', flush=True)
wait_for('go')
end = time.monotonic() + 3
seen = b''
while watch >= 0 and b'tabnanny.py' not in seen and time.monotonic() < end:
    if select.select([watch], [], [], 0.1)[0]: seen += os.read(watch, 65536)
print('event' if b'tabnanny.py' in seen else 'no event')
)py");
    EXPECT_TRUE(watcher.printed("up"));
    EXPECT_EQ(output_of(a(), "open(os.path.dirname(os.__file__) + '/tabnanny.py').close()"), "");
    tell(b(), "go");
    return watcher.result().standard_output.bytes();
  }
};

TEST_F(ImageWatch, N157_IsUnknownByDefault) { EXPECT_EQ(met(), "watch ENOSYS\nup\nno event\n"); }

TEST_F(ImageWatch, N157_IsStoppedByTheNamespaceLockToo) {
  turn_off({Protection::seccomp});
  EXPECT_EQ(met(), "watch EMFILE\nup\nno event\n");
}

TEST_F(ImageWatch, N157_WorksWithoutBoth) {
  turn_off({Protection::seccomp, Protection::namespace_lock});
  EXPECT_EQ(met(), "watch worked\nup\nevent\n");
}

// What the kernel counts by user is counted for each sandbox, also where all are one user outside.
TEST_F(TwoSandboxes, N159_WhatOneUsesUpTheOtherStillHas) {
  LiveRun greedy = start(a(), R"py(
signal.pthread_sigmask(signal.SIG_BLOCK, [40])
def signals():
    while True: call('sigqueue', os.getpid(), 40, None)
def pipes():
    while True:
        reader, writer = os.pipe()
        fcntl.fcntl(writer, 1031, 1 << 20)
def descriptors():
    while True: os.dup(0)
def processes():
    while True:
        if os.fork() == 0:
            signal.pause()
told('signals', signals)
told('pipes', pipes)
told('descriptors', descriptors)
told('processes', processes)
print('up', flush=True)
wait_for('go')
)py");
  ASSERT_TRUE(greedy.printed("up"));
  EXPECT_EQ(output_of(b(), R"py(
signal.pthread_sigmask(signal.SIG_BLOCK, [40])
def signals():
    for i in range(100): call('sigqueue', os.getpid(), 40, None)
def pipe():
    reader, writer = os.pipe()
    os.write(writer, b'x' * 4096)
    os.read(reader, 4096)
def descriptors():
    for i in range(100): os.dup(0)
def processes():
    children = [os.fork() or signal.pause() for i in range(30)]
    for child in children: os.kill(child, signal.SIGKILL)
told('signals', signals)
told('pipe', pipe)
told('descriptors', descriptors)
told('processes', processes)
)py"),
            "signals worked\npipe worked\ndescriptors worked\nprocesses worked\n");
  EXPECT_EQ(run_outside({"true"}), 0) << "and so has the host";
  tell(a(), "go");
  const std::string used_up = greedy.result().standard_output.bytes();
  EXPECT_THAT(used_up, HasSubstr("signals EAGAIN\npipes E"));
  EXPECT_THAT(used_up, HasSubstr("descriptors EMFILE\nprocesses EAGAIN\n"));
}

// The kernel counts descriptors on their way through sockets by user, against the sender's own
// limit of open files; the host sends some for each run.
class DescriptorsOnTheWay : public TwoSandboxes {
 protected:
  void SetUp() override {
    TwoSandboxes::SetUp();
    ::getrlimit(RLIMIT_NOFILE, &before_);
    rlimit usual = before_;
    usual.rlim_cur = std::min<rlim_t>(1024, before_.rlim_cur);
    ::setrlimit(RLIMIT_NOFILE, &usual);
    backend();
    ready_ = b();
  }
  void TearDown() override {
    ready_.reset();
    TwoSandboxes::TearDown();
    ::setrlimit(RLIMIT_NOFILE, &before_);
  }

  // As many as the kernel allows, until told to let go.
  LiveRun hold_all() {
    return start(a(), R"py(
import array
kept = []
def send():
    while True:
        kept.append(socket.socketpair())
        ends = array.array('i', [0] * 200)
        kept[-1][0].sendmsg([b'x'], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, ends)])
told('send', send)
print('up', flush=True)
wait_for('go')
)py");
  }

  std::shared_ptr<Sandbox> ready_;

 private:
  rlimit before_{};
};

TEST_F(DescriptorsOnTheWay, N159_OfOneSandboxDoNotStopAnotherOneOfARootLaunchedHost) {
  if (::geteuid() != 0) GTEST_SKIP() << "all sandboxes of an ordinary user are one user outside";
  LiveRun holder = hold_all();
  ASSERT_TRUE(holder.printed("send ETOOMANYREFS\nup"));
  EXPECT_EQ(output_of(b(), "print('works')"), "works\n");
  EXPECT_EQ(output_of(sandbox("new"), "print('works')"), "works\n");
  tell(a(), "go");
  EXPECT_TRUE(holder.result().status.exited_with(0));
}

// An ordinary user's own sandboxes may have to wait until the run that holds them all has ended.
TEST_F(DescriptorsOnTheWay, N159_OfOneSandboxStopNobodyLongerThanItsRun) {
  LiveRun holder = hold_all();
  ASSERT_TRUE(holder.printed("send ETOOMANYREFS\nup"));
  const std::optional<errc> met = error_of([&] { await(b()->exec(ExecRequest({"true"}))); });
  if (met) {
    EXPECT_NE(*met, errc::internal);
    RecordProperty("meanwhile", std::string(error_info(*met).name));
  }
  tell(a(), "go");
  EXPECT_TRUE(holder.result().status.exited_with(0));
  EXPECT_EQ(output_of(b(), "print('works')"), "works\n");
  EXPECT_EQ(output_of(sandbox("new"), "print('works')"), "works\n");
}

TEST_F(TwoSandboxes, N164_TheNextCallIsCleanAfterOneThatLeftTraps) {
  const std::string word = unique_word();
  const ExecResult first = await(a()->exec(program("MARK = '" + word + "'" + R"py(
import atexit, builtins, json
threading.Thread(target=time.sleep, args=(60,), daemon=True).start()
if os.fork() == 0:
    os.setsid()
    time.sleep(60)
class Mute:
    def __getattr__(self, name): return lambda *arguments: 99
print('first', flush=True)
json.dumps = lambda *arguments, **named: 'a lie'
sys.stdout = sys.__stdout__ = Mute()
builtins.print = builtins.open = lambda *arguments, **named: None
atexit.register(lambda: os.write(1, b'late\n'))
os.environ['PYTHONSTARTUP'] = '/work/x'
os.chdir('/')
os.umask(0o777)
)py")));
  EXPECT_EQ(first.standard_output.bytes(), "first\nlate\n");
  EXPECT_TRUE(first.status.exited_with(0));
  EXPECT_EQ(output_of(a(), R"py(
import json
print(json.dumps([os.getcwd(), os.umask(0), os.environ.get('PYTHONSTARTUP')]))
print(threading.active_count(), len([n for n in os.listdir('/proc') if n.isdigit()]))
)py"),
            "[\"/work\", 18, null]\n1 1\n");
  EXPECT_EQ(processes_with(word), 0U);
}

}  // namespace
}  // namespace sandbox::runner::testing
