// The host reads what a guest is changing at this moment.
// SPDX-License-Identifier: MIT
#include <gmock/gmock.h>

#include <chrono>
#include <fstream>
#include <iterator>
#include <map>
#include <set>

#include "host_side_fixture.hpp"

namespace sandbox::runner::testing {
namespace {

using ::testing::AnyOf;
using ::testing::Each;
using ::testing::Key;

class Readout : public TwoSidedTest {
 protected:
  std::vector<SandboxEntry> entries_;
};

// All that was met, with how often.
using Tally = std::map<std::string, int>;

TEST_F(Readout, N178_ASwappedDirectoryLeadsNoWriteListOrLookOutside) {
  const OpenDirectory outside;
  std::ofstream(outside.path() + "/file") << "not inside";
  const auto box = sandbox();
  LiveRun swapper = start(box, "OUTSIDE = '" + outside.path() + "'" + R"py(
os.mkdir('real'); open('real/file', 'w').write('inside')
os.symlink(OUTSIDE, 'link')
print('up', flush=True)
end = time.monotonic() + 1
while time.monotonic() < end: exchange(b'real', b'link')
)py");
  ASSERT_TRUE(swapper.printed("up"));
  Tally met;
  while (!swapper.ended()) {
    ++met["read " + read(box, "real/file")];
    ++met["write " + write(box, "real/file")];
    ++met["write " + write(box, "real/new")];
    ++met["stat " + kind(box, "real/file")];
    ++met["list " + list(box, "real", entries_)];
    for (const SandboxEntry& entry : entries_) {
      EXPECT_THAT(entry.path(), AnyOf("real/file", "real/new"));
      EXPECT_EQ(entry.size_bytes(), 6U) << "what stands outside is longer";
    }
  }
  EXPECT_TRUE(swapper.result().status.exited_with(0));
  EXPECT_THAT(met, Each(Key(AnyOf("read =inside", "write ok", "stat file", "list ok",
                                  "read path_not_confined", "write path_not_confined",
                                  "stat path_not_confined", "list not_a_directory"))));
  for (const char* both : {"read =inside", "write ok", "stat file", "list ok",
                           "read path_not_confined", "write path_not_confined"}) {
    EXPECT_GT(met[both], 0) << "the race was never run: " << both;
  }
  std::ifstream untouched(outside.path() + "/file");
  EXPECT_EQ(std::string((std::istreambuf_iterator<char>(untouched)), {}), "not inside");
  EXPECT_NE(run_outside({"test", "-e", outside.path() + "/new"}), 0);
}

TEST_F(Readout, N178b_ASwappedLeafIsTheFileOrARefusalAndNeverBlocks) {
  const auto box = sandbox();
  LiveRun swapper = start(box, R"py(
open('result', 'w').write('inside')
os.symlink('/etc/passwd', 'link'); os.mkdir('directory'); os.mkfifo('fifo')
both_ends = os.open('fifo', os.O_RDWR)
os.write(both_ends, b'of a pipe')
print('up', flush=True)
end = time.monotonic() + 1.2
while time.monotonic() < end:
    for other in (b'link', b'fifo', b'directory'): exchange(b'result', other)
)py");
  ASSERT_TRUE(swapper.printed("up"));
  Tally reads;
  Tally kinds;
  Tally lists;
  while (!swapper.ended()) {
    ++reads[read(box, "result")];
    ++kinds[kind(box, "result")];
    ++lists[list(box, "result", entries_)];
    EXPECT_THAT(entries_, ::testing::IsEmpty());
    EXPECT_EQ(list(box, "", entries_), "ok");
    for (const SandboxEntry& entry : entries_) EXPECT_EQ(entry.size_bytes().value_or(6), 6U);
  }
  EXPECT_TRUE(swapper.result().status.exited_with(0));
  EXPECT_THAT(reads, Each(Key(AnyOf("=inside", "os_error", "is_a_directory"))));
  EXPECT_THAT(lists, Each(Key(AnyOf("ok", "not_a_directory", "path_not_confined"))));
  EXPECT_THAT(kinds, Each(Key(AnyOf("file", "directory", "symlink", "other"))));
  EXPECT_EQ(reads.size(), 3U) << "the race was never run";
  EXPECT_EQ(kinds.size(), 4U) << "the race was never run";
}

TEST_F(Readout, N179_AFifoWithBothEndsOpenAndDataInItStaysFull) {
  const auto box = sandbox();
  LiveRun holder = start(box, R"py(
os.mkfifo('result')
both_ends = os.open('result', os.O_RDWR | os.O_NONBLOCK)
os.write(both_ends, b'of a pipe')
print('up', flush=True)
wait_for('go')
print(os.read(both_ends, 100))
)py");
  ASSERT_TRUE(holder.printed("up"));
  EXPECT_EQ(read(box, "result"), "os_error");
  EXPECT_EQ(write(box, "result"), "os_error");
  EXPECT_EQ(kind(box, "result"), "other");
  EXPECT_EQ(list(box, "", entries_), "ok");
  EXPECT_THAT(entries_,
              ::testing::ElementsAre(SandboxEntry("result", EntryKind::other, std::nullopt)));
  tell(box, "go");
  EXPECT_EQ(holder.result().standard_output.bytes(), "up\nb'of a pipe'\n");
}

TEST_F(Readout, N180_AListeningSocketSeesNoConnection) {
  const auto box = sandbox();
  LiveRun listener = start(box, R"py(
server = socket.socket(socket.AF_UNIX); server.bind('result'); server.listen()
os.chmod('result', 0o777)
server.setblocking(False)
print('up', flush=True)
wait_for('go')
told('accept', server.accept)
client = socket.socket(socket.AF_UNIX); client.connect('result')
told('own', server.accept)
)py");
  ASSERT_TRUE(listener.printed("up"));
  EXPECT_EQ(read(box, "result"), "os_error");
  EXPECT_EQ(write(box, "result"), "os_error");
  EXPECT_EQ(kind(box, "result"), "other");
  EXPECT_EQ(list(box, "result", entries_), "not_a_directory");
  tell(box, "go");
  EXPECT_EQ(listener.result().standard_output.bytes(), "up\naccept EAGAIN\nown worked\n");
}

TEST_F(Readout, N183_ASparseFileIsReadUpToTheCapAndRefusedAboveIt) {
  constexpr std::uint64_t kCap = 1ULL << 20U;
  const auto box = sandbox();
  EXPECT_EQ(output_of(box, R"py(
for name, size in (('at', 1 << 20), ('above', (1 << 20) + 1), ('huge', 1 << 26)):
    with open(name, 'wb') as file: file.truncate(size)
    if os.stat(name).st_blocks: print(name, 'is not sparse')
)py"),
            "");
  EXPECT_EQ(read(box, "at", kCap), "=" + std::string(kCap, '\0'));
  EXPECT_EQ(read(box, "above", kCap), "transfer_cap_exceeded");
  EXPECT_EQ(read(box, "huge", kCap), "transfer_cap_exceeded");
}

TEST_F(Readout, N185_AFileCutAndGrownWhileItIsReadIsWhatItWasOrARefusal) {
  constexpr std::uint64_t kCap = 300000;
  const auto box = sandbox();
  LiveRun changer = start(box, R"py(
file = os.open('result', os.O_CREAT | os.O_RDWR)
print('up', flush=True)
end = time.monotonic() + 1
while time.monotonic() < end:
    for size in (1, 100000, 300000, 300001, 900000):
        os.ftruncate(file, 0)
        os.pwrite(file, b'A' * size, 0)
        os.ftruncate(file, size)
)py");
  ASSERT_TRUE(changer.printed("up"));
  std::set<std::size_t> sizes;
  int refused = 0;
  while (!changer.ended()) {
    const std::string got = read(box, "result", kCap);
    if (got == "transfer_cap_exceeded") {
      ++refused;
      continue;
    }
    ASSERT_EQ(got.substr(0, 1), "=") << got;
    EXPECT_EQ(got.find_first_not_of(std::string("A\0", 2), 1), std::string::npos);
    EXPECT_LE(got.size() - 1, kCap);
    sizes.insert(got.size() - 1);
  }
  EXPECT_TRUE(changer.result().status.exited_with(0));
  EXPECT_GT(sizes.size(), 2U) << "the race was never run";
  EXPECT_GT(refused, 0) << "the race was never run";
}

// The host asks as the guest's user, so that what is closed to that user is closed to the host.
TEST_F(Readout, N186_VeryManyEntriesAndClosedOnesBesideGoodOnes) {
  const auto box = sandbox();
  EXPECT_EQ(output_of(box, R"py(
os.mkdir('many')
for i in range(20000): os.close(os.open('many/%d' % i, os.O_CREAT | os.O_WRONLY))
os.mkdir('closed'); open('closed/secret', 'w').write('x'); os.chmod('closed', 0)
open('locked', 'w').write('x'); os.chmod('locked', 0)
open('good', 'w').write('inside')
)py"),
            "");
  EXPECT_EQ(list(box, "many", entries_), "ok");
  EXPECT_EQ(entries_.size(), 20000U);
  EXPECT_EQ(list(box, "", entries_), "ok");
  EXPECT_THAT(entries_,
              ::testing::ElementsAre(SandboxEntry("closed", EntryKind::directory, std::nullopt),
                                     SandboxEntry("good", EntryKind::file, 6),
                                     SandboxEntry("locked", EntryKind::file, 1),
                                     SandboxEntry("many", EntryKind::directory, std::nullopt)));
  EXPECT_EQ(read(box, "good"), "=inside");
  EXPECT_EQ(read(box, "locked"), "permission_denied");
  EXPECT_EQ(read(box, "closed/secret"), "permission_denied");
  EXPECT_EQ(list(box, "closed", entries_), "permission_denied");
  EXPECT_EQ(write(box, "closed/new"), "permission_denied");
}

TEST_F(Readout, N186_MoreEntriesThanAListMayHaveAreARefusal) {
  options().work_size(Bytes(900ULL << 20U));  // one inode for 8 KiB
  const auto box = sandbox();
  EXPECT_EQ(output_of(box, R"py(
open('file', 'w').close()
os.mkdir('many')
for i in range(100001): os.link('file', 'many/%d' % i)
)py"),
            "");
  EXPECT_EQ(list(box, "many", entries_), "too_many");
}

TEST_F(Readout, N188_AListEndsWhileItsNamesAreShuffled) {
  const auto box = sandbox();
  LiveRun shuffler = start(box, R"py(
os.mkdir('d')
for i in range(300): open('d/a%d' % i, 'w').close()
print('up', flush=True)
end, turns = time.monotonic() + 1, 0
while time.monotonic() < end:
    one, other = (b'd/a%d', b'd/b%d') if turns % 2 == 0 else (b'd/b%d', b'd/a%d')
    for i in range(300): os.rename(one % i, other % i)
    turns += 1
if turns < 10: print('slow')
)py");
  ASSERT_TRUE(shuffler.printed("up"));
  int mixed = 0;
  while (!shuffler.ended()) {
    EXPECT_THAT(list(box, "d", entries_), AnyOf("ok", "too_many"));
    std::set<char> letters;
    for (const SandboxEntry& entry : entries_) {
      ASSERT_THAT(entry.path(), ::testing::MatchesRegex("d/[ab][0-9]+"));
      letters.insert(entry.path()[2]);
    }
    if (letters.size() == 2) ++mixed;
  }
  EXPECT_EQ(shuffler.result().standard_output.bytes(), "up\n");
  EXPECT_GT(mixed, 0) << "the race was never run";
}

TEST_F(Readout, N14_AVeryDeepTreeOfLongNamesIsTakenAwayAtOnce) {
  const auto box = sandbox();
  EXPECT_EQ(output_of(box, R"py(
name = 'x' * 255
for i in range(3000): os.mkdir(name); os.chdir(name)
open('bottom', 'w').write('x')
)py"),
            "");
  const std::string name(255, 'x');
  std::string deep = name;
  for (int i = 1; i < 15; ++i) deep += "/" + name;
  EXPECT_EQ(kind(box, deep), "directory") << "as far as one path can reach";
  EXPECT_EQ(list(box, deep, entries_), "ok");
  EXPECT_EQ(entries_.size(), 1U);
  for (int i = 0; i < 3; ++i) deep += "/" + name;
  EXPECT_EQ(kind(box, deep), "os_error");
  EXPECT_EQ(read(box, deep + "/bottom"), "os_error");
  EXPECT_EQ(write(box, deep + "/new"), "os_error");
  EXPECT_EQ(list(box, deep, entries_), "os_error");
  const auto begin = std::chrono::steady_clock::now();
  await(backend().dispose(SandboxKey("scope", "thread", "agent")));
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(2));
}

TEST_F(Readout, N191_LocksOfTheGuestDoNotHoldTheHostUp) {
  const auto box = sandbox();
  LiveRun holder = start(box, R"py(
kept = []
for kind in ('flock', 'record', 'ofd'):
    file = os.open(kind, os.O_CREAT | os.O_RDWR)
    os.write(file, b'inside')
    if kind == 'flock': fcntl.flock(file, fcntl.LOCK_EX)
    if kind == 'record': fcntl.lockf(file, fcntl.LOCK_EX)
    if kind == 'ofd': fcntl.fcntl(file, 37, struct.pack('hhqqi4x', fcntl.F_WRLCK, 0, 0, 0, 0))
    kept.append(file)
def another():
    for kind in ('flock', 'record', 'ofd'):
        file = os.open(kind, os.O_RDWR)
        told(kind, fcntl.flock if kind == 'flock' else fcntl.lockf, file,
             fcntl.LOCK_EX | fcntl.LOCK_NB)
if os.fork() == 0:
    another()
    os._exit(0)
os.wait()
print('up', flush=True)
wait_for('go')
)py");
  ASSERT_TRUE(holder.printed("up"));
  for (const char* name : {"flock", "record", "ofd"}) {
    EXPECT_EQ(read(box, name), "=inside") << name;
    EXPECT_EQ(write(box, name), "ok") << name;
  }
  tell(box, "go");
  EXPECT_EQ(holder.result().standard_output.bytes(),
            "flock EAGAIN\nrecord EAGAIN\nofd EAGAIN\nup\n")
      << "the locks must be real";
}

// The filter refuses leases; without it one must not make the host wait all the same.
TEST_F(Readout, N191_ALeaseOfTheGuestDoesNotHoldTheHostUp) {
  turn_off({Protection::seccomp});
  const auto box = sandbox();
  LiveRun holder = start(box, R"py(
signal.signal(signal.SIGIO, signal.SIG_IGN)
open('result', 'w').write('inside')
file = os.open('result', os.O_RDONLY)
told('lease', fcntl.fcntl, file, fcntl.F_SETLEASE, fcntl.F_WRLCK)
if os.fork() == 0:
    told('open', os.open, 'result', os.O_RDONLY | os.O_NONBLOCK)
    os._exit(0)
os.wait()
print('up', flush=True)
wait_for('go')
)py");
  ASSERT_TRUE(holder.printed("up"));
  EXPECT_THAT(read(box, "result"), ::testing::Not(::testing::StartsWith("=")));
  EXPECT_EQ(kind(box, "result"), "file");
  EXPECT_EQ(write(box, "result"), "ok");
  tell(box, "go");
  EXPECT_EQ(holder.result().standard_output.bytes(), "lease worked\nopen EAGAIN\nup\n");
}

}  // namespace
}  // namespace sandbox::runner::testing
