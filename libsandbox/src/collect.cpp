// The walk over a work directory. What comes out of a guest is hostile: every name is checked
// before it is used, and entries, depth, files and bytes are all bounded.
// SPDX-License-Identifier: MIT
#include "sandbox/collect.hpp"

#include <algorithm>
#include <exception>
#include <iterator>
#include <optional>
#include <string_view>
#include <utility>

#include "sandbox/error.hpp"
#include "sandbox/path.hpp"
#include "sandbox/utf8.hpp"

namespace sandbox {

namespace net = boost::asio;

namespace {

constexpr std::uint64_t kEntriesPerFile = 64;

// True for C0, DEL and C1. REQUIRES: `name` is UTF-8.
bool has_control_characters(std::string_view name) {
  for (std::size_t i = 0; i < name.size(); ++i) {
    const auto byte = static_cast<unsigned char>(name[i]);
    if (byte < 0x20 || byte == 0x7f) return true;
    // U+0080 to U+009F are written C2 80 to C2 9F.
    if (byte == 0xc2 && i + 1 < name.size() && static_cast<unsigned char>(name[i + 1]) < 0xa0) {
      return true;
    }
  }
  return false;
}

// One line that a terminal can be given.
std::string for_people(std::string_view name) {
  std::string line;
  for (const char c : escape_for_terminal(name)) {
    if (c == '\n') {
      line += "\\x0A";
    } else if (c == '\t') {
      line += "\\x09";
    } else {
      line += c;
    }
  }
  return line;
}

// What the one name in a listed path must be; why it is not, or nullopt.
std::optional<std::string> bad_name(const std::string& path, const std::string& directory) {
  std::string_view name = path;
  if (!directory.empty()) {
    if (!name.starts_with(directory + "/")) return "listed outside of its directory";
    name.remove_prefix(directory.size() + 1);
  }
  if (name.empty() || name == "." || name == ".." || name.find('/') != std::string_view::npos) {
    return "listed outside of its directory";
  }
  if (!is_utf8(name)) return "its name is not UTF-8";
  if (has_control_characters(name)) return "its name holds control characters";
  // No path argument may hold one (SB-2).
  if (name.find('\\') != std::string_view::npos) return "its name holds a backslash";
  return std::nullopt;
}

// An entry that waits for its turn, with its depth below the working directory (1: directly in it).
class Pending {
 public:
  Pending(SandboxEntry entry, const std::string& directory, std::uint32_t depth)
      : entry_(std::move(entry)), bad_name_(bad_name(entry_.path(), directory)), depth_(depth) {}

  [[nodiscard]] const SandboxEntry& entry() const { return entry_; }
  [[nodiscard]] const std::optional<std::string>& why_not() const { return bad_name_; }
  [[nodiscard]] std::uint32_t depth() const { return depth_; }

  // Directories sort as if a '/' followed, so the walk meets the files in the bytewise order of
  // their whole paths: "a-b" stands before "a/x".
  [[nodiscard]] std::string sort_key() const {
    return entry_.kind() == EntryKind::directory ? entry_.path() + '/' : entry_.path();
  }

 private:
  SandboxEntry entry_;
  std::optional<std::string> bad_name_;
  std::uint32_t depth_;
};

bool is_bytecode_cache(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  return (slash == std::string_view::npos ? path : path.substr(slash + 1)) == "__pycache__";
}

// Why an entry that could not be listed or read is passed over; nullopt for a failure that is not
// the entry's own.
std::optional<std::string> why_passed_over(errc code) {
  switch (code) {
    case errc::not_found:
    case errc::not_a_directory:
    case errc::is_a_directory:
    case errc::path_not_confined:
      // It was there when it was listed and something else, or nothing, stood there later.
      return "gone or replaced before it could be read";
    case errc::permission_denied:
      return "the program left it without permission to read";
    case errc::too_many:
      return "it has too many entries";
    default:
      return std::nullopt;
  }
}

class Collector {
 public:
  using Deliver = std::function<void(const std::string&, const std::string&)>;

  Collector(std::shared_ptr<Sandbox> sandbox, std::string working_directory,
            const CollectOptions& options, Deliver deliver)
      : sandbox_(std::move(sandbox)),
        working_directory_(std::move(working_directory)),
        limits_(options.limits()),
        max_depth_(options.max_depth()),
        deliver_(std::move(deliver)),
        entries_left_(kEntriesPerFile * options.limits().max_files()),
        bytes_left_(options.limits().max_total_bytes().count()) {
    for (const std::string& path : options.skipped_paths()) {
      unwanted_.push_back(normalize_path(path));
    }
  }

  net::awaitable<CollectReport> run() {
    std::vector<SandboxEntry> top = co_await sandbox_->list_dir(".", working_directory_);
    push(std::move(top), "", 1);
    while (!pending_.empty() && !report_.capped) {
      Pending next = std::move(pending_.back());
      pending_.pop_back();
      if (entries_left_ == 0) {
        cap(next.entry().path(), "more than " + std::to_string(kEntriesPerFile) +
                                     " entries for each file that may be brought back");
        break;
      }
      --entries_left_;
      co_await visit(std::move(next));
    }
    co_return std::move(report_);
  }

