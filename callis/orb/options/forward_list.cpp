// SPDX-License-Identifier: Apache-2.0
// Lists of -ORBForwardTo: "same,10.0.0.0/8,.example.org,unix:/run/app".
#include <callis/orb/options/forward_to.h>
#include <callis/orb/options/option_values.h>
#include <callis/transport/tcp/reach.h>
#include <algorithm>

CALLIS_PROVIDE(forward_lists);

namespace callis::orb {

using transport::Reach;

namespace {

constexpr std::string_view kOutward = "outward", kAny = "any", kNone = "none", kSame = "same";

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }
bool same_name(std::string_view a, std::string_view b) {
  return std::ranges::equal(a, b, [](char x, char y) { return lower(x) == lower(y); });
}

// Whether `to` is the server's own host, or the machine that both are on. For a reference, this machine counts.
bool is_same(const transport::Peer* server, const EndpointAddress& to) {
  const Reach reach = to.transport->reach(to);
  if (!server) return reach == Reach::Machine;
  const transport::Peer& from = *server;
  if (to.transport->has_hosts() && (same_name(from.host, to.place) || transport::in_network(to.place, from.host)))
    return true;
  return from.reach <= Reach::Machine && (reach == Reach::Machine || reach == from.reach);
}

bool fits(std::string_view one, const transport::Peer* server, const EndpointAddress& to) {
  if (one == kSame) return is_same(server, to);
  if (!to.transport->has_hosts()) return one == to.text();
  const std::string_view host = to.place;
  if (one.starts_with('.')) return host.size() > one.size() && same_name(host.substr(host.size() - one.size()), one);
  return same_name(one, host) || transport::in_network(to.place, one);
}

bool is_name(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](char c) {
    return (lower(c) >= 'a' && lower(c) <= 'z') || (c >= '0' && c <= '9') || c == '.' || c == '-' || c == '_';
  });
}

bool is_element(std::string_view one) {
  if (one.starts_with("unix:")) return one.size() > 6 && one[5] == '/';
  if (one == kOutward || one == kAny || one == kNone) return false;  // they stand alone
  return is_name(one) || transport::is_network(one);
}

}  // namespace

bool forward_list_allows(std::string_view list, const transport::Peer* server, const EndpointAddress& to) {
  if (list == kAny) return true;
  if (list == kNone) return false;  // also not to a host of that name
  for (std::string_view one; next_part(list, ',', one);)
    if (fits(one, server, to)) return true;
  return false;
}

bool parse_forward_list(std::string_view value, std::string& list) {
  if (value != kOutward && value != kAny && value != kNone) {
    std::string_view rest = value;
    for (std::string_view one; next_part(rest, ',', one);)
      if (!is_element(one)) return false;
    if (value.empty()) return false;
  }
  list = value == kOutward ? std::string_view() : value;
  return true;
}

}  // namespace callis::orb
