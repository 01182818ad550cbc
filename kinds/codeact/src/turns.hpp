// One program at a time for each sandbox.
// SPDX-License-Identifier: MIT
#pragma once

#include <boost/asio/awaitable.hpp>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>

#include "sandbox/key.hpp"

namespace sandbox::codeact {

// All calls that reach one sandbox share the path of the program, and a model may make several
// calls in one message: without turns, one call could run what another one wrote (CA0-4, BE-4).
//
// Thread safety: methods may be called from any thread; waiting blocks none.
// Lifetime: owned by shared_ptr; a turn keeps it alive.
class Turns : public std::enable_shared_from_this<Turns> {
 public:
  // The right to use the sandbox of a key; the destructor passes it on to the longest waiter.
  class Turn {
   public:
    Turn(std::shared_ptr<Turns> turns, SandboxKey key, std::uint64_t ticket);
    Turn(const Turn&) = delete;
    Turn& operator=(const Turn&) = delete;
    Turn(Turn&&) = delete;
    Turn& operator=(Turn&&) = delete;
    ~Turn();

   private:
    std::shared_ptr<Turns> turns_;
    SandboxKey key_;
    std::uint64_t ticket_;
  };

  Turns();
  Turns(const Turns&) = delete;
  Turns& operator=(const Turns&) = delete;
  Turns(Turns&&) = delete;
  Turns& operator=(Turns&&) = delete;
  ~Turns();

  // Waits until all earlier callers of the key are done.
  // Cancel: terminal; fails with errc::cancelled and leaves the queue.
  boost::asio::awaitable<std::unique_ptr<Turn>> take(SandboxKey key);

 private:
  class Bell;  // rung when a waiter is the first of its line
  // Tickets grow, so the map is the queue; the first one has the turn.
  using Line = std::map<std::uint64_t, std::shared_ptr<Bell>>;

  void leave(const SandboxKey& key, std::uint64_t ticket) noexcept;

  std::mutex mutex_;
  std::map<SandboxKey, Line> lines_;
  std::uint64_t next_ticket_ = 0;
};

}  // namespace sandbox::codeact
