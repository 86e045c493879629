// SPDX-License-Identifier: Apache-2.0
// Real-time policies to and from the component TAG_POLICIES.
#include <callis/base/buffer.h>
#include <callis/cdr/decoder.h>
#include <callis/cdr/encoder.h>
#include <callis/ior/iiop_profile.h>
#include <callis/rt/policies/policy_values.h>
#include <algorithm>

namespace callis::rt {
namespace {

using namespace RTCORBA;

// --- Writing ---

// Appends one value at a time; their number is known before.
class Values final {
 public:
  Values(ByteOrder order, std::uint32_t count) : encoder_(buffer_, order) {
    encoder_.put_octet(static_cast<Byte>(order));
    encoder_.put_ulong(count);
  }
  void add(CORBA::PolicyType type, ByteView value) {
    encoder_.put_ulong(type);
    encoder_.put_octets(value);
  }
  template <class Write>
  void add(CORBA::PolicyType type, Write&& write) {
    encoder_.put_ulong(type);
    const auto inner = encoder_.begin_encapsulation();
    write(encoder_);
    encoder_.end_encapsulation(inner);
  }
  ior::Bytes bytes() {
    encoder_.finish();
    if (encoder_.fault() != Fault::None) return {};
    return {buffer_.data(), buffer_.data() + buffer_.size()};
  }

