// Where an image's packages come from: the host's own apt sources, or those that were named.
// SPDX-License-Identifier: MIT
#include "apt_sources.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "captured_process.hpp"

namespace sandbox::runner {
namespace {

namespace fs = std::filesystem;

constexpr const char* kDebianKeys = "/usr/share/keyrings/debian-archive-keyring.gpg";
constexpr const char* kAptConfig = "/usr/bin/apt-config";

std::string text_of(const fs::path& path) {
  const std::ifstream file(path);
  std::ostringstream text;
  if (file) text << file.rdbuf();
  return text.str();
}

std::vector<std::string> words_of(std::string_view text) {
  std::istringstream stream{std::string(text)};
  std::vector<std::string> words;
  for (std::string word; stream >> word;) words.push_back(std::move(word));
  return words;
}

bool is_of_suite(std::string_view word, std::string_view suite) {
  if (!word.starts_with(suite)) return false;
  const std::string_view rest = word.substr(suite.size());
  return rest.empty() || rest == "-updates" || rest == "-security";
}

// The lines of a stanza's field, its name cut off; empty when it has none.
std::string field_of(const std::vector<std::string>& stanza, std::string_view name) {
  std::string value;
  bool inside = false;
  for (const std::string& line : stanza) {
    const bool continues = line.front() == ' ' || line.front() == '\t';
    if (!continues) {
      inside = line.size() > name.size() && line[name.size()] == ':' &&
               std::equal(name.begin(), name.end(), line.begin(),
                          [](char a, char b) { return std::tolower(a) == std::tolower(b); });
    }
    if (!inside) continue;
    value += continues ? line : line.substr(name.size() + 1);
    value += '\n';
  }
  return value;
}

// The stanza for just these suites; empty when it is not about them.
std::string stanza_for(const std::vector<std::string>& stanza, std::string_view suite) {
  const std::vector<std::string> types = words_of(field_of(stanza, "Types"));
  const std::vector<std::string> components = words_of(field_of(stanza, "Components"));
  const std::string enabled = field_of(stanza, "Enabled");
  if (std::find(types.begin(), types.end(), "deb") == types.end() ||
      std::find(components.begin(), components.end(), "main") == components.end() ||
      enabled.find("no") != std::string::npos) {
    return {};
  }
  std::string suites;
  for (const std::string& one : words_of(field_of(stanza, "Suites"))) {
    if (is_of_suite(one, suite)) suites += " " + one;
  }
  if (suites.empty()) return {};
  std::string text = "Types: deb\nSuites:" + suites + "\nComponents: main\n";
  for (const char* name : {"URIs", "Signed-By", "Trusted"}) {
    const std::string value = field_of(stanza, name);
    if (!value.empty()) text.append(name).append(":").append(value);
  }
  return text + "\n";
}

// The proxies, and where passwords stand: the image's own apt would not look there.
std::string options_of_host() {
  const std::vector<std::string> arguments = {kAptConfig, "dump"};
  const std::vector<std::string> environment = {"PATH=/usr/bin:/bin", "LC_ALL=C"};
  const CapturedRun run =
      run_captured(arguments, environment, std::chrono::seconds(10), std::size_t{1} << 20U);
  std::string options;
  std::istringstream lines(run.start_error == 0 && run.exit_code == 0 ? run.out : "");
  for (std::string line; std::getline(lines, line);) {
    for (const std::string_view kept : {"Acquire::http::", "Acquire::https::", "Acquire::Force"}) {
      if (line.starts_with(kept) && line.find("Proxy-Auto-Detect") == std::string::npos) {
        options += line + "\n";
      }
    }
  }
  if (::access("/etc/apt/auth.conf", R_OK) == 0) {
    options += "Dir::Etc::netrc \"/etc/apt/auth.conf\";\n";
  }
  if (::access("/etc/apt/auth.conf.d", R_OK | X_OK) == 0) {
    options += "Dir::Etc::netrcparts \"/etc/apt/auth.conf.d\";\n";
  }
  return options;
}

AptSources sources_of_host(std::string_view suite) {
  AptSources sources;
  sources.lines = lines_for_suite(text_of("/etc/apt/sources.list"), suite);
  std::vector<fs::path> parts;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator("/etc/apt/sources.list.d", error)) {
    parts.push_back(entry.path());
  }
  std::sort(parts.begin(), parts.end());
  for (const fs::path& part : parts) {
    if (part.extension() == ".list") sources.lines += lines_for_suite(text_of(part), suite);
    if (part.extension() == ".sources") sources.stanzas += stanzas_for_suite(text_of(part), suite);
  }
  sources.told = "this machine's apt sources";
  return sources;
}

// A host that does not know Debian's keys is told where they are.
std::string line_for(const std::string& url, const std::string& suite) {
  const bool have_keys = ::access(kDebianKeys, R_OK) == 0;
  const std::string keys = have_keys ? "[signed-by=" + std::string(kDebianKeys) + "] " : "";
  return "deb " + keys + url + " " + suite + " main\n";
}

}  // namespace

std::string lines_for_suite(std::string_view text, std::string_view suite) {
  std::istringstream lines{std::string(text)};
  std::string kept;
  for (std::string line; std::getline(lines, line);) {
    std::vector<std::string> words = words_of(line.substr(0, line.find('#')));
    if (words.empty() || words.front() != "deb") continue;
    const bool has_suite = std::any_of(words.begin() + 1, words.end(),
                                       [&](const auto& word) { return is_of_suite(word, suite); });
    const bool has_main = std::find(words.begin(), words.end(), "main") != words.end();
    if (has_suite && has_main) kept += line + "\n";
  }
  return kept;
}

std::string stanzas_for_suite(std::string_view text, std::string_view suite) {
  std::istringstream lines{std::string(text) + "\n\n"};
  std::string kept;
  std::vector<std::string> stanza;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with('#')) continue;
    if (line.find_first_not_of(" \t\r") != std::string::npos) {
      stanza.push_back(line);
      continue;
    }
    if (!stanza.empty()) kept += stanza_for(stanza, suite);
    stanza.clear();
  }
  return kept;
}

AptSources find_apt_sources(std::string_view suite, const std::vector<std::string>& mirrors) {
  const std::string release(suite);
  AptSources sources;
  if (mirrors.empty()) sources = sources_of_host(suite);
  sources.options = options_of_host();
  for (const std::string& mirror : mirrors) {
    sources.lines += mirror.starts_with("deb ") ? mirror + "\n" : line_for(mirror, release);
    sources.told += (sources.told.empty() ? "" : ", ") + without_credentials(mirror);
  }
  if (sources.lines.empty() && sources.stanzas.empty()) {
    sources.told = "Debian's mirror";
    sources.lines = line_for("http://deb.debian.org/debian", release) +
                    line_for("http://deb.debian.org/debian", release + "-updates") +
                    line_for("http://deb.debian.org/debian-security", release + "-security");
  }
  return sources;
}

std::string without_credentials(std::string_view text) {
  std::string shown;
  while (true) {
    const std::size_t begin = text.find("://");
    if (begin == std::string_view::npos) return shown.append(text);
    shown.append(text.substr(0, begin + 3));
    text.remove_prefix(begin + 3);
    const std::string_view authority = text.substr(0, text.find_first_of("/ \t\"'\n"));
    const std::size_t at = authority.rfind('@');
    if (at == std::string_view::npos) continue;
    shown.append("***");
    text.remove_prefix(at);
  }
}

}  // namespace sandbox::runner
