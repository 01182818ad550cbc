// SHA-256, for identities and receipts.
// SPDX-License-Identifier: MIT
#include "sandbox/digest.hpp"

#include <openssl/evp.h>

#include <array>
#include <cstddef>

#include "sandbox/error.hpp"

namespace sandbox {

std::string sha256_hex(std::string_view bytes) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  unsigned int size = 0;
  if (EVP_Digest(bytes.data(), bytes.size(), digest.data(), &size, EVP_sha256(), nullptr) != 1) {
    throw Error(errc::internal,
                "sha256: OpenSSL's EVP_Digest failed; check its configuration and providers");
  }
  std::string hex;
  hex.reserve(std::size_t{2} * size);
  for (std::size_t i = 0; i < size; ++i) {
    hex += kDigits[digest[i] >> 4U];
    hex += kDigits[digest[i] & 0xFU];
  }
  return hex;
}

std::string sha256_hex_of_fields(const std::vector<std::string_view>& fields) {
  std::string bytes;
  for (const std::string_view field : fields) {
    bytes += std::to_string(field.size());
    bytes += ':';
    bytes += field;
  }
  return sha256_hex(bytes);
}

}  // namespace sandbox
