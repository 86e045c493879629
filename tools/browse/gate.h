// SPDX-License-Identifier: Apache-2.0
// Who may ask the page's server for something. Other users of the machine can connect to its port, and so can pages
// of other sites in the user's own browser: neither knows the token, and the browser tells what it asks for whom.
#pragma once
#include <string>
#include <string_view>

namespace callis::tools {

// What a request says of itself; empty: nothing.
struct Caller {
  std::string_view host;        // Host
  std::string_view origin;      // Origin
  std::string_view fetch_site;  // Sec-Fetch-Site
};

class Gate {
 public:
  // 32 hexadecimal digits of the kernel's random numbers.
  static std::string new_token();

  Gate(std::string token, unsigned port);

  // "/TOKEN/": what the page's address ends with.
  std::string base() const { return "/" + token_ + "/"; }
  // Whether the request comes from the page, or from the user's address line. Any thread.
  bool admits(const Caller& caller) const;
  // The path below base(). False: the path begins otherwise; how much of it is right cannot be timed.
  bool below(std::string_view path, std::string_view& rest) const;

 private:
  const std::string token_;
  const std::string hosts_[2];  // "127.0.0.1:PORT", "localhost:PORT"
};

}  // namespace callis::tools
