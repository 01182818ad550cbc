// SPDX-License-Identifier: MIT
#include "image_support.hpp"

#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>
#include <system_error>

#include "bind_policy.hpp"
#include "host_path.hpp"

namespace sandbox::runner::test {
namespace {

namespace fs = std::filesystem;

constexpr std::chrono::seconds kPatience{60};
constexpr std::size_t kOutput = std::size_t{1} << 20U;
constexpr unsigned kNobody = 65534;

CapturedRun run(const std::vector<std::string>& arguments) {
  return run_captured(arguments, {"PATH=/usr/bin:/bin", "LC_ALL=C.UTF-8"}, kPatience, kOutput);
}

void make_parent(const std::string& path) { fs::create_directories(fs::path(path).parent_path()); }

}  // namespace

TemporaryDirectory::TemporaryDirectory() {
  std::string pattern = fs::temp_directory_path() / "sandbox-images-XXXXXX";
  if (::mkdtemp(pattern.data()) == nullptr) throw std::system_error(errno, std::system_category());
  path_ = fs::canonical(pattern);
  ::chmod(path_.c_str(), 0755);
}

TemporaryDirectory::~TemporaryDirectory() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

std::string TemporaryDirectory::directory(const std::string& name) const {
  fs::create_directories(at(name));
  return at(name);
}

std::string TemporaryDirectory::file(const std::string& name, const std::string& content) const {
  make_parent(at(name));
  std::ofstream(at(name)) << content;
  return at(name);
}

std::string TemporaryDirectory::program(const std::string& name, const std::string& content) const {
  const std::string path = file(name, content);
  ::chmod(path.c_str(), 0755);
  return path;
}

std::string TemporaryDirectory::link(const std::string& name, const std::string& target) const {
  make_parent(at(name));
  fs::create_symlink(target, at(name));
  return at(name);
}

ScopedVariable::ScopedVariable(const char* name, const std::string& value) : name_(name) {
  if (const char* before = std::getenv(name)) before_ = before;
  ::setenv(name, value.c_str(), 1);
}

ScopedVariable::~ScopedVariable() {
  if (before_) {
    ::setenv(name_, before_->c_str(), 1);
  } else {
    ::unsetenv(name_);
  }
}

bool have_system_python() { return ::access(kSystemPython, X_OK) == 0; }

std::string system_python_series() {
  std::string out =
      run({kSystemPython, "-c", "import sys; print('%d.%d' % sys.version_info[:2])"}).out;
  out.erase(out.find_last_not_of('\n') + 1);
  return out;
}

std::string fake_interpreter(const TemporaryDirectory& where, const std::string& name,
                             const std::string& version, const std::string& implementation,
                             const std::string& prefix, const std::string& extra) {
  const std::size_t dot = version.find('.');
  const std::string major = version.substr(0, dot);
  const std::string minor = version.substr(dot + 1, version.find('.', dot + 1) - dot - 1);
  const std::string facts = R"({"executable":")" + where.at(name) + R"(","prefix":")" + prefix +
                            R"(","base_prefix":")" + prefix + R"(","exec_prefix":")" + prefix +
                            R"(","base_exec_prefix":")" + prefix + R"(","version":")" + version +
                            R"(","major":)" + major + R"(,"minor":)" + minor +
                            R"(,"implementation":")" + implementation + "\"" + extra + "}";
  return where.program(name, "#!/bin/sh\nprintf '\\nsandbox-interpreter:%s\\n' '" + facts + "'\n");
}

std::string make_venv(const TemporaryDirectory& where, const std::string& name,
                      const std::vector<std::string>& options) {
  std::vector<std::string> arguments = {kSystemPython, "-m", "venv", "--without-pip"};
  arguments.insert(arguments.end(), options.begin(), options.end());
  arguments.push_back(where.at(name));
  const CapturedRun made = run(arguments);
  EXPECT_EQ(made.exit_code.value_or(-1), 0) << made.err;
  return where.at(name);
}

const ImageBind* find_bind(const std::vector<ImageBind>& binds, const std::string& guest_path) {
  const auto found = std::find_if(binds.begin(), binds.end(), [&](const ImageBind& bind) {
    return bind.guest_path == guest_path;
  });
  return found == binds.end() ? nullptr : &*found;
}

const ImageLink* find_link(const std::vector<ImageLink>& links, const std::string& guest_path) {
  const auto found = std::find_if(links.begin(), links.end(), [&](const ImageLink& link) {
    return link.guest_path == guest_path;
  });
  return found == links.end() ? nullptr : &*found;
}

std::optional<std::string> seen_at(const Image& image, const std::string& guest_path) {
  std::vector<ImageBind> binds = image.binds;
  binds.insert(binds.end(), image.late_binds.begin(), image.late_binds.end());
  std::vector<ImageLink> links = image.links;
  links.insert(links.end(), image.late_links.begin(), image.late_links.end());
  fs::path todo = guest_path;
  for (int hops = 0; hops < 40; ++hops) {
    fs::path here = "/";
    bool restarted = false;
    for (auto part = ++todo.begin(); part != todo.end() && !restarted; ++part) {
      const fs::path next = (here / *part).lexically_normal();
      fs::path rest;
      for (auto later = std::next(part); later != todo.end(); ++later) rest /= *later;
      std::optional<std::string> target;
      for (const ImageBind& bind : binds) {
        if (!is_within(next.string(), bind.guest_path)) continue;
        const std::string real = bind.host_path + next.string().substr(bind.guest_path.size());
        std::error_code error;
        if (fs::is_symlink(real, error)) {
          target = fs::read_symlink(real).string();
        } else if (!fs::exists(real, error)) {
          return std::nullopt;
        } else if (rest.empty()) {
          return real;
        }
      }
      if (const ImageLink* link = find_link(links, next.string())) target = link->target;
      if (target) {
        todo = (here / *target / rest).lexically_normal();
        restarted = true;
      }
      here = next;
    }
    if (!restarted) return std::nullopt;
  }
  return std::nullopt;
}

