// Reads the OCI form of a seccomp policy.
// SPDX-License-Identifier: MIT
#include "seccomp_parse.hpp"

#include <algorithm>
#include <boost/json.hpp>
#include <cerrno>
#include <initializer_list>
#include <limits>
#include <map>
#include <string>
#include <utility>

#include "sandbox/error.hpp"

namespace sandbox::runner {
namespace {

namespace json = boost::json;

constexpr std::uint64_t kMaxErrno = 4095;  // the kernel cuts larger ones down (MAX_ERRNO)
constexpr std::uint64_t kMaxArgumentIndex = 5;

struct NamedOperator {
  std::string_view name;
  ArgumentOperator op;
};

constexpr NamedOperator kOperators[] = {
    {"SCMP_CMP_NE", ArgumentOperator::not_equal},
    {"SCMP_CMP_LT", ArgumentOperator::less},
    {"SCMP_CMP_LE", ArgumentOperator::less_equal},
    {"SCMP_CMP_EQ", ArgumentOperator::equal},
    {"SCMP_CMP_GE", ArgumentOperator::greater_equal},
    {"SCMP_CMP_GT", ArgumentOperator::greater},
    {"SCMP_CMP_MASKED_EQ", ArgumentOperator::masked_equal},
};

std::string quoted(std::string_view text) { return '"' + std::string(text) + '"'; }

std::string element(const std::string& list, std::size_t index) {
  return list + '[' + std::to_string(index) + ']';
}

std::string line_and_column(std::string_view text, std::size_t offset) {
  const std::string_view before = text.substr(0, std::min(offset, text.size()));
  const auto line = 1 + std::count(before.begin(), before.end(), '\n');
  const std::size_t line_start = before.rfind('\n') + 1;  // npos + 1 is 0
  return "line " + std::to_string(line) + ", column " +
         std::to_string(before.size() - line_start + 1);
}

class PolicyReader {
 public:
  explicit PolicyReader(std::string_view profile_name) : profile_name_(profile_name) {}

  SeccompPolicy read(std::string_view text) {
    const json::value document = parse(text);
    const json::object& root = object_at(document, "document");
    check_keys(
        root, "document",
        {"comment", "defaultAction", "defaultErrnoRet", "architectures", "syscalls", "$schema"});
    SeccompPolicy policy;
    policy.default_action = read_action(root, "", "defaultAction", "defaultErrnoRet");
    if (policy.default_action.verdict == FilterVerdict::allow) {
      fail("defaultAction",
           "a policy that allows what it does not name is no boundary; write SCMP_ACT_ERRNO and "
           "name what is allowed");
    }
    policy.architectures = read_architectures(root);
    read_syscalls(root, policy);
    return policy;
  }

 private:
  [[noreturn]] void fail(std::string_view where, std::string_view text) const {
    throw_profile_error(profile_name_, where, text);
  }

  json::value parse(std::string_view text) const {
    json::stream_parser parser;
    boost::system::error_code code;
    const std::size_t consumed = parser.write(text.data(), text.size(), code);
    if (!code) parser.finish(code);
    if (code) {
      fail(line_and_column(text, consumed), "not valid JSON (" + code.message() + ")");
    }
    return parser.release();
  }

  const json::object& object_at(const json::value& value, std::string_view where) const {
    if (!value.is_object()) fail(where, "write an object");
    return value.get_object();
  }

  // The array under `key`; absent is empty where that is allowed.
  const json::array& array_at(const json::object& object, std::string_view key,
                              const std::string& where) const {
    const json::value* found = object.if_contains(key);
    if (found == nullptr || !found->is_array()) fail(where, "write an array");
    return found->get_array();
  }

  std::string string_at(const json::value& value, const std::string& where) const {
    if (!value.is_string() || value.get_string().empty()) fail(where, "write a string");
    return std::string(std::string_view(value.get_string()));
  }

  std::uint64_t number_at(const json::value& value, const std::string& where,
                          std::uint64_t highest) const {
    std::uint64_t number = 0;
    bool good = true;
    if (value.is_uint64()) {
      number = value.get_uint64();
    } else if (value.is_int64() && value.get_int64() >= 0) {
      number = static_cast<std::uint64_t>(value.get_int64());
    } else {
      good = false;
    }
    if (!good || number > highest) {
      fail(where, "write a whole number from 0 to " + std::to_string(highest));
    }
    return number;
  }

