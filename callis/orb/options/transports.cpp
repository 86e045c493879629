// SPDX-License-Identifier: Apache-2.0
#include <callis/orb/options/transport.h>
#include <array>

namespace callis::orb {
namespace {

// The whole list. A program that has been linked without a transport has no function of it.
constexpr const Transport* (*kTransports[])() noexcept = {&tcp_transport, &unix_transport, &memory_transport};

struct Present {
  std::array<const Transport*, std::size(kTransports)> all{};
  std::size_t n = 0;

  Present() {
    for (const auto get : kTransports)
      if (get) all[n++] = get();
  }
};

}  // namespace

std::span<const Transport* const> transports() noexcept {
  static const Present present;
  return {present.all.data(), present.n};
}

const char* feature_for(std::string_view endpoint) noexcept {
  // unix.cpp reads the same texts.
  const bool wanted = endpoint.starts_with("unix:") || endpoint.starts_with("giop:unix:") ||
                      endpoint.starts_with("uiop:");
  return !CALLIS_HAS(unix) && wanted ? "unix" : nullptr;
}

std::string EndpointAddress::text() const { return transport->text(*this); }

}  // namespace callis::orb
