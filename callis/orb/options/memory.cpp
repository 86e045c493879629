// SPDX-License-Identifier: Apache-2.0
// The memory transport as an entry of the list of transports.
#include <callis/base/text.h>
#include <callis/ior/memory_profile.h>
#include <callis/orb/options/transport.h>
#include <optional>

namespace callis::orb {
namespace {

// A name of the process that is served at; its connections are served by their clients' threads.
class MemoryListener final : public transport::Listener {
 public:
  explicit MemoryListener(transport::MemoryEndpoint endpoint) : endpoint_(std::move(endpoint)) {}
  bool accepts() const override { return false; }
  Result<std::unique_ptr<transport::Stream>> accept() override { return Fault::ConnectionClosed; }
  void set_farewell(ByteView) override {}
  void close() noexcept override { endpoint_.reset(); }

 private:
  std::optional<transport::MemoryEndpoint> endpoint_;
};

class Memory final : public Transport {
 public:
  constexpr Memory() = default;

  Parsed parse(std::string_view text, EndpointAddress& to) const override {
    constexpr std::string_view kScheme = "memory:";
    if (!text.starts_with(kScheme)) return Parsed::Other;
    to = {this, std::string(text.substr(kScheme.size())), 0};
    return to.place.empty() ? Parsed::Bad : Parsed::Good;
  }
  std::string text(const EndpointAddress& a) const override { return concat({"memory:", a.place}); }

  Result<std::unique_ptr<transport::Listener>> listen(const EndpointOption& at, const ListenTerms& terms,
                                                      std::list<EndpointAddress>& published) const override {
    auto endpoint = transport::listen_memory(at.address.place, terms.acceptor(*terms.orb, at.address.text()));
    if (!endpoint) return endpoint.error();
    published.push_back(at.address);
    return Result<std::unique_ptr<transport::Listener>>(
        std::make_unique<MemoryListener>(std::move(endpoint).value()));
  }
  void offer(ReferenceParts& to) const override {
    for (const EndpointAddress& a : to.published)
      if (a.transport == this) ior::add(to.profiles, ior::memory_profile(a.place, to.object_key));
  }

  bool read(const ior::TaggedProfile& profile, const Limits& limits, ior::IiopProfile& to) const override {
    if (profile.tag != ior::kMemoryProfile) return false;
    Result<ior::MemoryProfile> p = ior::parse_memory(profile.data, limits);
    if (p) to.address.host = std::move(p.value().endpoint);
    return p.ok();
  }
  void find(std::uint32_t tag, const ior::IiopProfile& in, bool, std::list<EndpointAddress>& to,
            const OrbContext*) const override {
    if (tag == ior::kMemoryProfile) to.push_back({this, in.address.host, 0});
  }
  transport::Reach reach(const EndpointAddress&) const override { return transport::Reach::Process; }
  bool is_inside() const override { return true; }
  Result<std::unique_ptr<transport::Stream>> connect(const EndpointAddress& to, Deadline) const override {
    return transport::connect_memory(to.place);
  }
};

constexpr Memory kMemory;

}  // namespace

const Transport* memory_transport() noexcept { return &kMemory; }

}  // namespace callis::orb
