// The plan of a guest's file system, carried out on a model of one.
// SPDX-License-Identifier: MIT
#include "root_plan.hpp"

#include <gmock/gmock.h>
#include <sys/stat.h>

#include <algorithm>
#include <functional>
#include <map>
#include <set>

#include "host_support.hpp"
#include "plan_support.hpp"
#include "request_support.hpp"
#include "sandbox/path.hpp"

namespace sandbox::runner::test {
namespace {

using namespace literals;
using launcher::TreeKind;
using ::testing::AllOf;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::MatchesRegex;
using ::testing::Not;

// What stands where after the operations so far. Complains about one that the kernel would refuse.
class ModelRoot {
 public:
  void carry_out(const std::vector<PlannedOp>& ops) {
    const auto before = standing_;
    for (const PlannedOp& op : ops) {
      SCOPED_TRACE(op.path);
      carry_out(op, before);
    }
  }

  [[nodiscard]] bool has(const std::string& path) const { return standing_.contains(path); }

 private:
  void carry_out(const PlannedOp& op, const std::map<std::string, TreeKind>& before) {
    for (const std::string& parent : parents_from_root(op.path)) {
      const auto found = standing_.find(parent);
      ASSERT_NE(found, standing_.end()) << "nothing stands at its parent " << parent;
      ASSERT_TRUE(found->second == TreeKind::directory || found->second == TreeKind::tmpfs)
          << "its parent " << parent << " is read-only or a link";
    }
    if (op.kind == TreeKind::tmpfs || op.kind == TreeKind::proc) {
      ASSERT_TRUE(standing_.contains(op.path)) << "no directory to mount on";
      std::erase_if(standing_,
                    [&](const auto& entry) { return entry.first.starts_with(op.path + "/"); });
      standing_[op.path] = op.kind;
      return;
    }
    if (op.kind == TreeKind::keep) {
      ASSERT_TRUE(before.contains(op.path)) << "nothing was there to keep";
      ASSERT_EQ(before.at(op.path), TreeKind::bind);
    }
    ASSERT_TRUE(standing_.emplace(op.path, op.kind).second) << "made twice";
  }

