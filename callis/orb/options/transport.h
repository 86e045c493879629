// SPDX-License-Identifier: Apache-2.0
// Transport: what the ORB must know of a way to move bytes (callis/transport), as an entry of one list: how its
// endpoints are written in options, how it listens and connects, and what of it stands in references. Nothing else of
// the ORB asks which transport it has before it.
//
//   option ── parse() ──→ EndpointAddress ── listen() ──→ Listener, what is published
//   what is published ── offer() ──→ profiles of references
//   profile ── read(), find() ──→ EndpointAddress ── connect() ──→ Stream
//
// HACKING.md has the steps of adding one.
#pragma once
#include <callis/base/clock.h>
#include <callis/base/feature.h>
#include <callis/base/limits.h>
#include <callis/base/result.h>
#include <callis/ior/iiop_profile.h>
#include <callis/transport/transport.h>
#include <list>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace callis::orb {

class OrbContext;
class Transport;

// A place that calls go to, or where they are served.
struct EndpointAddress {
  const Transport* transport = nullptr;  // of the list below, or the ORB's own
  std::string place;                     // what the transport knows it by: a host, a path, a name
  std::uint16_t port = 0;                // 0 where the transport has none

  // "tcp:10.1.2.3:4711": for people, and to find equal ones by.
  std::string text() const;
  friend bool operator==(const EndpointAddress&, const EndpointAddress&) = default;
};

const Transport* tcp_transport() noexcept;
const Transport* memory_transport() noexcept;
CALLIS_OPTIONAL const Transport* unix_transport() noexcept;

// An endpoint to serve at, as an option has it.
struct EndpointOption {
  EndpointAddress address{tcp_transport(), {}, 0};  // TCP: no host for all interfaces, port 0 for any that is free
  // What references carry, with port 0 for the bound one; empty: the bound address, or the machine's primary one for
  // a wildcard. Only where the transport has hosts.
  std::vector<ior::Address> publish;
};

// What listen() needs besides the address.
struct ListenTerms {
  unsigned permissions = 0;  // of socket files
  // Makes what serves the connections that accept() does not give.
  std::shared_ptr<transport::MemoryAcceptor> (*acceptor)(OrbContext& orb, const std::string& name) = nullptr;
  OrbContext* orb = nullptr;
};

// A reference in the making.
struct ReferenceParts {
  ior::Version version;
  ByteView object_key;
  const std::list<EndpointAddress>& published;  // of all transports
  std::vector<ior::TaggedComponent> components;  // that all IIOP and UIOP profiles carry
  std::vector<ior::TaggedProfile> profiles;
};

// Constant, for the time of the process. Any thread. What a transport does not define, it has not got: a text among
// the options, places to serve at, profiles in references.
class Transport {
 public:
  Transport(const Transport&) = delete;
  Transport& operator=(const Transport&) = delete;

  // --- In options ---

  // Whether the text is an endpoint of this transport, which is put into the address then. Bad: it begins as one.
  enum class Parsed : std::uint8_t { Other, Good, Bad };
  virtual Parsed parse(std::string_view, EndpointAddress&) const { return Parsed::Other; }
  // As EndpointAddress::text().
  virtual std::string text(const EndpointAddress& a) const = 0;
  // Whether its places are hosts with ports, so that other ones may be published.
  virtual bool has_hosts() const { return false; }

  // --- Serving ---

  // Listens at the endpoint, and adds to the list the addresses that references are to name.
  virtual Result<std::unique_ptr<transport::Listener>> listen(const EndpointOption&, const ListenTerms&,
                                                              std::list<EndpointAddress>&) const {
    return Fault::Unsupported;
  }

  // --- References to objects here ---

  // For each of this transport's addresses that are published: first what all profiles say of them, then their
  // profiles.
  virtual void offer_components(ReferenceParts&) const {}
  virtual void offer(ReferenceParts&) const {}

  // --- Calls ---

  // Reads a profile of the tag that is this transport's own; false for another one, and for one that cannot be read.
  // What has no hosts has its place for a host.
  virtual bool read(const ior::TaggedProfile&, const Limits&, ior::IiopProfile&) const { return false; }
  // Adds the addresses of this transport that a profile names. any_host: also those that are said to be on another
  // host.
  virtual void find(std::uint32_t, const ior::IiopProfile&, bool /*any_host*/, std::list<EndpointAddress>&) const {}
  // From how far away the address can be reached, as far as it tells.
  virtual transport::Reach reach(const EndpointAddress& a) const = 0;
  // Calls over it do not leave the process: they are done when they have been sent, and both sides have one code set.
  virtual bool is_inside() const { return false; }
  virtual Result<std::unique_ptr<transport::Stream>> connect(const EndpointAddress& to, Deadline deadline) const = 0;

 protected:
  constexpr Transport() = default;
  ~Transport() = default;
};

// Those that the program has, from far to near: references name the far ones first, calls try the near ones first.
std::span<const Transport* const> transports() noexcept;

}  // namespace callis::orb