 private:
  Buffer buffer_;
  cdr::Encoder encoder_;
};

void put(cdr::Encoder& e, const ProtocolTerms& p) {
  e.put_ulong(p.profile);
  const auto size = [&](std::int32_t n) { e.put_ulong(static_cast<std::uint32_t>(n)); };
  switch (p.profile) {
    case ior::kInternetProfile:
      size(p.send_buffer);
      size(p.receive_buffer);
      e.put_boolean(p.keep_alive);
      e.put_boolean(p.dont_route);
      e.put_boolean(p.no_delay);
      break;
    case ior::kUiopProfile:
      size(p.send_buffer);
      size(p.receive_buffer);
      break;
    default: size(p.receive_buffer);
  }
}

// --- Reading ---

struct Value {
  CORBA::PolicyType type;
  ByteView bytes;
};

// Returns the values of a component; none if the component is malformed anywhere.
std::vector<Value> split(ByteView component, const Limits& limits) {
  std::vector<Value> values;
  if (component.empty() || component.size() > limits.max_context_bytes) return values;
  cdr::Budget budget = cdr::Budget::of(limits, component.size());
  cdr::Decoder d = cdr::Decoder::of_encapsulation(component, budget);
  const std::uint32_t n = d.count(8, sizeof(Value));
  for (std::uint32_t i = 0; i < n && d.ok(); ++i) {
    const std::uint32_t type = d.get_ulong();
    values.push_back({type, d.get_octets(limits.max_context_bytes)});
  }
  if (!d.ok()) values.clear();
  return values;
}

bool read_model(cdr::Decoder& d, RtPolicies& to) {
  const std::uint32_t model = d.get_ulong();
  const auto priority = static_cast<Priority>(d.get_ushort());
  if (!d.ok() || model > SERVER_DECLARED || priority < minPriority) return false;
  to.model = static_cast<PriorityModel>(model);
  to.server_priority = priority;
  return true;
}

bool read_bands(cdr::Decoder& d, RtPolicies& to) {
  const std::uint32_t n = d.count(4, sizeof(Band));
  if (!d.ok() || n > kMostBands) return false;
  std::vector<Band> bands(n);
  for (Band& b : bands) {
    b.low = static_cast<CORBA::Short>(d.get_ushort());
    b.high = static_cast<CORBA::Short>(d.get_ushort());
  }
  if (!d.ok() || fault_of(bands)) return false;
  to.bands = std::move(bands);
  return true;
}

// Reads one protocol. Returns false for an unknown protocol: nobody knows where its properties end.
bool read_protocol(cdr::Decoder& d, ProtocolTerms& p) {
  p.profile = d.get_ulong();
  p.has_properties = true;
  const auto size = [&] { return static_cast<std::int32_t>(d.get_ulong()); };
  switch (p.profile) {
    case ior::kInternetProfile:
      p.send_buffer = size();
      p.receive_buffer = size();
      p.keep_alive = d.get_boolean();
      p.dont_route = d.get_boolean();
      p.no_delay = d.get_boolean();
      break;
    case ior::kUiopProfile:
      p.send_buffer = size();
      p.receive_buffer = size();
      break;
    case ior::kMemoryProfile: p.receive_buffer = size(); break;
    default: return false;
  }
  return d.ok() && p.send_buffer >= 0 && p.receive_buffer >= 0;
}

bool read_protocols(cdr::Decoder& d, RtPolicies& to) {
  const std::uint32_t n = d.count(4, sizeof(ProtocolTerms));
  if (!d.ok() || n > kMostProtocols) return false;
  std::vector<ProtocolTerms> protocols;
  for (std::uint32_t i = 0; i < n; ++i) {
    ProtocolTerms p;
    if (!read_protocol(d, p)) break;
    protocols.push_back(p);
  }
  if (!d.ok() || protocols.empty()) return false;
  to.client_protocols = std::move(protocols);
  return true;
}

// Reads the first value of the type. It counts whether or not it can be read.
void read_value(const std::vector<Value>& values, CORBA::PolicyType type, bool (*read)(cdr::Decoder&, RtPolicies&),
                RtPolicies& to, const Limits& limits) {
  const auto found = std::ranges::find(values, type, &Value::type);
  if (found == values.end()) return;
  cdr::Budget budget = cdr::Budget::of(limits, found->bytes.size());
  cdr::Decoder d = cdr::Decoder::of_encapsulation(found->bytes, budget);
  (void)read(d, to);
}

bool is_exposed(CORBA::PolicyType type) {
  return type == PRIORITY_MODEL_POLICY_TYPE || type == CLIENT_PROTOCOL_POLICY_TYPE ||
         type == PRIORITY_BANDED_CONNECTION_POLICY_TYPE;
}

}  // namespace

ior::Bytes with_policy_values(ByteView before, const RtPolicies& policies, std::optional<Priority> priority,
                              ByteOrder order) {
  std::vector<Value> others = split(before, {});
  std::erase_if(others, [](const Value& v) { return is_exposed(v.type); });
  std::vector<ProtocolTerms> preferred = policies.client_protocols.value_or(std::vector<ProtocolTerms>());
  std::erase_if(preferred, [](const ProtocolTerms& p) {  // nobody could read on behind one that is not known
    return p.profile != ior::kInternetProfile && p.profile != ior::kUiopProfile && p.profile != ior::kMemoryProfile;
  });
  const bool protocols = !preferred.empty();
  const bool bands = !policies.bands.empty();
  const std::size_t count = others.size() + (policies.model ? 1 : 0) + (bands ? 1 : 0) + (protocols ? 1 : 0);
  if (count == 0) return {};
  Values values(order, static_cast<std::uint32_t>(count));
  for (const Value& v : others) values.add(v.type, v.bytes);
  if (policies.model)
    values.add(PRIORITY_MODEL_POLICY_TYPE, [&](cdr::Encoder& e) {
      e.put_ulong(*policies.model);
      e.put_ushort(static_cast<std::uint16_t>(priority.value_or(policies.server_priority)));
    });
  if (protocols)
    values.add(CLIENT_PROTOCOL_POLICY_TYPE, [&](cdr::Encoder& e) {
      e.put_ulong(static_cast<std::uint32_t>(preferred.size()));
      for (const ProtocolTerms& p : preferred) put(e, p);
    });
  if (bands)
    values.add(PRIORITY_BANDED_CONNECTION_POLICY_TYPE, [&](cdr::Encoder& e) {
      e.put_ulong(static_cast<std::uint32_t>(policies.bands.size()));
      for (const Band& b : policies.bands) {
        e.put_ushort(static_cast<std::uint16_t>(b.low));
        e.put_ushort(static_cast<std::uint16_t>(b.high));
      }
    });
  return values.bytes();
}

RtPolicies read_policy_values(ByteView component, const Limits& limits) {
  RtPolicies all;
  const std::vector<Value> values = split(component, limits);
  read_value(values, PRIORITY_MODEL_POLICY_TYPE, &read_model, all, limits);
  read_value(values, CLIENT_PROTOCOL_POLICY_TYPE, &read_protocols, all, limits);
  read_value(values, PRIORITY_BANDED_CONNECTION_POLICY_TYPE, &read_bands, all, limits);
  return all;
}

RtPolicies read_policy_values(const ior::Ior& ior, const Limits& limits) {
  for (const ior::TaggedProfile& p : ior.profiles) {
    if (p.tag != ior::kInternetProfile && p.tag != ior::kUiopProfile) continue;
    const Result<ior::IiopProfile> body =
        p.tag == ior::kUiopProfile ? ior::parse_uiop(p.data, limits) : ior::parse_iiop(p.data, limits);
    const ior::TaggedComponent* const c = body ? body->component(ior::kPolicies) : nullptr;
    if (!c) continue;
    RtPolicies found = read_policy_values(c->data, limits);
    if (!found.empty()) return found;
  }
  return {};
}

}  // namespace callis::rt