  std::map<std::string, TreeKind> standing_;
};

std::vector<PlannedOp> plan(const std::string& work_directory = "/work", Bytes size = 256_MiB) {
  return plan_sandbox_tree(hand_made_image(), work_directory, TreeRules(size));
}

const PlannedOp* find(const std::vector<PlannedOp>& ops, const std::string& path, TreeKind kind) {
  const auto found = std::find_if(ops.begin(), ops.end(), [&](const PlannedOp& op) {
    return op.path == path && op.kind == kind;
  });
  return found == ops.end() ? nullptr : &*found;
}

const char* const kWorkDirectories[] = {"/work", "/maf-sandbox/work", "/work/sub", "/a/b/c/d"};

TEST(RootPlan, CanBeCarriedOutAndShowsAllOfTheImage) {
  const Image image = hand_made_image();
  for (const char* work_directory : kWorkDirectories) {
    SCOPED_TRACE(work_directory);
    ModelRoot root;
    root.carry_out(plan_sandbox_tree(image, work_directory, TreeRules(256_MiB)));
    const auto expect_image = [&](const char* when) {
      for (const auto* binds : {&image.binds, &image.late_binds}) {
        for (const ImageBind& bind : *binds)
          EXPECT_TRUE(root.has(bind.guest_path)) << when << bind.guest_path;
      }
      for (const auto* links : {&image.links, &image.late_links}) {
        for (const ImageLink& link : *links)
          EXPECT_TRUE(root.has(link.guest_path)) << when << link.guest_path;
      }
      for (const char* path :
           {"/dev/null", "/etc/passwd", "/proc", "/tmp", "/dev/shm", work_directory}) {
        EXPECT_TRUE(root.has(path)) << when << path;
      }
    };
    expect_image("sandbox: ");
    root.carry_out(plan_run_tree(image, TreeRules(256_MiB)));
    expect_image("run: ");
  }
}

TEST(RootPlan, AnImageWithoutAnythingStillMakesARoot) {
  ModelRoot root;
  root.carry_out(plan_sandbox_tree(Image(), "/work", TreeRules(1_MiB)));
  root.carry_out(plan_run_tree(Image(), TreeRules(1_MiB)));
  EXPECT_TRUE(root.has("/work"));
}

TEST(RootPlan, EveryTmpfsIsBoundedInBytesAndInodes) {
  std::set<std::string> places;
  for (const auto& ops : {plan(), plan_run_tree(hand_made_image(), TreeRules(256_MiB))}) {
    for (const PlannedOp& op : ops) {
      if (op.kind != TreeKind::tmpfs) continue;
      places.insert(op.path);
      EXPECT_THAT(op.text, MatchesRegex("size=[1-9][0-9]*,mode=[0-7]+,nr_inodes=[1-9][0-9]*"))
          << op.path;
      EXPECT_EQ(op.flags & launcher::kTreeAllowExec, 0U) << op.path;
    }
  }
  EXPECT_EQ(places, (std::set<std::string>{"/work", "/tmp", "/dev/shm"}));
}

struct WorkSize {
  Bytes size;
  const char* options;
};

TEST(RootPlan, TheWorkDirectoryHasTheSizeThatWasAskedAndInodesToMatch) {
  const WorkSize rows[] = {
      {1_MiB, "size=1048576,mode=700,nr_inodes=1024"},
      {8_MiB, "size=8388608,mode=700,nr_inodes=1024"},
      {256_MiB, "size=268435456,mode=700,nr_inodes=32768"},
      {1024_GiB, "size=1099511627776,mode=700,nr_inodes=1048576"},
  };
  for (const WorkSize& row : rows) {
    const auto ops = plan("/work", row.size);
    const PlannedOp* work = find(ops, "/work", TreeKind::tmpfs);
    ASSERT_NE(work, nullptr);
    EXPECT_EQ(work->text, row.options);
  }
}

TEST(RootPlan, ScratchPlacesOfARunAreForAllOfItsUsers) {
  const auto ops = plan_run_tree(hand_made_image(), TreeRules(256_MiB));
  for (const char* path : {"/tmp", "/dev/shm"}) {
    const PlannedOp* scratch = find(ops, path, TreeKind::tmpfs);
    ASSERT_NE(scratch, nullptr) << path;
    EXPECT_EQ(scratch->text, "size=67108864,mode=1777,nr_inodes=8192");
  }
}

TEST(RootPlan, BothTreesEndWithAProcThatShowsLittle) {
  for (const auto& ops : {plan(), plan_run_tree(hand_made_image(), TreeRules(256_MiB))}) {
    ASSERT_FALSE(ops.empty());
    EXPECT_EQ(ops.back().kind, TreeKind::proc);
    EXPECT_EQ(ops.back().path, "/proc");
    EXPECT_EQ(ops.back().text, "subset=pid,hidepid=ptraceable");
  }
}

// What one rule changes in both trees: the operations of that kind, and nothing of the others.
struct Changed {
  TreeKind kind;
  TreeRules rules;
  std::function<void(PlannedOp&)> expected;
};

TEST(RootPlan, EachRuleChangesItsOwnMountsAndNothingElse) {
  TreeRules no_inodes(256_MiB);
  no_inodes.limits_inodes = false;
  TreeRules executable(256_MiB);
  executable.allows_exec = true;
  TreeRules whole_proc(256_MiB);
  whole_proc.hides_processes = false;
  const std::vector<Changed> rows = {
      {TreeKind::tmpfs, no_inodes,
       [](PlannedOp& op) { op.text = op.text.substr(0, op.text.find(",nr_")) + ",nr_inodes=0"; }},
      {TreeKind::tmpfs, executable, [](PlannedOp& op) { op.flags |= launcher::kTreeAllowExec; }},
      {TreeKind::proc, whole_proc, [](PlannedOp& op) { op.text = ""; }},
  };
  const Image image = hand_made_image();
  const TreeRules usual(256_MiB);
  for (const Changed& row : rows) {
    for (const bool run : {false, true}) {
      std::vector<PlannedOp> expected =
          run ? plan_run_tree(image, usual) : plan_sandbox_tree(image, "/work", usual);
      for (PlannedOp& op : expected) {
        if (op.kind == row.kind) row.expected(op);
      }
      const std::vector<PlannedOp> got =
          run ? plan_run_tree(image, row.rules) : plan_sandbox_tree(image, "/work", row.rules);
      ASSERT_EQ(got.size(), expected.size());
      for (std::size_t i = 0; i < got.size(); ++i) {
        EXPECT_EQ(got[i].kind, expected[i].kind) << got[i].path;
        EXPECT_EQ(got[i].path, expected[i].path);
        EXPECT_EQ(got[i].text, expected[i].text) << got[i].path;
        EXPECT_EQ(got[i].flags, expected[i].flags) << got[i].path;
      }
    }
  }
}

TEST(RootPlan, OnlyFiveDevicesAreBoundAsDevicesAndPinned) {
  std::set<std::string> devices;
  for (const PlannedOp& op : plan()) {
    if ((op.flags & launcher::kTreeIsDevice) == 0) {
      EXPECT_FALSE(op.kind == TreeKind::bind && op.path.starts_with("/dev/")) << op.path;
      continue;
    }
    devices.insert(op.path);
    EXPECT_EQ(op.kind, TreeKind::bind);
    EXPECT_EQ(op.flags, launcher::kTreeIsDevice) << "a device is no directory";
    EXPECT_EQ(op.text, op.path);
    struct stat found {};
    ASSERT_EQ(::stat(op.path.c_str(), &found), 0);
    EXPECT_EQ(op.device, found.st_dev);
    EXPECT_EQ(op.inode, found.st_ino);
  }
  EXPECT_EQ(devices, (std::set<std::string>{"/dev/null", "/dev/zero", "/dev/full", "/dev/random",
                                            "/dev/urandom"}));
}

TEST(RootPlan, BindsAndLinksOfTheImageAreTakenOverAsTheyAre) {
  const auto ops = plan();
  const Image image = hand_made_image();
  for (const auto* binds : {&image.binds, &image.late_binds}) {
    for (const ImageBind& bind : *binds) {
      const PlannedOp* op = find(ops, bind.guest_path, TreeKind::bind);
      ASSERT_NE(op, nullptr) << bind.guest_path;
      EXPECT_EQ(op->text, bind.host_path);
      EXPECT_EQ(op->flags, bind.is_directory ? launcher::kTreeIsDirectory : 0U);
      EXPECT_EQ(op->device, bind.device);
      EXPECT_EQ(op->inode, bind.inode);
    }
  }
  for (const auto* links : {&image.links, &image.late_links}) {
    for (const ImageLink& link : *links) {
      const PlannedOp* op = find(ops, link.guest_path, TreeKind::link);
      ASSERT_NE(op, nullptr) << link.guest_path;
      EXPECT_EQ(op->text, link.target);
    }
  }
}

TEST(RootPlan, NothingOfTheHostsEtcIsBoundButWhatTheImageNames) {
  const auto ops = plan();
  const PlannedOp* passwd = find(ops, "/etc/passwd", TreeKind::file);
  ASSERT_NE(passwd, nullptr);
  EXPECT_THAT(passwd->text, HasSubstr("sandbox:x:1000:1000:sandbox:/tmp/home:/bin/sh\n"));
  const PlannedOp* resolver = find(ops, "/etc/resolv.conf", TreeKind::file);
  ASSERT_NE(resolver, nullptr);
  EXPECT_EQ(resolver->text, "");
  EXPECT_NE(find(ops, "/etc/ld.so.cache", TreeKind::bind), nullptr);
  for (const char* name : {"/etc/group", "/etc/hosts", "/etc/hostname", "/etc/nsswitch.conf",
                           "/etc/protocols", "/etc/services"}) {
    const PlannedOp* file = find(ops, name, TreeKind::file);
    ASSERT_NE(file, nullptr) << name;
    EXPECT_EQ(file->mode, 0644U) << name;
  }
}

std::size_t index_of(const std::vector<PlannedOp>& ops, const std::string& path, TreeKind kind) {
  const PlannedOp* found = find(ops, path, kind);
  return found == nullptr ? ops.size() : static_cast<std::size_t>(found - ops.data());
}

TEST(RootPlan, LatePartsComeAfterTheMountThatWouldHideThem) {
  const auto ops = plan("/work");
  const std::size_t work = index_of(ops, "/work", TreeKind::tmpfs);
  ASSERT_LT(work, ops.size());
  for (const auto& [path, kind] :
       {std::pair("/work/venv", TreeKind::bind), std::pair("/work/deep/er/lib", TreeKind::bind),
        std::pair("/work/py", TreeKind::link)}) {
    EXPECT_GT(index_of(ops, path, kind), work) << path;
    EXPECT_LT(index_of(ops, path, kind), ops.size()) << path;
  }
  const auto run = plan_run_tree(hand_made_image(), TreeRules(256_MiB));
  const std::size_t tmp = index_of(run, "/tmp", TreeKind::tmpfs);
  ASSERT_LT(tmp, run.size());
  for (const auto& [path, kind] :
       {std::pair("/tmp/venv/lib", TreeKind::keep), std::pair("/tmp/python3", TreeKind::keep),
        std::pair("/tmp/venv/bin", TreeKind::link)}) {
    EXPECT_GT(index_of(run, path, kind), tmp) << path;
    EXPECT_LT(index_of(run, path, kind), run.size()) << path;
  }
}

TEST(RootPlan, ARunKeepsWhatLiesBelowTmpAndNothingElse) {
  std::map<std::string, std::uint32_t> kept;
  for (const PlannedOp& op : plan_run_tree(hand_made_image(), TreeRules(256_MiB))) {
    EXPECT_NE(op.kind, TreeKind::bind) << "a run opens no path of the host: " << op.path;
    if (op.kind == TreeKind::keep) kept[op.path] = op.flags;
  }
  const std::map<std::string, std::uint32_t> expected = {
      {"/tmp/python3", 0}, {"/tmp/venv/lib", launcher::kTreeIsDirectory}};
  EXPECT_EQ(kept, expected);
}

TEST(WriteTree, EveryFieldIsInTheRequest) {
  PlannedOp op;
  op.kind = TreeKind::bind;
  op.path = "/guest";
  op.text = "/host";
  op.mode = 0751;
  op.flags = launcher::kTreeIsDirectory;
  op.device = 0x1122334455667788U;
  op.inode = 0x99aabbccddeeff00U;
  RequestWriter writer(sizeof(launcher::MakeRequest));
  const launcher::Span span = write_tree(writer, {PlannedOp(), op});
  const std::string message = writer.finish(launcher::MakeRequest());
  ASSERT_EQ(span.count, 2U);
  launcher::TreeOp flat;
  std::memcpy(&flat, message.data() + span.offset + sizeof flat, sizeof flat);
  EXPECT_EQ(flat.kind, op.kind);
  EXPECT_EQ(std::string(message.data() + flat.path), op.path);
  EXPECT_EQ(std::string(message.data() + flat.text), op.text);
  EXPECT_EQ(flat.mode, op.mode);
  EXPECT_EQ(flat.flags, op.flags);
  EXPECT_EQ(flat.device, op.device);
  EXPECT_EQ(flat.inode, op.inode);
}

TEST(WriteTree, MoreOperationsThanTheLauncherTakesAreAnUnusableImage) {
  PlannedOp op;
  op.path = "/x";
  RequestWriter fits(sizeof(launcher::MakeRequest));
  EXPECT_EQ(write_tree(fits, std::vector<PlannedOp>(launcher::kMaxTreeOps, op)).count,
            launcher::kMaxTreeOps);
  RequestWriter larger(sizeof(launcher::MakeRequest));
  const auto told = told_by(
      [&] { (void)write_tree(larger, std::vector<PlannedOp>(launcher::kMaxTreeOps + 1, op)); });
  ASSERT_TRUE(told);
  EXPECT_EQ(told->code, errc::image_unusable);
  EXPECT_THAT(told->what, AllOf(HasSubstr("513"), HasSubstr("512")));
}

// The launcher accepts what is planned for a real run of this image.
TEST(WriteTree, APlanMakesAValidRequest) {
  launcher::MakeRequest flat;
  RequestWriter writer(sizeof flat);
  flat.tree = write_tree(writer, plan());
  flat.host_name = writer.text("sandbox");
  flat.work_path = writer.text("/work");
  EXPECT_TRUE(is_accepted(writer.finish(flat), 1));
}

}  // namespace
}  // namespace sandbox::runner::test
