// How the Linux backend is set up.
// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "sandbox/limits.hpp"
#include "sandbox/log.hpp"
#include "sandbox/runner/protection.hpp"
#include "sandbox/units.hpp"

namespace sandbox::runner {

namespace unsafe {
class TurnOff;
}

// Values that hold for every sandbox of a backend. What a run may still choose: limits, timeout,
// environment (ExecRequest).
//
// Thread safety: as a plain value.
class BackendOptions {
 public:
  BackendOptions() = default;

  // The word for configuration and logs. Default "linux".
  BackendOptions& name(std::string value);
  // The image of a spec that names none, checked at start by running its interpreter:
  //   host             the machine's own python3, as found on PATH
  //   host:/path/to/python   a given interpreter: distribution, pyenv, uv, conda, virtual
  //   environment dir:/path        a directory that holds a root file system with a python3
  //   NAME                   an image of the store (image_store.hpp), checked against its manifest
  // Default: host.
  BackendOptions& image(std::string reference);
  // A seccomp policy by name: default, strict, or loopback (127.0.0.1 inside works). Default:
  // default.
  BackendOptions& profile(std::string name);
  // Size of /work. Default 256 MiB. /tmp and /dev/shm have 64 MiB each; inodes are capped as well,
  // as a tmpfs without such a cap is no memory limit.
  BackendOptions& work_size(Bytes value);
  // What a request leaves open. Built in: 1 GiB memory, 64 processes, 256 open files, 1 MiB of each
  // stream kept.
  BackendOptions& default_limits(Limits value);
  // Wall clock of a run that names none. Default 120 s.
  BackendOptions& default_timeout(std::chrono::milliseconds value);
  // Added to the fixed environment of every run.
  BackendOptions& environment(std::map<std::string, std::string> variables);
  // The unprivileged uid (and gid) outside that the guests of all sandboxes run as when the host
  // process is root. Never 0. Default: each live sandbox has one of its own, of a range that no
  // distribution gives out.
  BackendOptions& outside_uid(std::uint32_t uid);
  // A delegated cgroup v2 directory below which the cgroups of runs are made. Default: one is
  // looked for (docs/hardening.md says where).
  BackendOptions& cgroup(std::string directory);
  // How many CPUs a run may use at one time, 0.01 to 1024 (cpu.max; where there is a cgroup).
  // Default: all.
  BackendOptions& cpus(double count);
  // The mode of one protection: required or preferred. Off is turn_off()'s.
  BackendOptions& protect(Protection which, Mode mode);
  // Guests run without this protection; the receipt of each run says so, and the log why.
  BackendOptions& turn_off(const unsafe::TurnOff& token);
  BackendOptions& log(LogSink sink);

  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] const std::string& image() const { return image_; }
  [[nodiscard]] const std::string& profile() const { return profile_; }
  [[nodiscard]] Bytes work_size() const { return work_size_; }
  [[nodiscard]] const Limits& default_limits() const { return default_limits_; }
  [[nodiscard]] std::chrono::milliseconds default_timeout() const { return default_timeout_; }
  [[nodiscard]] const std::map<std::string, std::string>& environment() const {
    return environment_;
  }
  [[nodiscard]] std::optional<std::uint32_t> outside_uid() const { return outside_uid_; }
  [[nodiscard]] const std::optional<std::string>& cgroup() const { return cgroup_; }
  [[nodiscard]] std::optional<double> cpus() const { return cpus_; }
  [[nodiscard]] Mode mode_of(Protection which) const;
  // Why each protection that is off was turned off.
  [[nodiscard]] const std::map<Protection, std::string>& turned_off() const { return turned_off_; }
  [[nodiscard]] const LogSink& log() const { return log_; }

  // Errors: errc::invalid_argument naming the option, the value and the range.
  void validate() const;

 private:
  std::string name_ = "linux";
  std::string image_ = "host";
  std::string profile_ = "default";
  Bytes work_size_{256ULL << 20U};
  Limits default_limits_;
  std::chrono::milliseconds default_timeout_{120000};
  std::map<std::string, std::string> environment_;
  std::optional<std::uint32_t> outside_uid_;
  std::optional<std::string> cgroup_;
  std::optional<double> cpus_;
  std::map<Protection, Mode> modes_;
  std::map<Protection, std::string> turned_off_;
  LogSink log_;
};

}  // namespace sandbox::runner
