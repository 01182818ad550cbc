// Owners of descriptors, and what the makers of them promise.
// SPDX-License-Identifier: MIT
#include "fd.hpp"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <string>
#include <type_traits>

#include "host_support.hpp"

namespace sandbox::runner::test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

constexpr unsigned kNoExecSeal = 0x0008U;  // MFD_NOEXEC_SEAL, Linux 6.3
constexpr int kAllSeals = F_SEAL_WRITE | F_SEAL_GROW | F_SEAL_SHRINK | F_SEAL_SEAL;

bool is_open(int descriptor) { return ::fcntl(descriptor, F_GETFD) >= 0; }
bool is_close_on_exec(const Fd& fd) { return (::fcntl(fd.get(), F_GETFD) & FD_CLOEXEC) != 0; }
Fd some_file() { return Fd(::open("/dev/null", O_RDONLY | O_CLOEXEC)); }

std::string read_all(int descriptor) {
  std::string bytes(1000, '\0');
  const ssize_t got = ::read(descriptor, bytes.data(), bytes.size());
  bytes.resize(got < 0 ? 0 : static_cast<std::size_t>(got));
  return bytes;
}

static_assert(std::is_nothrow_move_constructible_v<Fd> && std::is_nothrow_move_assignable_v<Fd>);
static_assert(!std::is_copy_constructible_v<Fd> && !std::is_copy_assignable_v<Fd>);

TEST(Fd, ClosesWhatItOwnsOnceItGoes) {
  int number = -1;
  {
    const Fd file = some_file();
    number = file.get();
    EXPECT_TRUE(file);
    EXPECT_TRUE(is_open(number));
  }
  EXPECT_FALSE(is_open(number));
  EXPECT_FALSE(Fd());
  EXPECT_EQ(Fd().get(), -1);
}

TEST(Fd, MovingHandsOverAndClosesWhatWasThere) {
  Fd first = some_file();
  const int number = first.get();
  Fd second(std::move(first));
  EXPECT_FALSE(first);  // NOLINT(bugprone-use-after-move): that state is what is tested
  EXPECT_EQ(second.get(), number);

  Fd third = some_file();
  const int replaced = third.get();
  third = std::move(second);
  EXPECT_FALSE(is_open(replaced));
  EXPECT_EQ(third.get(), number);
  EXPECT_TRUE(is_open(number));

  Fd& itself = third;
  third = std::move(itself);
  EXPECT_EQ(third.get(), number);
  EXPECT_TRUE(is_open(number));
}

TEST(Fd, ReleaseSwapAndResetDoWhatTheySay) {
  Fd one = some_file();
  Fd two;
  const int number = one.get();
  one.swap(two);
  EXPECT_FALSE(one);
  EXPECT_EQ(two.get(), number);
  EXPECT_EQ(two.release(), number);
  EXPECT_FALSE(two);
  EXPECT_TRUE(is_open(number));
  Fd again(number);
  again.reset();
  EXPECT_FALSE(again);
  EXPECT_FALSE(is_open(number));
  again.reset();
}

TEST(Fd, BothEndsOfAPipeAreClosedOnExec) {
  const FdPair pipe = make_pipe();
  EXPECT_TRUE(is_close_on_exec(pipe.first));
  EXPECT_TRUE(is_close_on_exec(pipe.second));
  ASSERT_EQ(::write(pipe.second.get(), "abc", 3), 3);
  EXPECT_EQ(read_all(pipe.first.get()), "abc");
}

TEST(Fd, APacketPairKeepsMessagesApartAndIsClosedOnExec) {
  const FdPair pair = make_packet_pair();
  EXPECT_TRUE(is_close_on_exec(pair.first));
  EXPECT_TRUE(is_close_on_exec(pair.second));
  ASSERT_EQ(::write(pair.first.get(), "one", 3), 3);
  ASSERT_EQ(::write(pair.first.get(), "two", 3), 3);
  EXPECT_EQ(read_all(pair.second.get()), "one");
  EXPECT_EQ(read_all(pair.second.get()), "two");
  ASSERT_EQ(::write(pair.second.get(), "back", 4), 4);
  EXPECT_EQ(read_all(pair.first.get()), "back");
}

TEST(SealedFile, HoldsTheBytesFromTheStart) {
  const std::string bytes("a\0b\xff", 4);
  const Fd file = make_sealed_file("test", bytes.data(), bytes.size());
  EXPECT_TRUE(is_close_on_exec(file));
  EXPECT_EQ(::lseek(file.get(), 0, SEEK_CUR), 0);
  EXPECT_EQ(read_all(file.get()), bytes);
  const Fd empty = make_sealed_file("test", nullptr, 0);
  EXPECT_EQ(read_all(empty.get()), "");
}

