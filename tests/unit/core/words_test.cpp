// The closed enums: every word both ways, and what is refused.
// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "sandbox/backend.hpp"
#include "sandbox/capability.hpp"
#include "sandbox/egress.hpp"
#include "sandbox/entry.hpp"
#include "sandbox/error.hpp"
#include "sandbox/exit_status.hpp"
#include "sandbox/information_flow.hpp"
#include "sandbox/isolation.hpp"
#include "sandbox/log.hpp"
#include "sandbox/os_family.hpp"
#include "sandbox/outputs.hpp"

namespace sandbox {
namespace {

template <class Enum>
struct Row {
  Enum value;
  std::string word;
};

template <class Enum, class Parse>
void expect_words(const std::vector<Row<Enum>>& rows, Parse parse) {
  for (const Row<Enum>& row : rows) {
    SCOPED_TRACE(row.word);
    EXPECT_TRUE(is_known(row.value));
    EXPECT_EQ(to_string(row.value), row.word);
    const auto parsed = parse(row.word);
    ASSERT_TRUE(parsed);
    EXPECT_EQ(*parsed, row.value);
    for (const std::string& near_miss : {" " + row.word, row.word + " ", row.word + "\n",
                                         row.word.substr(1), std::string("No_") + row.word}) {
      EXPECT_FALSE(parse(near_miss)) << near_miss;
    }
  }
  const auto last = static_cast<Enum>(rows.size());
  EXPECT_FALSE(is_known(last)) << "an enumerator without a row in this test";
  EXPECT_EQ(to_string(last), "?");
  EXPECT_FALSE(is_known(static_cast<Enum>(-1)));
  for (const char* const word : {"", "?", "NONE", "unknown"}) {
    const auto parsed = parse(word);
    ASSERT_FALSE(parsed) << word;
    EXPECT_EQ(parsed.error(), errc::config_error) << word;
  }
}

TEST(Isolation, WordsAreTheWireStrings) {
  expect_words<Isolation>({{Isolation::none, "none"},
                           {Isolation::runtime, "runtime"},
                           {Isolation::os_process, "os_process"},
                           {Isolation::container, "container"},
                           {Isolation::hardened_container, "hardened_container"},
                           {Isolation::microvm, "microvm"},
                           {Isolation::vm, "vm"}},
                          isolation_from_string);
}

// PIN-1
TEST(Isolation, ProcessIsRefusedForEver) {
  const auto parsed = isolation_from_string("process");
  ASSERT_FALSE(parsed);
  EXPECT_EQ(parsed.error(), errc::config_error);
  EXPECT_EQ(isolation_from_string("os_process").value(), Isolation::os_process);
}

TEST(Isolation, LadderHoldsEveryRungDenselyFromTheWeakest) {
  const auto ladder = isolation_ladder();
  ASSERT_EQ(ladder.size(), 7U);
  for (std::size_t rank = 0; rank < ladder.size(); ++rank) {
    EXPECT_EQ(static_cast<std::size_t>(ladder[rank]), rank);
  }
}

TEST(Isolation, FloorIsMetByTheSameRungAndAnyStronger) {
  const auto ladder = isolation_ladder();
  for (std::size_t declared = 0; declared < ladder.size(); ++declared) {
    for (std::size_t floor = 0; floor < ladder.size(); ++floor) {
      EXPECT_EQ(meets_floor(ladder[declared], ladder[floor]), declared >= floor)
          << to_string(ladder[declared]) << " against " << to_string(ladder[floor]);
    }
  }
}

TEST(Egress, WordsAreTheWireStrings) {
  expect_words<Egress>({{Egress::unrestricted, "unrestricted"},
                        {Egress::allowlist, "allowlist"},
                        {Egress::closed, "closed"}},
                       egress_from_string);
}

TEST(Capability, WordsAreTheWireStrings) {
  expect_words<Capability>({{Capability::exec, "exec"},
                            {Capability::run_code, "run_code"},
                            {Capability::host_tools, "host_tools"},
                            {Capability::files_in, "files_in"},
                            {Capability::files_out, "files_out"},
                            {Capability::files_list, "files_list"},
                            {Capability::files_delete, "files_delete"},
                            {Capability::snapshot, "snapshot"},
                            {Capability::attached_identity, "attached_identity"}},
                           capability_from_string);
}

TEST(Capability, DefaultSetIsExecAndFilesIn) {
  EXPECT_EQ(default_capabilities(), (CapabilitySet{Capability::exec, Capability::files_in}));
}

TEST(OsFamily, WordsAreTheWireStrings) {
  expect_words<OsFamily>({{OsFamily::posix, "posix"}, {OsFamily::windows, "windows"}},
                         os_family_from_string);
}

TEST(SourceIntegrity, WordsAreTheWireStringsAndOrderIsWeakestFirst) {
  expect_words<SourceIntegrity>(
      {{SourceIntegrity::untrusted, "untrusted"}, {SourceIntegrity::trusted, "trusted"}},
      source_integrity_from_string);
  EXPECT_LT(SourceIntegrity::untrusted, SourceIntegrity::trusted);
}

TEST(Identity, WordsAreTheWireStrings) {
  expect_words<Identity>({{Identity::app, "app"}, {Identity::user, "user"}}, identity_from_string);
}

template <class Enum>
void expect_spelled(const std::vector<Row<Enum>>& rows) {
  for (const Row<Enum>& row : rows) EXPECT_EQ(to_string(row.value), row.word);
  EXPECT_EQ(to_string(static_cast<Enum>(rows.size())), "?");
}

TEST(Words, EnumsThatAreOnlyWrittenHaveTheirWords) {
  expect_spelled<EntryKind>({{EntryKind::file, "file"},
                             {EntryKind::directory, "directory"},
                             {EntryKind::symlink, "symlink"},
                             {EntryKind::other, "other"}});
  expect_spelled<OutputDisposition>(
      {{OutputDisposition::land, "land"}, {OutputDisposition::consume, "consume"}});
  expect_spelled<NameNormalization>(
      {{NameNormalization::nfc, "nfc"}, {NameNormalization::none, "none"}});
  expect_spelled<LogLevel>({{LogLevel::debug, "debug"},
                            {LogLevel::info, "info"},
                            {LogLevel::warning, "warning"},
                            {LogLevel::error, "error"}});
  expect_spelled<Limit>({{Limit::wall_time, "wall_time"},
                         {Limit::cpu_time, "cpu_time"},
                         {Limit::memory, "memory"},
                         {Limit::output, "output"}});
  expect_spelled<DisposalFailureCode>({{DisposalFailureCode::unreachable, "unreachable"},
                                       {DisposalFailureCode::timeout, "timeout"},
                                       {DisposalFailureCode::refused, "refused"},
                                       {DisposalFailureCode::unlisted, "unlisted"},
                                       {DisposalFailureCode::unknown, "unknown"}});
}

}  // namespace
}  // namespace sandbox
