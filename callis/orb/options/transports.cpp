// SPDX-License-Identifier: Apache-2.0
#include <callis/orb/options/transport.h>
#include <array>

namespace callis::orb {
namespace {

// The whole list. A program that has been linked without a transport has no function of it. TLS is the first, and is
// asked last for addresses: it decides about those of TCP.
constexpr const Transport* (*kTransports[])() noexcept = {&tls_transport, &tcp_transport, &unix_transport,
                                                          &memory_transport};

struct Present {
  std::array<const Transport*, std::size(kTransports)> all;
  std::size_t n;
};
constinit Present present{};

// Before the constructors of static objects, which may make ORBs. A static object of transports() would need a guard,
// and code for it.
[[gnu::constructor(101)]] void find_present() noexcept {
  for (const auto get : kTransports)
    if (get) present.all[present.n++] = get();
}

}  // namespace

std::span<const Transport* const> transports() noexcept { return {present.all.data(), present.n}; }

const char* feature_for(std::string_view endpoint) noexcept {
  // unix.cpp reads the same texts.
  const bool wanted = endpoint.starts_with("unix:") || endpoint.starts_with("giop:unix:") ||
                      endpoint.starts_with("uiop:");
  return !CALLIS_HAS(unix) && wanted ? "unix" : nullptr;
}

std::string EndpointAddress::text() const { return transport->text(*this); }

}  // namespace callis::orb
