// Ours, as a host uses it: one backend, one sandbox, and an exec for each run.
// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "contestant.hpp"
#include "least_seen.hpp"

namespace sandbox::bench {

// Everything runs on the calling thread: a lap has no hand-over between threads in it.
//
// Thread safety: one thread.
class LibraryContestant : public Contestant {
 public:
  // Errors: sandbox::Error when this machine has no sandbox of ours to give.
  explicit LibraryContestant(const std::string& image);
  LibraryContestant(const LibraryContestant&) = delete;
  LibraryContestant& operator=(const LibraryContestant&) = delete;
  LibraryContestant(LibraryContestant&&) = delete;
  LibraryContestant& operator=(LibraryContestant&&) = delete;
  // Waits until the backend is closed.
  ~LibraryContestant() override;

  [[nodiscard]] const std::string& name() const override { return name_; }
  Lap run(const Workload& workload) override;

  // The environment that a guest has, as NAME=VALUE, asked of the interpreter `python` inside. With
  // another one Python starts faster or slower, so the other contestants get the same.
  std::vector<std::string> guest_environment(const std::string& python);

 private:
  class World;

  std::string name_ = "ours";
  std::unique_ptr<World> world_;
  LeastSeen unaccounted_;
};

}  // namespace sandbox::bench