  void check_keys(const json::object& object, const std::string& where,
                  std::initializer_list<std::string_view> known) const {
    for (const auto& item : object) {
      const std::string_view key = item.key();
      if (std::find(known.begin(), known.end(), key) != known.end()) continue;
      std::string names;
      for (const std::string_view name : known) names += (names.empty() ? "" : ", ") + quoted(name);
      fail(where, "the key " + quoted(key) + " is not supported here; known: " + names);
    }
  }

  FilterAction read_action(const json::object& object, const std::string& prefix,
                           const std::string& action_key, const std::string& errno_key) const {
    const std::string where = prefix + action_key;
    const json::value* found = object.if_contains(action_key);
    if (found == nullptr) fail(where, "missing; write SCMP_ACT_ALLOW or SCMP_ACT_ERRNO");
    const std::string name = string_at(*found, where);
    const json::value* error_number = object.if_contains(errno_key);
    if (name == "SCMP_ACT_ERRNO") {
      const std::uint64_t number =
          error_number == nullptr ? EPERM : number_at(*error_number, prefix + errno_key, kMaxErrno);
      return FilterAction{FilterVerdict::refuse, static_cast<std::uint16_t>(number)};
    }
    if (error_number != nullptr) {
      fail(prefix + errno_key, "only SCMP_ACT_ERRNO takes an error number, not " + name);
    }
    if (name == "SCMP_ACT_ALLOW") return FilterAction{FilterVerdict::allow, 0};
    if (name == "SCMP_ACT_KILL_PROCESS") return FilterAction{FilterVerdict::kill_process, 0};
    fail(where, quoted(name) +
                    " is not supported; write SCMP_ACT_ALLOW, SCMP_ACT_ERRNO or "
                    "SCMP_ACT_KILL_PROCESS");
  }

  std::vector<FilterArch> read_architectures(const json::object& root) const {
    std::vector<FilterArch> result;
    const json::array& list = array_at(root, "architectures", "architectures");
    for (std::size_t i = 0; i < list.size(); ++i) {
      const std::string where = element("architectures", i);
      const std::string name = string_at(list[i], where);
      if (name == "SCMP_ARCH_X86_64") {
        result.push_back(FilterArch::x86_64);
      } else if (name == "SCMP_ARCH_AARCH64") {
        result.push_back(FilterArch::aarch64);
      } else {
        fail(where, quoted(name) +
                        " is not supported, as calls of a second architecture are always killed; "
                        "write SCMP_ARCH_X86_64 or SCMP_ARCH_AARCH64");
      }
    }
    if (result.empty()) fail("architectures", "empty; name at least one");
    return result;
  }

  ArgumentTest read_test(const json::value& value, const std::string& where) const {
    const json::object& object = object_at(value, where);
    check_keys(object, where, {"comment", "index", "value", "valueTwo", "op"});
    const auto number = [&](const char* key, std::uint64_t highest) {
      const json::value* found = object.if_contains(key);
      if (found == nullptr) fail(where + '.' + key, "missing; write a whole number");
      return number_at(*found, where + '.' + key, highest);
    };
    constexpr std::uint64_t kAny = std::numeric_limits<std::uint64_t>::max();
    ArgumentTest test;
    test.index = static_cast<std::uint32_t>(number("index", kMaxArgumentIndex));
    test.op = read_operator(object, where + ".op");
    test.value = number("value", kAny);
    if (test.op == ArgumentOperator::masked_equal) {
      test.mask = test.value;
      test.value = number("valueTwo", kAny);
      if (test.mask == 0) fail(where + ".value", "a mask of 0 matches always; leave the test out");
      if ((test.value & ~test.mask) != 0) {
        fail(where + ".valueTwo", "has bits outside the mask in \"value\", so it can never match");
      }
    } else if (const json::value* two = object.if_contains("valueTwo");
               two != nullptr && number_at(*two, where + ".valueTwo", kAny) != 0) {
      fail(where + ".valueTwo", "only SCMP_CMP_MASKED_EQ takes a second value");
    }
    return test;
  }

