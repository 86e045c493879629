// SPDX-License-Identifier: Apache-2.0
// TCP as an entry of the list of transports.
#include <callis/base/text.h>
#include <callis/orb/options/tcp.h>
#include <callis/transport/tcp/reach.h>

namespace callis::orb {
namespace {

class Tcp final : public Transport {
 public:
  constexpr Tcp() = default;

  Parsed parse(std::string_view text, EndpointAddress& to) const override;
  std::string text(const EndpointAddress& a) const override {
    return concat(
        {"tcp:", a.place.empty() && a.port == 0 ? std::string() : transport::address_text(a.place, a.port)});
  }
  bool has_hosts() const override { return true; }
  Result<std::unique_ptr<transport::Listener>> listen(const EndpointOption& at, const ListenTerms&,
                                                      std::list<EndpointAddress>& published) const override;
  void offer(ReferenceParts& to) const override;
  bool read(const ior::TaggedProfile& profile, const Limits& limits, ior::IiopProfile& to) const override;
  void find(std::uint32_t tag, const ior::IiopProfile& in, bool any_host,
            std::list<EndpointAddress>& to, const OrbContext*) const override;
  transport::Reach reach(const EndpointAddress& a) const override { return transport::reach_of(a.place); }
  Result<std::unique_ptr<transport::Stream>> connect(const EndpointAddress& to, Deadline deadline) const override {
    return transport::connect_tcp(to.place, to.port, deadline);
  }
};

constexpr Tcp kTcp;

Transport::Parsed Tcp::parse(std::string_view text, EndpointAddress& to) const {
  if (text == "tcp") text = {};  // all defaults
  else if (text.starts_with("tcp:")) text.remove_prefix(4);
  else if (!text.starts_with("giop:tcp:")) return Parsed::Other;
  else {  // omniORB's form, in which the port may be empty
    text.remove_prefix(9);
    if (text.ends_with(':')) text.remove_suffix(1);
  }
  return parse_tcp(text, to) ? Parsed::Good : Parsed::Bad;
}

Result<std::unique_ptr<transport::Listener>> Tcp::listen(const EndpointOption& at, const ListenTerms&,
                                                         std::list<EndpointAddress>& published) const {
  auto listener = transport::listen_tcp(at.address.place, at.address.port);
  if (!listener) return listener.error();
  // A name given by the user is published as given: it may mean more to clients than the address behind it.
  const transport::TcpListener& l = *listener.value();
  const auto publish = [&](std::string host, std::uint16_t port) {
    published.push_back({this, std::move(host), port != 0 ? port : l.port()});
  };
  for (const ior::Address& a : at.publish) publish(a.host, a.port);
  if (at.publish.empty())
    publish(l.wildcard() ? transport::primary_address() : !at.address.place.empty() ? at.address.place : l.host(), 0);
  return Result<std::unique_ptr<transport::Listener>>(std::move(listener).value());
}

// One profile with all addresses is half as long as one for each; only IIOP 1.2 has it (9.7.3).
void Tcp::offer(ReferenceParts& to) const {
  const std::vector<ior::Address> own = tcp_addresses(to.published);
  std::span<const ior::Address> addresses = own;
  const std::size_t common = to.components.size();
  if (to.version >= ior::Version{1, 2} && addresses.size() > 1) {
    for (const ior::Address& a : addresses.subspan(1)) ior::add(to.components, ior::alternate_address_component(a));
    addresses = addresses.first(1);
  }
  for (const ior::Address& a : addresses)
    ior::add(to.profiles, ior::to_profile(to.version, a, to.object_key, to.components));
  while (to.components.size() != common) to.components.pop_back();
}

bool Tcp::read(const ior::TaggedProfile& profile, const Limits& limits, ior::IiopProfile& to) const {
  if (profile.tag != ior::kInternetProfile) return false;
  Result<ior::IiopProfile> p = ior::parse_iiop(profile.data, limits);
  if (p) to = std::move(p).value();
  return p.ok();
}

void Tcp::find(std::uint32_t tag, const ior::IiopProfile& in, bool, std::list<EndpointAddress>& to,
               const OrbContext*) const {
  if (tag != ior::kInternetProfile && tag != ior::kUiopProfile) return;
  for (ior::Address& a : ior::addresses(in)) {
    const bool in_brackets = a.host.size() > 2 && a.host.front() == '[' && a.host.back() == ']';
    if (in_brackets) a.host = a.host.substr(1, a.host.size() - 2);  // so some ORBs write IPv6 into profiles
    to.push_back({this, std::move(a.host), a.port});
  }
}

}  // namespace

const Transport* tcp_transport() noexcept { return &kTcp; }

bool is_any_host(std::string_view host) { return host == "*" || host == "0.0.0.0"; }

bool parse_tcp(std::string_view text, EndpointAddress& to) {
  to.transport = &kTcp;
  if (!text.empty() && !parse_host_port(text, to.place, to.port)) return false;
  if (is_any_host(to.place)) to.place.clear();
  return true;
}

bool parse_host_port(std::string_view text, std::string& host, std::uint16_t& port) {
  const char* begin = text.data();
  const char* const end = begin + text.size();
  const char* host_end = begin;
  if (begin != end && *begin == '[') {
    ++begin;
    while (host_end != end && *host_end != ']') ++host_end;
    if (host_end == end) return false;
  } else {
    while (host_end != end && *host_end != ':') ++host_end;
  }
  for (const char* c = begin; c != host_end; ++c)
    if (static_cast<unsigned char>(*c) <= ' ' || *c == '/' || *c == '@') return false;
  const char* rest = host_end != end && *host_end == ']' ? host_end + 1 : host_end;
  if (rest != end) {
    std::uint64_t n = 0;  // a further colon, of an IPv6 address without brackets, is no digit
    if (*rest != ':' || !parse_decimal({rest + 1, static_cast<std::size_t>(end - rest - 1)}, 0xffff, n)) return false;
    port = static_cast<std::uint16_t>(n);
  }
  host.assign(begin, host_end);
  return true;
}

std::vector<ior::Address> tcp_addresses(const std::list<EndpointAddress>& all) {
  std::vector<ior::Address> found;
  for (const EndpointAddress& a : all)
    if (a.transport == &kTcp) found.push_back({a.place, a.port});
  return found;
}

}  // namespace callis::orb
