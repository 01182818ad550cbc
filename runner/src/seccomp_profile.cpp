// Compiles seccomp policies: names and decision tree by libseccomp, argument blocks by us.
// SPDX-License-Identifier: MIT
#include "seccomp_profile.hpp"

#include <seccomp.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdlib>
#include <memory>
#include <optional>
#include <system_error>
#include <utility>

#include "bpf_arguments.hpp"
#include "bpf_link.hpp"
#include "fd.hpp"
#include "sandbox/digest.hpp"
#include "sandbox/error.hpp"
#include "seccomp_builtin.hpp"
#include "seccomp_parse.hpp"

namespace sandbox::runner {
namespace {

// No architecture has numbers near this; the kernel's tables end below 500.
constexpr std::uint32_t kNumbersToTry = 1024;

struct FreeContext {
  void operator()(void* context) const noexcept { seccomp_release(context); }
};
using Context = std::unique_ptr<void, FreeContext>;

class MemoryFile {
 public:
  MemoryFile() : fd_(::memfd_create("seccomp-filter", MFD_CLOEXEC)) {}
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;
  MemoryFile(MemoryFile&&) = delete;
  MemoryFile& operator=(MemoryFile&&) = delete;
  ~MemoryFile() {
    if (fd_ >= 0) ::close(fd_);
  }
  [[nodiscard]] int get() const { return fd_; }

