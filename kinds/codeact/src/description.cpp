// The tool's description: promises only what the kind keeps.
// SPDX-License-Identifier: MIT
#include "description.hpp"

#include <boost/json/array.hpp>

namespace sandbox::codeact {

namespace json = boost::json;

namespace {

constexpr std::string_view kDescription =
    "Runs a short Python program in a sandbox and returns what it printed.\n"
    "\n"
    "Use it to work out an answer instead of guessing it: arithmetic, dates, counting, parsing, "
    "sorting, simulation.\n"
    "\n"
    "- The program is saved as program.py and started as `python3 program.py`. It is not a "
    "notebook: the value of a last expression is not shown, so print(...) everything you need.\n"
    "- Only printed text comes back: stdout, stderr, and the exit code when it is not zero. Files "
    "that the program writes are not returned.\n"
    "- There is no network access. Nothing can be downloaded or installed.\n"
    "- Send a complete program every time. Each call replaces the previous program, and no "
    "variable or import survives it.\n"
    "- A reply that starts with \"Error:\" means that the program was not run, or was stopped "
    "before its end. When the sandbox is unavailable, go on without it and say that nothing was "
    "computed.";

constexpr std::string_view kCodeDescription =
    "The complete source text of the Python 3 program, UTF-8.";

}  // namespace

std::string_view description() { return kDescription; }

json::object parameters() {
  json::object code;
  code["type"] = "string";
  code["description"] = kCodeDescription;

  json::object properties;
  properties["code"] = std::move(code);

  json::array required;
  required.emplace_back("code");

  json::object schema;
  schema["type"] = "object";
  schema["properties"] = std::move(properties);
  schema["required"] = std::move(required);
  schema["additionalProperties"] = false;
  return schema;
}

}  // namespace sandbox::codeact
