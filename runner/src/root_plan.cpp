// SPDX-License-Identifier: MIT
#include "root_plan.hpp"

#include <sys/stat.h>
#include <sys/sysmacros.h>

#include <algorithm>
#include <array>
#include <set>
#include <string_view>

#include "guest_environment.hpp"
#include "sandbox/error.hpp"
#include "sandbox/path.hpp"
#include "sandbox/utf8.hpp"

namespace sandbox::runner {
namespace {

using launcher::TreeKind;

constexpr const char* kProcOptions = "subset=pid,hidepid=ptraceable";
constexpr const char* kWholeProc = "";
constexpr std::uint64_t kBytesPerInode = 8192;
constexpr const char* kVarTmp = "/tmp/.var-tmp";

// Collects operations; makes each missing parent once.
class TreePlanner {
 public:
  void directory(const std::string& path, std::uint32_t mode = 0755) {
    parents(path);
    if (!made_.insert(path).second) return;
    PlannedOp op;
    op.path = path;
    op.mode = mode;
    ops_.push_back(std::move(op));
  }

  void link(const std::string& path, const std::string& target) {
    parents(path);
    if (!made_.insert(path).second) return;
    PlannedOp op;
    op.kind = TreeKind::link;
    op.path = path;
    op.text = target;
    ops_.push_back(std::move(op));
  }

  void file(const std::string& path, const std::string& content) {
    parents(path);
    if (!made_.insert(path).second) return;
    PlannedOp op;
    op.kind = TreeKind::file;
    op.path = path;
    op.text = content;
    op.mode = 0644;
    ops_.push_back(std::move(op));
  }

  void bind(const ImageBind& bind, std::uint32_t extra_flags = 0) {
    parents(bind.guest_path);
    if (!made_.insert(bind.guest_path).second) return;
    PlannedOp op;
    op.kind = TreeKind::bind;
    op.path = bind.guest_path;
    op.text = bind.host_path;
    op.flags = (bind.is_directory ? launcher::kTreeIsDirectory : 0) | extra_flags;
    op.device = bind.device;
    op.inode = bind.inode;
    ops_.push_back(std::move(op));
  }

  void keep(const ImageBind& bind) {
    parents(bind.guest_path);
    PlannedOp op;
    op.kind = TreeKind::keep;
    op.path = bind.guest_path;
    op.flags = bind.is_directory ? launcher::kTreeIsDirectory : 0;
    ops_.push_back(std::move(op));
  }

  void mount(TreeKind kind, const std::string& path, std::string options, std::uint32_t flags = 0) {
    made_.insert(path);
    PlannedOp op;
    op.kind = kind;
    op.path = path;
    op.text = std::move(options);
    op.flags = flags;
    ops_.push_back(std::move(op));
  }

  std::vector<PlannedOp> take() { return std::move(ops_); }

 private:
  void parents(const std::string& path) {
    for (const std::string& parent : parents_from_root(path)) {
      if (!made_.insert(parent).second) continue;
      PlannedOp op;
      op.path = parent;
      op.mode = 0755;
      ops_.push_back(std::move(op));
    }
  }

