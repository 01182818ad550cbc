// Feeds each file of a corpus to its target, without libFuzzer.
//   fuzz_replay TARGET FOLDER|FILE...
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "targets/targets.hpp"

namespace {

namespace fs = std::filesystem;
namespace fuzz = sandbox::fuzz;

struct Row {
  std::string_view name;
  void (*target)(fuzz::Bytes);
};

constexpr Row kRows[] = {
    {"attempt", fuzz::attempt}, {"captured", fuzz::captured}, {"cgroup_place", fuzz::cgroup_place},
    {"id_map", fuzz::id_map},   {"manifest", fuzz::manifest}, {"path", fuzz::path},
    {"profile", fuzz::profile}, {"receipt", fuzz::receipt},   {"reply", fuzz::reply},
    {"request", fuzz::request}, {"told", fuzz::told},         {"utf8", fuzz::utf8},
    {"verdict", fuzz::verdict},
};

std::vector<fs::path> files_of(const fs::path& place) {
  if (!fs::is_directory(place)) return {place};
  std::vector<fs::path> files;
  for (const fs::directory_entry& entry : fs::directory_iterator(place)) {
    files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

bool replay(void (*target)(fuzz::Bytes), const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  const std::string bytes(std::istreambuf_iterator<char>(stream), {});
  // Said before, as a broken promise ends this process.
  std::printf("%s: %zu bytes\n", file.c_str(), bytes.size());
  std::fflush(stdout);
  if (!stream.is_open()) return false;
  // A copy of its exact size: a sanitizer sees the first read past its end.
  const auto copy = std::make_unique<unsigned char[]>(bytes.size());
  std::copy(bytes.begin(), bytes.end(), copy.get());
  target({copy.get(), bytes.size()});
  return true;
}

}  // namespace

int main(int count, char** arguments) {
  const std::string_view name = count > 2 ? arguments[1] : "";
  const auto* row = std::find_if(std::begin(kRows), std::end(kRows),
                                 [&](const Row& r) { return r.name == name; });
  if (row == std::end(kRows)) {
    std::fprintf(stderr, "usage: fuzz_replay TARGET FOLDER|FILE...\n");
    return 2;
  }
  int replayed = 0;
  row->target({});
  for (int i = 2; i < count; ++i) {
    for (const fs::path& file : files_of(arguments[i])) {
      if (!replay(row->target, file)) {
        std::fprintf(stderr, "cannot read %s\n", file.c_str());
        return 1;
      }
      ++replayed;
    }
  }
  std::printf("%d inputs, no broken promise\n", replayed);
  return replayed > 0 ? 0 : 1;
}
