// Path algebra of the guest: pure text, no file system.
// SPDX-License-Identifier: MIT
#include "sandbox/path.hpp"

#include <cstddef>

#include "sandbox/utf8.hpp"

namespace sandbox {
namespace {

// 0, 1 or 2: POSIX lets exactly two leading slashes mean a root of their own, three are one again.
std::size_t leading_slashes(std::string_view path) {
  const std::size_t first = path.find_first_not_of('/');
  const std::size_t count = first == std::string_view::npos ? path.size() : first;
  return count > 2 ? 1 : count;
}

std::vector<std::string_view> split(std::string_view path) {
  std::vector<std::string_view> parts;
  while (!path.empty()) {
    const std::size_t slash = path.find('/');
    const std::string_view part = path.substr(0, slash);
    if (!part.empty()) parts.push_back(part);
    if (slash == std::string_view::npos) break;
    path.remove_prefix(slash + 1);
  }
  return parts;
}

bool is_clean_text(std::string_view path) {
  return path.find('\0') == std::string_view::npos && is_utf8(path);
}

// Of two normalised paths; what is left of `path` below `base`.
std::optional<std::string_view> strip_base(std::string_view path, std::string_view base) {
  if (path == base) return std::string_view();
  if (leading_slashes(path) != leading_slashes(base)) return std::nullopt;
  if (base == ".") {
    const bool climbs = path == ".." || path.substr(0, 3) == "../";
    if (climbs) return std::nullopt;
    return path;
  }
  if (path.substr(0, base.size()) != base) return std::nullopt;
  path.remove_prefix(base.size());
  if (base.back() == '/') return path;
  if (path.front() != '/') return std::nullopt;
  path.remove_prefix(1);
  // Of a base that is nothing but "..", more of them lie above it.
  if (path == ".." || path.substr(0, 3) == "../") return std::nullopt;
  return path;
}

}  // namespace

std::string normalize_path(std::string_view path) {
  const std::size_t slashes = leading_slashes(path);
  std::vector<std::string_view> kept;
  for (const std::string_view part : split(path)) {
    if (part == ".") continue;
    if (part != "..") {
      kept.push_back(part);
    } else if (!kept.empty() && kept.back() != "..") {
      kept.pop_back();
    } else if (slashes == 0) {
      kept.push_back(part);
    }
  }
  std::string normalized(slashes, '/');
  for (std::size_t i = 0; i < kept.size(); ++i) {
    if (i != 0) normalized += '/';
    normalized += kept[i];
  }
  if (normalized.empty()) return ".";
  return normalized;
}

Result<std::string> confine(std::string_view path, std::string_view working_directory) {
  const boost::system::error_code refusal = make_error_code(errc::path_not_confined);
  if (path.find('\\') != std::string_view::npos) return refusal;
  if (!is_clean_text(path) || !is_clean_text(working_directory)) return refusal;
  // The answer is promised to be absolute, so there must be a root to start from.
  if (!working_directory.starts_with('/')) return refusal;

  const std::string base = normalize_path(working_directory);
  std::string joined;
  if (!path.starts_with('/')) {
    joined = base;
    // A base of "/" must not become "//", which is another root.
    if (!joined.ends_with('/')) joined += '/';
  }
  joined += path;
  std::string resolved = normalize_path(joined);
  if (!strip_base(resolved, base)) return refusal;
  return resolved;
}

std::optional<std::string> relative_to(std::string_view path, std::string_view base) {
  const std::string normalized_path = normalize_path(path);
  const std::string normalized_base = normalize_path(base);
  const auto rest = strip_base(normalized_path, normalized_base);
  if (!rest) return std::nullopt;
  return std::string(*rest);
}

std::vector<std::string> parents_from_root(std::string_view absolute_path) {
  std::vector<std::string> parents;
  const std::string normalized = normalize_path(absolute_path);
  const std::vector<std::string_view> parts = split(normalized);
  std::string parent;
  for (std::size_t i = 0; i + 1 < parts.size(); ++i) {
    parent += '/';
    parent += parts[i];
    parents.push_back(parent);
  }
  return parents;
}

}  // namespace sandbox
