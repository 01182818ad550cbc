// From a reference to an image, and the image's identity.
// SPDX-License-Identifier: MIT
#include "image.hpp"

#include <cstdlib>
#include <optional>

#include "directory_image.hpp"
#include "host_image.hpp"
#include "host_path.hpp"
#include "image_place.hpp"
#include "sandbox/digest.hpp"
#include "sandbox/error.hpp"
#include "sandbox/utf8.hpp"
#include "stored_image.hpp"

namespace sandbox::runner {
namespace {

constexpr std::string_view kKnownForms =
    R"(known forms: "host", "host:/path/to/python", "dir:/path/to/root", )"
    R"(or the name of an image, as "data")";
constexpr const char* kUsualPath = "/usr/local/bin:/usr/bin:/bin";
constexpr std::string_view kDigestFormat = "libsandbox image 1";

[[noreturn]] void refuse_reference(std::string_view reference, const std::string& why) {
  throw Error(errc::config_error, "image reference \"" + escape_for_terminal(reference) +
                                      "\": " + why + "; " + std::string(kKnownForms));
}

// What follows `scheme`, if that is how the reference begins.
std::optional<std::string> path_after(std::string_view scheme, std::string_view reference) {
  if (!reference.starts_with(scheme)) return std::nullopt;
  const std::string_view path = reference.substr(scheme.size());
  if (path.empty()) refuse_reference(reference, "the path is missing");
  if (!path.starts_with('/')) refuse_reference(reference, "the path must be absolute");
  return std::string(path);
}

Image image_of_store(const std::string& name) {
  OpenedImage opened = open_stored_image(name, Check::quick);
  Image image = directory_image_of(opened.root);
  image.manifest_digest = std::move(opened.digest);
  image.lease = std::move(opened.lease);
  return image;
}

Image make_image(std::string_view reference) {
  if (has_control_characters(reference)) {
    refuse_reference(reference, "it has control characters");
  }
  if (reference == "host") {
    const char* path = std::getenv("PATH");
    return host_image_on_path(path != nullptr && *path != '\0' ? path : kUsualPath);
  }
  if (const auto path = path_after("host:", reference)) return host_image_of(*path);
  if (const auto path = path_after("dir:", reference)) return directory_image_of(*path);
  if (is_image_name(reference)) return image_of_store(std::string(reference));
  refuse_reference(reference, "it is not of a known form");
}

// Each list is led by its length, so that no two images give the same fields.
class FieldList {
 public:
  void add(std::string field) { fields_.push_back(std::move(field)); }
  void add(const std::vector<std::string>& list) {
    add(std::to_string(list.size()));
    for (const std::string& text : list) add(text);
  }
  void add(const std::vector<ImageBind>& binds) {
    add(std::to_string(binds.size()));
    for (const ImageBind& bind : binds) {
      add(bind.host_path);
      add(bind.guest_path);
      add(bind.is_directory ? "directory" : "file");
      add(std::to_string(bind.device));
      add(std::to_string(bind.inode));
    }
  }
  void add(const std::vector<ImageLink>& links) {
    add(std::to_string(links.size()));
    for (const ImageLink& link : links) {
      add(link.guest_path);
      add(link.target);
    }
  }
  [[nodiscard]] std::string digest() const {
    const std::vector<std::string_view> views(fields_.begin(), fields_.end());
    return sha256_hex_of_fields(views);
  }

 private:
  std::vector<std::string> fields_;
};

}  // namespace

std::string image_digest(const Image& image) {
  FieldList fields;
  fields.add(std::string(kDigestFormat));
  fields.add(image.reference);
  fields.add(image.binds);
  fields.add(image.links);
  fields.add(image.late_binds);
  fields.add(image.late_links);
  fields.add(image.interpreter);
  fields.add(image.path_directories);
  fields.add(image.version);
  fields.add(image.manifest_digest);
  return fields.digest();
}

Image resolve_image(std::string_view reference) {
  Image image = make_image(reference);
  image.reference = std::string(reference);
  image.digest = image_digest(image);
  return image;
}

}  // namespace sandbox::runner
