// How images are told to people and to programs.
// SPDX-License-Identifier: MIT
#pragma once

#include <boost/json/object.hpp>
#include <string>
#include <vector>

#include "sandbox/runner/image_store.hpp"

namespace sandbox::ctl {

boost::json::object image_json(const runner::StoredImage& image);
boost::json::object images_json(const std::vector<runner::ListedImage>& images);

std::string image_text(const runner::StoredImage& image);
std::string images_text(const std::vector<runner::ListedImage>& images);

}  // namespace sandbox::ctl
