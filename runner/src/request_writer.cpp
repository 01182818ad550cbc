// SPDX-License-Identifier: MIT
#include "request_writer.hpp"

#include "sandbox/error.hpp"

namespace sandbox::runner {

launcher::Text RequestWriter::text(std::string_view text) {
  const auto offset = static_cast<launcher::Text>(bytes_.size());
  bytes_.append(text);
  bytes_.push_back('\0');
  return offset;
}

launcher::Span RequestWriter::texts(const std::vector<std::string>& texts) {
  if (texts.size() > launcher::kMaxArguments) {
    throw Error(errc::too_large, std::to_string(texts.size()) +
                                     " arguments or environment variables are too many; at most " +
                                     std::to_string(launcher::kMaxArguments) +
                                     " fit. Pass large data as a file in the work directory or on "
                                     "stdin");
  }
  std::vector<launcher::Text> offsets;
  offsets.reserve(texts.size());
  for (const std::string& element : texts) offsets.push_back(text(element));
  return array(offsets);
}

launcher::Span RequestWriter::append(const void* data, std::size_t count, std::size_t size,
                                     std::size_t align) {
  while (bytes_.size() % align != 0) bytes_.push_back('\0');
  launcher::Span span;
  span.offset = static_cast<std::uint32_t>(bytes_.size());
  span.count = static_cast<std::uint32_t>(count);
  if (count > 0) bytes_.append(static_cast<const char*>(data), count * size);
  return span;
}

std::uint32_t RequestWriter::close() {
  bytes_.push_back('\0');
  if (bytes_.size() > launcher::kMaxRequestBytes) {
    throw Error(errc::too_large,
                "the arguments and environment of a run take " + std::to_string(bytes_.size()) +
                    " bytes together; at most " + std::to_string(launcher::kMaxRequestBytes) +
                    " fit. Pass large data as a file in the work directory or on stdin");
  }
  return static_cast<std::uint32_t>(bytes_.size());
}

}  // namespace sandbox::runner
