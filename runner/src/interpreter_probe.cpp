// Asks a Python of the host where its parts are.
// SPDX-License-Identifier: MIT
#include "interpreter_probe.hpp"

#include <algorithm>
#include <boost/json/parse.hpp>
#include <boost/json/value.hpp>
#include <boost/system/error_code.hpp>
#include <chrono>
#include <cstdlib>
#include <optional>
#include <string_view>
#include <system_error>

#include "captured_process.hpp"
#include "host_path.hpp"
#include "sandbox/utf8.hpp"

namespace sandbox::runner {
namespace {

namespace json = boost::json;

constexpr std::chrono::seconds kDeadline{10};
constexpr std::size_t kOutputCap = std::size_t{256} << 10U;
constexpr std::size_t kMaxShownError = 120;
constexpr std::string_view kMarker = "sandbox-interpreter:";

// Also parsed by Python 2, so that its version can be told. A text that is not UTF-8 becomes null.
// The marker is there because start-up files may print.
constexpr std::string_view kScript = R"(import sys
sys.path[:] = [p for p in sys.path if p]
import json, site, sysconfig
def text(value):
    try:
        value.encode('utf-8')
        return value
    except (AttributeError, UnicodeError):
        return None
info = sys.version_info
version = '%d.%d.%d' % tuple(info[:3])
if info[3] != 'final':
    version += '%s%d' % ({'alpha': 'a', 'beta': 'b', 'candidate': 'rc'}[info[3]], info[4])
names = ('executable', '_base_executable', 'prefix', 'base_prefix', 'exec_prefix',
         'base_exec_prefix')
facts = dict((name, text(getattr(sys, name, None))) for name in names)
modules = [text(p) for p in sys.path]
modules += [text(sysconfig.get_path(n)) for n in ('stdlib', 'platstdlib', 'purelib', 'platlib')]
if hasattr(site, 'getsitepackages'):
    modules += [text(p) for p in site.getsitepackages()]
facts.update(
    version=version, major=info[0], minor=info[1], modules=modules,
    implementation=getattr(getattr(sys, 'implementation', None), 'name', 'unknown'),
    shared=bool(sysconfig.get_config_var('Py_ENABLE_SHARED')),
    libdir=text(sysconfig.get_config_var('LIBDIR')),
    library=text(sysconfig.get_config_var('LDLIBRARY')))
sys.stdout.write('\nsandbox-interpreter:' + json.dumps(facts) + '\n')
)";

std::vector<std::string> probe_environment() {
  std::vector<std::string> environment = {
      "LANG=C.UTF-8",       "LC_ALL=C.UTF-8",   "PYTHONDONTWRITEBYTECODE=1",
      "PYTHONNOUSERSITE=1", "PYTHONSAFEPATH=1", "PYTHONUTF8=1",
  };
  // What start scripts need to find the interpreter. Nothing that changes the interpreter itself:
  // the guest will not have it either.
  for (const char* name : {"PATH", "HOME", "PYENV_ROOT", "PYENV_VERSION"}) {
    if (const char* value = std::getenv(name)) {
      environment.push_back(std::string(name) + "=" + value);
    }
  }
  return environment;
}

std::string last_words(const std::string& err) {
  std::string_view text = err;
  while (!text.empty() && (text.back() == '\n' || text.back() == ' ')) text.remove_suffix(1);
  text.remove_prefix(std::min(text.size(), text.rfind('\n') + 1));
  if (text.size() > kMaxShownError) text.remove_prefix(text.size() - kMaxShownError);
  return escape_for_terminal(text);
}

std::optional<std::string> reason_it_failed(const CapturedRun& run) {
  if (run.start_error != 0) {
    return "it cannot be started: " + std::generic_category().message(run.start_error);
  }
  if (run.timed_out) return "it did not answer within 10 seconds";
  if (run.too_much_output) return "it printed too much";
  if (run.exit_code.value_or(0) == 0) return std::nullopt;
  std::string reason = "it did not answer as a Python interpreter does: it ended with exit code " +
                       std::to_string(*run.exit_code);
  const std::string words = last_words(run.err);
  if (!words.empty()) reason += " (" + words + ")";
  return reason;
}

std::string text_at(const json::object& object, std::string_view name) {
  const json::value* value = object.if_contains(name);
  if (value == nullptr || !value->is_string()) return {};
  return std::string(value->get_string());
}

int number_at(const json::object& object, std::string_view name) {
  const json::value* value = object.if_contains(name);
  if (value == nullptr || !value->is_int64()) return 0;
  return static_cast<int>(value->get_int64());
}

void add_module_paths(const json::object& object, InterpreterFacts& facts) {
  const json::value* modules = object.if_contains("modules");
  if (modules == nullptr || !modules->is_array()) return;
  auto& paths = facts.module_paths;
  for (const json::value& entry : modules->get_array()) {
    if (!entry.is_string() || !entry.get_string().starts_with('/')) continue;
    const std::string path(entry.get_string());
    if (std::find(paths.begin(), paths.end(), path) == paths.end()) paths.push_back(path);
  }
}

ProbeResult facts_from(const std::string& out) {
  const ProbeFailure no_answer{"it did not answer as Python does"};
  const std::size_t marker = out.rfind("\n" + std::string(kMarker));
  if (marker == std::string::npos) return no_answer;
  const std::size_t begin = marker + 1 + kMarker.size();
  const std::size_t end = out.find('\n', begin);
  if (end == std::string::npos) return no_answer;
  boost::system::error_code error;
  const json::value parsed = json::parse(std::string_view(out).substr(begin, end - begin), error);
  if (error || !parsed.is_object()) return no_answer;
  const json::object& object = parsed.get_object();

  InterpreterFacts facts;
  facts.executable = text_at(object, "executable");
  facts.base_executable = text_at(object, "_base_executable");
  facts.prefix = text_at(object, "prefix");
  facts.base_prefix = text_at(object, "base_prefix");
  facts.exec_prefix = text_at(object, "exec_prefix");
  facts.base_exec_prefix = text_at(object, "base_exec_prefix");
  facts.implementation = text_at(object, "implementation");
  facts.version = text_at(object, "version");
  facts.major = number_at(object, "major");
  facts.minor = number_at(object, "minor");
  add_module_paths(object, facts);
  const json::value* shared = object.if_contains("shared");
  const std::string directory = text_at(object, "libdir");
  if (shared != nullptr && shared->is_bool() && shared->get_bool() && directory.starts_with('/')) {
    facts.shared_library = join_path(directory, text_at(object, "library"));
  }
  return facts;
}

}  // namespace

ProbeResult probe_interpreter(const std::string& interpreter) {
  const std::vector<std::string> arguments = {interpreter, "-c", std::string(kScript)};
  const CapturedRun run = run_captured(arguments, probe_environment(), kDeadline, kOutputCap);
  if (std::optional<std::string> reason = reason_it_failed(run)) return ProbeFailure{*reason};
  return facts_from(run.out);
}

}  // namespace sandbox::runner
