// The corpus as a whole.
// SPDX-License-Identifier: MIT
#include "sandbox/runner/selftest.hpp"

#include <sys/utsname.h>

#include <algorithm>
#include <boost/asio/cancellation_state.hpp>
#include <boost/asio/this_coro.hpp>
#include <exception>
#include <utility>

#include "sandbox/error.hpp"
#include "sandbox/runner/linux_backend.hpp"

namespace net = boost::asio;

namespace sandbox::runner {
namespace {

std::vector<Attempt> chosen(const SelftestOptions& options) {
  std::vector<Attempt> attempts = builtin_attempts();
  for (const int number : options.only()) {
    const auto has_number = [number](const Attempt& one) { return one.number == number; };
    if (std::none_of(attempts.begin(), attempts.end(), has_number)) {
      throw Error(errc::invalid_argument,
                  "choose the attempts to run: none has the number " + std::to_string(number));
    }
  }
  std::erase_if(attempts, [&options](const Attempt& one) {
    const bool unasked = !options.only().empty() && !options.only().contains(one.number);
    return unasked || (options.critical_only() && !one.critical);
  });
  return attempts;
}

// Thread safety: none. Lifetime: outlives what its methods return.
class SelftestRun {
 public:
  explicit SelftestRun(SelftestOptions options) : options_(std::move(options)) {
    for (const auto& [protection, reason] : options_.backend().turned_off()) {
      report_.off.insert(protection);
    }
    utsname kernel{};
    if (::uname(&kernel) == 0) report_.kernel = &kernel.release[0];
  }

  net::awaitable<void> run() {
    for (Attempt& attempt : chosen(options_)) {
      AttemptReport report = co_await run_one(std::move(attempt));
      // What went wrong once must not spoil what comes after it.
      if (report.verdict != Verdict::contained) co_await close();
      if (options_.on_attempt()) options_.on_attempt()(report);
      report_.attempts.push_back(std::move(report));
    }
  }

  net::awaitable<void> close() {
    const std::shared_ptr<LinuxBackend> ending = std::exchange(backend_, nullptr);
    if (ending) co_await ending->close();
  }

  SelftestReport take_report() { return std::move(report_); }

 private:
  net::awaitable<AttemptReport> run_one(Attempt attempt) {
    const bool fits = !attempt.work_size || attempt.work_size == options_.backend().work_size();
    if (!fits) co_return co_await run_attempt(options_.backend(), std::move(attempt));
    if (!backend_) backend_ = co_await LinuxBackend::start(options_.backend());
    co_return co_await run_attempt(backend_, std::move(attempt), report_.off);
  }

  SelftestOptions options_;
  SelftestReport report_;
  std::shared_ptr<LinuxBackend> backend_;
};

}  // namespace

SelftestOptions& SelftestOptions::backend(BackendOptions options) {
  backend_ = std::move(options);
  return *this;
}

SelftestOptions& SelftestOptions::only(std::set<int> numbers) {
  only_ = std::move(numbers);
  return *this;
}

SelftestOptions& SelftestOptions::critical_only(bool value) {
  critical_only_ = value;
  return *this;
}

SelftestOptions& SelftestOptions::on_attempt(Listener listener) {
  on_attempt_ = std::move(listener);
  return *this;
}

std::size_t SelftestReport::count(Verdict verdict) const {
  return static_cast<std::size_t>(
      std::count_if(attempts.begin(), attempts.end(),
                    [verdict](const AttemptReport& one) { return one.verdict == verdict; }));
}

bool SelftestReport::all_good() const {
  return !attempts.empty() && count(Verdict::contained) == attempts.size();
}

net::awaitable<SelftestReport> run_selftest(SelftestOptions options) {
  SelftestRun run(std::move(options));
  std::exception_ptr failure;
  try {
    co_await run.run();
  } catch (...) {
    failure = std::current_exception();
  }
  if (failure) co_await net::this_coro::reset_cancellation_state(net::disable_cancellation());
  co_await run.close();
  if (failure) std::rethrow_exception(failure);
  co_return run.take_report();
}

}  // namespace sandbox::runner
