// Puts an image together from paths of the host that shall look the same in the guest.
// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "bind_policy.hpp"
#include "image.hpp"

namespace sandbox::runner {

// Every path that was exposed leads to the same place in the guest as on the host: real files and
// directories are bound where they really are, and each link on the way to them is made anew.
//
// Thread safety: none.
class ImageBuilder {
 public:
  // What came of a path.
  struct Outcome {
    std::string real_path;
    std::string refusal;  // why it is not there; empty: it is

    [[nodiscard]] bool ok() const { return refusal.empty(); }
  };

  // Links only: the path leads where it does on the host, but nothing is bound.
  Outcome follow(std::string_view path);
  // Follows, and binds what is there unless it can be seen already. A directory that the policy
  // refuses is not bound.
  Outcome expose(std::string_view path);
  // The same for parts of the operating system, which the policy does not look at.
  Outcome expose_system(std::string_view path);

  void add_link(std::string guest_path, std::string target);
  void add_bind(ImageBind bind);
  void note(std::string text);

  // True when a bind shows this real path.
  [[nodiscard]] bool shows(std::string_view real_path) const;
  // True when a bind or a link stands at this guest path.
  [[nodiscard]] bool has(std::string_view guest_path) const;

  // Sorted and without doubles, split into what is made early and late.
  void finish(Image& image) const;

 private:
  enum class What { links, with_bind, with_system_bind };

  Outcome put(std::string_view path, What what);
  [[nodiscard]] std::string refusal_of_links(const std::vector<ImageLink>& links) const;
  std::string bind_real(const std::string& real_path, What what);

  BindPolicy policy_;
  std::vector<ImageBind> binds_;
  std::vector<ImageLink> links_;
  std::vector<std::string> notes_;
};

}  // namespace sandbox::runner
