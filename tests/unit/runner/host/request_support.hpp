// Well-formed requests, ways to break one field of them, and a place in memory where any read out
// of bounds is a crash.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstring>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "launcher/context.hpp"
#include "launcher/plan.hpp"

namespace sandbox::runner::test {

// With every kind of tree operation, several texts in each list, every kind of Landlock access,
// limits and both filters; all protections are wanted, and some of them required.
std::string valid_make();
std::string valid_run();
std::string valid_probe();

// The message with the descriptors that a request may do without, a cgroup and a time namespace.
std::string make_in_cgroup();
std::string run_with_all_descriptors();

// A request of one kind, with the number of descriptors that it needs.
struct Whole {
  const char* name;
  std::string message;
  int descriptors;
};
std::vector<Whole> both_kinds();

// Legal and illegal places of a text in a message of that size.
std::vector<std::pair<launcher::Text, bool>> places(std::size_t size);

// The message with its fixed struct changed.
template <class Request>
std::string edit(std::string message, const std::function<void(Request&)>& change) {
  Request request;
  std::memcpy(&request, message.data(), sizeof request);
  change(request);
  std::memcpy(message.data(), &request, sizeof request);
  return message;
}

// The message with one element of a list changed. REQUIRES: the list has it.
template <class Element>
std::string edit_element(std::string message, const launcher::Span& list, std::uint32_t index,
                         const std::function<void(Element&)>& change) {
  const std::size_t offset = list.offset + index * sizeof(Element);
  Element element;
  std::memcpy(&element, message.data() + offset, sizeof element);
  change(element);
  std::memcpy(message.data() + offset, &element, sizeof element);
  return message;
}

template <class Request>
Request fixed_part(const std::string& message) {
  Request request;
  std::memcpy(&request, message.data(), sizeof request);
  return request;
}

// The message with a size field that tells its length.
std::string with_true_size(std::string message);

// Messages are put at the end of a mapping, in front of a page that cannot be read.
class GuardedMemory {
 public:
  GuardedMemory();
  GuardedMemory(const GuardedMemory&) = delete;
  GuardedMemory& operator=(const GuardedMemory&) = delete;
  GuardedMemory(GuardedMemory&&) = delete;
  GuardedMemory& operator=(GuardedMemory&&) = delete;
  ~GuardedMemory();

  // Valid until the next call. REQUIRES: at most a page more than a request may have.
  const unsigned char* put(std::string_view message);

 private:
  unsigned char* start_;
  std::size_t usable_;
};

// What the launcher says of it.
bool is_accepted(std::string_view message, int descriptors);

// Reads everything that the launcher would use of a request that was accepted with that number of
// descriptors. What is wrong with it, or "".
std::string walk_request(const unsigned char* bytes, std::size_t size, int descriptors);

}  // namespace sandbox::runner::test
