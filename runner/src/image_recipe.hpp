// What the images that we know how to build are made of.
// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace sandbox::runner {

bool is_recipe(std::string_view name);
// "data, python"
std::string recipe_names();

// Debian packages. REQUIRES: is_recipe(name).
std::vector<std::string> packages_of_recipe(std::string_view name);

// What its Python must be able to import: "numpy, pandas". REQUIRES: is_recipe(name).
std::string modules_of_recipe(std::string_view name);

// Patterns, as fnmatch(3) with FNM_PATHNAME, of what packages bring and no guest needs.
const std::vector<std::string>& unneeded_paths();

}  // namespace sandbox::runner
