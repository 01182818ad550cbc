// The list of everything in an image: how it is read. Its bytes are believed only line by line.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <charconv>
#include <optional>

#include "image_manifest.hpp"
#include "sandbox/error.hpp"

namespace sandbox::runner {
namespace {

constexpr std::size_t kMostEntries = 2'000'000;
constexpr std::size_t kMostPackages = 10'000;
constexpr std::size_t kLongestPath = 4095;
constexpr std::size_t kHashDigits = 64;

template <class T>
std::optional<T> number_of(std::string_view digits, int base = 10) {
  T value{};
  const char* const end = digits.data() + digits.size();
  const auto [stop, error] = std::from_chars(digits.data(), end, value, base);
  // One way to write a number: no sign, no zero in front.
  const bool plain = digits == "0" || (!digits.empty() && digits[0] >= '1' && digits[0] <= '9');
  if (!plain || error != std::errc() || stop != end) return std::nullopt;
  return value;
}

bool is_hash(std::string_view text) {
  return text.size() == kHashDigits && std::all_of(text.begin(), text.end(), [](char c) {
           return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
         });
}

// Written the one way in which escape_path() writes it, and without NUL.
bool is_escaped(std::string_view text) {
  if (text.empty() || text.size() > 3 * kLongestPath) return false;
  if (text.find('%') == std::string_view::npos) {
    return std::none_of(text.begin(), text.end(),
                        [](char c) { return static_cast<unsigned char>(c) <= 0x20 || c == 0x7F; });
  }
  const auto is_digit = [](char c) { return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'F'); };
  for (std::size_t i = text.find('%'); i != std::string_view::npos; i = text.find('%', i + 1)) {
    if (i + 2 >= text.size() || !is_digit(text[i + 1]) || !is_digit(text[i + 2])) return false;
  }
  const std::string raw = unescape_path(text);
  return raw.find('\0') == std::string::npos && escape_path(raw) == text;
}

bool has_plain_name(const ManifestEntry& entry) {
  const std::string_view name = entry.name();
  return !name.empty() && name != "." && name != "..";
}

}  // namespace

class ManifestParser {
 public:
  explicit ManifestParser(std::string text) {
    manifest_.text_ = std::make_shared<const std::string>(std::move(text));
    rest_ = *manifest_.text_;
  }

  Manifest parse() {
    if (take_line() != "libsandbox image manifest 1") refuse("this is no manifest of this version");
    ManifestHead& head = manifest_.head_;
    head.name = take_field("name");
    head.recipe = take_field("recipe");
    head.suite = take_field("suite");
    head.architecture = take_field("architecture");
    const auto time = number_of<std::int64_t>(take_field("time"));
    if (!time) refuse("the time is no number");
    head.time = *time;
    head.library = take_field("library");
    head.python = take_field("python");
    std::string_view line = take_line();
    for (; line.starts_with("package "); line = take_line()) add_package(line);
    for (; !line.starts_with("end "); line = take_line()) add_entry(line);
    if (number_of<std::size_t>(line.substr(4)) != manifest_.entries_.size()) {
      refuse("the number of entries is not the one that was written");
    }
    if (!rest_.empty()) refuse("something stands behind its end");
    return std::move(manifest_);
  }

 private:
  [[noreturn]] void refuse(const std::string& why) const {
    throw Error(errc::image_unusable, "line " + std::to_string(line_) + " of its manifest: " + why);
  }

  std::string_view take_line() {
    ++line_;
    const std::size_t end = rest_.find('\n');
    if (end == std::string_view::npos) refuse("it is cut off here");
    const std::string_view line = rest_.substr(0, end);
    rest_.remove_prefix(end + 1);
    return line;
  }

  // One printable word, as every field of the head is.
  std::string word(std::string_view text) const {
    const bool printable =
        std::all_of(text.begin(), text.end(), [](char c) { return c > 0x20 && c < 0x7F; });
    if (text.empty() || text.size() > 200 || !printable) refuse("a word is missing or not plain");
    return std::string(text);
  }

  std::string take_field(std::string_view name) {
    const std::string_view line = take_line();
    if (!line.starts_with(name) || line.size() <= name.size() || line[name.size()] != ' ') {
      refuse("\"" + std::string(name) + "\" is missing");
    }
    return word(line.substr(name.size() + 1));
  }

  void add_package(std::string_view line) {
    if (manifest_.head_.packages.size() == kMostPackages) refuse("there are too many packages");
    (void)take_word(line);
    const std::string name = word(take_word(line));
    manifest_.head_.packages.emplace_back(name, word(line));
  }

  // Up to the next space, which goes as well.
  static std::string_view take_word(std::string_view& line) {
    const std::size_t end = std::min(line.find(' '), line.size());
    const std::string_view found = line.substr(0, end);
    line.remove_prefix(std::min(end + 1, line.size()));
    return found;
  }

  void add_entry(std::string_view line) {
    if (manifest_.entries_.size() == kMostEntries) refuse("there are too many entries");
    ManifestEntry entry;
    const std::string_view kind = take_word(line);
    if (kind == "l") {
      entry.type = EntryType::link;
      entry.target = take_word(line);
      if (!is_escaped(entry.target)) refuse("the target of a link is not well written");
    } else if (kind == "d" || kind == "f") {
      const auto mode = number_of<unsigned>(take_word(line), 8);
      if (!mode || *mode > 0777) refuse("the mode is not well written");
      entry.mode = *mode;
    } else {
      refuse("this is no entry");
    }
    if (kind == "f") {
      entry.type = EntryType::file;
      const auto size = number_of<std::uint64_t>(take_word(line));
      entry.sha256 = take_word(line);
      if (!size || !is_hash(entry.sha256)) refuse("the size or the hash is not well written");
      entry.size = *size;
    }
    entry.path = line;
    if (!is_escaped(entry.path) || !has_plain_name(entry)) refuse("the path is not well written");
    place(entry);
  }

  // Below the last directory that is its parent; anything else is out of order or has none.
  void place(ManifestEntry& entry) {
    const std::vector<ManifestEntry>& all = manifest_.entries_;
    if (!all.empty() && !path_less(all.back().path, entry.path)) refuse("it is out of order");
    const std::size_t slash = entry.path.rfind('/');
    if (slash == std::string_view::npos) {
      above_.clear();
    } else {
      const std::string_view parent = entry.path.substr(0, slash);
      while (!above_.empty() && all[above_.back()].path != parent) above_.pop_back();
      if (above_.empty()) refuse("its directory is not in the list");
      entry.parent = above_.back();
    }
    if (entry.type == EntryType::directory) above_.push_back(all.size());
    manifest_.entries_.push_back(entry);
  }

  Manifest manifest_;
  std::string_view rest_;
  std::size_t line_ = 0;
  std::vector<std::size_t> above_;
};

Manifest Manifest::parse(std::string text) { return ManifestParser(std::move(text)).parse(); }

}  // namespace sandbox::runner
