// Writes the flat messages of launcher/plan.hpp.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "../launcher/plan.hpp"

namespace sandbox::runner {

// Append-only: the fixed struct comes first and is written last, when all offsets are known.
class RequestWriter {
 public:
  // `fixed_size`: sizeof the struct that finish() is going to be given.
  explicit RequestWriter(std::size_t fixed_size) : bytes_(fixed_size, '\0') {}

  // REQUIRES: no NUL in `text`.
  launcher::Text text(std::string_view text);

  template <class T>
  launcher::Span array(const std::vector<T>& elements) {
    static_assert(std::is_trivially_copyable_v<T>);
    return append(elements.data(), elements.size(), sizeof(T), alignof(T));
  }

  // Errors: errc::too_large for more than the launcher takes.
  launcher::Span texts(const std::vector<std::string>& texts);

  // The whole message. Errors: errc::too_large when it does not fit one packet.
  template <class Request>
  std::string finish(Request request) {
    request.header.size = close();
    std::memcpy(bytes_.data(), &request, sizeof request);
    return std::move(bytes_);
  }

 private:
  launcher::Span append(const void* data, std::size_t count, std::size_t size, std::size_t align);
  std::uint32_t close();

  std::string bytes_;
};

}  // namespace sandbox::runner
