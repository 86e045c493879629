// SPDX-License-Identifier: Apache-2.0
// Unix-domain sockets as an entry of the list of transports. References name them as omniORB does, in a component of
// IIOP profiles, and as TAO does, in UIOP profiles.
#include <callis/base/text.h>
#include <callis/orb/options/transport.h>

CALLIS_PROVIDE(unix_transport);

namespace callis::orb {
namespace {

class Unix final : public Transport {
 public:
  constexpr Unix() = default;

  Parsed parse(std::string_view text, EndpointAddress& to) const override {
    for (const std::string_view scheme : {"unix:", "giop:unix:", "uiop://"})
      if (text.starts_with(scheme)) {
        to = {this, std::string(text.substr(scheme.size())), 0};
        return to.place.starts_with('/') ? Parsed::Good : Parsed::Bad;
      }
    return Parsed::Other;
  }
  std::string text(const EndpointAddress& a) const override { return concat({"unix:", a.place}); }

  Result<std::unique_ptr<transport::Listener>> listen(const EndpointOption& at, const ListenTerms& terms,
                                                      std::list<EndpointAddress>& published) const override {
    auto listener = transport::listen_unix(at.address.place, terms.permissions);
    if (listener) published.push_back(at.address);
    return listener;
  }
  void offer_components(ReferenceParts& to) const override {
    for (const EndpointAddress& a : to.published)
      if (a.transport == this)
        ior::add(to.components, ior::unix_address_component({transport::host_name(), a.place}));
  }
  void offer(ReferenceParts& to) const override {
    for (const EndpointAddress& a : to.published) {
      if (a.transport != this) continue;
      if (to.profiles.empty() && to.version >= ior::Version{1, 1})  // omniORB reads the component in this form
        ior::add(to.profiles, ior::to_profile(to.version, {transport::host_name(), 0}, to.object_key, to.components));
      ior::add(to.profiles, ior::uiop_profile(to.version, a.place, to.object_key, to.components));
    }
  }

  bool read(const ior::TaggedProfile& profile, const Limits& limits, ior::IiopProfile& to) const override {
    if (profile.tag != ior::kUiopProfile) return false;
    Result<ior::IiopProfile> p = ior::parse_uiop(profile.data, limits);
    if (p) to = std::move(p).value();
    return p.ok();
  }
  // A socket's path means something on its own host only. But if there is nothing else the host may have two names,
  // as when containers share a directory.
  void find(std::uint32_t tag, const ior::IiopProfile& in, bool any_host,
            std::list<EndpointAddress>& to, const OrbContext*) const override {
    if (tag != ior::kInternetProfile && tag != ior::kUiopProfile) return;
    bool elsewhere = false;
    for (const ior::TaggedComponent& c : in.components) {
      if (c.tag != ior::kOmniUnixTransport) continue;
      auto a = ior::parse_unix_address(c.data);
      if (!a) continue;
      const bool here = a->host == transport::host_name();
      if (here) to.push_back({this, std::move(a->path), 0});
      elsewhere |= !here;
    }
    if (tag == ior::kUiopProfile && (any_host || !elsewhere)) to.push_back({this, in.address.host, 0});
  }
  transport::Reach reach(const EndpointAddress&) const override { return transport::Reach::Machine; }
  Result<std::unique_ptr<transport::Stream>> connect(const EndpointAddress& to, Deadline deadline) const override {
    return transport::connect_unix(to.place, deadline);
  }
};

constexpr Unix kUnix;

}  // namespace

const Transport* unix_transport() noexcept { return &kUnix; }

}  // namespace callis::orb
