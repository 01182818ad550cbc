// SPDX-License-Identifier: MIT
#include "image_manifest.hpp"

#include <limits>

#include "image_support.hpp"

namespace sandbox::runner::test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

const std::string kHash(64, 'a');

ManifestHead head() {
  ManifestHead head;
  head.name = "data";
  head.recipe = "data";
  head.suite = "bookworm";
  head.architecture = "amd64";
  head.time = 1790000000;
  head.library = "0.1.0";
  head.python = "3.11.2";
  head.packages = {{"libc6", "2.36-9+deb12u14"}, {"zlib1g", "1:1.2.13.dfsg-1"}};
  return head;
}

ManifestEntry directory(std::string_view path) {
  ManifestEntry entry;
  entry.mode = 0555;
  entry.path = path;
  return entry;
}

ManifestEntry file(std::string_view path, std::uint64_t size = 7) {
  ManifestEntry entry;
  entry.type = EntryType::file;
  entry.mode = 0444;
  entry.size = size;
  entry.sha256 = kHash;
  entry.path = path;
  return entry;
}

ManifestEntry link(std::string_view path, std::string_view target) {
  ManifestEntry entry;
  entry.type = EntryType::link;
  entry.target = target;
  entry.path = path;
  return entry;
}

std::string text_of(const std::vector<ManifestEntry>& entries) {
  ManifestWriter writer(head());
  for (const ManifestEntry& entry : entries) writer.add(entry);
  return writer.finish();
}

// What parsing complains about; empty when it does not.
std::string complaint(const std::string& text) {
  try {
    (void)Manifest::parse(text);
  } catch (const Error& error) {
    EXPECT_EQ(error.sandbox_code(), errc::image_unusable);
    return error.what();
  }
  return "";
}

// One line in the place of the entries, with the right count behind it.
std::string with_entries(const std::string& lines) {
  const std::string empty = text_of({});
  const std::string front = empty.substr(0, empty.find("end "));
  const auto count = std::count(lines.begin(), lines.end(), '\n');
  return front + lines + "end " + std::to_string(count) + "\n";
}

TEST(Manifest, ComesBackAsItWasWritten) {
  const std::string text = text_of(
      {link("bin", "usr/bin"), directory("usr"), directory("usr/bin"), file("usr/bin/a%20b", 0),
       file("usr/bin/z", std::numeric_limits<std::uint32_t>::max()), file("usr.txt")});
  const Manifest manifest = Manifest::parse(text);
  EXPECT_EQ(manifest.head(), head());
  ASSERT_EQ(manifest.entries().size(), 6U);
  EXPECT_EQ(manifest.entries()[0].target, "usr/bin");
  EXPECT_EQ(manifest.entries()[0].parent, ManifestEntry::kTop);
  EXPECT_EQ(manifest.entries()[2].parent, 1U);
  EXPECT_EQ(manifest.entries()[3].parent, 2U);
  EXPECT_EQ(manifest.entries()[3].name(), "a%20b");
  EXPECT_EQ(manifest.entries()[4].size, std::numeric_limits<std::uint32_t>::max());
  EXPECT_EQ(manifest.entries()[4].sha256, kHash);
  EXPECT_EQ(manifest.entries()[5].parent, ManifestEntry::kTop);
  EXPECT_EQ(manifest.total_bytes(), std::uint64_t{7} + std::numeric_limits<std::uint32_t>::max());
  ManifestWriter again(manifest.head());
  for (const ManifestEntry& entry : manifest.entries()) again.add(entry);
  EXPECT_EQ(again.finish(), text);
}

TEST(Manifest, StaysValidWhenItIsMoved) {
  Manifest first = Manifest::parse(text_of({file("a")}));
  const Manifest second = std::move(first);
  EXPECT_EQ(second.entries()[0].path, "a");
}

