// The walk over a work directory: order, bounds, hostile names, races.
// SPDX-License-Identifier: MIT
#include "sandbox/collect.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <stdexcept>

#include "kind_fixture.hpp"
#include "support/run_awaitable.hpp"

namespace sandbox {
namespace {

namespace net = boost::asio;
using testing::code_of;
using ::testing::Contains;
using ::testing::ElementsAre;
using testing::FakeOperation;
using testing::FakeSandbox;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::run_awaitable;

// A sandbox that lists whatever it is told to, as a hostile or broken backend might.
class ListedSandbox final : public Sandbox {
 public:
  explicit ListedSandbox(std::vector<SandboxEntry> entries) { listings_["."] = std::move(entries); }

  net::awaitable<void> write_file(std::string, std::string, std::string) override { co_return; }
  net::awaitable<ExecResult> exec(ExecRequest) override {
    co_return ExecResult(ExitStatus(Exited(0)));
  }
  net::awaitable<std::vector<SandboxEntry>> list_dir(std::string path, std::string) override {
    co_return listings_[path];
  }
  net::awaitable<std::string> read_file(std::string path, std::string, std::uint64_t) override {
    read_.push_back(path);
    co_return content_;
  }

  [[nodiscard]] const std::vector<std::string>& read() const { return read_; }
  void set_listing(const std::string& directory, std::vector<SandboxEntry> entries) {
    listings_[directory] = std::move(entries);
  }
  void set_content(std::string content) { content_ = std::move(content); }

 private:
  std::map<std::string, std::vector<SandboxEntry>> listings_;
  std::vector<std::string> read_;
  std::string content_ = "x";
};

class Collect : public ::testing::Test {
 protected:
  void file(const std::string& path, std::string content = "x") {
    fake_->seed_file("/work/" + path, std::move(content));
  }
  CollectReport collect(CollectOptions options = CollectOptions()) {
    return collect_from(fake_, std::move(options));
  }
  CollectReport collect_from(std::shared_ptr<Sandbox> sandbox, CollectOptions options) {
    return run_awaitable(collect_files(std::move(sandbox), "/work", std::move(options),
                                       [this](const std::string& path, const std::string& content) {
                                         delivered_.push_back(path + "=" + content);
                                       }));
  }
  CollectReport collect_listed(std::vector<SandboxEntry> entries) {
    listed_ = std::make_shared<ListedSandbox>(std::move(entries));
    return collect_from(listed_, CollectOptions());
  }
  static CollectOptions caps(std::uint64_t per_file, std::uint64_t total, std::uint32_t files) {
    CollectOptions options;
    options.limits(TransferLimits(Bytes(per_file), Bytes(total), files));
    return options;
  }

