// Words of output dispositions and name forms.
// SPDX-License-Identifier: MIT
#include "sandbox/outputs.hpp"

#include "words.hpp"

namespace sandbox {
namespace {

constexpr detail::WordTable<OutputDisposition, 2> kDispositionWords{{
    {OutputDisposition::land, "land"},
    {OutputDisposition::consume, "consume"},
}};

constexpr detail::WordTable<NameNormalization, 2> kNormalizationWords{{
    {NameNormalization::nfc, "nfc"},
    {NameNormalization::none, "none"},
}};

}  // namespace

std::string_view to_string(OutputDisposition disposition) {
  return detail::word_of(kDispositionWords, disposition);
}

std::string_view to_string(NameNormalization normalization) {
  return detail::word_of(kNormalizationWords, normalization);
}

}  // namespace sandbox
