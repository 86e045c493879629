// SPDX-License-Identifier: Apache-2.0
// Properties of protocols. Their attributes can be set by any thread at any time; policies read them when they are
// made.
#include <callis/ior/tags.h>
#include <callis/orb/base/errors.h>
#include <callis/rt/base/minor_codes.h>
#include <callis/rt/protocols/protocols.h>
#include <atomic>

namespace callis::rt {
namespace {

using namespace RTCORBA;

CORBA::Long checked(CORBA::Long size) {
  if (size < 0)
    raise<CORBA::BAD_PARAM>(kBadRtPolicy, CORBA::COMPLETED_NO, "the size of a buffer below 0");
  return size;
}

class Size final {
 public:
  explicit Size(CORBA::Long size) : size_(checked(size)) {}
  CORBA::Long get() const { return size_.load(std::memory_order_relaxed); }
  void set(CORBA::Long size) { size_.store(checked(size), std::memory_order_relaxed); }

 private:
  std::atomic<CORBA::Long> size_;
};

#define CALLIS_SIZE(NAME, MEMBER)                                \
  CORBA::Long NAME() override { return MEMBER.get(); }           \
  void NAME(CORBA::Long size) override { MEMBER.set(size); }
#define CALLIS_FLAG(NAME, MEMBER)                                                        \
  CORBA::Boolean NAME() override { return MEMBER.load(std::memory_order_relaxed); }      \
  void NAME(CORBA::Boolean on) override { MEMBER.store(on, std::memory_order_relaxed); }

class Tcp final : public TCPProtocolProperties {
 public:
  Tcp(CORBA::Long send, CORBA::Long receive, bool keep_alive, bool dont_route, bool no_delay, bool network_priority)
      : send_(send),
        receive_(receive),
        keep_alive_(keep_alive),
        dont_route_(dont_route),
        no_delay_(no_delay),
        network_priority_(network_priority) {}
  CALLIS_SIZE(send_buffer_size, send_)
  CALLIS_SIZE(recv_buffer_size, receive_)
  CALLIS_FLAG(keep_alive, keep_alive_)
  CALLIS_FLAG(dont_route, dont_route_)
  CALLIS_FLAG(no_delay, no_delay_)
  CALLIS_FLAG(enable_network_priority, network_priority_)

 private:
  Size send_, receive_;
  std::atomic<bool> keep_alive_, dont_route_, no_delay_, network_priority_;
};

class Unix final : public UnixDomainProtocolProperties {
 public:
  Unix(CORBA::Long send, CORBA::Long receive) : send_(send), receive_(receive) {}
  CALLIS_SIZE(send_buffer_size, send_)
  CALLIS_SIZE(recv_buffer_size, receive_)

 private:
  Size send_, receive_;
};

class Memory final : public SharedMemoryProtocolProperties {
 public:
  explicit Memory(CORBA::Long size) : size_(size) {}
  CALLIS_SIZE(preallocate_buffer_size, size_)

 private:
  Size size_;
};
#undef CALLIS_SIZE
#undef CALLIS_FLAG

ProtocolTerms terms_of(const Protocol& p) {
  ProtocolTerms t;
  t.profile = p.protocol_type;
  ProtocolProperties* const properties = p.transport_protocol_properties.in();
  t.has_properties = properties != nullptr;
  if (auto* const tcp = dynamic_cast<TCPProtocolProperties*>(properties)) {
    t.send_buffer = tcp->send_buffer_size();
    t.receive_buffer = tcp->recv_buffer_size();
    t.keep_alive = tcp->keep_alive();
    t.dont_route = tcp->dont_route();
    t.no_delay = tcp->no_delay();
    t.network_priority = tcp->enable_network_priority();
  } else if (auto* const local = dynamic_cast<UnixDomainProtocolProperties*>(properties)) {
    t.send_buffer = local->send_buffer_size();
    t.receive_buffer = local->recv_buffer_size();
  } else if (auto* const memory = dynamic_cast<SharedMemoryProtocolProperties*>(properties)) {
    t.receive_buffer = memory->preallocate_buffer_size();
  }
  return t;
}

ProtocolProperties_ptr properties_of(const ProtocolTerms& t) {
  if (!t.has_properties) return nullptr;
  switch (t.profile) {
    case ior::kInternetProfile:
      return make_tcp_properties(t.send_buffer, t.receive_buffer, t.keep_alive, t.dont_route, t.no_delay,
                                 t.network_priority);
    case ior::kUiopProfile: return make_unix_properties(t.send_buffer, t.receive_buffer);
    case ior::kMemoryProfile: return make_memory_properties(t.receive_buffer);
    default: return nullptr;
  }
}

// Returns a text about what is wrong, or nullptr.
const char* fault_of(const Protocol& p) {
  if (p.orb_protocol_properties.in())
    return "properties of GIOP, which has none: orb_protocol_properties must be nil";
  ProtocolProperties* const properties = p.transport_protocol_properties.in();
  bool fits = !properties;
  switch (p.protocol_type) {
    case ior::kInternetProfile: fits |= dynamic_cast<TCPProtocolProperties*>(properties) != nullptr; break;
    case ior::kUiopProfile: fits |= dynamic_cast<UnixDomainProtocolProperties*>(properties) != nullptr; break;
    case ior::kMemoryProfile: fits |= dynamic_cast<SharedMemoryProtocolProperties*>(properties) != nullptr; break;
    default: return nullptr;  // a preference that cannot be met here, and that says nothing of the others
  }
  return fits ? nullptr : "properties of another protocol";
}

}  // namespace

TCPProtocolProperties_ptr make_tcp_properties(CORBA::Long send, CORBA::Long receive, bool keep_alive, bool dont_route,
                                              bool no_delay, bool network_priority) {
  return new Tcp(send, receive, keep_alive, dont_route, no_delay, network_priority);
}
UnixDomainProtocolProperties_ptr make_unix_properties(CORBA::Long send, CORBA::Long receive) {
  return new Unix(send, receive);
}
SharedMemoryProtocolProperties_ptr make_memory_properties(CORBA::Long size) { return new Memory(size); }

std::uint32_t profile_of(const orb::Transport& transport) {
  return &transport == orb::tcp_transport()      ? ior::kInternetProfile
         : &transport == orb::memory_transport() ? ior::kMemoryProfile
                                                 : ior::kUiopProfile;
}

std::vector<ProtocolTerms> terms_of(const ProtocolList& protocols) {
  std::vector<ProtocolTerms> all;
  for (CORBA::ULong i = 0; i < protocols.length(); ++i) all.push_back(terms_of(protocols[i]));
  return all;
}

ProtocolList list_of(const std::vector<ProtocolTerms>& protocols) {
  ProtocolList list;
  list.length(static_cast<CORBA::ULong>(protocols.size()));
  for (CORBA::ULong i = 0; i < list.length(); ++i) {
    list[i].protocol_type = protocols[i].profile;
    list[i].transport_protocol_properties = properties_of(protocols[i]);
  }
  return list;
}

const char* fault_of(const ProtocolList& protocols) {
  for (CORBA::ULong i = 0; i < protocols.length(); ++i) {
    if (const char* const fault = fault_of(protocols[i])) return fault;
    for (CORBA::ULong k = 0; k < i; ++k)
      if (protocols[k].protocol_type == protocols[i].protocol_type) return "the same protocol twice";
  }
  return nullptr;
}

}  // namespace callis::rt