TEST(Manifest, EveryNameCanBeWritten) {
  std::string all;
  for (int byte = 1; byte < 256; ++byte) all += static_cast<char>(byte);
  const std::string escaped = escape_path(all);
  EXPECT_EQ(unescape_path(escaped), all);
  EXPECT_EQ(escaped.find_first_of(" \n\t\x7f"), std::string::npos);
  all.erase(all.find('/'), 1);
  const std::string name = escape_path(all);
  EXPECT_EQ(Manifest::parse(text_of({file(name)})).entries()[0].path, name);
}

TEST(Manifest, ADirectoryStandsRightBeforeWhatIsInIt) {
  EXPECT_TRUE(path_less("usr/z", "usr.txt"));
  EXPECT_TRUE(path_less("usr", "usr/a"));
  EXPECT_FALSE(path_less("usr", "usr"));
  EXPECT_TRUE(path_less("a", "\xc3\xa9"));
}

TEST(Manifest, EveryCutIsSeen) {
  const std::string text = text_of({directory("usr"), file("usr/a"), link("usr/b", "a")});
  for (std::size_t size = 0; size < text.size(); ++size) {
    EXPECT_NE(complaint(text.substr(0, size)), "") << size;
  }
  EXPECT_THAT(complaint(text + "x"), HasSubstr("behind its end"));
}

TEST(Manifest, HostileEntriesAreRefused) {
  const std::string hash = " " + kHash + " ";
  EXPECT_EQ(complaint(with_entries("f 444 7" + hash + "a\n")), "");
  for (const char* path : {"/a", "../a", ".", "..", "a/", "", "a//b", "a\x01", "a%2f", "a%2", "a%",
                           "a%41", "%00", "a b", "\x7f"}) {
    EXPECT_NE(complaint(with_entries("f 444 7" + hash + path + "\n")), "") << path;
  }
  for (const char* line : {"f 444 -1 {} a", "f 444 07 {} a", "f 444 18446744073709551616 {} a",
                           "f 1777 7 {} a", "f 8 7 {} a", "f 444 7 abc a", "x 444 7 {} a", "d a",
                           "l a", "l  a", "f 444", "d 555 a b"}) {
    std::string text = line;
    if (const auto at = text.find("{}"); at != std::string::npos) text.replace(at, 2, kHash);
    EXPECT_NE(complaint(with_entries(text + "\n")), "") << line;
  }
}

TEST(Manifest, OrderAndParentsAreChecked) {
  EXPECT_THAT(complaint(with_entries("d 555 b\nd 555 a\n")), HasSubstr("out of order"));
  EXPECT_THAT(complaint(with_entries("d 555 a\nd 555 a\n")), HasSubstr("out of order"));
  EXPECT_THAT(complaint(with_entries("d 555 a/b\n")), HasSubstr("directory is not in the list"));
  EXPECT_THAT(complaint(with_entries("l x a\nd 555 a/b\n")), HasSubstr("is not in the list"));
  EXPECT_THAT(complaint(with_entries("d 555 a\nd 555 a/b\nd 555 a/b.c\nd 555 a/b/c\n")),
              HasSubstr("out of order"));
  EXPECT_EQ(complaint(with_entries("d 555 a\nd 555 a/b\nd 555 a/b/c\nd 555 a/d\n")), "");
}

TEST(Manifest, TheNumberOfEntriesMustBeRight) {
  std::string text = text_of({file("a")});
  text.replace(text.find("end 1"), 5, "end 2");
  EXPECT_THAT(complaint(text), HasSubstr("number of entries"));
}

TEST(Manifest, TheHeadIsChecked) {
  const std::string text = text_of({});
  for (const auto& [from, to] :
       std::vector<std::pair<std::string, std::string>>{{"manifest 1", "manifest 2"},
                                                        {"name data", "name"},
                                                        {"name data", "name da ta"},
                                                        {"suite ", "suit "},
                                                        {"time 1790000000", "time soon"},
                                                        {"python 3.11.2", "python \x1b[2J"},
                                                        {"package libc6 2", "package libc6"}}) {
    std::string broken = text;
    broken.replace(broken.find(from), from.size(), to);
    EXPECT_NE(complaint(broken), "") << to;
  }
}

}  // namespace
}  // namespace sandbox::runner::test
