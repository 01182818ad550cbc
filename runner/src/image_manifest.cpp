// The list of everything in an image: how it is written.
// SPDX-License-Identifier: MIT
#include "image_manifest.hpp"

#include <algorithm>
#include <array>
#include <charconv>

namespace sandbox::runner {
namespace {

bool needs_escape(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return byte <= 0x20 || byte == 0x7F || c == '%';
}

unsigned value_of(char digit) {
  return static_cast<unsigned>(digit <= '9' ? digit - '0' : digit - 'A' + 10);
}

void append_octal(std::string& text, unsigned mode) {
  std::array<char, 12> digits{};
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), mode, 8).ptr;
  text.append(digits.data(), end);
}

}  // namespace

std::string escape_path(std::string_view raw) {
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  std::string escaped;
  escaped.reserve(raw.size());
  for (const char c : raw) {
    if (!needs_escape(c)) {
      escaped += c;
      continue;
    }
    const auto byte = static_cast<unsigned char>(c);
    escaped += '%';
    escaped += kDigits[byte >> 4U];
    escaped += kDigits[byte & 0xFU];
  }
  return escaped;
}

std::string unescape_path(std::string_view escaped) {
  std::string raw;
  raw.reserve(escaped.size());
  for (std::size_t i = 0; i < escaped.size(); ++i) {
    if (escaped[i] != '%' || i + 2 >= escaped.size()) {
      raw += escaped[i];
      continue;
    }
    raw += static_cast<char>(value_of(escaped[i + 1]) * 16 + value_of(escaped[i + 2]));
    i += 2;
  }
  return raw;
}

bool path_less(std::string_view a, std::string_view b) {
  const auto rank = [](char c) { return c == '/' ? 0 : static_cast<unsigned char>(c); };
  return std::lexicographical_compare(a.begin(), a.end(), b.begin(), b.end(),
                                      [&](char x, char y) { return rank(x) < rank(y); });
}

std::uint64_t Manifest::total_bytes() const {
  std::uint64_t total = 0;
  for (const ManifestEntry& entry : entries_) total += entry.size;
  return total;
}

ManifestWriter::ManifestWriter(const ManifestHead& head) {
  text_ = "libsandbox image manifest 1\n";
  const auto line = [this](std::string_view word, std::string_view value) {
    text_.append(word).append(" ").append(value).append("\n");
  };
  line("name", head.name);
  line("recipe", head.recipe);
  line("suite", head.suite);
  line("architecture", head.architecture);
  line("time", std::to_string(head.time));
  line("library", head.library);
  line("python", head.python);
  for (const auto& [name, version] : head.packages) line("package " + name, version);
}

void ManifestWriter::add(const ManifestEntry& entry) {
  ++count_;
  if (entry.type == EntryType::link) {
    text_.append("l ").append(entry.target);
  } else {
    text_.append(entry.type == EntryType::directory ? "d " : "f ");
    append_octal(text_, entry.mode);
  }
  if (entry.type == EntryType::file) {
    text_.append(" ").append(std::to_string(entry.size)).append(" ").append(entry.sha256);
  }
  text_.append(" ").append(entry.path).append("\n");
}

std::string ManifestWriter::finish() {
  text_.append("end ").append(std::to_string(count_)).append("\n");
  return std::move(text_);
}

}  // namespace sandbox::runner
