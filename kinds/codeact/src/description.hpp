// What a model reads about execute_code.
// SPDX-License-Identifier: MIT
#pragma once

#include <boost/json/object.hpp>
#include <string_view>

namespace sandbox::codeact {

inline constexpr std::string_view kToolName = "execute_code";

// The text that the host shows to the model (CA0-11).
std::string_view description();

// The JSON Schema of the one parameter, `code`.
boost::json::object parameters();

}  // namespace sandbox::codeact
