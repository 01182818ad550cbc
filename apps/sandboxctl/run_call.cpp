// Carries a call out and tells how it went.
// SPDX-License-Identifier: MIT
#include "run_call.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <exception>
#include <optional>
#include <utility>

#include "call.hpp"
#include "failure.hpp"
#include "live_output.hpp"
#include "protection_options.hpp"
#include "report.hpp"
#include "sandbox/receipt.hpp"
#include "sandbox/runner/doctor.hpp"
#include "sandbox/tool_binding.hpp"
#include "stop.hpp"

namespace net = boost::asio;

namespace sandbox::ctl {
namespace {

OutputTarget target_of(int descriptor, bool raw) {
  const bool escaped = !raw && ::isatty(descriptor) == 1;
  return {descriptor, escaped ? OutputTarget::Form::escaped : OutputTarget::Form::as_is};
}

void say_if_cut(std::string_view stream, const CapturedOutput& output) {
  if (!output.truncated()) return;
  say(fmt::format("{} was cut: the program wrote {} bytes of it; --output keeps more", stream,
                  output.total_bytes()));
}

// Asked for with a limit, and held in a looser way than a reader may think.
void say_if_watched(const Limits& asked, const Enforced& enforced) {
  if (!(asked.memory() || asked.cpu_time()) || enforced.memory == "cgroup") return;
  say("memory and CPU time of the run were watched from time to time, as no cgroup could be had "
      "(--verbose says why)");
}

void say_remarks(const Call& call, const Options& options) {
  for (const std::string& file : call.left_out()) say("--out: left out " + file);
  if (!call.result()) return;
  const ExecResult& result = *call.result();
  say_if_watched(options.limits, result.enforced);
  say_if_cut("stdout", result.standard_output);
  say_if_cut("stderr", result.standard_error);
  if (!std::holds_alternative<Exited>(result.status.value())) say(result.status.sentence());
  // Of a program that went well nobody asks what it was refused; --json tells in any case.
  if (result.status.exited_with(0)) return;
  for (const DeniedCall& refused : result.denied) say("the program " + refused.sentence);
}

void print_receipt(const Call& call, const std::optional<Error>& error) {
  if (!call.result()) {
    print_json(make_receipt(*error));
    return;
  }
  std::vector<ReceiptFile> files;
  if (call.outputs()) files = call.outputs()->files();
  boost::json::object receipt = make_receipt(*call.result(), files);
  // The program ended as told; what failed came after it.
  if (error) receipt["error"] = make_receipt(*error)["error"];
  print_json(receipt);
}

// The end of a call: what failed, and who stopped it.
class Ending {
 public:
  std::optional<Error> error;
  std::optional<StopReason> stopped;

  Ending() = default;
};

int tell(const Call& call, const Ending& ending, const Options& options) {
  if (options.talk != Talk::quiet) say_remarks(call, options);
  if (ending.stopped) {
    say(ending.stopped->sentence());
  } else if (ending.error && (!options.json || options.talk != Talk::quiet)) {
    say(ending.error->what());
  }
  if (options.json) print_receipt(call, ending.error);
  if (ending.stopped) return ending.stopped->exit_code();
  if (ending.error) return error_info(ending.error->sandbox_code()).cli_exit_code;
  return call.result()->status.shell_code();
}

}  // namespace

int run_call(const Options& options) {
  runner::require_system_calls();
  HostFiles files(options);
  if (options.talk != Talk::quiet) warn_of_turned_off(options.backend);
  net::io_context io(1);
  Stopper stopper(io);
  std::optional<LiveOutput> live;
  ExecRequest::OutputCallback on_output;
  if (!options.json) {
    const auto on_failure = [&io, &stopper](int error) {
      net::post(io, [&stopper, error] { stopper.stop(StopReason::output_failed(error)); });
    };
    live.emplace(target_of(STDOUT_FILENO, options.raw), target_of(STDERR_FILENO, options.raw),
                 on_failure);
    on_output = [&live](OutputChunk chunk) { live->write(chunk); };
  }

  Call call(options, std::move(files), std::move(on_output));
  std::exception_ptr failure;
  const auto ended = [&failure, &stopper](std::exception_ptr why) {
    failure = std::move(why);
    stopper.close();
  };
  net::co_spawn(io, call.run(), net::bind_cancellation_slot(stopper.slot(), ended));
  io.run();

  Ending ending;
  // A call that came to its end was not stopped, even if a signal came then.
  if (failure) ending.stopped = stopper.reason();
  if (failure && ending.stopped) {
    ending.error = Error(errc::cancelled, "the call was cancelled; nothing of it is left running");
  } else if (failure) {
    ending.error = error_of(failure);
  }
  if (live && ending.stopped) live->abandon();
  if (live && !ending.stopped) {
    const int error = live->finish();
    if (error != 0) ending.stopped = StopReason::output_failed(error);
  }
  return tell(call, ending, options);
}

int tell_refusal(const Error& error, bool json) {
  if (json) {
    print_json(make_receipt(error));
  } else {
    say(error.what());
  }
  return error_info(error.sandbox_code()).cli_exit_code;
}

}  // namespace sandbox::ctl
