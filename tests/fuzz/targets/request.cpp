// The launcher's protocol: a request that is found valid can be walked as the launcher walks it.
// SPDX-License-Identifier: MIT
#include <linux/filter.h>
#include <linux/seccomp.h>

#include <memory>

#include "launcher/context.hpp"
#include "launcher/observer.hpp"
#include "targets.hpp"

namespace sandbox::fuzz {
namespace {

using namespace runner::launcher;

// Reads all that a stage or a workload would, through the launcher's own accessors and in place: a
// place out of bounds or out of alignment is the sanitizers' to see.
class Walk {
 public:
  Walk(const unsigned char* bytes, std::size_t size) : context_(bytes, -1), size_(size) {}

  void make() {
    const MakeRequest& request = context_.make();
    check(request.tree.count > 0, "a sandbox has a tree");
    tree(request.tree);
    text(request.host_name);
    text(request.work_path);
    touch(request.loopback);
  }

  void run() {
    const RunRequest& request = context_.run();
    tree(request.tree);
    check(request.argv.count > 0 && request.candidates.count > 0, "a run has a program");
    for (const Span& list : {request.argv, request.environment, request.candidates}) texts(list);
    check(request.limits.count > 0, "a run has limits");
    for (const ResourceLimit& limit : list<ResourceLimit>(request.limits)) {
      touch(limit.resource ^ limit.soft ^ limit.hard);
    }
    filters(request);
    landlock(request.landlock);
    text(request.working_directory);
    text(request.work_path);
    touch(request.budget.memory_bytes ^ request.budget.cpu_us ^ request.budget.processes);
  }

  void header() {
    const Header& header = context_.header();
    check(header.size == size_, "the size is the message's");
    check((header.required & ~header.wanted) == 0, "what is required is wanted");
    const bool as_root = header.outside_uid == 0 || header.outside_gid == 0;
    check(header.switch_identity == 0 || !as_root, "nobody is the host's root outside");
  }

 private:
  void touch(std::uint64_t value) { sum_ = sum_ + value; }

  template <class Element>
  std::span<const Element> list(const Span& span) const {
    // The launcher makes the pointer of an empty list too, and never reads through it.
    if (span.count == 0) return {};
    return {context_.at<Element>(span.offset), span.count};
  }

  void text(Text offset) {
    check(offset > 0, "a text that is used is there");
    touch(std::strlen(context_.text(offset)));
  }

  void texts(const Span& span) {
    check(span.count <= kMaxArguments, "texts fit the room for their pointers");
    for (const Text offset : list<Text>(span)) text(offset);
  }

  void tree(const Span& span) {
    check(span.count <= kMaxTreeOps, "operations fit the room for their mounts");
    for (const TreeOp& op : list<TreeOp>(span)) {
      text(op.path);
      check(context_.text(op.path)[0] == '/', "a path of the tree is absolute");
      touch(op.mode ^ op.flags ^ op.device ^ op.inode);
      switch (op.kind) {
        case TreeKind::directory:
        case TreeKind::keep:
          break;
        case TreeKind::link:
        case TreeKind::file:
        case TreeKind::bind:
        case TreeKind::tmpfs:
        case TreeKind::proc:
          text(op.text);
          break;
        default:
          check(false, "the kind of an operation is known");
      }
    }
  }

  void landlock(const Span& span) {
    check(span.count <= kMaxLandlockRules, "not more rules than there may be");
    check((span.count > 0) == context_.wants(Guard::landlock), "rules exactly where wanted");
    for (const LandlockRule& rule : list<LandlockRule>(span)) {
      text(rule.path);
      check(context_.text(rule.path)[0] == '/', "a path of a rule is absolute");
      check(rule.access >= LandlockAccess::list && rule.access <= LandlockAccess::write_execute,
            "the access of a rule is known");
    }
  }

  void filters(const RunRequest& request) {
    const bool filters = context_.wants(Guard::seccomp);
    const bool observes = context_.wants(Guard::denied_calls);
    check((request.filter.count > 0) == filters, "a filter exactly where wanted");
    check((request.verdicts.count > 0) == observes, "verdicts exactly where wanted");
    check(filters || !observes, "no observer of no filter");
    for (const Span& span : {request.filter, request.verdicts}) {
      check(span.count <= BPF_MAXINSNS, "a filter that the kernel takes");
      for (const sock_filter& step : list<sock_filter>(span)) touch(step.code ^ step.k);
    }
    if (!observes) return;
    const seccomp_data call{};
    touch(verdict_of(context_.at<sock_filter>(request.verdicts.offset), request.verdicts.count,
                     call));
    Reply reply;
    Observer(context_, -1).write_to(reply);
  }

