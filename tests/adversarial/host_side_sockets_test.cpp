// Sockets of the host, and of another sandbox, that a guest knows by name.
// SPDX-License-Identifier: MIT
#include <gmock/gmock.h>
#include <sys/socket.h>
#include <sys/un.h>

#include <array>
#include <cstddef>
#include <cstring>

#include "host_side_fixture.hpp"

namespace sandbox::runner::testing {
namespace {

// A socket of the host that listens, or waits for datagrams.
class HostSocket {
 public:
  HostSocket(int type, const std::string& name) : socket_(::socket(AF_UNIX, kFlags | type, 0)) {
    address_.sun_family = AF_UNIX;
    std::memcpy(&address_.sun_path[0], name.data(), name.size());
    size_ = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + name.size());
    ready_ = ::bind(socket_.get(), address(), size_) == 0;
    if (ready_ && type == SOCK_STREAM) ready_ = ::listen(socket_.get(), 8) == 0;
    if (ready_ && name.front() != '\0') ready_ = run_outside({"chmod", "0777", name}) == 0;
  }

  [[nodiscard]] bool ready() const { return ready_; }
  // Nobody has come or sent anything so far; the test itself can.
  [[nodiscard]] bool is_untouched_and_works(int type) const {
    if (somebody_came(type)) return false;
    const Fd other(::socket(AF_UNIX, kFlags | type, 0));
    if (::connect(other.get(), address(), size_) != 0) return false;
    if (type == SOCK_DGRAM && ::send(other.get(), "x", 1, 0) != 1) return false;
    return somebody_came(type);
  }

 private:
  static constexpr int kFlags = SOCK_CLOEXEC | SOCK_NONBLOCK;

  [[nodiscard]] const sockaddr* address() const {
    return reinterpret_cast<const sockaddr*>(&address_);
  }
  [[nodiscard]] bool somebody_came(int type) const {
    std::array<char, 16> buffer{};
    if (type == SOCK_DGRAM) return ::recv(socket_.get(), buffer.data(), buffer.size(), 0) >= 0;
    return static_cast<bool>(Fd(::accept4(socket_.get(), nullptr, nullptr, kFlags)));
  }

  Fd socket_;
  sockaddr_un address_{};
  socklen_t size_ = 0;
  bool ready_ = false;
};

class LocalSockets : public TwoSidedTest {
 protected:
  static constexpr const char* kReach = R"py(
def connect(kind, name):
    with socket.socket(socket.AF_UNIX, kind) as one:
        one.settimeout(2)
        one.connect(name)
def send(name):
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as one: one.sendto(b'x', name)
def reach(who, stream, datagram):
    told(who + ' stream', connect, socket.SOCK_STREAM, stream)
    told(who + ' datagram', connect, socket.SOCK_DGRAM, datagram)
    told(who + ' send', send, datagram)
)py";

  static std::string python_bytes(std::string name) {
    if (name.front() == '\0') name = "\\0" + name.substr(1);
    return "b'" + name + "'";
  }
  static std::string reach(const std::string& who, const std::string& name) {
    return "reach('" + who + "', " + python_bytes(name + "-stream") + ", " +
           python_bytes(name + "-datagram") + ")\n";
  }

  // What `a` meets that tries abstract sockets of the host and of `b`.
  std::string met_abstract() {
    const std::string name = std::string(1, '\0') + unique_word();
    const HostSocket stream(SOCK_STREAM, name + "host-stream");
    const HostSocket datagram(SOCK_DGRAM, name + "host-datagram");
    EXPECT_TRUE(stream.ready() && datagram.ready());
    LiveRun listener =
        start(sandbox("b"), kReach + ("NAME = " + python_bytes(name + "other")) + R"py(
server = socket.socket(socket.AF_UNIX); server.bind(NAME + b'-stream'); server.listen()
sink = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM); sink.bind(NAME + b'-datagram')
server.setblocking(False)
sink.setblocking(False)
print('up', flush=True)
wait_for('go')
told('accept', server.accept)
told('recv', sink.recv, 10)
reach('own', NAME + b'-stream', NAME + b'-datagram')
)py");
    EXPECT_TRUE(listener.printed("up"));
    std::string met = output_of(
        sandbox("a"), kReach + reach("host", name + "host") + reach("other", name + "other"));
    EXPECT_TRUE(stream.is_untouched_and_works(SOCK_STREAM));
    EXPECT_TRUE(datagram.is_untouched_and_works(SOCK_DGRAM));
    tell(sandbox("b"), "go");
    EXPECT_EQ(listener.result().standard_output.bytes(),
              "up\naccept EAGAIN\nrecv EAGAIN\n"
              "own stream worked\nown datagram worked\nown send worked\n");
    return met;
  }

  static std::string all_six(const std::string& word) {
    std::string text;
    for (const char* who : {"host ", "other "}) {
      for (const char* how : {"stream ", "datagram ", "send "}) text += who + (how + word) + "\n";
    }
    return text;
  }
};

TEST_F(LocalSockets, N137_AbstractOnesOfOthersAreNotThere) {
  EXPECT_THAT(met_abstract(), ::testing::AnyOf(all_six("ECONNREFUSED"), all_six("EPERM")));
}

TEST_F(LocalSockets, N137_AbstractOnesOfOthersAreNotThereWithoutLandlockEither) {
  turn_off({Protection::landlock});
  EXPECT_EQ(met_abstract(), all_six("ECONNREFUSED"));
}

TEST_F(LocalSockets, N139_N150_PathsOfTheHostsSocketsAreNotThere) {
  turn_off({Protection::landlock});  // it would be another reason
  const OpenDirectory place;
  const std::string name = place.path() + "/host";
  const HostSocket stream(SOCK_STREAM, name + "-stream");
  const HostSocket datagram(SOCK_DGRAM, name + "-datagram");
  ASSERT_TRUE(stream.ready() && datagram.ready());
  EXPECT_EQ(output_of(sandbox("a"), kReach + reach("host", name)),
            "host stream ENOENT\nhost datagram ENOENT\nhost send ENOENT\n");
  EXPECT_TRUE(stream.is_untouched_and_works(SOCK_STREAM));
  EXPECT_TRUE(datagram.is_untouched_and_works(SOCK_DGRAM));
}

}  // namespace
}  // namespace sandbox::runner::testing
