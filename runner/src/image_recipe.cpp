// What the images that we know how to build are made of.
// SPDX-License-Identifier: MIT
#include "image_recipe.hpp"

#include <algorithm>

namespace sandbox::runner {
namespace {

// libc-bin has the locale C.UTF-8 and ldconfig; the rest is what subprocesses of a program start.
const std::vector<std::string> kCommon = {"python3", "libc-bin", "dash", "coreutils", "tzdata"};
const std::vector<std::string> kData = {"python3-numpy",
                                        "python3-pandas",
                                        "python3-matplotlib",
                                        "python3-scipy",
                                        "python3-pil",
                                        "python3-openpyxl",
                                        "python3-lxml",
                                        "python3-sympy",
                                        "findutils",
                                        "grep",
                                        "sed"};

}  // namespace

bool is_recipe(std::string_view name) { return name == "data" || name == "python"; }

std::string recipe_names() { return "data, python"; }

std::vector<std::string> packages_of_recipe(std::string_view name) {
  std::vector<std::string> packages = kCommon;
  if (name == "data") packages.insert(packages.end(), kData.begin(), kData.end());
  return packages;
}

std::string modules_of_recipe(std::string_view name) {
  if (name != "data") return "ssl, sqlite3, zoneinfo";
  return "numpy, pandas, matplotlib.pyplot, scipy.linalg, PIL.Image, openpyxl, lxml.etree, sympy";
}

const std::vector<std::string>& unneeded_paths() {
  // python3-scipy depends on python3-pythran, and that on a C++ compiler, which nothing at run time
  // needs: a guest may not execute what it compiled anyway.
  static const std::vector<std::string> patterns = {
      "usr/share/doc",
      "usr/share/doc-base",
      "usr/share/man",
      "usr/share/info",
      "usr/share/locale",
      "usr/share/lintian",
      "usr/share/bug",
      "usr/share/unicode",
      "usr/share/javascript",
      "usr/share/polkit-1",
      "usr/share/bash-completion",
      "usr/share/gdb",
      "usr/share/binfmts",
      "usr/share/menu",
      "usr/share/pixmaps",
      "usr/share/applications",
      "usr/include",
      "usr/src",
      "usr/lib/gcc",
      "usr/lib/valgrind",
      "usr/lib/gold-ld",
      "usr/lib/compat-ld",
      "usr/lib/bfd-plugins",
      "usr/lib/*/*.a",
      "usr/lib/*/*.o",
      "usr/lib/*/*/*.a",
      "usr/lib/*/ldscripts",
      "usr/lib/*/gprofng",
      "usr/lib/*/pkgconfig",
      "usr/lib/*/libasan.so*",
      "usr/lib/*/libtsan.so*",
      "usr/lib/*/liblsan.so*",
      "usr/lib/*/libubsan.so*",
      "usr/lib/*/libbfd-*",
      "usr/lib/*/libopcodes-*",
      "usr/lib/*/libgprofng*",
      "usr/lib/python3.*/config-*/*.a",
      "usr/lib/python3/dist-packages/sympy/integrals/rubi/rubi_tests",
      "usr/bin/*-linux-gnu-*",
      "usr/bin/*-linux-gnu[a-z]*-*",
      "usr/bin/gp-*",
      "usr/bin/dpkg*",
      "usr/sbin/dpkg*",
      "usr/lib/dpkg",
      "usr/share/dpkg",
  };
  return patterns;
}

}  // namespace sandbox::runner
