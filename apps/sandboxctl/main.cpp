// sandboxctl: runs one program in a sandbox, or tries whether one holds.
// SPDX-License-Identifier: MIT
#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <exception>
#include <string>
#include <variant>
#include <vector>

#include "doctor_call.hpp"
#include "failure.hpp"
#include "image_call.hpp"
#include "options.hpp"
#include "report.hpp"
#include "run_call.hpp"
#include "selftest_call.hpp"

namespace {

using namespace sandbox::ctl;

constexpr int kOwnFailure = 125;

// A caller may start us with closed standard descriptors. Left closed, the next file that is opened
// would become one, and the program's output would go into it.
void open_missing_standard_descriptors() {
  for (int descriptor = 0; descriptor <= 2; ++descriptor) {
    if (::fcntl(descriptor, F_GETFD) < 0 && errno == EBADF) {
      (void)!::open("/dev/null", O_RDWR);  // takes the lowest free number
    }
  }
}

int carry_out(const std::vector<std::string>& arguments) {
  const ParsedLine parsed = parse_command_line(arguments);
  if (const auto* text = std::get_if<TextToPrint>(&parsed)) {
    print_text(text->text());
    return 0;
  }
  if (const auto* call = std::get_if<DoctorCall>(&parsed)) return run_doctor_call(*call);
  if (const auto* call = std::get_if<ImageCall>(&parsed)) return run_image_call(*call);
  if (const auto* call = std::get_if<SelftestCall>(&parsed)) return run_selftest_call(*call);
  return run_call(std::get<Options>(parsed));
}

// What a wrong command line and a refusal have in common: told once, in the form asked for.
int carry_out_or_tell(const std::vector<std::string>& arguments) {
  const bool json = asks_for_json(arguments);
  try {
    return carry_out(arguments);
  } catch (...) {
    return tell_refusal(error_of(std::current_exception()), json);
  }
}

}  // namespace

int main(int argc, char** argv) {
  open_missing_standard_descriptors();
  // A reader that went away is an error of write(), which stops the run in good order.
  (void)std::signal(SIGPIPE, SIG_IGN);
  (void)std::signal(SIGXFSZ, SIG_IGN);  // so is a limit of file sizes
  try {
    return carry_out_or_tell(std::vector<std::string>(argv + (argc > 0 ? 1 : 0), argv + argc));
  } catch (const std::exception& error) {
    say(error.what());  // stdout does not take the object
    return kOwnFailure;
  }
}
