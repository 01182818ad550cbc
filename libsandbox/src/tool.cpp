// A tool: its schema is checked when it is made, its arguments at each call.
// SPDX-License-Identifier: MIT
#include "sandbox/tool.hpp"

#include <algorithm>
#include <array>
#include <boost/json/array.hpp>
#include <boost/json/value.hpp>
#include <cmath>
#include <utility>
#include <vector>

#include "sandbox/error.hpp"
#include "sandbox/utf8.hpp"

namespace sandbox {

namespace net = boost::asio;
namespace json = boost::json;

namespace {

// What a model wrote is quoted back to it up to this many bytes.
constexpr std::size_t kMaxEchoBytes = 120;

struct JsonType {
  std::string_view word;
  std::string_view with_article;
};

constexpr std::array kJsonTypes = {
    JsonType{"string", "a string"},    JsonType{"boolean", "a boolean"},
    JsonType{"integer", "an integer"}, JsonType{"number", "a number"},
    JsonType{"array", "an array"},     JsonType{"object", "an object"},
    JsonType{"null", "null"},
};

const JsonType* find_type(std::string_view word) {
  const auto* found = std::ranges::find(kJsonTypes, word, &JsonType::word);
  return found == kJsonTypes.end() ? nullptr : found;
}

std::string_view as_view(const json::string& text) { return {text.data(), text.size()}; }

bool is_integer(const json::value& value) {
  if (value.is_int64() || value.is_uint64()) return true;
  // 2020-12, section 6.1.1: a number without a fractional part is an integer, however written.
  const double* number = value.if_double();
  return number != nullptr && std::isfinite(*number) && std::trunc(*number) == *number;
}

bool has_type(const json::value& value, std::string_view word) {
  if (word == "string") return value.is_string();
  if (word == "boolean") return value.is_bool();
  if (word == "integer") return is_integer(value);
  if (word == "number") return value.is_number();
  if (word == "array") return value.is_array();
  if (word == "object") return value.is_object();
  return value.is_null();
}

std::string_view describe_type(const json::value& value) {
  if (value.is_string()) return "a string";
  if (value.is_bool()) return "a boolean";
  if (value.is_number()) return "a number";
  if (value.is_array()) return "an array";
  if (value.is_object()) return "an object";
  return "null";
}

[[noreturn]] void bad_schema(const std::string& tool, const std::string& why) {
  throw Error(errc::config_error, "make the tool '" + tool + "': its parameter schema " + why);
}

// The words of a property's `type`; empty when it does not say, which admits everything.
// Errors: errc::config_error.
std::vector<std::string_view> type_words(const std::string& tool, const json::value& property,
                                         const std::string& name) {
  if (property.is_bool()) return {};
  if (!property.is_object())
    bad_schema(tool, "describes '" + name + "' by something else than an object");
  const json::value* type = property.as_object().if_contains("type");
  if (type == nullptr) return {};

  std::vector<std::string_view> words;
  const auto add = [&](const json::value& word) {
    const json::string* text = word.if_string();
    if (text == nullptr || find_type(as_view(*text)) == nullptr) {
      bad_schema(tool, "gives '" + name + "' a type that JSON Schema does not have");
    }
    words.push_back(as_view(*text));
  };
  if (const json::array* list = type->if_array()) {
    if (list->empty()) bad_schema(tool, "gives '" + name + "' an empty list of types");
    for (const json::value& word : *list) add(word);
  } else {
    add(*type);
  }
  return words;
}

void check_required_list(const std::string& tool, const json::object& schema,
                         const json::object& properties) {
  const json::value* required = schema.if_contains("required");
  if (required == nullptr) return;
  if (!required->is_array()) bad_schema(tool, "has a 'required' that is not a list");
  for (const json::value& name : required->as_array()) {
    const json::string* text = name.if_string();
    if (text == nullptr || !properties.contains(as_view(*text))) {
      bad_schema(tool, "requires a parameter that it does not describe");
    }
  }
}

void check_schema(const std::string& tool, const json::object& schema) {
  const json::value* type = schema.if_contains("type");
  if (type == nullptr || !type->is_string() || as_view(type->get_string()) != "object") {
    bad_schema(tool, "must be of type 'object'");
  }
  const json::value* properties = schema.if_contains("properties");
  const json::object none;
  if (properties != nullptr && !properties->is_object()) {
    bad_schema(tool, "has 'properties' that are not an object");
  }
  const json::object& described = properties == nullptr ? none : properties->get_object();
  for (const auto& [name, property] : described) {
    static_cast<void>(type_words(tool, property, std::string(name)));
  }
  check_required_list(tool, schema, described);
}

// A name that a model wrote, in quotes, on one line and short.
std::string echo(std::string_view name) {
  std::string text = to_utf8_lossy(name);
  for (char& c : text) {
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = '?';
  }
  if (text.size() > kMaxEchoBytes) {
    std::size_t cut = kMaxEchoBytes;
    // Not inside a character: continuation bytes are 10xxxxxx (RFC 3629, section 3).
    while (cut > 0 && (static_cast<unsigned char>(text[cut]) & 0xc0U) == 0x80U) --cut;
    text.resize(cut);
    text += "...";
  }
  return "'" + text + "'";
}

std::string list_of_names(const json::object& properties) {
  std::string names;
  for (const auto& [name, property] : properties) {
    if (!names.empty()) names += ", ";
    names += "'" + std::string(name) + "'";
  }
  return names.empty() ? "it takes none" : "it takes " + names;
}

std::optional<std::string> missing_argument(const json::object& schema,
                                            const json::object& arguments) {
  const json::value* required = schema.if_contains("required");
  if (required == nullptr) return std::nullopt;
  for (const json::value& name : required->as_array()) {
    const std::string_view text = as_view(name.get_string());
    if (!arguments.contains(text)) {
      return "the required parameter '" + std::string(text) + "' is missing";
    }
  }
  return std::nullopt;
}

bool admits_more(const json::object& schema) {
  const json::value* more = schema.if_contains("additionalProperties");
  return more != nullptr && !(more->is_bool() && !more->get_bool());
}

std::optional<std::string> wrong_type(const std::string& tool, const std::string& name,
                                      const json::value& property, const json::value& argument) {
  const std::vector<std::string_view> words = type_words(tool, property, name);
  if (words.empty()) return std::nullopt;
  std::string wanted;
  for (const std::string_view word : words) {
    if (has_type(argument, word)) return std::nullopt;
    if (!wanted.empty()) wanted += " or ";
    wanted += find_type(word)->with_article;
  }
  return "the parameter '" + name + "' must be " + wanted + ", not " +
         std::string(describe_type(argument));
}

// Why the arguments do not fit, or nullopt. Missing ones are told before unknown ones: a model that
// misspelt a name has both.
std::optional<std::string> misfit(const std::string& tool, const json::object& schema,
                                  const json::object& arguments) {
  if (auto missing = missing_argument(schema, arguments)) return missing;
  const json::object none;
  const json::value* properties = schema.if_contains("properties");
  const json::object& described = properties == nullptr ? none : properties->get_object();
  for (const auto& [name, argument] : arguments) {
    const json::value* property = described.if_contains(name);
    if (property == nullptr) {
      if (admits_more(schema)) continue;
      return "there is no parameter " + echo({name.data(), name.size()}) + "; " +
             list_of_names(described);
    }
    if (auto wrong = wrong_type(tool, std::string(name), *property, argument)) return wrong;
  }
  return std::nullopt;
}

net::awaitable<ToolReply> reply_with(std::string text) { co_return ToolReply(std::move(text)); }

// Holds its own copy of the handler, so a call may outlive the tool that it came from.
net::awaitable<ToolReply> run_handler(Tool::Handler handler, json::object arguments) {
  co_return co_await handler(std::move(arguments));
}

}  // namespace

std::string_view to_string(ApprovalMode mode) {
  switch (mode) {
    case ApprovalMode::never_require:
      return "never_require";
    case ApprovalMode::always_require:
      return "always_require";
  }
  return "?";
}

ToolProperties& ToolProperties::source_integrity(SourceIntegrity value) {
  source_ = value;
  return *this;
}

ToolProperties& ToolProperties::max_allowed_confidentiality(std::string value) {
  max_confidentiality_ = std::move(value);
  return *this;
}

bool ToolReply::is_error() const { return text_.starts_with("Error:"); }

Tool::Tool(std::string name, std::string description, json::object parameters,
           ApprovalMode approval_mode, ToolProperties properties, Handler handler)
    : name_(std::move(name)),
      description_(std::move(description)),
      parameters_(std::move(parameters)),
      approval_mode_(approval_mode),
      properties_(std::move(properties)),
      handler_(std::move(handler)) {
  if (name_.empty()) throw Error(errc::config_error, "make a tool: its name is empty");
  if (!handler_) {
    throw Error(errc::config_error, "make the tool '" + name_ + "': its handler is empty");
  }
  check_schema(name_, parameters_);
}

net::awaitable<ToolReply> Tool::invoke(json::object arguments) const {
  if (auto why = misfit(name_, parameters_, arguments)) {
    return reply_with("Error: " + name_ + " was not called: " + *why + ".");
  }
  return run_handler(handler_, std::move(arguments));
}

}  // namespace sandbox
