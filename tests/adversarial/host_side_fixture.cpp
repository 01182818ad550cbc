// SPDX-License-Identifier: MIT
#include "host_side_fixture.hpp"

#include <spawn.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>

#include "sandbox/runner/unsafe.hpp"

namespace net = boost::asio;
namespace fs = std::filesystem;

namespace sandbox::runner::testing {
namespace {

using std::chrono::steady_clock;
using namespace std::chrono_literals;

constexpr const char* kHelpers = R"py(
import ctypes, errno, fcntl, os, signal, socket, struct, sys, threading, time
libc = ctypes.CDLL(None, use_errno=True)
def told(label, action, *arguments):
    try:
        action(*arguments)
        word = 'worked'
    except OSError as error:
        word = errno.errorcode[error.errno]
    print(label, word, flush=True)
def call(name, *arguments):
    result = getattr(libc, name)(*arguments)
    if result == -1: raise OSError(ctypes.get_errno(), name)
    return result
def exchange(one, other):
    call('renameat2', -100, one, -100, other, 2)
def wait_for(name):
    while not os.path.exists('/work/' + name): time.sleep(0.005)
)py";

std::string name_of(errc code) { return std::string(error_info(code).name); }

// What `action` returns, or the name of its error, within 5 s.
template <class Action>
std::string answer_of(Action action) {
  const auto begin = steady_clock::now();
  std::string answer;
  try {
    answer = action();
  } catch (const Error& error) {
    answer = name_of(error.sandbox_code());
  }
  EXPECT_LT(steady_clock::now() - begin, 5s) << answer;
  return answer;
}

}  // namespace

LiveRun::LiveRun(net::io_context& context, const std::shared_ptr<Sandbox>& box,
                 ExecRequest request) {
  request.on_output([heard = heard_](OutputChunk chunk) {
    const std::lock_guard guard(heard->mutex);
    heard->text += chunk.bytes;
    heard->more.notify_all();
  });
  running_ = net::co_spawn(context, box->exec(std::move(request)), net::use_future);
}

bool LiveRun::printed(const std::string& text) {
  const auto deadline = steady_clock::now() + 20s;
  std::unique_lock lock(heard_->mutex);
  const auto is_there = [&] { return heard_->text.find(text) != std::string::npos; };
  while (!is_there()) {
    if (ended() || steady_clock::now() > deadline) return is_there();
    heard_->more.wait_for(lock, 20ms);
  }
  return true;
}

bool LiveRun::ended() const { return running_.wait_for(0s) == std::future_status::ready; }

void TwoSidedTest::turn_off(std::initializer_list<Protection> protections) {
  for (const Protection one : protections) {
    options().turn_off(unsafe::TurnOff(one, "a test tries what happens without it"));
  }
}

ExecRequest TwoSidedTest::program(const std::string& source) {
  return python_request(kHelpers + source);
}

LiveRun TwoSidedTest::start(const std::shared_ptr<Sandbox>& box, const std::string& source) {
  return {io(), box, program(source)};
}

std::string TwoSidedTest::output_of(const std::shared_ptr<Sandbox>& box,
                                    const std::string& source) {
  const ExecResult result = await(box->exec(program(source)));
  EXPECT_EQ(result.standard_error.text(), "") << result.status.sentence();
  return result.standard_output.bytes();
}

void TwoSidedTest::tell(const std::shared_ptr<Sandbox>& box, const std::string& name) {
  await(box->write_file(name, "", "/work"));
}

std::string TwoSidedTest::read(const std::shared_ptr<Sandbox>& box, const std::string& path,
                               std::uint64_t cap) {
  return answer_of([&] { return "=" + await(box->read_file(path, "/work", cap)); });
}

std::string TwoSidedTest::write(const std::shared_ptr<Sandbox>& box, const std::string& path) {
  return answer_of([&] {
    await(box->write_file(path, "inside", "/work"));
    return std::string("ok");
  });
}

std::string TwoSidedTest::kind(const std::shared_ptr<Sandbox>& box, const std::string& path) {
  return answer_of([&] {
    const std::optional<SandboxEntry> found = await(box->stat_file(path, "/work"));
    return found ? std::string(to_string(found->kind())) : "nothing";
  });
}

std::string TwoSidedTest::list(const std::shared_ptr<Sandbox>& box, const std::string& path,
                               std::vector<SandboxEntry>& into) {
  into.clear();
  return answer_of([&] {
    into = await(box->list_dir(path, "/work"));
    return std::string("ok");
  });
}

OpenDirectory::OpenDirectory() {
  std::string name = (fs::temp_directory_path() / "adversarial-XXXXXX").string();
  if (::mkdtemp(name.data()) == nullptr || ::chmod(name.c_str(), 0777) != 0) {
    throw std::runtime_error("no temporary directory");
  }
  path_ = name;
}

OpenDirectory::~OpenDirectory() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

int run_outside(const std::vector<std::string>& arguments) {
  std::vector<std::string> owned = arguments;
  std::vector<char*> pointers;
  std::transform(owned.begin(), owned.end(), std::back_inserter(pointers),
                 [](std::string& one) { return one.data(); });
  pointers.push_back(nullptr);
  pid_t child = 0;
  if (::posix_spawnp(&child, pointers[0], nullptr, nullptr, pointers.data(), ::environ) != 0) {
    return -1;
  }
  int status = 0;
  if (::waitpid(child, &status, 0) != child || !WIFEXITED(status)) return -1;
  return WEXITSTATUS(status);
}

std::string unique_word() {
  const auto now = steady_clock::now().time_since_epoch().count();
  return "adversarial-" + std::to_string(::getpid()) + "-" + std::to_string(now) + "-";
}

std::size_t processes_with(const std::string& word) {
  std::size_t found = 0;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator("/proc", ignored)) {
    const std::string name = entry.path().filename().string();
    if (!std::all_of(name.begin(), name.end(), ::isdigit) || name == std::to_string(::getpid())) {
      continue;
    }
    std::ifstream file(entry.path() / "cmdline", std::ios::binary);
    const std::string line((std::istreambuf_iterator<char>(file)), {});
    if (line.find(word) != std::string::npos) ++found;
  }
  return found;
}

}  // namespace sandbox::runner::testing
