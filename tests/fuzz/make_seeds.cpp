// Writes the seeds that are no plain text; with --check it only tells which are out of date.
//   fuzz_make_seeds [--check] CORPUS
// SPDX-License-Identifier: MIT
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/socket.h>
#include <sys/syscall.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "launcher/plan.hpp"
#include "request_support.hpp"

namespace {

namespace launcher = sandbox::runner::launcher;
namespace test = sandbox::runner::test;

struct Seed {
  std::string name;
  std::string bytes;
};

// The counterpart of sandbox::fuzz::Reader.
class Writer {
 public:
  template <class T>
  Writer& add(const T& value) {
    bytes_.append(reinterpret_cast<const char*>(&value), sizeof value);
    return *this;
  }
  Writer& byte(unsigned value) { return add(static_cast<unsigned char>(value)); }
  Writer& text(std::string_view text) {
    byte(static_cast<unsigned>(text.size()));
    return rest(text);
  }
  Writer& rest(std::string_view text) {
    bytes_ += text;
    return *this;
  }
  [[nodiscard]] std::string done() const { return bytes_; }

 private:
  std::string bytes_;
};

// `mending`: 0 leaves the message as it is, 7 lets the target mend it.
Seed request(const char* name, unsigned mending, int descriptors, std::string_view message) {
  const auto count = static_cast<unsigned>(descriptors);
  return {std::string("request/") + name, Writer().byte(mending).byte(count).rest(message).done()};
}

void add_requests(std::vector<Seed>& seeds) {
  seeds.push_back(request("make", 0, 1, test::valid_make()));
  seeds.push_back(request("make_in_cgroup", 7, 2, test::make_in_cgroup()));
  seeds.push_back(request("probe", 0, 1, test::valid_probe()));
  seeds.push_back(request("run", 0, launcher::kRunDescriptors, test::valid_run()));
  seeds.push_back(request("run_to_mend", 7, 0, test::valid_run()));
  // Behind the flags: which word, and what to plant there.
  seeds.push_back(
      request("make_planted", 15, 0, std::string("\x0a\0\x03", 3) + test::valid_make()));
  seeds.push_back(request("run_planted", 15, 0, std::string("\x20\0\x02", 3) + test::valid_run()));
  seeds.push_back(request("run_unended", 3, 0, test::valid_run()));
  seeds.push_back(
      request("run_with_all", 0, launcher::kMaxDescriptors, test::run_with_all_descriptors()));
}

void add_replies(std::vector<Seed>& seeds) {
  launcher::Reply reply;
  reply.kind = launcher::ReplyKind::ended;
  reply.denied_count = 4;
  reply.denied_others = 2;
  reply.met = ~0U;
  reply.denied[0] = {SYS_socket, 97, 3, {AF_INET, SOCK_STREAM, 0}};
  reply.denied[1] = {SYS_mount, 1, 1, {1, 2, 3}};
  reply.denied[2] = {999, 38, 1, {0, 0, 0}};
  reply.denied[3] = {SYS_socketpair, 97, 1, {77, 0, 0}};
  seeds.push_back({"reply/some", Writer().add(reply).done()});
  reply.denied_count = ~0U;
  for (launcher::DeniedCall& call : reply.denied) call = {~0U, 38, ~std::uint64_t{0}, {}};
  seeds.push_back({"reply/more_than_fit", Writer().add(reply).done()});
}

void add_verdicts(std::vector<Seed>& seeds) {
  seccomp_data call{};
  call.nr = SYS_socket;
  call.arch = AUDIT_ARCH_X86_64;
  call.args[0] = AF_INET;
  const std::vector<sock_filter> program = {
      {BPF_LD | BPF_W | BPF_ABS, 0, 0, 0},         {BPF_JMP | BPF_JEQ | BPF_K, 0, 4, SYS_socket},
      {BPF_LD | BPF_W | BPF_ABS, 0, 0, 16},        {BPF_ALU | BPF_AND | BPF_K, 0, 0, 0xff},
      {BPF_JMP | BPF_JGE | BPF_K, 1, 0, AF_INET6}, {BPF_JMP | BPF_JA, 0, 0, 1},
      {BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ALLOW},  {BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ERRNO | 97}};
  Writer writer;
  writer.byte(0).add(call);
  for (const sock_filter& step : program) writer.add(step);
  seeds.push_back({"verdict/by_argument", writer.done()});
  Writer edge;
  edge.byte(1).add(call);
  edge.add(sock_filter{0, 0, 0, 4}).add(sock_filter{5, 0, 1, AF_INET}).add(sock_filter{2, 0, 0, 1});
  edge.add(sock_filter{7, 0, 0, AF_INET}).add(sock_filter{2, 0, 0, 2});
  seeds.push_back({"verdict/shaped", edge.done()});
  Writer wild;
  wild.byte(0).add(call);
  wild.add(sock_filter{BPF_JMP | BPF_JA, 0, 0, ~0U});
  wild.add(sock_filter{BPF_LD | BPF_W | BPF_ABS, 0, 0, sizeof call - 3});
  seeds.push_back({"verdict/out_of_bounds", wild.done()});
}

std::string told(unsigned choice, unsigned left_out, unsigned cut, std::string_view error,
                 std::string_view output) {
  return Writer()
      .byte(choice)
      .byte(left_out)
      .add(static_cast<std::uint16_t>(cut))
      .text(error)
      .rest(output)
      .done();
}

void add_outputs(std::vector<Seed>& seeds) {
  const auto captured = [](std::uint16_t limit, unsigned step, std::string_view stream) {
    return Writer().add(limit).byte(step).add(std::uint64_t{100}).rest(stream).done();
  };
  seeds.push_back({"captured/plain", captured(16, 3, "Hello, world: more than the limit.\n")});
  seeds.push_back({"captured/cut_character",
                   captured(9, 1, "\xE2\x82\xAC\xE2\x82\xAC\xF0\x9F\x98\x80\xC3\xA9 and a tail")});
  seeds.push_back({"captured/no_limit", captured(0, 0, "x\xff\x80y")});
  seeds.push_back({"told/contained", told(0, 0, 99, "", "@@ a EPERM\n@@ b ENOSYS\n")});
  seeds.push_back({"told/escaped", told(2, 0, 8, "oops\n", "noise\n@@ a worked\n@@ b EPERM\n")});
  seeds.push_back({"told/allowed", told(1, 0, 99, "", "@@ a worked\n@@ b EPERM")});
  seeds.push_back(
      {"told/cut", told(4 * 9 + 4, 7, 14, "\x1b[31m\xff", "@@ a EPERM\n@@ \xff b\n@@")});
  seeds.push_back({"utf8/good", "a\xC2\xA9\xE2\x82\xAC\xED\x9F\xBF\xF4\x8F\xBF\xBF\n\t"});
  seeds.push_back({"utf8/bad", "\xC0\x80\xED\xA0\x80\xF4\x90\x80\x80\xE2\x82|\xF0\x9F\x98"});
  seeds.push_back({"utf8/controls", "\x1b[2J\x07\x7f\xC2\x9B\xC2\xA0\r\n"});
}

void add_receipts(std::vector<Seed>& seeds) {
  const auto receipt = [](unsigned kind, unsigned number, std::string_view bytes) {
    Writer writer;
    writer.add(std::int32_t{36}).byte(kind).byte(number);
    for (int stream = 0; stream < 2; ++stream) writer.add(300U).text(bytes).text("tail\xC3");
    writer.add(std::int64_t{5000}).add(~std::uint64_t{0});
    for (const char* text : {"default", "6.1.0", "landlock", "on", "\xff", "off"})
      writer.text(text);
    writer.text("socket").text("tried it").text("a\xE2\x82").add(std::uint64_t{3}).text("00ff");
    return writer.byte(5).text("it failed: \xff").rest("on the host").done();
  };
  seeds.push_back({"receipt/exited", receipt(0, 3, "Hello\n")});
  seeds.push_back({"receipt/killed", receipt(1, 9, "\xff\xfe\"\\\x01\x7f</script>")});
  seeds.push_back({"receipt/refused", receipt(4, 0, "")});
}

void add_paths(std::vector<Seed>& seeds) {
  const auto pair = [](std::string_view base, std::string_view path) {
    return Writer().text(base).rest(path).done();
  };
  seeds.push_back({"path/below", pair("/work", "a/./b/../c")});
  seeds.push_back({"path/above", pair("/work/", "../workshop/x")});
  seeds.push_back({"path/two_slashes", pair("//work", "//work//a/")});
  seeds.push_back({"path/root", pair("/", "..")});
  seeds.push_back({"path/found_relative_base", pair("..", "../..")});
}

std::string content_of(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

bool write(const std::filesystem::path& file, const std::string& bytes) {
  std::filesystem::create_directories(file.parent_path());
  std::ofstream stream(file, std::ios::binary);
  stream << bytes;
  return stream.good();
}

}  // namespace

int main(int count, char** arguments) {
  const bool check_only = count == 3 && std::string_view(arguments[1]) == "--check";
  if (count != 2 && !check_only) {
    std::fprintf(stderr, "usage: fuzz_make_seeds [--check] CORPUS\n");
    return 2;
  }
  std::vector<Seed> seeds;
  for (const auto add :
       {add_requests, add_replies, add_verdicts, add_outputs, add_receipts, add_paths}) {
    add(seeds);
  }
  const std::filesystem::path corpus = arguments[count - 1];
  int wrong = 0;
  for (const Seed& seed : seeds) {
    const std::filesystem::path file = corpus / seed.name;
    if (check_only ? content_of(file) == seed.bytes : write(file, seed.bytes)) continue;
    std::printf("%s is %s\n", seed.name.c_str(),
                check_only ? "out of date: build the target fuzz_seeds" : "not to be written");
    ++wrong;
  }
  std::printf("%zu seeds, %d wrong\n", seeds.size(), wrong);
  return wrong == 0 ? 0 : 1;
}
