// The launcher's check of requests: each field broken alone is refused.
// SPDX-License-Identifier: MIT
#include <gmock/gmock.h>
#include <linux/filter.h>

#include "request_support.hpp"
#include "request_writer.hpp"

namespace sandbox::runner::test {
namespace {

using launcher::Guard;
using launcher::Header;
using launcher::kRunDescriptors;
using launcher::LandlockRule;
using launcher::MakeRequest;
using launcher::RequestKind;
using launcher::ResourceLimit;
using launcher::RunRequest;
using launcher::Span;
using launcher::Text;
using launcher::TreeKind;
using launcher::TreeOp;

constexpr std::uint32_t kHuge = ~0U;

TEST(Validate, WellFormedRequestsPass) {
  for (const Whole& whole : both_kinds()) {
    EXPECT_TRUE(is_accepted(whole.message, whole.descriptors)) << whole.name;
  }
}

TEST(Validate, OtherNumbersOfDescriptorsAreRefused) {
  for (const Whole& whole : both_kinds()) {
    for (int count = -1; count <= kRunDescriptors + 3; ++count) {
      EXPECT_EQ(is_accepted(whole.message, count), count == whole.descriptors)
          << whole.name << " with " << count;
    }
  }
}

TEST(Validate, AProbeIsAHeaderAndNothingElse) {
  const std::string probe = valid_probe();
  for (int count = -1; count <= kRunDescriptors; ++count) {
    EXPECT_EQ(is_accepted(probe, count), count == 1) << count;
  }
  const auto with = [&probe](const std::function<void(launcher::ProbeRequest&)>& change) {
    return edit<launcher::ProbeRequest>(probe, change);
  };
  EXPECT_FALSE(is_accepted(with([](auto& request) { request.header.in_cgroup = 1; }), 2));
  EXPECT_FALSE(is_accepted(with([](auto& request) { request.header.kind = RequestKind::run; }), 8));
  EXPECT_FALSE(is_accepted(with([](auto& request) {
                             request.header.switch_identity = 1;
                             request.header.outside_uid = 0;
                           }),
                           1));
  std::string longer = with([](auto& request) { request.header.size += 1; });
  longer.push_back('\0');
  EXPECT_FALSE(is_accepted(longer, 1));
}

struct HeaderBreak {
  const char* what;
  std::function<void(Header&)> change;
};

TEST(Validate, ABrokenHeaderIsRefused) {
  const std::vector<HeaderBreak> rows = {
      {"magic", [](Header& h) { h.magic ^= 1U; }},
      {"no magic", [](Header& h) { h.magic = 0; }},
      {"older version", [](Header& h) { h.version -= 1; }},
      {"newer version", [](Header& h) { h.version += 1; }},
      {"size 0", [](Header& h) { h.size = 0; }},
      {"smaller size", [](Header& h) { h.size -= 1; }},
      {"larger size", [](Header& h) { h.size += 1; }},
      {"kind 0", [](Header& h) { h.kind = static_cast<RequestKind>(0); }},
      {"kind 4", [](Header& h) { h.kind = static_cast<RequestKind>(4); }},
      // Of the size that it has, it is none.
      {"kind of a probe", [](Header& h) { h.kind = RequestKind::probe; }},
      {"kind of the other",
       [](Header& h) {
         h.kind = h.kind == RequestKind::run ? RequestKind::make_sandbox : RequestKind::run;
       }},
      {"root outside",
       [](Header& h) {
         h.switch_identity = 1;
         h.outside_uid = 0;
         h.outside_gid = 1000;
       }},
      {"root's group outside",
       [](Header& h) {
         h.switch_identity = 1;
         h.outside_uid = 1000;
         h.outside_gid = 0;
       }},
      {"required, and nothing wanted",
       [](Header& h) {
         h.wanted = 0;
         h.required = launcher::bit(Guard::no_exec);
       }},
      {"root outside, with another word for true",
       [](Header& h) {
         h.switch_identity = 0x80000000U;
         h.outside_uid = 0;
         h.outside_gid = 0;
       }},
  };
  for (const Whole& whole : both_kinds()) {
    for (const HeaderBreak& row : rows) {
      EXPECT_FALSE(is_accepted(edit<Header>(whole.message, row.change), whole.descriptors))
          << whole.name << ": " << row.what;
    }
  }
}

TEST(Validate, AnOrdinaryUserMayKeepAnyIds) {
  const auto keep = [](Header& header) {
    header.switch_identity = 0;
    header.outside_uid = 0;
    header.outside_gid = 0;
  };
  for (const Whole& whole : both_kinds()) {
    EXPECT_TRUE(is_accepted(edit<Header>(whole.message, keep), whole.descriptors)) << whole.name;
  }
}

TEST(Validate, AMessageWithoutItsLastNulIsRefused) {
  for (Whole whole : both_kinds()) {
    whole.message.back() = 'x';
    EXPECT_FALSE(is_accepted(whole.message, whole.descriptors)) << whole.name;
  }
}

TEST(Validate, APartOfAMessageIsRefusedOrStillWhole) {
  GuardedMemory memory;
  for (const Whole& whole : both_kinds()) {
    const std::size_t fixed = whole.descriptors == 1 ? sizeof(MakeRequest) : sizeof(RunRequest);
    for (std::size_t size = 0; size < whole.message.size(); ++size) {
      std::string part = with_true_size(whole.message.substr(0, size));
      if (!part.empty()) part.back() = '\0';
      const unsigned char* bytes = memory.put(part);
      const bool accepted = launcher::is_valid_request(bytes, size, whole.descriptors);
      if (size <= fixed) {
        ASSERT_FALSE(accepted) << whole.name << " cut to " << size;
      } else if (accepted) {
        ASSERT_EQ(walk_request(bytes, size, whole.descriptors), "")
            << whole.name << " cut to " << size;
      }
    }
  }
}

TEST(Validate, TheLargestMessagePassesAndALargerOneDoesNot) {
  for (Whole whole : both_kinds()) {
    whole.message.resize(launcher::kMaxRequestBytes, '\0');
    EXPECT_TRUE(is_accepted(with_true_size(whole.message), whole.descriptors)) << whole.name;
    whole.message.push_back('\0');
    EXPECT_FALSE(is_accepted(with_true_size(whole.message), whole.descriptors)) << whole.name;
  }
}

// The lists of a request. `may_be_empty`: no element is a legal number of them.
template <class Request>
struct ListRow {
  const char* name;
  Span Request::*list;
  std::size_t element;
  std::size_t align;
  bool may_be_empty;
};

const std::vector<ListRow<MakeRequest>>& make_lists() {
  static const std::vector<ListRow<MakeRequest>> rows = {
      {"tree", &MakeRequest::tree, sizeof(TreeOp), alignof(TreeOp), false}};
  return rows;
}

const std::vector<ListRow<RunRequest>>& run_lists() {
  static const std::vector<ListRow<RunRequest>> rows = {
      {"tree", &RunRequest::tree, sizeof(TreeOp), alignof(TreeOp), true},
      {"argv", &RunRequest::argv, sizeof(Text), alignof(Text), false},
      {"environment", &RunRequest::environment, sizeof(Text), alignof(Text), true},
      {"candidates", &RunRequest::candidates, sizeof(Text), alignof(Text), false},
      {"limits", &RunRequest::limits, sizeof(ResourceLimit), alignof(ResourceLimit), false},
      {"filter", &RunRequest::filter, sizeof(sock_filter), alignof(sock_filter), false},
      {"verdicts", &RunRequest::verdicts, sizeof(sock_filter), alignof(sock_filter), false},
      {"landlock", &RunRequest::landlock, sizeof(LandlockRule), alignof(LandlockRule), false},
  };
  return rows;
}

// The message with its last elements at its very end, so that only the bounds are in question.
template <class Request>
std::string with_list_at_end(std::string message, const ListRow<Request>& row) {
  const Span list = fixed_part<Request>(message).*row.list;
  message.pop_back();
  while (message.size() % row.align != 0) message.push_back('\0');
  Span moved = list;
  moved.offset = static_cast<std::uint32_t>(message.size());
  message += message.substr(list.offset, list.count * row.element);
  // The last byte belongs to an element and is the NUL, as the elements are little-endian.
  EXPECT_EQ(message.back(), '\0') << row.name;
  return with_true_size(
      edit<Request>(std::move(message), [&](Request& request) { request.*row.list = moved; }));
}

template <class Request>
void break_each_list(const std::string& message, int descriptors,
                     const std::vector<ListRow<Request>>& rows) {
  const auto size = static_cast<std::uint32_t>(message.size());
  for (const ListRow<Request>& row : rows) {
    SCOPED_TRACE(row.name);
    const auto set = [&](const std::string& in, const std::function<void(Span&)>& change) {
      return is_accepted(edit<Request>(in, [&](Request& r) { change(r.*row.list); }), descriptors);
    };
    EXPECT_EQ(set(message, [](Span& s) { s.count = 0; }), row.may_be_empty);
    EXPECT_EQ(set(message, [](Span& s) { s = Span(); }), row.may_be_empty);
    EXPECT_FALSE(set(message, [&](Span& s) { s.offset = size; }));
    EXPECT_FALSE(set(message, [&](Span& s) { s.offset = (size + 64) / 8 * 8; }));
    EXPECT_FALSE(set(message, [](Span& s) { s.offset = kHuge - 7; }));
    EXPECT_FALSE(set(message, [](Span& s) { s.count = kHuge; }));
    EXPECT_FALSE(set(message, [](Span& s) { s.count = kHuge / 8 + 2; }));
    for (std::uint32_t off = 1; off < row.align; ++off) {
      EXPECT_FALSE(set(message, [&](Span& s) { s.offset += off; })) << "unaligned by " << off;
      EXPECT_FALSE(set(message, [&](Span& s) { s.offset -= off; })) << "unaligned by -" << off;
    }
    const std::string last = with_list_at_end(message, row);
    EXPECT_TRUE(is_accepted(last, descriptors)) << "the control of the next one";
    EXPECT_FALSE(set(last, [](Span& s) { s.count += 1; })) << "one element past the end";
  }
}

TEST(Validate, EachListOfAMakeRequestMustLieInTheMessage) {
  break_each_list<MakeRequest>(valid_make(), 1, make_lists());
}

TEST(Validate, EachListOfARunRequestMustLieInTheMessage) {
  break_each_list<RunRequest>(valid_run(), kRunDescriptors, run_lists());
}

// Appends a list of `count` copies of the first element and points to it.
template <class Request>
std::string with_copies(std::string message, const ListRow<Request>& row, std::size_t count) {
  const Span list = fixed_part<Request>(message).*row.list;
  const std::string element = message.substr(list.offset, row.element);
  while (message.size() % row.align != 0) message.push_back('\0');
  Span longer;
  longer.offset = static_cast<std::uint32_t>(message.size());
  longer.count = static_cast<std::uint32_t>(count);
  for (std::size_t i = 0; i < count; ++i) message += element;
  message.push_back('\0');
  return with_true_size(
      edit<Request>(std::move(message), [&](Request& request) { request.*row.list = longer; }));
}

// All elements are there and good: only their number is refused.
TEST(Validate, EachListHasAMostNumberOfElements) {
  constexpr std::size_t kMaxLimits = 32;
  const std::size_t run_most[] = {launcher::kMaxTreeOps,
                                  launcher::kMaxArguments,
                                  launcher::kMaxArguments,
                                  launcher::kMaxArguments,
                                  kMaxLimits,
                                  launcher::kMaxFilterInstructions,
                                  launcher::kMaxFilterInstructions,
                                  launcher::kMaxLandlockRules};
  ASSERT_EQ(std::size(run_most), run_lists().size());
  for (std::size_t i = 0; i < run_lists().size(); ++i) {
    const ListRow<RunRequest>& row = run_lists()[i];
    const std::size_t most = run_most[i];
    EXPECT_TRUE(is_accepted(with_copies(valid_run(), row, most), kRunDescriptors)) << row.name;
    EXPECT_FALSE(is_accepted(with_copies(valid_run(), row, most + 1), kRunDescriptors)) << row.name;
  }
  const ListRow<MakeRequest>& tree = make_lists().front();
  EXPECT_TRUE(is_accepted(with_copies(valid_make(), tree, launcher::kMaxTreeOps), 1));
  EXPECT_FALSE(is_accepted(with_copies(valid_make(), tree, launcher::kMaxTreeOps + 1), 1));
}

TEST(Validate, EachTextMustBeThereAndInTheMessage) {
  const std::string make = valid_make();
  for (Text MakeRequest::*text : {&MakeRequest::host_name, &MakeRequest::work_path}) {
    for (const auto& [place, legal] : places(make.size())) {
      const auto change = [&, to = place](MakeRequest& request) { request.*text = to; };
      EXPECT_EQ(is_accepted(edit<MakeRequest>(make, change), 1), legal) << place;
    }
  }
  const std::string run = valid_run();
  for (Text RunRequest::*text : {&RunRequest::working_directory, &RunRequest::work_path}) {
    for (const auto& [place, legal] : places(run.size())) {
      const auto change = [&, to = place](RunRequest& request) { request.*text = to; };
      EXPECT_EQ(is_accepted(edit<RunRequest>(run, change), kRunDescriptors), legal) << place;
    }
  }
}

TEST(Validate, EachElementOfAListOfTextsIsLookedAt) {
  const std::string run = valid_run();
  const auto request = fixed_part<RunRequest>(run);
  for (const Span& list : {request.argv, request.environment, request.candidates}) {
    for (std::uint32_t i = 0; i < list.count; ++i) {
      for (const auto& [place, legal] : places(run.size())) {
        const auto change = [to = place](Text& text) { text = to; };
        EXPECT_EQ(is_accepted(edit_element<Text>(run, list, i, change), kRunDescriptors), legal)
            << "element " << i << " at " << place;
      }
    }
  }
}

void break_each_operation(const std::string& message, const Span& tree, Text relative,
                          int descriptors) {
  ASSERT_GT(tree.count, 0U);
  for (std::uint32_t i = 0; i < tree.count; ++i) {
    SCOPED_TRACE("operation " + std::to_string(i));
    const auto changed = [&](const std::function<void(TreeOp&)>& change) {
      return is_accepted(edit_element<TreeOp>(message, tree, i, change), descriptors);
    };
    TreeKind kind = TreeKind::directory;
    EXPECT_TRUE(changed([&](TreeOp& op) { kind = op.kind; }));
    const bool needs_text = kind != TreeKind::directory && kind != TreeKind::keep;
    EXPECT_FALSE(changed([](TreeOp& op) { op.kind = static_cast<TreeKind>(0); }));
    EXPECT_FALSE(changed([](TreeOp& op) { op.kind = static_cast<TreeKind>(8); }));
    EXPECT_FALSE(changed([](TreeOp& op) { op.kind = static_cast<TreeKind>(kHuge); }));
    EXPECT_FALSE(changed([&](TreeOp& op) { op.path = relative; })) << "a path without '/'";
    for (const auto& [place, legal] : places(message.size())) {
      const Text to = place;
      // The last byte is an empty text, and so no absolute path.
      EXPECT_FALSE(changed([&](TreeOp& op) { op.path = to; })) << to;
      EXPECT_EQ(changed([&](TreeOp& op) { op.text = to; }), legal || !needs_text) << to;
    }
  }
}

TEST(Validate, EachTreeOperationIsLookedAt) {
  const std::string make = valid_make();
  const auto made = fixed_part<MakeRequest>(make);
  ASSERT_EQ(made.tree.count, 7U) << "one of each kind";
  break_each_operation(make, made.tree, made.host_name, 1);
  const std::string run = valid_run();
  const auto ran = fixed_part<RunRequest>(run);
  Text program = 0;
  std::memcpy(&program, run.data() + ran.argv.offset, sizeof program);
  break_each_operation(run, ran.tree, program, kRunDescriptors);
}

}  // namespace
}  // namespace sandbox::runner::test
