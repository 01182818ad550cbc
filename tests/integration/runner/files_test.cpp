// Files that the host writes and reads, with a guest that plays tricks.
// SPDX-License-Identifier: MIT
#include <gmock/gmock.h>
#include <sys/stat.h>

#include "runner_fixture.hpp"

namespace sandbox::runner::testing {
namespace {

using ::testing::ElementsAre;

class FilesTest : public RunnerTest {
 protected:
  std::optional<errc> write_error(const std::string& path) {
    const auto box = sandbox();
    return error_of([&] { await(box->write_file(path, "new", "/work")); });
  }
  std::optional<errc> read_error(const std::string& path, std::uint64_t cap = 1000) {
    const auto box = sandbox();
    return error_of([&] { await(box->read_file(path, "/work", cap)); });
  }
};

// SB-16, WN-3: the guest owns what the host wrote.
TEST_F(FilesTest, TheGuestReadsChangesAndRemovesWhatTheHostWrote) {
  const auto box = sandbox();
  const std::string content("a\0\xff\r\n", 5);
  await(box->write_file("deep/er/data.bin", content, "/work"));
  const ExecResult result = python(
      "import os\n"
      "print(open('deep/er/data.bin', 'rb').read())\n"
      "open('deep/er/data.bin', 'a').write('more')\n"
      "os.remove('deep/er/data.bin'); os.rmdir('deep/er')");
  EXPECT_EQ(result.standard_output.bytes(), "b'a\\x00\\xff\\r\\n'\n");
  EXPECT_TRUE(result.status.exited_with(0)) << result.standard_error.bytes();
}

TEST_F(FilesTest, WritingReplacesTheWholeFile) {
  const auto box = sandbox();
  await(box->write_file("f", "a longer text", "/work"));
  await(box->write_file("/work/f", "short", "/work"));
  EXPECT_EQ(await(box->read_file("f", "/work", 5)), "short");
  const auto left = await(box->list_dir("", "/work"));
  EXPECT_EQ(left.size(), 1U) << "no temporary file stays";
}

// SB-5, SB-13, SB-14 and PIN-10, PIN-13: links are neither followed nor written through.
TEST_F(FilesTest, LinksAreRefusedAndTheirTargetsStayAsTheyWere) {
  python(
      "import os\n"
      "os.mkdir('real'); open('real/target', 'w').write('old')\n"
      "os.symlink('real/target', 'link'); os.symlink('real', 'dirlink')\n"
      "os.symlink('/etc', 'out'); os.symlink('/nowhere', 'dangling')\n"
      "open('plain', 'w').close()");
  EXPECT_EQ(write_error("link"), errc::path_not_confined);
  EXPECT_EQ(write_error("dangling"), errc::path_not_confined);
  EXPECT_EQ(write_error("dirlink/new"), errc::path_not_confined);
  EXPECT_EQ(write_error("out/new"), errc::path_not_confined);
  EXPECT_EQ(write_error("plain/new"), errc::not_a_directory);
  EXPECT_EQ(write_error("real"), errc::is_a_directory);
  EXPECT_EQ(write_error("."), errc::path_not_confined);
  EXPECT_EQ(write_error("../x"), errc::path_not_confined);
  EXPECT_EQ(write_error("a\\b"), errc::path_not_confined);
  EXPECT_EQ(read_error("link"), errc::os_error);
  EXPECT_EQ(read_error("dirlink/target"), errc::path_not_confined);
  EXPECT_EQ(read_error("out/passwd"), errc::path_not_confined);
  EXPECT_EQ(read_error("real"), errc::is_a_directory);
  EXPECT_EQ(read_error("plain/x"), errc::not_a_directory);
  EXPECT_EQ(read_error("missing"), errc::not_found);
  EXPECT_EQ(await(sandbox()->read_file("real/target", "/work", 100)), "old");
}

TEST_F(FilesTest, SpecialFilesAreDescribedButNeverOpened) {
  python(
      "import os, socket\n"
      "os.mkfifo('fifo') if hasattr(os, 'mkfifo') else None\n"
      "s = socket.socket(socket.AF_UNIX); s.bind('sock')");
  const auto box = sandbox();
  for (const SandboxEntry& entry : await(box->list_dir(".", "/work"))) {
    EXPECT_EQ(entry.kind(), EntryKind::other) << entry.path();
    EXPECT_EQ(entry.size_bytes(), std::nullopt);
    EXPECT_EQ(read_error(entry.path()), errc::os_error);
    EXPECT_EQ(write_error(entry.path()), errc::os_error);
  }
}

// SB-34, PIN-16.
TEST_F(FilesTest, TheReadCapIsARefusalNeverACut) {
  const auto box = sandbox();
  await(box->write_file("f", "12345", "/work"));
  EXPECT_EQ(await(box->read_file("f", "/work", 5)), "12345");
  EXPECT_EQ(read_error("f", 4), errc::transfer_cap_exceeded);
  python("import os; f = open('sparse', 'w'); f.truncate(200 << 20)");
  EXPECT_EQ(read_error("sparse", 1000), errc::transfer_cap_exceeded);
}

TEST_F(FilesTest, StatAndListTellKindsAndSizes) {
  python("import os; os.mkdir('d'); open('d/b', 'w').write('xy'); os.symlink('b', 'd/a')");
  const auto box = sandbox();
  EXPECT_EQ(await(box->stat_file("nothing", "/work")), std::nullopt);
  EXPECT_EQ(await(box->stat_file("d/a", "/work")),
            SandboxEntry("d/a", EntryKind::symlink, std::nullopt));
  EXPECT_EQ(await(box->stat_file("", "/work"))->kind(), EntryKind::directory);
  EXPECT_THAT(await(box->list_dir("d", "/work")),
              ElementsAre(SandboxEntry("d/a", EntryKind::symlink, std::nullopt),
                          SandboxEntry("d/b", EntryKind::file, 2)));
  EXPECT_THAT(await(box->list_dir("", "/work/d/.")),
              ElementsAre(SandboxEntry("a", EntryKind::symlink, std::nullopt),
                          SandboxEntry("b", EntryKind::file, 2)));
}

TEST_F(FilesTest, AFullWorkDirectoryIsTold) {
  options().work_size(Bytes(std::uint64_t{1} << 20U));
  const auto box = sandbox();
  const std::string big(std::size_t{2} << 20U, 'x');
  EXPECT_EQ(error_of([&] { await(box->write_file("big", big, "/work")); }), errc::too_large);
  EXPECT_THAT(await(box->list_dir("", "/work")), ::testing::IsEmpty()) << "no half file stays";
}

// A guest that swaps a directory and a link to a host path as fast as it can. The host file holds a
// word that must never come back, and the host's write must never land outside.
TEST_F(FilesTest, ASwappedComponentNeverLeadsOutside) {
  const auto box = sandbox();
  await(box->write_file("real/passwd", "inside", "/work"));
  ExecRequest swapper = python_request(
      "import os, time\n"
      "os.symlink('/etc', 'link')\n"
      "end = time.monotonic() + 3\n"
      "while time.monotonic() < end:\n"
      "    os.rename('real', 'x'); os.rename('link', 'real'); os.rename('real', 'link'); "
      "os.rename('x', 'real')");
  auto running = boost::asio::co_spawn(io(), box->exec(swapper), boost::asio::use_future);
  int inside = 0;
  while (running.wait_for(std::chrono::seconds(0)) != std::future_status::ready) {
    try {
      const std::string content = await(box->read_file("real/passwd", "/work", 10000));
      EXPECT_EQ(content, "inside");
      ++inside;
    } catch (const Error& error) {
      EXPECT_THAT(error.sandbox_code(), ::testing::AnyOf(errc::path_not_confined, errc::not_found));
    }
  }
  EXPECT_TRUE(running.get().status.exited_with(0));
  EXPECT_GT(inside, 0) << "the race was never run";
}

TEST_F(FilesTest, WorkStaysWithTheSandboxAndEverythingElseIsFresh) {
  python("for p in ('/work/kept', '/tmp/gone', '/dev/shm/gone'): open(p, 'w').write('x')");
  const ExecResult result = python(
      "import os; print([os.path.exists(p) for p in ('/work/kept', '/tmp/gone', "
      "'/dev/shm/gone')])");
  EXPECT_EQ(result.standard_output.bytes(), "[True, False, False]\n");
}

}  // namespace
}  // namespace sandbox::runner::testing