  std::shared_ptr<FakeSandbox> fake_ = std::make_shared<FakeSandbox>("/work");
  std::shared_ptr<ListedSandbox> listed_;
  std::vector<std::string> delivered_;
};

TEST_F(Collect, BringsEveryFileInBytewiseOrderOfItsPath) {
  file("b.txt", "2");
  file("a/x", "0");
  file("a/sub/y", "1");
  file("a-b", "3");
  file("Z", "4");
  const CollectReport report = collect();
  EXPECT_THAT(delivered_, ElementsAre("Z=4", "a-b=3", "a/sub/y=1", "a/x=0", "b.txt=2"));
  EXPECT_THAT(report.collected, ElementsAre("Z", "a-b", "a/sub/y", "a/x", "b.txt"));
  EXPECT_THAT(report.skipped, IsEmpty());
  EXPECT_FALSE(report.capped);
}

TEST_F(Collect, BringsNothingOfAnEmptyDirectory) {
  fake_->seed_directory("/work");
  const CollectReport report = collect();
  EXPECT_THAT(report.collected, IsEmpty());
  EXPECT_FALSE(report.capped);
}

TEST_F(Collect, KeepsBytesAsTheyAre) {
  file("raw", std::string("\xff\0\r\n", 4));
  collect();
  EXPECT_THAT(delivered_, ElementsAre(std::string("raw=\xff\0\r\n", 8)));
}

TEST_F(Collect, SkipsWhatIsNoRegularFileAndSaysWhy) {
  file("a");
  fake_->seed_link("/work/link");
  fake_->seed_other("/work/pipe");
  file("sub/__pycache__/a.pyc");
  file("__pycache__x");
  const CollectReport report = collect();
  EXPECT_THAT(report.collected, ElementsAre("__pycache__x", "a"));
  EXPECT_THAT(report.skipped, ElementsAre("link: a link", "pipe: neither a file nor a directory",
                                          "sub/__pycache__: compiled Python"));
}

TEST_F(Collect, LeavesOutWhatItWasToldTo) {
  file("program.py");
  file("in/data.csv");
  file("in2");
  file("sub/program.py");
  CollectOptions options;
  options.skip({"program.py", "./in/"});
  const CollectReport report = collect(options);
  EXPECT_THAT(report.collected, ElementsAre("in2", "sub/program.py"));
  EXPECT_THAT(report.skipped, IsEmpty());
}

TEST_F(Collect, EntersDirectoriesUpToTheDepth) {
  file("1/2/file");
  file("1/2/3/file");
  CollectOptions options;
  options.max_depth(2);
  const CollectReport report = collect(options);
  EXPECT_THAT(report.collected, ElementsAre("1/2/file"));
  EXPECT_THAT(report.skipped, ElementsAre("1/2/3: deeper than 2 directories"));
  EXPECT_FALSE(report.capped);
}

TEST_F(Collect, ServesExactlyTheCapsAndStopsAboveThem) {
  file("a", "1234");
  file("b", "12345");
  file("c", "1234");
  file("d", "");
  CollectReport report = collect(caps(4, 8, 3));
  EXPECT_THAT(report.collected, ElementsAre("a", "c", "d"));
  EXPECT_THAT(report.skipped, ElementsAre("b: larger than 4 bytes"));
  EXPECT_FALSE(report.capped);

  report = collect(caps(4, 7, 3));
  EXPECT_THAT(report.collected, ElementsAre("a"));
  EXPECT_THAT(report.skipped, Contains("c: more than 7 bytes in all"));
  EXPECT_TRUE(report.capped);

  report = collect(caps(4, 8, 2));
  EXPECT_THAT(report.collected, ElementsAre("a", "c"));
  EXPECT_THAT(report.skipped, Contains("d: more than 2 files"));
  EXPECT_TRUE(report.capped);
}

TEST_F(Collect, LooksAtABoundedNumberOfEntries) {
  for (int i = 0; i < 100; ++i) fake_->seed_link("/work/link" + std::to_string(100 + i));
  file("zzz");
  const CollectReport report = collect(caps(4, 8, 1));
  EXPECT_THAT(report.collected, IsEmpty());
  EXPECT_TRUE(report.capped);
  EXPECT_EQ(report.skipped.size(), 65U);
  EXPECT_THAT(report.skipped.back(), HasSubstr("link164: more than 64 entries"));
}

TEST_F(Collect, LooksAtABoundedNumberOfEntriesOverAllDirectories) {
  for (int i = 0; i < 70; ++i) fake_->seed_directory("/work/" + std::to_string(100 + i) + "/x");
  file("zzz");
  const CollectReport report = collect(caps(4, 8, 1));
  EXPECT_THAT(report.collected, IsEmpty());
  EXPECT_TRUE(report.capped);
  EXPECT_EQ(report.skipped.size(), 1U);
}

TEST_F(Collect, SkipsNamesThatAreNotPlainText) {
  std::vector<SandboxEntry> entries;
  for (const char* name : {"ok", "bad\xff", "new\nline", "tab\t", "esc\x1b[2J", "del\x7f",
                           "c1\xc2\x9b", "back\\slash", "\xc3\xa9"}) {
    entries.emplace_back(name, EntryKind::file, 1);
  }
  const CollectReport report = collect_listed(entries);
  EXPECT_THAT(report.collected, ElementsAre("ok", "\xc3\xa9"));
  EXPECT_THAT(listed_->read(), ElementsAre("ok", "\xc3\xa9"));
  EXPECT_EQ(report.skipped.size(), 7U);
  for (const std::string& line : report.skipped) {
    EXPECT_EQ(line.find_first_of("\n\t\x1b\x7f"), std::string::npos) << line;
  }
  EXPECT_THAT(report.skipped, Contains("new\\x0Aline: its name holds control characters"));
}

TEST_F(Collect, NeverReadsWhatIsListedOutsideOfItsDirectory) {
  std::vector<SandboxEntry> entries;
  for (const char* name : {"../etc/passwd", "/etc/passwd", "..", ".", "", "a/b"}) {
    entries.emplace_back(name, EntryKind::file, 1);
    entries.emplace_back(name, EntryKind::directory, std::nullopt);
  }
  const CollectReport report = collect_listed(entries);
  EXPECT_THAT(report.collected, IsEmpty());
  EXPECT_THAT(listed_->read(), IsEmpty());
  EXPECT_EQ(report.skipped.size(), 12U);
}

TEST_F(Collect, NeverReadsWhatASubdirectoryListsOutsideOfItself) {
  std::vector<SandboxEntry> top;
  top.emplace_back("sub", EntryKind::directory, std::nullopt);
  std::vector<SandboxEntry> below;
  for (const char* name :
       {"sub/ok", "etc/passwd", "x", "subway", "sub", "sub/", "sub/..", "sub/a/b"}) {
    below.emplace_back(name, EntryKind::file, 1);
  }
  listed_ = std::make_shared<ListedSandbox>(top);
  listed_->set_listing("sub", below);
  const CollectReport report = collect_from(listed_, CollectOptions());
  EXPECT_THAT(listed_->read(), ElementsAre("sub/ok"));
  EXPECT_EQ(report.skipped.size(), 7U);
}

TEST_F(Collect, SkipsAFileOfUnknownSizeUnread) {
  std::vector<SandboxEntry> entries;
  entries.emplace_back("a", EntryKind::file, std::nullopt);
  const CollectReport report = collect_listed(entries);
  EXPECT_THAT(report.skipped, ElementsAre("a: its size is not known"));
  EXPECT_THAT(listed_->read(), IsEmpty());
}

TEST_F(Collect, CountsAgainWhatABackendRead) {
  std::vector<SandboxEntry> entries;
  entries.emplace_back("a", EntryKind::file, 1);
  listed_ = std::make_shared<ListedSandbox>(entries);
  listed_->set_content("12345");
  const CollectReport report = collect_from(listed_, caps(4, 8, 1));
  EXPECT_THAT(delivered_, IsEmpty());
  EXPECT_THAT(report.skipped, ElementsAre("a: grew over the limit while it was read"));
}

TEST_F(Collect, TakesWhatAFileActuallyHeldFromTheTotal) {
  file("a", "1");
  file("b", "123");
  fake_->on(FakeOperation::read_file, [this](std::string path) -> net::awaitable<void> {
    if (path == "a") file("a", "1234");  // grew after it was listed, still below its own cap
    co_return;
  });
  const CollectReport report = collect(caps(4, 6, 4));
  EXPECT_THAT(report.collected, ElementsAre("a"));
  EXPECT_THAT(report.skipped, ElementsAre("b: more than 6 bytes in all"));
}

// What happens to "a" between its listing and its read.
class CollectRace : public Collect {
 protected:
  CollectReport collect_while(std::function<void()> change) {
    file("a");
    file("b");
    fake_->on(FakeOperation::read_file,
              [change = std::move(change)](std::string path) -> net::awaitable<void> {
                if (path == "a") change();
                co_return;
              });
    return collect(caps(4, 8, 4));
  }
  void remove(const std::string& path) {
    run_awaitable(fake_->remove(path, "/work", RemoveMode::recursive));
  }
};

TEST_F(CollectRace, GoesOnWhenAFileVanishes) {
  const CollectReport report = collect_while([this] { remove("a"); });
  EXPECT_THAT(report.collected, ElementsAre("b"));
  EXPECT_THAT(report.skipped, ElementsAre("a: gone or replaced before it could be read"));
}

TEST_F(CollectRace, GoesOnWhenAFileGrows) {
  const CollectReport report = collect_while([this] { file("a", "12345"); });
  EXPECT_THAT(report.collected, ElementsAre("b"));
  EXPECT_THAT(report.skipped, ElementsAre("a: grew over the limit while it was read"));
}

TEST_F(CollectRace, GoesOnWhenALinkTakesTheFilesPlace) {
  const CollectReport report = collect_while([this] { fake_->seed_link("/work/a"); });
  EXPECT_THAT(report.collected, ElementsAre("b"));
  EXPECT_THAT(report.skipped, ElementsAre("a: gone or replaced before it could be read"));
}

TEST_F(CollectRace, GoesOnWhenADirectoryVanishes) {
  file("sub/x");
  file("z");
  fake_->on(FakeOperation::list_dir, [this](std::string path) -> net::awaitable<void> {
    if (path == "sub") fake_->seed_link("/work/sub");
    co_return;
  });
  const CollectReport report = collect();
  EXPECT_THAT(report.collected, ElementsAre("z"));
  EXPECT_THAT(report.skipped, ElementsAre("sub: gone or replaced before it could be read"));
}

TEST_F(Collect, FailsWithTheSandboxsOwnErrors) {
  file("a");
  fake_->fail_with(FakeOperation::read_file, Error(errc::guest_lost, "gone"));
  EXPECT_EQ(code_of([&] { collect(); }), errc::guest_lost);
  fake_->fail_with(FakeOperation::read_file, Error(errc::os_error, "input/output error"));
  EXPECT_EQ(code_of([&] { collect(); }), errc::os_error);
  fake_->fail_with(FakeOperation::read_file, Error(errc::cancelled, "stop"));
  EXPECT_EQ(code_of([&] { collect(); }), errc::cancelled);
  fake_->fail_with(FakeOperation::list_dir, Error(errc::not_supported, "no"));
  EXPECT_EQ(code_of([&] { collect(); }), errc::not_supported);
  EXPECT_THAT(delivered_, IsEmpty());
}

TEST_F(Collect, FailsWithWhatDeliverThrows) {
  file("a");
  EXPECT_THROW(run_awaitable(collect_files(fake_, "/work", CollectOptions(),
                                           [](const std::string&, const std::string&) {
                                             throw std::runtime_error("disk full");
                                           })),
               std::runtime_error);
}

}  // namespace
}  // namespace sandbox
