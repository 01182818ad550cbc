// SPDX-License-Identifier: MIT
#include "sandbox/runner/backend_options.hpp"

#include <algorithm>
#include <vector>

#include "sandbox/error.hpp"
#include "sandbox/exec.hpp"
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
