// SPDX-License-Identifier: MIT
#include "request_support.hpp"

#include <linux/filter.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include <stdexcept>
#include <vector>

#include "request_writer.hpp"
#include "root_plan.hpp"

namespace sandbox::runner::test {
namespace {

using launcher::TreeKind;

PlannedOp op(TreeKind kind, const char* path, const char* text, std::uint32_t flags = 0) {
  PlannedOp planned;
  planned.kind = kind;
  planned.path = path;
  planned.text = text;
  planned.mode = 0755;
  planned.flags = flags;
  return planned;
}

std::size_t round_up(std::size_t size, std::size_t page) { return (size + page - 1) / page * page; }

// Reads an accepted request as the launcher does, and complains about what it should not find.
class Walk {
 public:
  Walk(const unsigned char* bytes, std::size_t size) : bytes_(bytes), size_(size) {}

  template <class Element>
  [[nodiscard]] std::vector<Element> list(const launcher::Span& span, const char* name) {
    std::vector<Element> elements(span.count);
    if (span.count == 0) return elements;
    const std::uint64_t end = span.offset + std::uint64_t{span.count} * sizeof(Element);
    if (end > size_ || span.offset % alignof(Element) != 0) {
      complain(name);
      return {};
    }
    std::memcpy(elements.data(), bytes_ + span.offset, span.count * sizeof(Element));
    return elements;
  }

  void text(launcher::Text offset, const char* name) {
    if (offset == 0 || offset >= size_) {
      complain(name);
      return;
    }
    const auto* start = reinterpret_cast<const char*>(bytes_ + offset);
    if (offset + std::strlen(start) >= size_) complain(name);
  }

  void texts(const launcher::Span& span, const char* name) {
    for (const launcher::Text offset : list<launcher::Text>(span, name)) text(offset, name);
  }

  void tree(const launcher::Span& span) {
    for (const launcher::TreeOp& element : list<launcher::TreeOp>(span, "tree")) {
      text(element.path, "path");
      const bool needs_text = element.kind != TreeKind::directory && element.kind != TreeKind::keep;
      if (needs_text) text(element.text, "text");
      if (!complaint_.empty()) return;
      if (bytes_[element.path] != '/') complain("path is not absolute");
      const auto kind = static_cast<std::uint32_t>(element.kind);
      if (kind < 1 || kind > 7) complain("kind of a tree operation");
    }
  }

  void complain(const char* about) { complaint_ = about; }
  [[nodiscard]] const std::string& complaint() const { return complaint_; }

 private:
  const unsigned char* bytes_;
  std::size_t size_;
  std::string complaint_;
};

}  // namespace

std::string valid_make() {
  launcher::MakeRequest flat;
  flat.header.kind = launcher::RequestKind::make_sandbox;
  flat.header.outside_uid = 1000;
  flat.header.outside_gid = 1000;
  flat.header.switch_identity = 1;
  RequestWriter writer(sizeof flat);
  flat.tree = write_tree(
      writer, {op(TreeKind::directory, "/etc", ""), op(TreeKind::link, "/bin", "usr/bin"),
               op(TreeKind::file, "/etc/hosts", "127.0.0.1 localhost\n"),
               op(TreeKind::bind, "/usr", "/usr", launcher::kTreeIsDirectory),
               op(TreeKind::tmpfs, "/work", "size=1,nr_inodes=1"),
               op(TreeKind::proc, "/proc", "subset=pid"), op(TreeKind::keep, "/tmp/venv", "")});
  flat.host_name = writer.text("sandbox");
  flat.work_path = writer.text("/work");
  return writer.finish(flat);
}

std::string valid_run() {
  launcher::RunRequest flat;
  flat.header.kind = launcher::RequestKind::run;
  RequestWriter writer(sizeof flat);
  flat.tree = write_tree(writer, {op(TreeKind::tmpfs, "/tmp", "size=1,nr_inodes=1"),
                                  op(TreeKind::keep, "/tmp/venv", "")});
  flat.argv = writer.texts({"python3", "-c", "print(1)"});
  flat.environment = writer.texts({"A=1", "B="});
  flat.candidates = writer.texts({"/usr/bin/python3", "/bin/python3"});
  flat.limits = writer.array(
      std::vector<launcher::ResourceLimit>{{RLIMIT_NPROC, 0, 65, 65}, {RLIMIT_CORE, 0, 1, 1}});
  flat.filter = writer.array(
      std::vector<sock_filter>{{BPF_LD | BPF_W | BPF_ABS, 0, 0, 0}, {BPF_RET | BPF_K, 0, 0, 0}});
  flat.working_directory = writer.text("/work");
  return writer.finish(flat);
}

std::string with_true_size(std::string message) {
  const auto size = static_cast<std::uint32_t>(message.size());
  if (message.size() < sizeof(launcher::Header)) return message;
  return edit<launcher::Header>(std::move(message),
                                [size](launcher::Header& header) { header.size = size; });
}

GuardedMemory::GuardedMemory() : start_(nullptr), usable_(0) {
  const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  usable_ = round_up(launcher::kMaxRequestBytes, page) + page;
  void* mapped =
      ::mmap(nullptr, usable_ + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (mapped == MAP_FAILED) throw std::runtime_error("mmap");
  start_ = static_cast<unsigned char*>(mapped);
  if (::mprotect(start_ + usable_, page, PROT_NONE) != 0) throw std::runtime_error("mprotect");
}

GuardedMemory::~GuardedMemory() {
  const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  ::munmap(start_, usable_ + page);
}

const unsigned char* GuardedMemory::put(std::string_view message) {
  unsigned char* place = start_ + usable_ - message.size();
  if (!message.empty()) std::memcpy(place, message.data(), message.size());
  return place;
}

bool is_accepted(std::string_view message, int descriptors) {
  GuardedMemory memory;
  return launcher::is_valid_request(memory.put(message), message.size(), descriptors);
}

std::string walk_request(const unsigned char* bytes, std::size_t size) {
  Walk walk(bytes, size);
  launcher::Header header;
  std::memcpy(&header, bytes, sizeof header);
  if (header.switch_identity != 0 && (header.outside_uid == 0 || header.outside_gid == 0)) {
    walk.complain("root outside");
  }
  if (header.kind == launcher::RequestKind::make_sandbox) {
    launcher::MakeRequest request;
    std::memcpy(&request, bytes, sizeof request);
    walk.tree(request.tree);
    walk.text(request.host_name, "host_name");
    walk.text(request.work_path, "work_path");
    return walk.complaint();
  }
  launcher::RunRequest request;
  std::memcpy(&request, bytes, sizeof request);
  walk.tree(request.tree);
  walk.texts(request.argv, "argv");
  walk.texts(request.environment, "environment");
  walk.texts(request.candidates, "candidates");
  walk.text(request.working_directory, "working_directory");
  if (walk.list<launcher::ResourceLimit>(request.limits, "limits").empty()) walk.complain("limits");
  if (walk.list<sock_filter>(request.filter, "filter").empty()) walk.complain("filter");
  return walk.complaint();
}

}  // namespace sandbox::runner::test