  Context context_;
  std::size_t size_;
  volatile std::uint64_t sum_ = 0;
};

// What an input may ask for, so that it comes past the first checks, where the others are.
constexpr unsigned kMendHeader = 1;
constexpr unsigned kMendCount = 2;
constexpr unsigned kMendEnd = 4;
constexpr unsigned kPlant = 8;  // a word at the edge of what is legal, where it says

void mend_header(unsigned char* bytes, std::size_t size) {
  if (size < sizeof(Header)) return;
  Header header;
  std::memcpy(&header, bytes, sizeof header);
  header.magic = kMagic;
  header.version = kVersion;
  header.size = static_cast<std::uint32_t>(size);
  std::memcpy(bytes, &header, sizeof header);
}

void plant(unsigned char* bytes, std::size_t size, std::size_t place, std::size_t choice) {
  const auto end = static_cast<std::uint32_t>(size);
  const std::uint32_t edges[] = {0,           1,       end - 1,     end,         end + 1,
                                 end / 4 * 4, end - 4, end / 4 - 1, end / 8,     0x80000000U,
                                 ~0U,         ~0U - 7, 4,           kMaxTreeOps, kMaxArguments};
  if (size < sizeof edges[0]) return;
  const std::size_t word = place % (size / sizeof edges[0]);
  std::memcpy(bytes + word * sizeof edges[0], &edges[choice % std::size(edges)], sizeof edges[0]);
}

int wanted_descriptors(const unsigned char* bytes, std::size_t size) {
  if (size == sizeof(ProbeRequest) + 1) return 1;
  RunRequest request;
  if (size < sizeof request) return 0;
  std::memcpy(&request, bytes, sizeof request);
  const int cgroup = request.header.in_cgroup != 0 ? 1 : 0;
  if (request.header.kind == RequestKind::make_sandbox) return 1 + cgroup;
  return kRunDescriptors + cgroup + (request.has_time_namespace != 0 ? 1 : 0);
}

}  // namespace

void request(Bytes input) {
  Reader reader(input);
  const auto mending = reader.take<unsigned char>();
  int descriptors = reader.take<signed char>();
  const bool plants = (mending & kPlant) != 0;
  const std::size_t place = plants ? reader.take<std::uint16_t>() : 0;
  const std::size_t choice = plants ? reader.take<unsigned char>() : 0;
  const std::size_t size = reader.rest().size();
  // Aligned as the launcher's room is, and of the message's exact size.
  const auto bytes = std::make_unique<unsigned char[]>(size);
  if (size > 0) std::memcpy(bytes.get(), reader.rest().data(), size);
  if (plants) plant(bytes.get(), size, place, choice);
  if ((mending & kMendHeader) != 0) mend_header(bytes.get(), size);
  if ((mending & kMendEnd) != 0 && size > 0) bytes[size - 1] = 0;
  if ((mending & kMendCount) != 0) descriptors = wanted_descriptors(bytes.get(), size);
  if (!is_valid_request(bytes.get(), size, descriptors)) return;

  check(size <= kMaxRequestBytes, "a message that the launcher has room for");
  Walk walk(bytes.get(), size);
  walk.header();
  const Context context(bytes.get(), -1);
  const bool in_cgroup = context.header().in_cgroup != 0;
  if (context.header().kind == RequestKind::make_sandbox) {
    check(descriptors == (in_cgroup ? 2 : 1), "the descriptors of a sandbox");
    walk.make();
  } else if (context.header().kind == RequestKind::probe) {
    check(descriptors == 1 && !in_cgroup && size == sizeof(ProbeRequest) + 1, "a probe is bare");
  } else {
    check(context.header().kind == RequestKind::run, "the kind of a request is known");
    const bool in_time = context.run().has_time_namespace != 0;
    check(descriptors == kRunDescriptors + (in_cgroup ? 1 : 0) + (in_time ? 1 : 0),
          "the descriptors of a run");
    walk.run();
  }
}

}  // namespace sandbox::fuzz
