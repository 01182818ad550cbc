// The record of a call: what it used, what was in force, what came out (design: one object for the
// command, the server and MCP).
// SPDX-License-Identifier: MIT
#pragma once

#include <boost/json/object.hpp>
#include <cstdint>
#include <string>
#include <vector>

#include "sandbox/error.hpp"
#include "sandbox/exec.hpp"

namespace sandbox {

// A file that a call handed back.
class ReceiptFile {
 public:
  ReceiptFile(std::string name, std::uint64_t bytes, std::string sha256)
      : name_(std::move(name)), bytes_(bytes), sha256_(std::move(sha256)) {}

  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] std::uint64_t bytes() const { return bytes_; }
  [[nodiscard]] const std::string& sha256() const { return sha256_; }

 private:
  std::string name_;
  std::uint64_t bytes_;
  std::string sha256_;
};

// Every field is there or null, never absent; strict JSON in UTF-8 whatever the guest printed. The
// base64 twins of the streams are set only when the bytes are not UTF-8. A file name that is not
// UTF-8 is given lossily.
boost::json::object make_receipt(const ExecResult& result, const std::vector<ReceiptFile>& files);

// Nothing ran (outcome "refused"), it was cancelled, or we failed after the start ("lost").
boost::json::object make_receipt(const Error& error);

}  // namespace sandbox
