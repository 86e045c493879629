// SPDX-License-Identifier: Apache-2.0
#include <sys/random.h>
#include <tools/browse/gate.h>
#include <stdexcept>

namespace callis::tools {

std::string Gate::new_token() {
  unsigned char bytes[16];
  if (::getrandom(bytes, sizeof bytes, 0) != sizeof bytes)
    throw std::runtime_error("the kernel has no random numbers");
  std::string out;
  for (const unsigned char b : bytes) {
    out += "0123456789abcdef"[b >> 4];
    out += "0123456789abcdef"[b & 15];
  }
  return out;
}

Gate::Gate(std::string token, unsigned port)
    : token_(std::move(token)), hosts_{"127.0.0.1:" + std::to_string(port), "localhost:" + std::to_string(port)} {}

bool Gate::admits(const Caller& caller) const {
  // Another name that leads to this machine is one that somebody else's DNS server may have made.
  if (caller.host != hosts_[0] && caller.host != hosts_[1]) return false;
  if (!caller.origin.empty() && caller.origin != "http://" + std::string(caller.host)) return false;
  return caller.fetch_site.empty() || caller.fetch_site == "same-origin" || caller.fetch_site == "none";
}

bool Gate::below(std::string_view path, std::string_view& rest) const {
  const std::size_t n = token_.size();
  if (path.size() < n + 2) return false;
  unsigned differs = path[0] != '/' || path[n + 1] != '/';
  for (std::size_t i = 0; i < n; ++i)
    differs |= static_cast<unsigned>(static_cast<unsigned char>(path[i + 1] ^ token_[i]));
  rest = path.substr(n + 2);
  return differs == 0;
}

}  // namespace callis::tools
