// SPDX-License-Identifier: Apache-2.0
// Transport: a way to move bytes (callis/transport), as an entry of one list. It reads its endpoints from options,
// listens, connects, and writes and reads its part of references. No other code of the ORB asks which transport is in
// use.
//
//   option ── parse() ──→ EndpointAddress ── listen() ──→ Listener, what is published
//   what is published ── offer() ──→ profiles of references
//   profile ── read(), find() ──→ EndpointAddress ── connect() ──→ Stream
//
// HACKING.md has the steps for adding a transport.
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

// An address that calls go to, or at which they are served.
struct EndpointAddress {
  const Transport* transport = nullptr;  // of the list below, or the ORB's own
  std::string place;                     // the transport's name for it: a host, a path, a name
  std::uint16_t port = 0;                // 0 if the transport has none

  // "tcp:10.1.2.3:4711", for people and as a key.
  std::string text() const;
  friend bool operator==(const EndpointAddress&, const EndpointAddress&) = default;
};

const Transport* tcp_transport() noexcept;
const Transport* memory_transport() noexcept;
CALLIS_OPTIONAL const Transport* unix_transport() noexcept;
CALLIS_OPTIONAL const Transport* tls_transport() noexcept;  // of programs that include callis/tls.h

// An endpoint to serve at, as an option has it.
struct EndpointOption {
  EndpointAddress address{tcp_transport(), {}, 0};  // TCP: no host for all interfaces, port 0 for any that is free
  // The addresses that references carry; port 0 stands for the bound port. If empty: the bound address, or the
  // machine's primary address for a wildcard. Used only if the transport has hosts.
  std::vector<ior::Address> publish;
};

// The further arguments of listen().
struct ListenTerms {
  unsigned permissions = 0;  // of socket files
  // Makes the object that serves the connections that accept() does not give.
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

// Constant, for the time of the process. Any thread may call. A transport without a function lacks its feature: a
// text among the options, places to serve at, profiles in references.
class Transport {
 public:
  Transport(const Transport&) = delete;
  Transport& operator=(const Transport&) = delete;

  // --- In options ---

  // Puts the text into the address if it is an endpoint of this transport. Bad: the text begins as such an endpoint.
  enum class Parsed : std::uint8_t { Other, Good, Bad };
  virtual Parsed parse(std::string_view, EndpointAddress&) const { return Parsed::Other; }
  // The text of EndpointAddress::text().
  virtual std::string text(const EndpointAddress& a) const = 0;
  // Whether its places are hosts with ports, so that other addresses may be published.
  virtual bool has_hosts() const { return false; }

  // --- Serving ---

  // Listens at the endpoint, and adds to the list the addresses that references are to name.
  virtual Result<std::unique_ptr<transport::Listener>> listen(const EndpointOption&, const ListenTerms&,
                                                              std::list<EndpointAddress>&) const {
    return Fault::Unsupported;
  }

  // --- References to objects here ---

  // For each published address of this transport: the first adds the components of all profiles, the second adds its
  // profiles.
  virtual void offer_components(ReferenceParts&) const {}
  virtual void offer(ReferenceParts&) const {}

  // --- Calls ---

  // Reads a profile with this transport's own tag. Returns false for another tag, and for an unreadable profile. A
  // transport without hosts puts its place into the host.
  virtual bool read(const ior::TaggedProfile&, const Limits&, ior::IiopProfile&) const { return false; }
  // Adds the addresses of this transport that a profile names. any_host: also addresses that are marked as another
  // host's. The ORB whose calls go there may be nullptr. TLS, which is asked last, may also take addresses out.
  virtual void find(std::uint32_t, const ior::IiopProfile&, bool /*any_host*/, std::list<EndpointAddress>&,
                    const OrbContext*) const {}
  // From how far away the address can be reached, as far as it tells.
  virtual transport::Reach reach(const EndpointAddress& a) const = 0;
  // Whether calls over it stay inside the process: they are done when they have been sent, and both sides have one
  // code set.
  virtual bool is_inside() const { return false; }
  virtual Result<std::unique_ptr<transport::Stream>> connect(const EndpointAddress& to, Deadline deadline) const = 0;

 protected:
  constexpr Transport() = default;
  ~Transport() = default;
};

// The program's transports, from far to near: references name the far transports first, calls try the near ones
// first.
std::span<const Transport* const> transports() noexcept;
// The feature that the program lacks for this endpoint of an option; nullptr if it lacks none.
const char* feature_for(std::string_view endpoint) noexcept;

}  // namespace callis::orb
