// SPDX-License-Identifier: MIT
#include "systemd_scope.hpp"

#include <sys/stat.h>
#include <systemd/sd-bus.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <system_error>
#include <thread>

#include "cgroup_home.hpp"
#include "cgroup_search.hpp"
#include "sandbox/error.hpp"

namespace sandbox::runner {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::seconds kPatience(3);
constexpr std::chrono::milliseconds kStep(2);

struct BusCloser {
  void operator()(sd_bus* bus) const { sd_bus_close_unref(bus); }
};
using Bus = std::unique_ptr<sd_bus, BusCloser>;

struct MessageReleaser {
  void operator()(sd_bus_message* message) const { sd_bus_message_unref(message); }
};
using Message = std::unique_ptr<sd_bus_message, MessageReleaser>;

class BusError {
 public:
  BusError() = default;
  BusError(const BusError&) = delete;
  BusError& operator=(const BusError&) = delete;
  BusError(BusError&&) = delete;
  BusError& operator=(BusError&&) = delete;
  ~BusError() { sd_bus_error_free(&error_); }

  [[nodiscard]] sd_bus_error* get() { return &error_; }
  // What the other side said, or else what the number says.
  [[nodiscard]] std::string text(int result) const {
    return error_.message != nullptr ? error_.message : std::generic_category().message(-result);
  }

 private:
  sd_bus_error error_{};
};

bool is_root() { return ::geteuid() == 0; }

std::string user_bus_path() { return "/run/user/" + std::to_string(::geteuid()) + "/bus"; }

[[noreturn]] void fail(const std::string& what, const std::string& why, const std::string& fix) {
  throw Error(errc::protection_unavailable,
              "ask systemd for a scope: " + what + ": " + why + "; " + fix);
}

[[noreturn]] void fail_to_connect(int result) {
  const std::string why = std::generic_category().message(-result);
  if (is_root()) fail("connect to the system bus", why, "is D-Bus running (Debian: dbus)?");
  fail("connect to the user bus " + user_bus_path(), why,
       "run inside a login session, or have root run 'loginctl enable-linger " +
           std::to_string(::geteuid()) + "' once (Debian: dbus-user-session)");
}

// Where the user's service manager has it, also where the environment does not tell, as below su.
// What the environment names may be a bus that this manager is not on.
int open_user_bus(sd_bus** bus) {
  const std::string path = user_bus_path();
  int result = 0;
  if (::access(path.c_str(), F_OK) != 0) {
    result = sd_bus_open_user(bus);
    return result == -ENOMEDIUM ? -ENOENT : result;  // the environment names none either
  }
  result = sd_bus_new(bus);
  if (result >= 0) result = sd_bus_set_address(*bus, ("unix:path=" + path).c_str());
  if (result >= 0) result = sd_bus_set_bus_client(*bus, 1);
  if (result >= 0) result = sd_bus_start(*bus);
  return result;
}

std::uint64_t microseconds_to(Clock::time_point deadline) {
  const auto left = std::chrono::duration_cast<std::chrono::microseconds>(deadline - Clock::now());
  return left.count() > 0 ? static_cast<std::uint64_t>(left.count()) : 0;
}

// Of itself the library waits much longer for a bus that does not answer.
void wait_until_ready(sd_bus* bus, Clock::time_point deadline) {
  int ready = 0;
  while ((ready = sd_bus_is_ready(bus)) == 0) {
    int result = sd_bus_process(bus, nullptr);
    if (result == 0) {
      const std::uint64_t left = microseconds_to(deadline);
      result = left > 0 ? sd_bus_wait(bus, left) : -ETIMEDOUT;
    }
    if (result < 0) fail_to_connect(result);
  }
  if (ready < 0) fail_to_connect(ready);
}

Bus connect(Clock::time_point deadline) {
  sd_bus* raw = nullptr;
  const int opened = is_root() ? sd_bus_open_system(&raw) : open_user_bus(&raw);
  Bus bus(raw);
  if (opened < 0) fail_to_connect(opened);
  wait_until_ready(bus.get(), deadline);
  return bus;
}

// StartTransientUnit(name, mode, properties, auxiliary units) of org.freedesktop.systemd1(5).
void start_scope(const std::string& name, pid_t launcher, Clock::time_point deadline) {
  const Bus bus = connect(deadline);
  sd_bus_message* raw = nullptr;
  int result = sd_bus_message_new_method_call(
      bus.get(), &raw, "org.freedesktop.systemd1", "/org/freedesktop/systemd1",
      "org.freedesktop.systemd1.Manager", "StartTransientUnit");
  const Message call(raw);
  if (result >= 0) {
    constexpr int kProperties = 4;
    constexpr int kProcesses = 1;
    constexpr int kAuxiliary = 0;
    result = sd_bus_message_append(
        call.get(), "ssa(sv)a(sa(sv))", name.c_str(), "fail", kProperties,  //
        "Description", "s", "libsandbox: the programs of one backend",      //
        "Delegate", "b", 1,                                                 //
        "CollectMode", "s", "inactive-or-failed",                           //
        "PIDs", "au", kProcesses, static_cast<std::uint32_t>(launcher), kAuxiliary);
  }
  BusError error;
  if (result >= 0) {
    // 0 would stand for the library's own, longer time.
    const std::uint64_t left = microseconds_to(deadline);
    result = left > 0 ? sd_bus_call(bus.get(), call.get(), left, error.get(), nullptr) : -ETIMEDOUT;
  }
  if (result >= 0) return;
  fail("start " + name, error.text(result),
       std::string("see 'systemctl ") + (is_root() ? "" : "--user ") + "status'");
}

// systemd answers before it has moved the process.
std::string wait_until_inside(const std::string& name, pid_t launcher, Clock::time_point deadline) {
  for (;;) {
    const std::optional<CgroupPlace> place = find_cgroup_place_of(launcher);
    if (place && place->own.ends_with("/" + name)) return place->own;
    if (Clock::now() >= deadline) break;
    std::this_thread::sleep_for(kStep);
  }
  const std::string manager = is_root() ? "" : "--user ";
  fail("wait for " + name, "the launcher was not moved into it in time",
       "see 'journalctl " + manager + "--unit=" + name + "'");
}

// A cgroup with processes in it cannot give controllers to children (no internal processes).
void move_into_child(const std::string& scope, pid_t launcher) {
  const std::string child = scope + "/launcher";
  if (::mkdir(child.c_str(), 0755) != 0) {
    const std::string why = std::generic_category().message(errno);
    fail("make " + child, why, "is /sys/fs/cgroup writable here?");
  }
  write_cgroup_file(child, "cgroup.procs", std::to_string(launcher));
}

}  // namespace

std::string enter_systemd_scope(pid_t launcher) {
  const Clock::time_point deadline = Clock::now() + kPatience;
  // Not of the form that CgroupHome sweeps; unique, as the scope lasts no longer than the launcher.
  const std::string name =
      "libsandbox." + std::to_string(::getpid()) + "-" + std::to_string(launcher) + ".scope";
  start_scope(name, launcher, deadline);
  std::string scope = wait_until_inside(name, launcher, deadline);
  move_into_child(scope, launcher);
  return scope;
}

}  // namespace sandbox::runner