  std::vector<PlannedOp> ops_;
  std::set<std::string> made_;
};

// size= alone bounds nothing: extended attributes and links take no blocks (hardening M9).
std::string tmpfs_options(Bytes size, std::string_view mode, const TreeRules& rules) {
  const std::uint64_t inodes =
      std::clamp<std::uint64_t>(size.count() / kBytesPerInode, 1024, 1U << 20U);
  return "size=" + std::to_string(size.count()) + ",mode=" + std::string(mode) +
         ",nr_inodes=" + std::to_string(rules.limits_inodes ? inodes : 0);
}

std::uint32_t tmpfs_flags(const TreeRules& rules) {
  return rules.allows_exec ? launcher::kTreeAllowExec : 0;
}

std::string proc_options(const TreeRules& rules) {
  return rules.hides_processes ? kProcOptions : kWholeProc;
}

void plan_devices(TreePlanner& tree) {
  struct Device {
    const char* name;
    unsigned minor;
  };
  constexpr unsigned kMemoryMajor = 1;  // Documentation/admin-guide/devices.txt
  constexpr std::array<Device, 5> kDevices = {
      {{"null", 3}, {"zero", 5}, {"full", 7}, {"random", 8}, {"urandom", 9}}};
  tree.directory("/dev");
  for (const Device& device : kDevices) {
    ImageBind bind;
    bind.host_path = std::string("/dev/") + device.name;
    bind.guest_path = bind.host_path;
    bind.is_directory = false;
    struct stat found {};
    // Not a file or another device that a container put there in its place.
    if (::lstat(bind.host_path.c_str(), &found) != 0 || !S_ISCHR(found.st_mode) ||
        found.st_rdev != makedev(kMemoryMajor, device.minor)) {
      throw Error(errc::setup_failed, "the host's " + bind.host_path +
                                          " is missing or is not that device; a guest needs it");
    }
    bind.device = found.st_dev;
    bind.inode = found.st_ino;
    tree.bind(bind, launcher::kTreeIsDevice);
  }
  tree.directory("/dev/shm");
  tree.link("/dev/fd", "/proc/self/fd");
  tree.link("/dev/stdin", "/proc/self/fd/0");
  tree.link("/dev/stdout", "/proc/self/fd/1");
  tree.link("/dev/stderr", "/proc/self/fd/2");
}

// Nothing of the host's own: names for the ids, and no resolver to wait for.
// services(5) and protocols(5): names that programs look up before they meet that there is no
// network, and those that work on 127.0.0.1.
constexpr std::string_view kProtocols =
    "ip 0 IP\nicmp 1 ICMP\ntcp 6 TCP\nudp 17 UDP\nipv6 41 IPv6\nipv6-icmp 58 IPv6-ICMP\n";
constexpr std::string_view kServices =
    "echo 7/tcp\necho 7/udp\ndiscard 9/tcp\ndaytime 13/tcp\nftp-data 20/tcp\nftp 21/tcp\n"
    "ssh 22/tcp\ntelnet 23/tcp\nsmtp 25/tcp\ntime 37/tcp\ndomain 53/tcp\ndomain 53/udp\n"
    "tftp 69/udp\nhttp 80/tcp www\npop3 110/tcp\nntp 123/udp\nimap2 143/tcp imap\n"
    "snmp 161/udp\nldap 389/tcp\nhttps 443/tcp\nhttps 443/udp\nsyslog 514/udp\n"
    "submission 587/tcp\nldaps 636/tcp\nimaps 993/tcp\npop3s 995/tcp\nmysql 3306/tcp\n"
    "postgresql 5432/tcp\n";

void plan_etc(TreePlanner& tree) {
  tree.directory("/etc");
  tree.file("/etc/passwd",
            "root:x:0:0:root:/:/usr/sbin/nologin\n"
            "sandbox:x:1000:1000:sandbox:" +
                std::string(kGuestHome) +
                ":/bin/sh\n"
                "nobody:x:65534:65534:nobody:/:/usr/sbin/nologin\n");
  tree.file("/etc/group", "root:x:0:\nsandbox:x:1000:\nnogroup:x:65534:\n");
  tree.file("/etc/hosts", "127.0.0.1 localhost sandbox\n::1 localhost\n");
  tree.file("/etc/hostname", "sandbox\n");
  tree.file("/etc/resolv.conf", "");
  tree.file("/etc/nsswitch.conf",
            "passwd: files\ngroup: files\nshadow: files\nhosts: files\nnetworks: files\n"
            "protocols: files\nservices: files\n");
  tree.file("/etc/protocols", std::string(kProtocols));
  tree.file("/etc/services", std::string(kServices));
  tree.link("/etc/localtime", "/usr/share/zoneinfo/Etc/UTC");
}

bool is_at_or_below(const std::string& path, const std::string& base) {
  return relative_to(path, base).has_value();
}

void check_work_directory(const Image& image, const std::string& directory) {
  static const std::array<const char*, 14> kTaken = {"/proc", "/dev",   "/tmp",   "/etc",   "/sys",
                                                     "/usr",  "/bin",   "/sbin",  "/lib",   "/var",
                                                     "/run",  "/lib64", "/lib32", "/libx32"};
  const bool shaped =
      directory.size() > 1 && directory.front() == '/' && normalize_path(directory) == directory &&
      directory.find('\n') == std::string::npos && directory.find(':') == std::string::npos &&
      confine(directory, "/").has_value();
  bool is_free = shaped;
  for (const char* taken : kTaken) is_free = is_free && !is_at_or_below(directory, taken);
  for (const ImageBind& bind : image.binds) {
    is_free = is_free && !is_at_or_below(directory, bind.guest_path) &&
              !is_at_or_below(bind.guest_path, directory);
  }
  for (const ImageLink& link : image.links) {
    is_free = is_free && !is_at_or_below(directory, link.guest_path) &&
              !is_at_or_below(link.guest_path, directory);
  }
  // What is late may lie below the work directory, but not the other way round.
  for (const ImageBind& bind : image.late_binds) {
    is_free = is_free && !is_at_or_below(directory, bind.guest_path);
  }
  for (const ImageLink& link : image.late_links) {
    is_free = is_free && !is_at_or_below(directory, link.guest_path);
  }
  if (!is_free) {
    throw Error(errc::config_error,
                "'" + escape_for_terminal(directory) +
                    "' cannot be the work directory: it must be an absolute, normalised path that "
                    "neither the system nor the image uses, such as /work");
  }
}

// What the guest's own /tmp or work directory would hide.
enum class Late { in_tmp, elsewhere };

void plan_late(TreePlanner& tree, const Image& image, Late which) {
  const auto is_wanted = [which](const std::string& path) {
    return is_at_or_below(path, "/tmp") == (which == Late::in_tmp);
  };
  for (const ImageBind& bind : image.late_binds) {
    if (is_wanted(bind.guest_path)) tree.bind(bind);
  }
  for (const ImageLink& link : image.late_links) {
    if (is_wanted(link.guest_path)) tree.link(link.guest_path, link.target);
  }
}

}  // namespace

std::vector<PlannedOp> plan_sandbox_tree(const Image& image, const std::string& work_directory,
                                         const TreeRules& rules) {
  check_work_directory(image, work_directory);
  TreePlanner tree;
  for (const ImageLink& link : image.links) tree.link(link.guest_path, link.target);
  for (const ImageBind& bind : image.binds) tree.bind(bind);
  plan_devices(tree);
  plan_etc(tree);
  tree.directory("/proc");
  tree.directory("/tmp");
  tree.directory("/run");
  tree.link("/var/tmp", kVarTmp);
  plan_late(tree, image, Late::in_tmp);
  tree.directory(work_directory);
  tree.mount(TreeKind::tmpfs, work_directory, tmpfs_options(rules.work_size, "700", rules),
             tmpfs_flags(rules));
  plan_late(tree, image, Late::elsewhere);
  tree.mount(TreeKind::proc, "/proc", proc_options(rules));
  return tree.take();
}

std::vector<PlannedOp> plan_run_tree(const Image& image, const TreeRules& rules) {
  constexpr Bytes kScratch{64ULL << 20U};
  TreePlanner tree;
  tree.mount(TreeKind::tmpfs, "/tmp", tmpfs_options(kScratch, "1777", rules), tmpfs_flags(rules));
  tree.directory(kGuestHome);
  tree.directory(kVarTmp);
  tree.mount(TreeKind::tmpfs, "/dev/shm", tmpfs_options(kScratch, "1777", rules),
             tmpfs_flags(rules));
  for (const ImageBind& bind : image.late_binds) {
    if (is_at_or_below(bind.guest_path, "/tmp")) tree.keep(bind);
  }
  for (const ImageLink& link : image.late_links) {
    if (is_at_or_below(link.guest_path, "/tmp")) tree.link(link.guest_path, link.target);
  }
  tree.mount(TreeKind::proc, "/proc", proc_options(rules));
  return tree.take();
}

std::vector<PlannedAccess> plan_landlock(const Image& image, const std::string& work_directory,
                                         const TreeRules& rules) {
  using Access = launcher::LandlockAccess;
  const Access writable = rules.allows_exec ? Access::write_execute : Access::write;
  std::vector<PlannedAccess> list = {
      {"/", Access::list},
      {"/etc", Access::read},
      {"/proc", Access::read},
      {"/tmp", writable},
      {"/dev/shm", writable},
      {work_directory, writable},
      {"/dev/null", Access::device},
      {"/dev/full", Access::device},
      {"/dev/zero", Access::read},
      {"/dev/random", Access::read},
      {"/dev/urandom", Access::read},
  };
  for (const std::vector<ImageBind>* binds : {&image.binds, &image.late_binds}) {
    for (const ImageBind& bind : *binds) list.push_back({bind.guest_path, Access::read_execute});
  }
  return list;
}

launcher::Span write_tree(RequestWriter& writer, const std::vector<PlannedOp>& ops) {
  if (ops.size() > launcher::kMaxTreeOps) {
    throw Error(errc::image_unusable, "the image needs " + std::to_string(ops.size()) +
                                          " mounts, directories and links; at most " +
                                          std::to_string(launcher::kMaxTreeOps) +
                                          " are supported: use an interpreter with fewer paths");
  }
  std::vector<launcher::TreeOp> written;
  written.reserve(ops.size());
  for (const PlannedOp& op : ops) {
    launcher::TreeOp flat;
    flat.kind = op.kind;
    flat.path = writer.text(op.path);
    flat.text = writer.text(op.text);
    flat.mode = op.mode;
    flat.flags = op.flags;
    flat.device = op.device;
    flat.inode = op.inode;
    written.push_back(flat);
  }
  return writer.array(written);
}

launcher::Span write_landlock(RequestWriter& writer, const std::vector<PlannedAccess>& rules) {
  std::vector<launcher::LandlockRule> written;
  written.reserve(rules.size());
  for (const PlannedAccess& rule : rules) {
    launcher::LandlockRule flat;
    flat.path = writer.text(rule.path);
    flat.access = rule.access;
    written.push_back(flat);
  }
  return writer.array(written);
}

}  // namespace sandbox::runner
