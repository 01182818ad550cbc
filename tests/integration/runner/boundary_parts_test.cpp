// The boundary with a filter, images and mounts of the host that no option gives.
// SPDX-License-Identifier: MIT
#include <gmock/gmock.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <boost/asio/io_context.hpp>
#include <filesystem>
#include <fstream>
#include <functional>

#include "backend_core.hpp"
#include "linux_sandbox.hpp"
#include "runner_fixture.hpp"

namespace net = boost::asio;

namespace sandbox::runner::testing {
namespace {

namespace fs = std::filesystem;
using ::testing::Each;
using ::testing::Gt;
using ::testing::HasSubstr;

// With the runner's own parts: a filter and images that no option gives.
class BareBoundaryTest : public RunnerTest {
 protected:
  void start(FilterProgram filter) {
    core_ = std::make_shared<BackendCore>(io().get_executor(), BackendOptions(),
                                          LauncherClient::start(), std::move(filter),
                                          find_outside_identity(std::nullopt));
    image_ = resolve_image("host");
  }
  void start() { start(compile_profile("default", builtin_profile("default"), native_arch())); }

  void TearDown() override {
    if (core_) await(core_->launcher.close());
    core_.reset();
    RunnerTest::TearDown();
  }

  std::shared_ptr<LinuxSandbox> make() {
    return await(LinuxSandbox::make(core_, std::make_shared<const Image>(image_), "/work"));
  }

  std::string refusal() {
    try {
      make();
    } catch (const Error& error) {
      return error.what();
    }
    return "none";
  }

  static ImageBind bind_of(const std::string& host_path, const std::string& guest_path) {
    struct stat found {};
    EXPECT_EQ(::stat(host_path.c_str(), &found), 0);
    ImageBind bind;
    bind.host_path = host_path;
    bind.guest_path = guest_path;
    bind.device = found.st_dev;
    bind.inode = found.st_ino;
    return bind;
  }

  std::shared_ptr<BackendCore> core_;
  Image image_;
};

TEST_F(BareBoundaryTest, WithAFilterThatAllowsAllTheOtherLayersHold) {
  FilterProgram filter;
  filter.name = "open";
  filter.instructions.push_back(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW));
  filter.observed = filter.instructions;
  start(filter);
  const ExecResult result = await(make()->exec(python_request(
      "import ctypes, errno, fcntl, os, socket\n"
      "libc = ctypes.CDLL(None, use_errno=True)\n"
      "def tried(name, *args):\n"
      "    result = getattr(libc, name)(*args)\n"
      "    return 'ok' if result >= 0 else errno.errorcode[ctypes.get_errno()]\n"
      "print('securebits', libc.prctl(27, 0, 0, 0, 0))\n"
      "print(tried('mount', b'x', b'/work', b'tmpfs', 0, None), tried('umount2', b'/proc', 2),\n"
      "      tried('chroot', b'/work'), tried('sethostname', b'x', 1), tried('setgroups', 0, "
      "None),\n"
      "      tried('setresuid', 0, 0, 0), tried('ptrace', 16, 1, None, None))\n"
      "s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)\n"
      "flags = fcntl.ioctl(s, 0x8913, b'lo'.ljust(40, b'\\0'))[16]\n"
      "print([name for _, name in socket.if_nameindex()], 'up' if flags & 1 else 'down')\n"
      "print(errno.errorcode[s.connect_ex(('192.0.2.1', 80))])")));
  // All of securebits(7) that takes power away, locked; the interfaces are those of no one.
  EXPECT_EQ(
      result.standard_output.bytes(),
      "securebits 239\nEPERM EPERM EPERM EPERM EPERM EINVAL EPERM\n['lo'] down\nENETUNREACH\n")
      << result.standard_error.text();
}

TEST_F(BareBoundaryTest, AnImagePathThatIsNotWhatItWasIsRefused) {
  start();
  const Image whole = image_;
  const auto changed = [&](const std::function<void(ImageBind&)>& change) {
    image_ = whole;
    change(image_.binds.front());
    return refusal();
  };
  EXPECT_EQ(changed([](ImageBind&) {}), "none");
  EXPECT_THAT(changed([](ImageBind& bind) { ++bind.device; }), HasSubstr("open_source]"));
  EXPECT_THAT(changed([](ImageBind& bind) { ++bind.inode; }), HasSubstr("open_source]"));
  EXPECT_THAT(changed([](ImageBind& bind) { bind.is_directory = !bind.is_directory; }),
              HasSubstr("open_source]"));
  // A link to the very same place.
  const fs::path link = fs::temp_directory_path() / ("sandbox-link-" + std::to_string(::getpid()));
  fs::create_directory_symlink(whole.binds.front().host_path, link);
  EXPECT_THAT(changed([&](ImageBind& bind) { bind.host_path = link; }), HasSubstr("open_source]"));
  fs::remove(link);
}

// What an image puts below the work directory is not the guest's, and not the host's way out.
TEST_F(BareBoundaryTest, HostFileAccessDoesNotCrossIntoAnotherMount) {
  start();
  image_.late_binds.push_back(bind_of("/usr/share", "/work/image"));
  const auto box = make();
  EXPECT_EQ(error_of([&] { await(box->list_dir("image", "/work")); }), errc::path_not_confined);
  EXPECT_EQ(error_of([&] { await(box->stat_file("image/doc", "/work")); }),
            errc::path_not_confined);
}

// The size that is told before the read is only a hint.
TEST_F(BareBoundaryTest, AFileThatGrowsWhileItIsReadIsCountedAgain) {
  const auto box = sandbox();
  const ExecRequest grower = python_request(
      "import os, time\n"
      "f = os.open('grow', os.O_RDWR | os.O_CREAT)\n"
      "end = time.monotonic() + 2\n"
      "while time.monotonic() < end: os.ftruncate(f, 0); os.pwrite(f, b'x' * 2000, 0)");
  auto running = net::co_spawn(io(), box->exec(grower), net::use_future);
  int small = 0;
  int large = 0;
  while (running.wait_for(std::chrono::seconds(0)) != std::future_status::ready) {
    const auto error = error_of([&] {
      EXPECT_LE(await(box->read_file("grow", "/work", 1000)).size(), 1000U);
      ++small;
    });
    if (error == errc::transfer_cap_exceeded) ++large;
  }
  EXPECT_TRUE(running.get().status.exited_with(0));
  EXPECT_THAT((std::array{small, large}), Each(Gt(0))) << "the race was never run";
}

// A host with mounts that a test makes: a process of its own, in mounts of its own.
class HostMountsTest : public ::testing::Test {
 protected:
  // Takes `mount_first` and then runs `source`; gives back what was printed, or the error.
  static std::string printed(const std::function<bool()>& mount_first, const std::string& source) {
    int ends[2];
    EXPECT_EQ(::pipe(ends), 0);
    const pid_t host = ::fork();
    if (host == 0) {
      const std::string text =
          take_own_mounts() && mount_first() ? run(source) : std::string("no mounts");
      const bool written = ::write(ends[1], text.data(), text.size()) >= 0;
      ::_exit(written ? 0 : 1);
    }
    ::close(ends[1]);
    std::string text(std::size_t{64} << 10U, '\0');
    std::size_t have = 0;
    for (ssize_t got = 1; got > 0; have += static_cast<std::size_t>(got)) {
      got = std::max<ssize_t>(::read(ends[0], text.data() + have, text.size() - have), 0);
    }
    ::close(ends[0]);
    ::waitpid(host, nullptr, 0);
    return text.substr(0, have);
  }