TEST(SealedFile, CanOnlyBeReadAlsoByWhoeverOpensItAgain) {
  const Fd file = make_sealed_file("test", "abc", 3);
  EXPECT_EQ(::fcntl(file.get(), F_GETFL) & O_ACCMODE, O_RDONLY);
  EXPECT_EQ(::fcntl(file.get(), F_GET_SEALS) & kAllSeals, kAllSeals);
  EXPECT_EQ(::write(file.get(), "x", 1), -1);
  EXPECT_EQ(errno, EBADF);

  const std::string path = "/proc/self/fd/" + std::to_string(file.get());
  const Fd writer(::open(path.c_str(), O_RDWR | O_CLOEXEC));
  if (writer) {
    EXPECT_EQ(::write(writer.get(), "x", 1), -1);
    EXPECT_EQ(errno, EPERM);
    EXPECT_EQ(::ftruncate(writer.get(), 0), -1);
    EXPECT_EQ(::ftruncate(writer.get(), 10), -1);
    EXPECT_EQ(::fcntl(writer.get(), F_ADD_SEALS, F_SEAL_FUTURE_WRITE), -1);
  }
  EXPECT_EQ(read_all(file.get()), "abc");
}

// Exit code of the program in the file, or 99 when it cannot be started.
int execute(const Fd& file) {
  return run_in_child([&file] {
    char name[] = "program";
    char* const arguments[] = {name, nullptr};
    char* const environment[] = {nullptr};
    ::fexecve(file.get(), arguments, environment);
    return 99;
  });
}

TEST(SealedProgram, CanBeExecutedButNotChanged) {
  const std::string bytes = content_of("/bin/true");
  const Fd program = make_sealed_program("test", bytes.data(), bytes.size());
  EXPECT_TRUE(is_close_on_exec(program));
  EXPECT_EQ(::fcntl(program.get(), F_GET_SEALS) & kAllSeals, kAllSeals);
  struct stat described {};
  ASSERT_EQ(::fstat(program.get(), &described), 0);
  EXPECT_NE(described.st_mode & 0111U, 0U);
  EXPECT_EQ(::pwrite(program.get(), "x", 1, 0), -1);
  EXPECT_EQ(errno, EPERM);
  EXPECT_EQ(execute(program), 0);
}

TEST(SealedFile, IsNoProgram) {
  const Fd probe(::memfd_create("probe", MFD_CLOEXEC | kNoExecSeal));
  if (!probe) GTEST_SKIP() << "this kernel cannot say that a file in memory is no program";
  const std::string bytes = content_of("/bin/true");
  const Fd file = make_sealed_file("test", bytes.data(), bytes.size());
  struct stat described {};
  ASSERT_EQ(::fstat(file.get(), &described), 0);
  EXPECT_EQ(described.st_mode & 0111U, 0U);
  EXPECT_EQ(execute(file), 99);
}

TEST(Fd, ANonblockingDescriptorDoesNotWait) {
  const FdPair pipe = make_pipe();
  const int before = ::fcntl(pipe.first.get(), F_GETFL);
  set_nonblocking(pipe.first.get());
  EXPECT_EQ(::fcntl(pipe.first.get(), F_GETFL), before | O_NONBLOCK);
  char byte = 0;
  EXPECT_EQ(::read(pipe.first.get(), &byte, 1), -1);
  EXPECT_EQ(errno, EAGAIN);
  EXPECT_EQ(error_of([] { set_nonblocking(-1); }), errc::internal);
}

TEST(Fd, AFailedCallIsToldWithItsReason) {
  const auto plain = told_by([] { throw_errno("do a thing", EIO); });
  ASSERT_TRUE(plain);
  EXPECT_EQ(plain->code, errc::internal);
  EXPECT_THAT(plain->what, HasSubstr("do a thing: Input/output error"));
  for (const int error : {EMFILE, ENFILE}) {
    const auto used_up = told_by([&] { throw_errno("do a thing", error); });
    ASSERT_TRUE(used_up);
    EXPECT_EQ(used_up->code, errc::too_many);
    EXPECT_THAT(used_up->what, AllOf(HasSubstr("do a thing: "), HasSubstr("ulimit -n")));
  }
}

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define SANDBOX_TEST_UNDER_ASAN 1
#endif
#endif
#if defined(__SANITIZE_ADDRESS__)
#define SANDBOX_TEST_UNDER_ASAN 1
#endif

TEST(Fd, DescriptorsThatAreUsedUpAreTold) {
#ifdef SANDBOX_TEST_UNDER_ASAN
  GTEST_SKIP() << "the address sanitizer itself needs a descriptor at each throw";
#endif
  const int result = run_in_child([] {
    const rlimit none{3, 3};
    if (::setrlimit(RLIMIT_NOFILE, &none) != 0) return 100;
    int wrong = 0;
    if (error_of([] { (void)make_pipe(); }) != errc::too_many) wrong |= 1;
    if (error_of([] { (void)make_packet_pair(); }) != errc::too_many) wrong |= 2;
    if (error_of([] { (void)make_sealed_file("t", "x", 1); }) != errc::too_many) wrong |= 4;
    if (error_of([] { (void)make_sealed_program("t", "x", 1); }) != errc::too_many) wrong |= 8;
    return wrong;
  });
  EXPECT_EQ(result, 0) << "bits: 1 pipe, 2 pair, 4 file, 8 program";
}

}  // namespace
}  // namespace sandbox::runner::test
