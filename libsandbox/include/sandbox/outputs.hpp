// Files that a run hands back: what a spec declares, what a sink receives (contract section 1.2).
// SPDX-License-Identifier: MIT
#pragma once

#include <boost/asio/awaitable.hpp>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace sandbox {

enum class OutputDisposition {
  land,     // the bytes go to the host's sink
  consume,  // the kind reads them itself
};

std::string_view to_string(OutputDisposition disposition);

enum class NameNormalization {
  nfc,   // names reach the sink in Unicode normal form C
  none,  // byte for byte
};

std::string_view to_string(NameNormalization normalization);

// One output named in a spec. `path` is literal and relative to the spec's working directory.
class DeclaredOutput {
 public:
  explicit DeclaredOutput(std::string path) : path_(std::move(path)) {}

  DeclaredOutput& disposition(OutputDisposition value) {
    disposition_ = value;
    return *this;
  }
  DeclaredOutput& media_type(std::string value) {
    media_type_ = std::move(value);
    return *this;
  }
  DeclaredOutput& required(bool value) {
    required_ = value;
    return *this;
  }
  DeclaredOutput& name(std::string value) {
    name_ = std::move(value);
    return *this;
  }

  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] OutputDisposition disposition() const { return disposition_; }
  [[nodiscard]] const std::optional<std::string>& media_type() const { return media_type_; }
  [[nodiscard]] bool required() const { return required_; }
  // The landing name: the given one, else the path.
  [[nodiscard]] const std::string& name() const { return name_ ? *name_ : path_; }

  friend bool operator==(const DeclaredOutput&, const DeclaredOutput&) = default;

 private:
  std::string path_;
  OutputDisposition disposition_ = OutputDisposition::land;
  std::optional<std::string> media_type_;
  bool required_ = true;
  std::optional<std::string> name_;
};

// What a sink is given. `name` is validated and relative; `content` is raw bytes.
class Artifact {
 public:
  Artifact(std::string name, std::string content, std::string kind,
           std::optional<std::string> media_type)
      : name_(std::move(name)),
        content_(std::move(content)),
        kind_(std::move(kind)),
        media_type_(std::move(media_type)) {}

  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] const std::string& content() const { return content_; }
  [[nodiscard]] const std::string& kind() const { return kind_; }
  [[nodiscard]] const std::optional<std::string>& media_type() const { return media_type_; }

 private:
  std::string name_;
  std::string content_;
  std::string kind_;
  std::optional<std::string> media_type_;
};

// What a sink answers. `display` is the one string that a model may see; `handle` stays in the
// host.
class LandedArtifact {
 public:
  LandedArtifact(std::string name, std::string display, std::optional<std::string> handle)
      : name_(std::move(name)), display_(std::move(display)), handle_(std::move(handle)) {}

  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] const std::string& display() const { return display_; }
  [[nodiscard]] const std::optional<std::string>& handle() const { return handle_; }

 private:
  std::string name_;
  std::string display_;
  std::optional<std::string> handle_;
};

// Where artifacts land. A sink refuses by throwing sandbox::Error, never by an empty answer.
class OutputSink {
 public:
  using Deliver = std::function<boost::asio::awaitable<LandedArtifact>(Artifact)>;

  explicit OutputSink(Deliver deliver, NameNormalization normalization = NameNormalization::nfc)
      : deliver_(std::move(deliver)), normalization_(normalization) {}

  [[nodiscard]] const Deliver& deliver() const { return deliver_; }
  [[nodiscard]] NameNormalization normalization() const { return normalization_; }

 private:
  Deliver deliver_;
  NameNormalization normalization_;
};

}  // namespace sandbox