 private:
  net::awaitable<void> visit(Pending next) {
    const SandboxEntry& entry = next.entry();
    if (next.why_not()) {
      skip(entry.path(), *next.why_not());
      co_return;
    }
    if (std::ranges::find(unwanted_, entry.path()) != unwanted_.end()) co_return;
    switch (entry.kind()) {
      case EntryKind::file:
        co_await bring(entry);
        co_return;
      case EntryKind::directory:
        co_await enter(std::move(next));
        co_return;
      case EntryKind::symlink:
        skip(entry.path(), "a link");
        co_return;
      case EntryKind::other:
        break;
    }
    skip(entry.path(), "neither a file nor a directory");
  }

  net::awaitable<void> enter(Pending next) {
    const std::string& path = next.entry().path();
    if (is_bytecode_cache(path)) {
      skip(path, "compiled Python");
      co_return;
    }
    if (next.depth() > max_depth_) {
      skip(path, "deeper than " + std::to_string(max_depth_) + " directories");
      co_return;
    }
    std::vector<SandboxEntry> entries;
    try {
      entries = co_await sandbox_->list_dir(path, working_directory_);
    } catch (const Error& error) {
      const std::optional<std::string> why = why_passed_over(error.sandbox_code());
      if (!why) throw;
      skip(path, *why);
      co_return;
    }
    push(std::move(entries), path, next.depth() + 1);
  }

  net::awaitable<void> bring(SandboxEntry entry) {
    if (!admits(entry)) co_return;
    const std::uint64_t most = std::min(limits_.max_bytes_per_file().count(), bytes_left_);
    std::string content;
    std::exception_ptr failure;
    errc code = errc::internal;
    try {
      content = co_await sandbox_->read_file(entry.path(), working_directory_, most);
    } catch (const Error& error) {
      failure = std::current_exception();
      code = error.sandbox_code();
    }
    // Counted again: the limit holds whatever the backend made of it (SB-34).
    if (code == errc::transfer_cap_exceeded || content.size() > most) {
      skip(entry.path(), "grew over the limit while it was read");
      co_return;
    }
    if (failure) {
      std::optional<std::string> why = why_passed_over(code);
      // A link or a FIFO in the file's place is only "no" to a read; what stands there tells
      // (SB-13).
      if (code == errc::os_error && co_await is_replaced(entry.path())) {
        why = why_passed_over(errc::not_found);
      }
      if (!why) std::rethrow_exception(failure);
      skip(entry.path(), *why);
      co_return;
    }
    bytes_left_ -= content.size();
    deliver_(entry.path(), content);
    report_.collected.push_back(entry.path());
  }

  net::awaitable<bool> is_replaced(std::string path) {
    const std::optional<SandboxEntry> now = co_await sandbox_->stat_file(path, working_directory_);
    co_return !now || now->kind() != EntryKind::file;
  }

  // Whether the file fits, by what its listing says (SB-33).
  bool admits(const SandboxEntry& entry) {
    const std::optional<std::uint64_t> size = entry.size_bytes();
    if (!size) {
      skip(entry.path(), "its size is not known");
      return false;
    }
    if (*size > limits_.max_bytes_per_file().count()) {
      skip(entry.path(),
           "larger than " + std::to_string(limits_.max_bytes_per_file().count()) + " bytes");
      return false;
    }
    if (report_.collected.size() >= limits_.max_files()) {
      cap(entry.path(), "more than " + std::to_string(limits_.max_files()) + " files");
      return false;
    }
    if (*size > bytes_left_) {
      cap(entry.path(),
          "more than " + std::to_string(limits_.max_total_bytes().count()) + " bytes in all");
      return false;
    }
    return true;
  }

  // The last of pending_ is the next one. A directory may hold far more than will be looked at;
  // one entry over the bound is kept, to be named as the first that was not.
  void push(std::vector<SandboxEntry> entries, const std::string& directory, std::uint32_t depth) {
    std::vector<Pending> found;
    found.reserve(entries.size());
    for (SandboxEntry& entry : entries) found.emplace_back(std::move(entry), directory, depth);
    std::ranges::sort(found, {}, &Pending::sort_key);
    if (found.size() > entries_left_ + 1) {
      found.erase(found.begin() + static_cast<std::ptrdiff_t>(entries_left_ + 1), found.end());
    }
    std::move(found.rbegin(), found.rend(), std::back_inserter(pending_));
  }

  void skip(std::string_view path, const std::string& why) {
    report_.skipped.push_back(for_people(path) + ": " + why);
  }

  void cap(std::string_view path, const std::string& why) {
    skip(path, why);
    report_.capped = true;
  }

  std::shared_ptr<Sandbox> sandbox_;
  std::string working_directory_;
  TransferLimits limits_;
  std::uint32_t max_depth_;
  Deliver deliver_;
  std::uint64_t entries_left_;
  std::uint64_t bytes_left_;
  std::vector<std::string> unwanted_;
  std::vector<Pending> pending_;
  CollectReport report_;
};

}  // namespace

CollectOptions& CollectOptions::limits(TransferLimits value) {
  limits_ = value;
  return *this;
}

CollectOptions& CollectOptions::skip(std::vector<std::string> paths) {
  skip_ = std::move(paths);
  return *this;
}

CollectOptions& CollectOptions::max_depth(std::uint32_t value) {
  max_depth_ = value;
  return *this;
}

net::awaitable<CollectReport> collect_files(
    std::shared_ptr<Sandbox> sandbox, std::string working_directory, CollectOptions options,
    std::function<void(const std::string& path, const std::string& content)> deliver) {
  Collector collector(std::move(sandbox), std::move(working_directory), options,
                      std::move(deliver));
  co_return co_await collector.run();
}

}  // namespace sandbox
