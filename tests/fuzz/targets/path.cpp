// Paths that a guest or a model names: never above where they may be.
// SPDX-License-Identifier: MIT
#include "sandbox/path.hpp"

#include "sandbox/utf8.hpp"
#include "targets.hpp"

namespace sandbox::fuzz {
namespace {

// One of the names of `path` is `name`.
bool names(std::string_view path, std::string_view name) {
  const std::string whole = "/" + std::string(path) + "/";
  return whole.find("/" + std::string(name) + "/") != std::string::npos;
}

bool is_at_or_below(std::string_view path, std::string_view base) {
  return path == base || (base.ends_with('/') && path.starts_with(base)) ||
         path.starts_with(std::string(base) + "/");
}

void check_normal(std::string_view path) {
  const std::string normal = normalize_path(path);
  check(!normal.empty(), "a path is never empty");
  check(normalize_path(normal) == normal, "normal is normal");
  check(path.starts_with('/') == normal.starts_with('/'), "absolute stays absolute");
  check(normal.find("//", 1) == std::string::npos, "no empty name");
  check(normal == "." || !names(normal, "."), "no name '.'");
  check(!normal.starts_with('/') || !names(normal, ".."), "no way above the root");
  check(normal.find_first_not_of('/') == std::string::npos || !normal.ends_with('/'),
        "no slash at the end");
}

void check_confined(std::string_view path, std::string_view directory) {
  const Result<std::string> confined = confine(path, directory);
  if (!confined) {
    check(confined.error() == make_error_code(errc::path_not_confined), "the error promised");
    return;
  }
  const std::string base = normalize_path(directory);
  check(confined->starts_with('/') && normalize_path(*confined) == *confined, "absolute, normal");
  check(is_at_or_below(*confined, base), "at the working directory or below it");
  check(is_utf8(*confined) && confined->find('\0') == std::string::npos, "clean text");
  check(path.find('\\') == std::string_view::npos, "no backslash came in");
  check(relative_to(*confined, directory).has_value(), "what is confined has a place below");
}

void check_relative(std::string_view path, std::string_view base) {
  const std::optional<std::string> below = relative_to(path, base);
  if (!below) return;
  check(!below->starts_with('/') && !below->ends_with('/'), "a remainder is no absolute path");
  check(!names(*below, ".."), "a remainder leads down only");
  if (below->empty()) {
    check(normalize_path(path) == normalize_path(base), "nothing remains of the base itself");
  } else {
    const std::string start = normalize_path(base);
    const std::string whole = start + (start.ends_with('/') ? "" : "/") + *below;
    check(normalize_path(whole) == normalize_path(path), "base and remainder make the path");
  }
}

void check_parents(std::string_view path) {
  const std::string normal = normalize_path(path);
  std::string last = "/";
  for (const std::string& parent : parents_from_root(path)) {
    check(parent.size() >= last.size() && is_at_or_below(parent, last), "each is below the last");
    check(is_at_or_below(normal, parent) && normal != parent, "each is above the path");
    last = parent;
  }
}

}  // namespace

void path(Bytes input) {
  Reader reader(input);
  const std::string first = reader.text();
  const std::string_view second = text_of(reader.rest());
  for (const auto& [one, other] : {std::pair<std::string_view, std::string_view>(first, second),
                                   std::pair<std::string_view, std::string_view>(second, first)}) {
    check_normal(one);
    check_confined(one, other);
    check_relative(one, other);
    if (one.starts_with('/') && !one.starts_with("//")) check_parents(one);
  }
}

}  // namespace sandbox::fuzz