  ArgumentOperator read_operator(const json::object& object, const std::string& where) const {
    const json::value* found = object.if_contains("op");
    const std::string name = found == nullptr ? std::string() : string_at(*found, where);
    std::string known;
    for (const NamedOperator& candidate : kOperators) {
      if (candidate.name == name) return candidate.op;
      known += (known.empty() ? "" : ", ") + std::string(candidate.name);
    }
    fail(where, (found == nullptr ? "missing" : quoted(name) + " is not an operator") +
                    "; write one of " + known);
  }

  std::vector<ArgumentTest> read_tests(const json::object& rule, const std::string& where) const {
    std::vector<ArgumentTest> tests;
    const json::value* found = rule.if_contains("args");
    if (found == nullptr || found->is_null()) return tests;
    const std::string list_where = where + ".args";
    const json::array& list = array_at(rule, "args", list_where);
    for (std::size_t i = 0; i < list.size(); ++i) {
      const std::string test_where = element(list_where, i);
      const ArgumentTest test = read_test(list[i], test_where);
      const auto same = [&](const ArgumentTest& other) { return other.index == test.index; };
      if (std::any_of(tests.begin(), tests.end(), same)) {
        // Some runtimes read this as "or", others as "and".
        fail(test_where + ".index", "argument " + std::to_string(test.index) +
                                        " is tested twice in one rule; write a rule for each "
                                        "alternative, or one mask");
      }
      tests.push_back(test);
    }
    return tests;
  }

  void read_syscalls(const json::object& root, SeccompPolicy& policy) const {
    std::map<std::string, std::size_t> position;
    const json::array& rules = array_at(root, "syscalls", "syscalls");
    for (std::size_t i = 0; i < rules.size(); ++i) {
      const std::string where = element("syscalls", i);
      const json::object& rule = object_at(rules[i], where);
      check_keys(rule, where, {"comment", "names", "action", "errnoRet", "args"});
      const FilterAction action = read_action(rule, where + '.', "action", "errnoRet");
      const std::vector<ArgumentTest> tests = read_tests(rule, where);
      const json::array& names = array_at(rule, "names", where + ".names");
      if (names.empty()) fail(where + ".names", "empty; name at least one system call");
      for (std::size_t n = 0; n < names.size(); ++n) {
        const std::string name_where = element(where + ".names", n);
        const std::string name = string_at(names[n], name_where);
        if (name.find('\0') != std::string::npos) {
          fail(name_where, "no system call has a NUL in its name; take it out");
        }
        const auto [entry, is_new] = position.try_emplace(name, policy.syscalls.size());
        if (is_new) policy.syscalls.push_back(SyscallRule{name, name_where, {}, std::nullopt});
        add_rule(policy.syscalls[entry->second], name_where, tests, action);
      }
    }
  }

  void add_rule(SyscallRule& syscall, const std::string& where,
                const std::vector<ArgumentTest>& tests, FilterAction action) const {
    if (!tests.empty()) {
      for (const ArgumentRule& rule : syscall.by_arguments) {
        if (rule.tests != tests) continue;
        fail(where, quoted(syscall.name) +
                        " has a rule with the same args already (first named at " + syscall.where +
                        "); remove one");
      }
      syscall.by_arguments.push_back(ArgumentRule{tests, action});
      return;
    }
    if (syscall.otherwise) {
      fail(where, quoted(syscall.name) + " has a rule without args already (first named at " +
                      syscall.where + "); remove one");
    }
    syscall.otherwise = action;
  }

  std::string profile_name_;
};

}  // namespace

void throw_profile_error(std::string_view profile_name, std::string_view where,
                         std::string_view text) {
  throw Error(errc::config_error, "seccomp profile " + quoted(profile_name) + ": " +
                                      std::string(where) + ": " + std::string(text));
}

SeccompPolicy parse_policy(std::string_view profile_name, std::string_view json) {
  return PolicyReader(profile_name).read(json);
}

}  // namespace sandbox::runner
