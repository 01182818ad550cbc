// One program at a time for each sandbox.
// SPDX-License-Identifier: MIT
#include "turns.hpp"

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/experimental/concurrent_channel.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/system/system_error.hpp>
#include <utility>

#include "sandbox/error.hpp"

namespace sandbox::codeact {

namespace net = boost::asio;

// Belongs to its waiter's executor; may be rung from any thread, before or after the wait begins.
class Turns::Bell {
 public:
  explicit Bell(const net::any_io_executor& executor) : channel_(executor, 1) {}

  void ring() { channel_.try_send(boost::system::error_code()); }
  net::awaitable<void> rung() { co_await channel_.async_receive(net::use_awaitable); }

 private:
  net::experimental::concurrent_channel<void(boost::system::error_code)> channel_;
};

Turns::Turn::Turn(std::shared_ptr<Turns> turns, SandboxKey key, std::uint64_t ticket)
    : turns_(std::move(turns)), key_(std::move(key)), ticket_(ticket) {}

Turns::Turn::~Turn() { turns_->leave(key_, ticket_); }

Turns::Turns() = default;
Turns::~Turns() = default;

net::awaitable<std::unique_ptr<Turns::Turn>> Turns::take(SandboxKey key) {
  const net::any_io_executor executor = co_await net::this_coro::executor;
  const auto bell = std::make_shared<Bell>(executor);
  std::unique_ptr<Turn> turn;
  bool first = false;
  {
    const std::lock_guard lock(mutex_);
    const std::uint64_t ticket = next_ticket_++;
    // Made first: from here on its destructor takes the ticket out of the line again, also when
    // the wait is cancelled or the whole executor goes away.
    turn = std::make_unique<Turn>(shared_from_this(), key, ticket);
    Line& line = lines_[key];
    first = line.empty();
    line.emplace(ticket, bell);
  }
  if (first) co_return std::move(turn);
  try {
    co_await bell->rung();
  } catch (const boost::system::system_error& error) {
    // The channel has an error code of its own for a cancelled wait.
    throw Error(errc::cancelled, "wait for the sandbox's earlier calls: cancelled", error.what());
  }
  co_return std::move(turn);
}

void Turns::leave(const SandboxKey& key, std::uint64_t ticket) noexcept {
  const std::lock_guard lock(mutex_);
  const auto line = lines_.find(key);
  if (line == lines_.end()) return;
  const auto mine = line->second.find(ticket);
  if (mine == line->second.end()) return;
  const bool had_turn = mine == line->second.begin();
  line->second.erase(mine);
  if (line->second.empty()) {
    lines_.erase(line);
  } else if (had_turn) {
    line->second.begin()->second->ring();
  }
}

}  // namespace sandbox::codeact
