// What an image's own programs add to it, run inside a sandbox: bytecode and the loader's cache.
// SPDX-License-Identifier: MIT
#include "image_finish.hpp"

#include <algorithm>
#include <array>
#include <boost/asio/cancellation_state.hpp>
#include <boost/asio/this_coro.hpp>
#include <charconv>
#include <exception>
#include <optional>

#include "host_path.hpp"
#include "sandbox/error.hpp"
#include "sandbox/key.hpp"
#include "sandbox/runner/linux_backend.hpp"
#include "sandbox/spec.hpp"
#include "sandbox/utf8.hpp"
#include "worker.hpp"

namespace net = boost::asio;

namespace sandbox::runner {
namespace {

// So many runs share the modules, so that what one prints fits into memory.
constexpr int kShares = 4;
constexpr std::string_view kLoaderCache = "/etc/ld.so.cache";

// Bytecode of the unchecked kind is valid for ever, and the image never changes.
constexpr const char* kProgram = R"(
import importlib.util, multiprocessing, os, py_compile, subprocess, sys, sysconfig
share, shares = int(sys.argv[1]), int(sys.argv[2])
out = sys.stdout.buffer

def put(path, content):
    out.write(b"%s\n%d\n%s" % (os.fsencode(path), len(content), content))

def modules():
    for top in sorted({sysconfig.get_path("stdlib"), "/usr/lib/python3/dist-packages"}):
        for folder, inner, names in os.walk(top):
            inner[:] = sorted(set(inner) - {"tests"})  # a third of all, and hardly ever imported
            yield from (os.path.join(folder, n) for n in sorted(names) if n.endswith(".py"))

def compiled(path):
    made = "/work/%d.pyc" % os.getpid()
    try:
        py_compile.compile(path, made, path, doraise=True, quiet=2,
                           invalidation_mode=py_compile.PycInvalidationMode.UNCHECKED_HASH)
        with open(made, "rb") as file:
            return importlib.util.cache_from_source(path), file.read()
    except (py_compile.PyCompileError, OSError, ValueError, RecursionError):
        return None  # some packages hold files for other versions, or broken ones for their tests

def loader_cache():
    with open("/work/ld.so.conf", "w") as file:
        multiarch = sysconfig.get_config_var("MULTIARCH")
        file.write("/usr/local/lib\n/usr/lib/%s\n/usr/lib\n" % multiarch)
    made = "/work/ld.so.cache"
    subprocess.run(["/sbin/ldconfig", "-X", "-f", "/work/ld.so.conf", "-C", made], check=True)
    with open(made, "rb") as file:
        put("/etc/ld.so.cache", file.read())

if share == 0:
    put("python", ".".join(map(str, sys.version_info[:3])).encode())
    if os.path.exists("/sbin/ldconfig"):
        loader_cache()
with multiprocessing.Pool(min(os.cpu_count() or 1, 8)) as pool:
    for made in pool.imap_unordered(compiled, list(modules())[share::shares], chunksize=16):
        if made:
            put(*made)
out.flush()
)";

[[noreturn]] void refuse(const std::string& why) {
  throw Error(errc::image_unusable, "finish the image inside a sandbox: " + why);
}

std::string_view take_line(std::string_view& rest) {
  const std::size_t end = rest.find('\n');
  if (end == std::string_view::npos) refuse("what it printed is cut off");
  const std::string_view line = rest.substr(0, end);
  rest.remove_prefix(end + 1);
  return line;
}

bool is_bytecode_path(std::string_view path) {
  if (!path.starts_with("/usr/lib/python3") || !path.ends_with(".pyc")) return false;
  if (has_control_characters(path) || without_dots(path) != path) return false;
  if (path.find("/../") != std::string_view::npos) return false;
  return last_name_of(parent_of(path)) == "__pycache__";
}

// One run for a share of the modules.
net::awaitable<std::string> printed_by_share(std::shared_ptr<Sandbox> sandbox, int share) {
  constexpr Bytes kMemory(std::uint64_t{2} << 30U);
  constexpr Bytes kOutput(std::uint64_t{512} << 20U);
  std::vector<std::string> argv = {
      "python3", "-I", "-c", kProgram, std::to_string(share), std::to_string(kShares)};
  ExecRequest request(std::move(argv));
  Limits limits;
  limits.memory(kMemory).output(kOutput);
  request.limits(limits).timeout(std::chrono::minutes(30));
  const ExecResult result = co_await sandbox->exec(std::move(request));
  if (!result.status.exited_with(0)) {
    refuse(result.status.sentence() + "; it said: " + result.standard_error.text());
  }
  if (result.standard_output.truncated()) refuse("it printed more than is kept");
  co_return result.standard_output.bytes();
}

// What no check of files can show: that its parts fit together.
net::awaitable<void> try_imports(std::shared_ptr<Sandbox> sandbox, std::string modules) {
  std::vector<std::string> argv = {"python3", "-I", "-c", "import " + modules};
  ExecRequest request(std::move(argv));
  request.timeout(std::chrono::minutes(5));
  const ExecResult result = co_await sandbox->exec(std::move(request));
  if (!result.status.exited_with(0)) {
    refuse("it cannot import " + modules + ": " + result.standard_error.text());
  }
}

net::awaitable<Finished> run_shares(std::shared_ptr<Sandbox> sandbox,
                                    std::shared_ptr<Worker> worker,
                                    std::function<void(const std::vector<MadeFile>&)> keep) {
  Finished finished;
  for (int share = 0; share < kShares; ++share) {
    auto printed = std::make_shared<std::string>(co_await printed_by_share(sandbox, share));
    std::function<Finished()> work = [printed, keep] {
      Finished found;
      std::vector<MadeFile> files = parse_made_files(*printed);
      if (!files.empty() && files.front().first == "python") {
        found.python = files.front().second;
        files.erase(files.begin());
      }
      keep(files);
      found.files = files.size();
      return found;
    };
    const Finished part = co_await worker->run(std::move(work));
    if (!part.python.empty()) finished.python = part.python;
    finished.files += part.files;
  }
  co_return finished;
}

}  // namespace