void expect_well_formed(const Image& image) {
  std::set<std::string> places;
  const auto check = [&](const std::string& guest_path, bool late) {
    EXPECT_TRUE(guest_path.starts_with('/')) << guest_path;
    EXPECT_EQ(fs::path(guest_path).lexically_normal().string(), guest_path);
    EXPECT_TRUE(places.insert(guest_path).second) << guest_path << " is there twice";
    EXPECT_EQ(place_of(guest_path), late ? GuestPlace::late : GuestPlace::root) << guest_path;
  };
  for (const ImageBind& bind : image.binds) check(bind.guest_path, false);
  for (const ImageLink& link : image.links) check(link.guest_path, false);
  for (const ImageBind& bind : image.late_binds) check(bind.guest_path, true);
  for (const ImageLink& link : image.late_links) check(link.guest_path, true);
  for (const auto* binds : {&image.binds, &image.late_binds}) {
    EXPECT_TRUE(std::is_sorted(binds->begin(), binds->end(), [](const auto& a, const auto& b) {
      return a.guest_path < b.guest_path;
    }));
    for (const ImageBind& bind : *binds) {
      EXPECT_EQ(fs::canonical(bind.host_path).string(), bind.host_path);
      struct stat status {};
      ASSERT_EQ(::lstat(bind.host_path.c_str(), &status), 0) << bind.host_path;
      EXPECT_EQ(status.st_dev, bind.device) << bind.host_path;
      EXPECT_EQ(status.st_ino, bind.inode) << bind.host_path;
      EXPECT_EQ(S_ISDIR(status.st_mode), bind.is_directory) << bind.host_path;
      for (const std::string& place : places) {
        EXPECT_TRUE(place == bind.guest_path || !is_within(place, bind.guest_path))
            << place << " lies under the bind " << bind.guest_path;
      }
    }
  }
  EXPECT_TRUE(seen_at(image, image.interpreter)) << image.interpreter;
}

std::optional<CapturedRun> run_python_in(const Image& image, const std::string& program) {
  const std::string bwrap = "/usr/bin/bwrap";
  const std::vector<std::string> probe = {bwrap, "--unshare-all", "--ro-bind", "/",
                                          "/",   "/bin/true"};
  if (run(probe).exit_code.value_or(-1) != 0) return std::nullopt;
  std::vector<std::string> arguments = {bwrap, "--unshare-all", "--clearenv"};
  const auto add = [&](std::initializer_list<std::string> words) {
    arguments.insert(arguments.end(), words);
  };
  for (const auto& bind : image.binds) add({"--ro-bind", bind.host_path, bind.guest_path});
  for (const auto& link : image.links) add({"--symlink", link.target, link.guest_path});
  add({"--dev", "/dev", "--proc", "/proc", "--tmpfs", "/tmp", "--tmpfs", "/work"});
  for (const auto& bind : image.late_binds) add({"--ro-bind", bind.host_path, bind.guest_path});
  for (const auto& link : image.late_links) add({"--symlink", link.target, link.guest_path});
  std::string path;
  for (const std::string& directory : image.path_directories) {
    path += (path.empty() ? "" : ":") + directory;
  }
  add({"--setenv", "PATH", path, "--chdir", "/work", image.interpreter, "-c", program});
  return run(arguments);
}

std::string as_ordinary_user(const std::function<std::string()>& body) {
  std::array<int, 2> ends{};
  if (::pipe(ends.data()) != 0) return "no pipe";
  const pid_t child = ::fork();
  if (child == 0) {
    ::close(ends[0]);
    std::string result = "cannot become another user";
    if (::geteuid() != 0 || (::setresgid(kNobody, kNobody, kNobody) == 0 &&
                             ::setresuid(kNobody, kNobody, kNobody) == 0)) {
      try {
        result = body();
      } catch (const std::exception& error) {
        result = error.what();
      }
    }
    const ssize_t wrote = ::write(ends[1], result.data(), result.size());
    ::_exit(wrote < 0 ? 1 : 0);
  }
  ::close(ends[1]);
  std::string result;
  std::array<char, 4096> buffer{};
  for (ssize_t count = 0; (count = ::read(ends[0], buffer.data(), buffer.size())) > 0;) {
    result.append(buffer.data(), static_cast<std::size_t>(count));
  }
  ::close(ends[0]);
  ::waitpid(child, nullptr, 0);
  return result;
}

std::optional<Error> error_of(const std::function<void()>& call) {
  try {
    call();
  } catch (const Error& error) {
    return error;
  }
  ADD_FAILURE() << "nothing was thrown";
  return std::nullopt;
}

}  // namespace sandbox::runner::test
