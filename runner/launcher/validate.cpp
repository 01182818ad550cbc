// Checks a request before anything in it is used. The host is trusted; a bug in it must not turn
// into a weaker sandbox.
// SPDX-License-Identifier: MIT
#include <linux/filter.h>
#include <string.h>

#include "context.hpp"

namespace sandbox::runner::launcher {
namespace {

class Checker {
 public:
  Checker(const unsigned char* bytes, std::size_t size) : bytes_(bytes), size_(size) {}

  // `element` bytes each, aligned, at most `most` of them.
  [[nodiscard]] bool span(const Span& span, std::size_t element, std::size_t align,
                          std::size_t most) const {
    if (span.count == 0) return true;
    return span.count <= most && span.offset % align == 0 && span.offset <= size_ &&
           span.count <= (size_ - span.offset) / element;
  }

  // The message ends in a NUL, so an offset inside it is a terminated string.
  [[nodiscard]] bool text(Text offset) const { return offset > 0 && offset < size_; }

  [[nodiscard]] bool texts(const Span& list) const {
    if (!span(list, sizeof(Text), alignof(Text), kMaxArguments)) return false;
    for (std::uint32_t i = 0; i < list.count; ++i) {
      Text offset = 0;
      memcpy(&offset, bytes_ + list.offset + i * sizeof(Text), sizeof offset);
      if (!text(offset)) return false;
    }
    return true;
  }

  [[nodiscard]] bool tree(const Span& list) const {
    if (!span(list, sizeof(TreeOp), alignof(TreeOp), kMaxTreeOps)) return false;
    for (std::uint32_t i = 0; i < list.count; ++i) {
      TreeOp op;
      memcpy(&op, bytes_ + list.offset + i * sizeof(TreeOp), sizeof op);
      const bool needs_text = op.kind != TreeKind::directory && op.kind != TreeKind::keep;
      if (op.kind < TreeKind::directory || op.kind > TreeKind::keep || !text(op.path) ||
          bytes_[op.path] != '/' || (needs_text && !text(op.text))) {
        return false;
      }
    }
    return true;
  }

  // Rules of Landlock: a kind and an absolute path each.
  [[nodiscard]] bool landlock(const Span& list) const {
    if (!span(list, sizeof(LandlockRule), alignof(LandlockRule), kMaxLandlockRules)) return false;
    for (std::uint32_t i = 0; i < list.count; ++i) {
      LandlockRule rule;
      memcpy(&rule, bytes_ + list.offset + i * sizeof(LandlockRule), sizeof rule);
      if (rule.access < LandlockAccess::list || rule.access > LandlockAccess::write_execute ||
          !text(rule.path) || bytes_[rule.path] != '/') {
        return false;
      }
    }
    return true;
  }

 private:
  const unsigned char* bytes_;
  std::size_t size_;
};

bool wants(const Header& header, Guard guard) { return (header.wanted & bit(guard)) != 0; }

bool is_valid_make(const Checker& check, const MakeRequest& request) {
  return check.tree(request.tree) && request.tree.count > 0 && check.text(request.host_name) &&
         check.text(request.work_path);
}

// A filter may be absent only where none is wanted.
bool has_valid_filters(const Checker& check, const RunRequest& request) {
  const Header& header = request.header;
  const auto is_program = [&check](const Span& span) {
    return check.span(span, sizeof(sock_filter), alignof(sock_filter), kMaxFilterInstructions);
  };
  return is_program(request.filter) && is_program(request.verdicts) &&
         (request.filter.count > 0) == wants(header, Guard::seccomp) &&
         (request.verdicts.count > 0) == wants(header, Guard::denied_calls) &&
         (wants(header, Guard::seccomp) || !wants(header, Guard::denied_calls)) &&
         (request.landlock.count > 0) == wants(header, Guard::landlock);
}

bool is_valid_run(const Checker& check, const RunRequest& request) {
  // No limits is no run: the boundary has no form without them.
  return check.tree(request.tree) && check.texts(request.argv) && request.argv.count > 0 &&
         check.texts(request.environment) && check.texts(request.candidates) &&
         request.candidates.count > 0 && check.text(request.working_directory) &&
         check.span(request.limits, sizeof(ResourceLimit), alignof(ResourceLimit), 32) &&
         request.limits.count > 0 && check.landlock(request.landlock) &&
         check.text(request.work_path) && has_valid_filters(check, request);
}

}  // namespace

bool is_valid_request(const unsigned char* bytes, std::size_t size, int descriptors) {
  if (size < sizeof(Header) + 1 || size > kMaxRequestBytes || bytes[size - 1] != 0) return false;
  Header header;
  memcpy(&header, bytes, sizeof header);
  if (header.magic != kMagic || header.version != kVersion || header.size != size) return false;
  if (header.switch_identity != 0 && (header.outside_uid == 0 || header.outside_gid == 0)) {
    return false;  // never host uid 0
  }
  // A protection that is required is wanted.
  if ((header.required & ~header.wanted) != 0) return false;
  const int optional = header.in_cgroup != 0 ? 1 : 0;
  const Checker check(bytes, size);
  if (header.kind == RequestKind::make_sandbox && size > sizeof(MakeRequest) &&
      descriptors == 1 + optional) {
    MakeRequest request;
    memcpy(&request, bytes, sizeof request);
    return is_valid_make(check, request);
  }
  if (header.kind == RequestKind::run && size > sizeof(RunRequest)) {
    RunRequest request;
    memcpy(&request, bytes, sizeof request);
    const int expected = kRunDescriptors + optional + (request.has_time_namespace != 0 ? 1 : 0);
    return descriptors == expected && is_valid_run(check, request);
  }
  if (header.kind == RequestKind::probe) {
    return size == sizeof(ProbeRequest) + 1 && descriptors == 1 && optional == 0;
  }
  return false;
}

}  // namespace sandbox::runner::launcher
