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

using launcher::Guard;
using launcher::LandlockAccess;
using launcher::TreeKind;

// What the message asks for: everything, and a part of it to fail without.
void want_all(launcher::Header& header) {
  header.wanted = (1U << 15U) - 1;
  header.required = launcher::bit(Guard::seccomp) | launcher::bit(Guard::no_exec) |
                    launcher::bit(Guard::inode_limits);
}

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

  void landlock(const launcher::Span& span) {
    for (const launcher::LandlockRule& rule : list<launcher::LandlockRule>(span, "landlock")) {
      text(rule.path, "path of a rule");
      if (!complaint_.empty()) return;
      if (bytes_[rule.path] != '/') complain("path of a rule is not absolute");
      const auto access = static_cast<std::uint32_t>(rule.access);
      if (access < 1 || access > 6) complain("access of a rule");
    }
  }

  // A list that is there exactly where its protection is wanted.
  template <class Element>
  void list_of(const launcher::Header& header, Guard guard, const launcher::Span& span,
               const char* name) {
    const bool is_wanted = (header.wanted & launcher::bit(guard)) != 0;
    if (list<Element>(span, name).empty() == is_wanted) complain(name);
  }

  void header(const launcher::Header& header) {
    if (header.switch_identity != 0 && (header.outside_uid == 0 || header.outside_gid == 0)) {
      complain("root outside");
    }
    if ((header.required & header.wanted) != header.required) complain("required, not wanted");
    const bool observes = (header.wanted & launcher::bit(Guard::denied_calls)) != 0;
    const bool filters = (header.wanted & launcher::bit(Guard::seccomp)) != 0;
    const bool runs = header.kind == launcher::RequestKind::run;
    if (runs && observes && !filters) complain("an observer of no filter");
  }

  void complain(const char* about) { complaint_ = about; }
  [[nodiscard]] const std::string& complaint() const { return complaint_; }

 private:
  const unsigned char* bytes_;
  std::size_t size_;
  std::string complaint_;
};

}  // namespace

std::string valid_probe() {
  launcher::ProbeRequest probe;
  probe.header.kind = launcher::RequestKind::probe;
  probe.header.outside_uid = 1001;
  probe.header.outside_gid = 1001;
  return RequestWriter(sizeof probe).finish(probe);
}

std::string valid_make() {
  launcher::MakeRequest flat;
  flat.header.kind = launcher::RequestKind::make_sandbox;
  flat.header.outside_uid = 1000;
  flat.header.outside_gid = 1000;
  flat.header.switch_identity = 1;
  want_all(flat.header);
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
  want_all(flat.header);
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
  flat.verdicts = writer.array(std::vector<sock_filter>{{BPF_LD | BPF_W | BPF_ABS, 0, 0, 4},
                                                        {BPF_JMP | BPF_JA, 0, 0, 0},
                                                        {BPF_RET | BPF_K, 0, 0, 0x50001}});
  flat.landlock = write_landlock(writer, {{"/", LandlockAccess::list},
                                          {"/etc", LandlockAccess::read},
                                          {"/usr", LandlockAccess::read_execute},
                                          {"/dev/null", LandlockAccess::device},
                                          {"/work", LandlockAccess::write},
                                          {"/tmp", LandlockAccess::write_execute}});
  flat.budget.memory_bytes = 1U << 20U;
  flat.budget.cpu_us = 1000;
  flat.budget.processes = 64;
  flat.handles_network = 1;
  flat.working_directory = writer.text("/work/sub");
  flat.work_path = writer.text("/work");
  return writer.finish(flat);
}

std::string make_in_cgroup() {
  return edit<launcher::Header>(valid_make(), [](launcher::Header& h) { h.in_cgroup = 1; });
}

std::string run_with_all_descriptors() {
  return edit<launcher::RunRequest>(valid_run(), [](launcher::RunRequest& run) {
    run.header.in_cgroup = 1;
    run.has_time_namespace = 1;
  });
}

std::vector<Whole> both_kinds() {
  return {{"make", valid_make(), 1}, {"run", valid_run(), launcher::kRunDescriptors}};
}

std::vector<std::pair<launcher::Text, bool>> places(std::size_t size) {
  const auto end = static_cast<launcher::Text>(size);
  return {{0, false}, {end - 1, true}, {end, false}, {end + 1, false}, {~0U, false}};
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

std::string walk_request(const unsigned char* bytes, std::size_t size, int descriptors) {
  Walk walk(bytes, size);
  launcher::Header header;
  std::memcpy(&header, bytes, sizeof header);
  walk.header(header);
  int expected = header.in_cgroup != 0 ? 1 : 0;
  if (header.kind == launcher::RequestKind::make_sandbox) {
    launcher::MakeRequest request;
    std::memcpy(&request, bytes, sizeof request);
    walk.tree(request.tree);
    walk.text(request.host_name, "host_name");
    walk.text(request.work_path, "work_path");
    if (descriptors != expected + 1) walk.complain("descriptors");
    return walk.complaint();
  }
  launcher::RunRequest request;
  std::memcpy(&request, bytes, sizeof request);
  walk.tree(request.tree);
  walk.texts(request.argv, "argv");
  walk.texts(request.environment, "environment");
  walk.texts(request.candidates, "candidates");
  walk.text(request.working_directory, "working_directory");
  walk.text(request.work_path, "work_path");
  if (walk.list<launcher::ResourceLimit>(request.limits, "limits").empty()) walk.complain("limits");
  walk.list_of<sock_filter>(header, Guard::seccomp, request.filter, "filter");
  walk.list_of<sock_filter>(header, Guard::denied_calls, request.verdicts, "verdicts");
  walk.list_of<launcher::LandlockRule>(header, Guard::landlock, request.landlock, "landlock");
  walk.landlock(request.landlock);
  expected += launcher::kRunDescriptors + (request.has_time_namespace != 0 ? 1 : 0);
  if (descriptors != expected) walk.complain("descriptors");
  return walk.complaint();
}

}  // namespace sandbox::runner::test
