// SPDX-License-Identifier: MIT
#include "sandbox/runner/backend_options.hpp"

#include <algorithm>
#include <vector>

#include "sandbox/error.hpp"
#include "sandbox/exec.hpp"
#include "sandbox/runner/unsafe.hpp"
#include "seccomp_profile.hpp"

namespace sandbox::runner {
namespace {

constexpr std::uint64_t kMinWork = 1ULL << 20U;
constexpr std::uint64_t kMaxWork = 1ULL << 40U;

}  // namespace

BackendOptions& BackendOptions::name(std::string value) {
  name_ = std::move(value);
  return *this;
}

BackendOptions& BackendOptions::image(std::string reference) {
  image_ = std::move(reference);
  return *this;
}

BackendOptions& BackendOptions::profile(std::string name) {
  profile_ = std::move(name);
  return *this;
}

BackendOptions& BackendOptions::work_size(Bytes value) {
  work_size_ = value;
  return *this;
}

BackendOptions& BackendOptions::default_limits(Limits value) {
  default_limits_ = value;
  return *this;
}

BackendOptions& BackendOptions::default_timeout(std::chrono::milliseconds value) {
  default_timeout_ = value;
  return *this;
}

BackendOptions& BackendOptions::environment(std::map<std::string, std::string> variables) {
  environment_ = std::move(variables);
  return *this;
}

BackendOptions& BackendOptions::outside_uid(std::uint32_t uid) {
  outside_uid_ = uid;
  return *this;
}

BackendOptions& BackendOptions::cgroup(std::string directory) {
  cgroup_ = std::move(directory);
  return *this;
}

BackendOptions& BackendOptions::cpus(double count) {
  cpus_ = count;
  return *this;
}

BackendOptions& BackendOptions::protect(Protection which, Mode mode) {
  if (mode == Mode::off) {
    throw Error(errc::invalid_argument,
                "protect('" + std::string(to_string(which)) +
                    "', off): turning a protection off needs a token; use turn_off() with one of "
                    "sandbox/runner/unsafe.hpp");
  }
  modes_[which] = mode;
  turned_off_.erase(which);
  return *this;
}

BackendOptions& BackendOptions::turn_off(const unsafe::TurnOff& token) {
  modes_[token.protection()] = Mode::off;
  turned_off_[token.protection()] = token.reason();
  return *this;
}

Mode BackendOptions::mode_of(Protection which) const {
  const auto set = modes_.find(which);
  return set != modes_.end() ? set->second : default_mode(which);
}

BackendOptions& BackendOptions::log(LogSink sink) {
  log_ = std::move(sink);
  return *this;
}

void BackendOptions::validate() const {
  if (name_.empty()) throw Error(errc::invalid_argument, "the backend's name is empty");
  if (work_size_.count() < kMinWork || work_size_.count() > kMaxWork) {
    throw Error(errc::invalid_argument, "work_size is " + std::to_string(work_size_.count()) +
                                            " bytes; it must be from 1 MiB to 1 TiB");
  }
  if (default_timeout_.count() <= 0) {
    throw Error(errc::invalid_argument, "default_timeout is " +
                                            std::to_string(default_timeout_.count()) +
                                            " ms; it must be positive");
  }
  constexpr double kMinCpus = 0.01;
  constexpr double kMaxCpus = 1024;
  if (cpus_ && !(*cpus_ >= kMinCpus && *cpus_ <= kMaxCpus)) {
    throw Error(errc::invalid_argument,
                "cpus is " + std::to_string(*cpus_) + "; it must be from 0.01 to 1024");
  }
  if (cgroup_ && !cgroup_->starts_with('/')) {
    throw Error(errc::invalid_argument, "cgroup is '" + *cgroup_ +
                                            "'; give the absolute path of a directory, such as "
                                            "/sys/fs/cgroup/my-service");
  }
  default_limits_.validate();
  const std::vector<std::string> profiles = builtin_profile_names();
  if (std::find(profiles.begin(), profiles.end(), profile_) == profiles.end()) {
    std::string known;
    for (const std::string& name : profiles) known += (known.empty() ? "" : ", ") + name;
    throw Error(errc::invalid_argument,
                "profile is '" + profile_ + "'; it must be one of " + known);
  }
  // The same rules as for a request's own variables.
  ExecRequest probe(std::vector<std::string>(1, "probe"));
  probe.environment(environment_).validate();
}

}  // namespace sandbox::runner
