// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <stdexcept>
#include <string>

namespace callis::streams {

// Setting up a flow failed. what() says what was tried, what happened, and what to do.
class FlowFailed : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// "TRIED: what errno says".
[[noreturn]] void fail_with_errno(const std::string& tried, int error);

}  // namespace callis::streams