std::vector<MadeFile> parse_made_files(std::string_view output) {
  std::vector<MadeFile> files;
  while (!output.empty()) {
    const std::string_view path = take_line(output);
    const std::string_view digits = take_line(output);
    std::size_t size = 0;
    const char* const end = digits.data() + digits.size();
    const auto [stop, error] = std::from_chars(digits.data(), end, size);
    if (error != std::errc() || stop != end || size > output.size()) {
      refuse("what it printed is cut off");
    }
    const bool version = path == "python" && files.empty() && size < 32 && size > 0;
    if (!version && path != kLoaderCache && !is_bytecode_path(path)) {
      refuse("it made a file that is none of ours: " + escape_for_terminal(path));
    }
    files.emplace_back(path, output.substr(0, size));
    output.remove_prefix(size);
  }
  return files;
}

net::awaitable<Finished> finish_image(std::shared_ptr<Worker> worker, std::string root,
                                      std::string modules,
                                      std::function<void(const std::vector<MadeFile>&)> keep) {
  BackendOptions options;
  options.name("image build").image("dir:" + root);
  const std::shared_ptr<LinuxBackend> backend = co_await LinuxBackend::start(std::move(options));
  std::exception_ptr failure;
  Finished finished;
  try {
    SandboxKey key("sandboxctl", "image build", "sandboxctl");
    SandboxSpec spec("exec");
    spec.work_dir("/work");
    const std::shared_ptr<Sandbox> sandbox = co_await backend->acquire(key, spec);
    finished = co_await run_shares(sandbox, std::move(worker), std::move(keep));
    co_await try_imports(sandbox, std::move(modules));
  } catch (...) {
    failure = std::current_exception();
  }
  if (failure) co_await net::this_coro::reset_cancellation_state(net::disable_cancellation());
  co_await backend->close();
  if (failure) std::rethrow_exception(failure);
  co_return finished;
}

}  // namespace sandbox::runner
