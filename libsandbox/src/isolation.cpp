// The isolation ladder.
// SPDX-License-Identifier: MIT
#include "sandbox/isolation.hpp"

#include "words.hpp"

namespace sandbox {
namespace {

constexpr detail::WordTable<Isolation, 7> kWords{{
    {Isolation::none, "none"},
    {Isolation::runtime, "runtime"},
    {Isolation::os_process, "os_process"},
    {Isolation::container, "container"},
    {Isolation::hardened_container, "hardened_container"},
    {Isolation::microvm, "microvm"},
    {Isolation::vm, "vm"},
}};

constexpr std::array<Isolation, kWords.size()> rungs_of_words() {
  std::array<Isolation, kWords.size()> rungs{};
  for (std::size_t i = 0; i < rungs.size(); ++i) rungs[i] = kWords[i].value;
  return rungs;
}
constexpr std::array<Isolation, kWords.size()> kLadder = rungs_of_words();

}  // namespace

std::span<const Isolation> isolation_ladder() { return kLadder; }

bool is_known(Isolation rung) { return detail::has_word(kWords, rung); }

std::string_view to_string(Isolation rung) { return detail::word_of(kWords, rung); }

boost::system::result<Isolation> isolation_from_string(std::string_view text) {
  return detail::value_of(kWords, text);
}

bool meets_floor(Isolation declared, Isolation floor) { return declared >= floor; }

}  // namespace sandbox