 private:
  int fd_;
};

[[noreturn]] void throw_compiler_error(std::string_view what, int error_number) {
  throw Error(errc::internal, "compile seccomp filter: " + std::string(what) + ": " +
                                  std::generic_category().message(error_number));
}

// For libseccomp calls, which return a negative errno.
void require(int result, std::string_view what) {
  if (result < 0) throw_compiler_error(what, -result);
}

std::uint32_t libseccomp_arch(FilterArch arch) {
  return arch == FilterArch::x86_64 ? SCMP_ARCH_X86_64 : SCMP_ARCH_AARCH64;
}

std::uint32_t libseccomp_action(FilterAction action) {
  switch (action.verdict) {
    case FilterVerdict::allow:
      return SCMP_ACT_ALLOW;
    case FilterVerdict::refuse:
      return SCMP_ACT_ERRNO(action.error_number);
    case FilterVerdict::kill_process:
      break;
  }
  return SCMP_ACT_KILL_PROCESS;
}

// Libseccomp hands names out that malloc made.
struct FreeName {
  void operator()(char* name) const noexcept {
    std::free(name);  // NOLINT(cppcoreguidelines-no-malloc)
  }
};

std::unique_ptr<char, FreeName> name_of(FilterArch arch, std::uint32_t number) {
  return std::unique_ptr<char, FreeName>(
      seccomp_syscall_resolve_num_arch(libseccomp_arch(arch), static_cast<int>(number)));
}

bool has_name(FilterArch arch, std::uint32_t number) { return name_of(arch, number) != nullptr; }

KnownNumbers known_numbers(FilterArch arch) {
  KnownNumbers known;
  std::uint32_t next = 0;  // the first number after the last known one
  for (std::uint32_t number = 0; number < kNumbersToTry; ++number) {
    if (!has_name(arch, number)) continue;
    if (number != next) known.holes.push_back(NumberRange{next, number - 1});
    known.highest = number;
    next = number + 1;
  }
  return known;
}

// The number by which libseccomp takes a call in rules: that of the architecture we run on, or its
// own negative one where we have no such call. Empty: the target has no such call.
std::optional<int> rule_number(std::string_view profile_name, const SyscallRule& syscall,
                               FilterArch arch) {
  const char* name = syscall.name.c_str();
  const int on_target = seccomp_syscall_resolve_name_arch(libseccomp_arch(arch), name);
  if (on_target == __NR_SCMP_ERROR) {
    // A younger call than libseccomp answers ENOSYS by its number; asking for that is no mistake.
    const bool is_refused_as_unknown =
        syscall.by_arguments.empty() &&
        syscall.otherwise == FilterAction{FilterVerdict::refuse, ENOSYS};
    if (is_refused_as_unknown) return std::nullopt;
    throw_profile_error(profile_name, syscall.where,
                        '"' + syscall.name +
                            "\" is no system call that this libseccomp knows; mend the name, or "
                            "remove it (unknown numbers answer ENOSYS)");
  }
  if (on_target < 0) return std::nullopt;
  return seccomp_syscall_resolve_name(name);
}

Context make_context(const SeccompPolicy& policy, FilterArch arch) {
  Context context(seccomp_init(libseccomp_action(policy.default_action)));
  if (!context) throw_compiler_error("seccomp_init", EINVAL);
  if (arch != native_arch()) {
    require(seccomp_arch_remove(context.get(), SCMP_ARCH_NATIVE), "remove native architecture");
    require(seccomp_arch_add(context.get(), libseccomp_arch(arch)), "add target architecture");
  }
  require(seccomp_attr_set(context.get(), SCMP_FLTATR_ACT_BADARCH, SCMP_ACT_KILL_PROCESS),
          "set the action for foreign architectures");
  // no_new_privs is the launcher's to set, long before the filter.
  require(seccomp_attr_set(context.get(), SCMP_FLTATR_CTL_NNP, 0), "leave no_new_privs alone");
  require(seccomp_attr_set(context.get(), SCMP_FLTATR_CTL_OPTIMIZE, 2), "ask for a binary tree");
  return context;
}

// libseccomp does not survive an allocation that fails.
void require_room() {
  constexpr std::size_t kRoom = std::size_t{32} << 20U;
  void* room = ::mmap(nullptr, kRoom, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (room == MAP_FAILED) throw_errno("find memory to compile the seccomp policy in", errno);
  ::munmap(room, kRoom);
}

std::vector<sock_filter> exported(const Context& context) {
  const MemoryFile file;
  if (file.get() < 0) throw_compiler_error("memfd_create", errno);
  require(seccomp_export_bpf(context.get(), file.get()), "export the program");
  struct stat status {};
  if (::fstat(file.get(), &status) != 0) throw_compiler_error("fstat", errno);
  const auto size = static_cast<std::size_t>(status.st_size);
  std::vector<sock_filter> program(size / sizeof(sock_filter));
  if (program.empty() || size % sizeof(sock_filter) != 0) {
    throw_compiler_error("the exported program has an odd size", EINVAL);
  }
  std::size_t done = 0;
  auto* const bytes = reinterpret_cast<char*>(program.data());
  while (done < size) {
    const ssize_t got = ::pread(file.get(), bytes + done, size - done, static_cast<off_t>(done));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) throw_compiler_error("read the program", got < 0 ? errno : EIO);
    done += static_cast<std::size_t>(got);
  }
  return program;
}

// The decision by number, with argument blocks behind it.
std::vector<sock_filter> compile_tree(std::string_view profile_name, const SeccompPolicy& policy,
                                      FilterArch arch) {
  const Context context = make_context(policy, arch);
  std::vector<std::vector<sock_filter>> blocks;
  for (const SyscallRule& syscall : policy.syscalls) {
    const std::optional<int> number = rule_number(profile_name, syscall, arch);
    if (!number) continue;
    const FilterAction otherwise = syscall.otherwise.value_or(policy.default_action);
    std::uint32_t action = libseccomp_action(otherwise);
    if (!syscall.by_arguments.empty()) {
      action = block_marker(blocks.size());
      blocks.push_back(compile_arguments(syscall.by_arguments, otherwise));
    } else if (otherwise == policy.default_action) {
      continue;  // libseccomp refuses rules that say what the default says
    }
    require(seccomp_rule_add(context.get(), action, *number, 0), "add " + syscall.name);
  }
  return link_blocks(exported(context), blocks);
}

std::string digest_of(const std::vector<sock_filter>& program) {
  const auto* const bytes = reinterpret_cast<const char*>(program.data());
  return sha256_hex(std::string_view(bytes, program.size() * sizeof(sock_filter)));
}

// Every thread of a program asks for it and goes on with clone.
bool is_quiet(const SyscallRule& rule) {
  return rule.name == "clone3" && rule.by_arguments.empty() &&
         rule.otherwise == FilterAction{FilterVerdict::refuse, ENOSYS};
}

std::vector<sock_filter> observed_program(const std::vector<sock_filter>& front,
                                          const std::vector<sock_filter>& tree,
                                          const SeccompPolicy& policy, FilterArch arch) {
  constexpr std::uint16_t kEqual = BPF_JMP | BPF_JEQ | BPF_K;
  constexpr std::uint16_t kReturn = BPF_RET | BPF_K;
  std::vector<sock_filter> program = front;
  for (const SyscallRule& rule : policy.syscalls) {
    if (!is_quiet(rule)) continue;
    const int number = seccomp_syscall_resolve_name_arch(libseccomp_arch(arch), rule.name.c_str());
    if (number < 0) continue;
    // The front leaves the number in the accumulator.
    program.push_back({kEqual, 0, 1, static_cast<std::uint32_t>(number)});
    program.push_back({kReturn, 0, 0, SECCOMP_RET_ERRNO | ENOSYS});
  }
  for (sock_filter instruction : tree) {
    // Success without effect is no refusal.
    const bool refuses = instruction.code == kReturn &&
                         (instruction.k & SECCOMP_RET_ACTION_FULL) == SECCOMP_RET_ERRNO &&
                         (instruction.k & SECCOMP_RET_DATA) != 0;
    if (refuses) instruction.k = SECCOMP_RET_USER_NOTIF;
    program.push_back(instruction);
  }
  return program;
}

}  // namespace

std::string system_call_name(FilterArch arch, std::uint32_t number) {
  const std::unique_ptr<char, FreeName> name = name_of(arch, number);
  return name ? std::string(name.get()) : "call " + std::to_string(number);
}

std::vector<std::string> builtin_profile_names() {
  std::vector<std::string> names;
  for (const BuiltinProfile& profile : builtin_profiles()) names.emplace_back(profile.name);
  return names;
}

std::string_view builtin_profile(std::string_view name) {
  std::string known;
  for (const BuiltinProfile& profile : builtin_profiles()) {
    if (profile.name == name) return profile.json;
    known += (known.empty() ? "" : ", ") + std::string(profile.name);
  }
  throw Error(errc::config_error, "seccomp profile \"" + std::string(name) +
                                      "\": there is none of this name; use one of " + known);
}

FilterProgram compile_profile(std::string_view name, std::string_view json, FilterArch arch) {
  const SeccompPolicy policy = parse_policy(name, json);
  const auto& served = policy.architectures;
  if (std::find(served.begin(), served.end(), arch) == served.end()) {
    const std::string_view wanted =
        arch == FilterArch::x86_64 ? "SCMP_ARCH_X86_64" : "SCMP_ARCH_AARCH64";
    throw_profile_error(
        name, "architectures",
        "add " + std::string(wanted) + ": the policy says nothing about this machine");
  }
  require_room();
  FilterProgram program;
  program.name = std::string(name);
  const std::vector<sock_filter> front = make_front(arch, known_numbers(arch));
  const std::vector<sock_filter> tree = compile_tree(name, policy, arch);
  program.instructions = front;
  program.instructions.insert(program.instructions.end(), tree.begin(), tree.end());
  program.observed = observed_program(front, tree, policy, arch);
  if (program.observed.size() > BPF_MAXINSNS) {
    throw_profile_error(name, "syscalls",
                        "the filter has " + std::to_string(program.instructions.size()) +
                            " instructions, the kernel takes " + std::to_string(BPF_MAXINSNS) +
                            "; use fewer argument rules");
  }
  program.sha256 = digest_of(program.instructions);
  return program;
}

FilterArch native_arch() {
#if defined(__x86_64__)
  return FilterArch::x86_64;
#elif defined(__aarch64__)
  return FilterArch::aarch64;
#else
#error "the Linux backend knows x86-64 and aarch64"
#endif
}

}  // namespace sandbox::runner