  // A directory of the image that nothing needs.
  static std::string spare_directory() {
    for (const auto& entry : fs::directory_iterator("/usr/share")) {
      if (entry.is_directory() && !entry.is_symlink()) return entry.path().string();
    }
    return "/usr/share";
  }

 private:
  // Shared, as systemd leaves them: what is mounted later goes to whoever copied them.
  static bool take_own_mounts() {
    const uid_t uid = ::geteuid();
    const gid_t gid = ::getegid();
    if (::unshare(uid == 0 ? CLONE_NEWNS : CLONE_NEWNS | CLONE_NEWUSER) != 0) return false;
    const auto map = [](const char* path, id_t id) {
      std::ofstream(path) << id << ' ' << id << " 1\n";
    };
    if (uid != 0) {
      std::ofstream("/proc/self/setgroups") << "deny\n";
      map("/proc/self/uid_map", uid);
      map("/proc/self/gid_map", gid);
    }
    return ::mount(nullptr, "/", nullptr, MS_REC | MS_SHARED, nullptr) == 0;
  }

  static std::string run(const std::string& source) {
    net::io_context context;
    const auto work = [](std::string program) -> net::awaitable<std::string> {
      const auto backend = co_await LinuxBackend::start(BackendOptions());
      SandboxSpec spec("test");
      spec.work_dir("/work");
      SandboxKey key("s", "t", "a");
      const auto box = co_await backend->acquire(key, spec);
      ExecRequest request({"python3", "-c", std::move(program)});
      const ExecResult result = co_await box->exec(request);
      co_await backend->close();
      co_return result.standard_output.bytes() + result.standard_error.text();
    };
    auto done = net::co_spawn(context, work(source), net::use_future);
    context.run();
    try {
      return done.get();
    } catch (const std::exception& error) {
      return error.what();
    }
  }
};

TEST_F(HostMountsTest, AMountBelowAnImagePathComesThroughReadOnlyToo) {
  const std::string directory = spare_directory();
  const auto mount_there = [&] {
    return ::mount("below", directory.c_str(), "tmpfs", 0, "mode=777") == 0;
  };
  const std::string source = "d = '" + directory +
                             "'\n"
                             "for line in open('/proc/self/mountinfo'):\n"
                             "    f = line.split()\n"
                             "    if f[4] == d: print([x for x in ('ro', 'nosuid', 'nodev') if x "
                             "not in f[5].split(',')])\n"
                             "try: open(d + '/probe', 'w'); print('wrote')\n"
                             "except OSError: print('refused')";
  EXPECT_EQ(printed(mount_there, source), "[]\nrefused\n");
}

// Needs tree_private.patch. Else what the host mounts below an image path later would appear in
// the guest, and writable.
TEST_F(HostMountsTest, WhatTheHostMountsLaterDoesNotComeThrough) {
  EXPECT_EQ(printed([] { return true; },
                    "for line in open('/proc/self/mountinfo'):\n"
                    "    f = line.split(); tags = f[6:f.index('-')]\n"
                    "    if tags: print(f[4], tags)"),
            "");
}

TEST_F(HostMountsTest, AnotherDeviceInThePlaceOfOneOfTheFiveIsRefused) {
  const auto swap = [] {
    return ::mount("/dev/null", "/dev/full", nullptr, MS_BIND, nullptr) == 0;
  };
  EXPECT_THAT(printed(swap, "print('ran')"),
              HasSubstr("/dev/full is missing or is not that device"));
}

}  // namespace
}  // namespace sandbox::runner::testing
