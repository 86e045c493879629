// SPDX-License-Identifier: Apache-2.0
// One reader a tag, in a table: each adds to the component's tree what the bytes say, or finds them malformed.
#include <callis/ior/ior.h>
#include <tools/ior/components.h>

namespace callis::tools {
namespace {

using cdr::Decoder;

// The name or, without one, the number.
std::string name_or_number(const char* name, std::uint32_t number) { return name ? name : hex_number(number); }

std::string four_letters(std::uint32_t type) {
  std::string letters;
  for (int shift = 24; shift >= 0; shift -= 8) letters += static_cast<char>(type >> shift);
  while (!letters.empty() && letters.back() == 0) letters.pop_back();
  return escaped(letters);
}

bool read_orb_type(Decoder& d, Tree& out) {
  const std::uint32_t type = d.get_ulong();
  if (!d.ok()) return false;
  const char* const name = orb_type_name(type);
  out.words = name ? name : "unknown ORB " + hex_number(type) + " \"" + four_letters(type) + '"';
  out.add(Tree::count("orb_type", type).in_json_only());
  out.add(Tree::text("orb", name ? name : "").in_json_only());
  return true;
}

void put_code_sets(Tree& out, const char* kind, const ior::CodeSets& sets) {
  const auto name = [](std::uint32_t set) { return name_or_number(ior::code_set_name(set), set); };
  std::string words = sets.native != 0 ? name(sets.native) : "none of its own";
  Tree conversion = Tree::list("conversion");
  for (const std::uint32_t set : sets.conversion) {
    words.append(conversion.items.empty() ? "; converts " : ", ").append(name(set));
    conversion.add(Tree::text({}, name(set)));
  }
  Tree& one = out.add(Tree::object(kind, words));
  one.add(Tree::text("native", sets.native != 0 ? name(sets.native) : "").in_json_only());
  conversion.only_json = true;
  one.add(std::move(conversion));
}

bool read_code_sets(ByteView data, Tree& out) {
  const auto sets = ior::parse_code_sets(data);
  if (!sets) return false;
  put_code_sets(out, "char", sets.value().for_char);
  put_code_sets(out, "wchar", sets.value().for_wchar);
  return true;
}

bool read_alternate_address(ByteView data, Tree& out) {
  const auto a = ior::parse_alternate_address(data);
  if (!a) return false;
  const bool v6 = a.value().host.find(':') != std::string::npos;
  out.words = (v6 ? "[" : "") + escaped(a.value().host) + (v6 ? "]:" : ":") + std::to_string(a.value().port);
  out.add(Tree::text("host", escaped(a.value().host)).in_json_only());
  out.add(Tree::count("port", a.value().port).in_json_only());
  return true;
}

bool read_unix_address(ByteView data, Tree& out) {
  const auto a = ior::parse_unix_address(data);
  if (!a) return false;
  out.words = escaped(a.value().path) + " on host " + escaped(a.value().host);
  out.add(Tree::text("path", escaped(a.value().path)).in_json_only());
  out.add(Tree::text("host", escaped(a.value().host)).in_json_only());
  return true;
}

// ---- policies (CORBA 3.0.3, 22.3; Real-time CORBA 1.1, 4.6) ----

struct PolicyName {
  std::uint32_t type;
  const char* name;
  enum { Range, Number, Moment, Model, Bytes } value;
};
constexpr PolicyName kPolicyNames[] = {
    {23, "Rebind", PolicyName::Number},
    {24, "SyncScope", PolicyName::Number},
    {25, "RequestPriority", PolicyName::Range},
    {26, "ReplyPriority", PolicyName::Range},
    {27, "RequestStartTime", PolicyName::Moment},
    {28, "RequestEndTime", PolicyName::Moment},
    {29, "ReplyStartTime", PolicyName::Moment},
    {30, "ReplyEndTime", PolicyName::Moment},
    {31, "RelativeRequestTimeout", PolicyName::Bytes},
    {32, "RelativeRoundtripTimeout", PolicyName::Bytes},
    {33, "Routing", PolicyName::Range},
    {34, "MaxHops", PolicyName::Number},
    {35, "QueueOrder", PolicyName::Number},
    {37, "BidirectionalPolicy", PolicyName::Number},
    {40, "RTCORBA PriorityModel", PolicyName::Model},
    {41, "RTCORBA Threadpool", PolicyName::Bytes},
    {42, "RTCORBA ServerProtocol", PolicyName::Bytes},
    {43, "RTCORBA ClientProtocol", PolicyName::Bytes},
    {44, "RTCORBA PrivateConnection", PolicyName::Bytes},
    {45, "RTCORBA PriorityBandedConnection", PolicyName::Bytes},
};

std::string policy_value(const PolicyName* known, ByteView value) {
  cdr::Budget budget{value.size(), 1};
  if (known && known->value == PolicyName::Range) {
    if (const auto r = ior::read_short_range(value)) return std::to_string(r->min) + " to " + std::to_string(r->max);
  } else if (known && known->value == PolicyName::Number) {
    if (const auto n = ior::read_ushort(value)) return std::to_string(*n);
  } else if (known && known->value == PolicyName::Moment) {
    if (const auto m = ior::read_moment(value)) return std::to_string(*m) + " (100 ns since 15 October 1582)";
  } else if (known && known->value == PolicyName::Model) {
    Decoder d = Decoder::of_encapsulation(value, budget);
    const std::uint32_t model = d.get_ulong();
    const auto priority = static_cast<std::int16_t>(d.get_ushort());
    if (d.ok() && model < 2)
      return (model == 0 ? "CLIENT_PROPAGATED, priority " : "SERVER_DECLARED, priority ") + std::to_string(priority);
  }
  return hex(value);
}

bool read_policies(Decoder& d, Tree& out) {
  const std::uint32_t n = d.count(8, 8);
  Tree list = Tree::list("policies");
  for (std::uint32_t i = 0; i < n && d.ok(); ++i) {
    const std::uint32_t type = d.get_ulong();
    const ByteView value = d.get_octets();
    if (!d.ok()) break;
    const PolicyName* known = nullptr;
    for (const PolicyName& p : kPolicyNames) {
      if (p.type == type) known = &p;
    }
    const std::string name = known ? known->name : std::to_string(type);
    Tree& one = list.add(Tree::object("policy " + name, policy_value(known, value)));
    one.add(Tree::count("type", type).in_json_only());
    one.add(Tree::text("name", known ? known->name : "").in_json_only());
    one.add(Tree::text("value", policy_value(known, value)).in_json_only());
  }
  if (!d.ok()) return false;
  out.add(std::move(list));
  return true;
}

// ---- TLS (CORBA Security Service 1.8, SSLIOP) ----

std::string association_options(std::uint16_t bits) {
  constexpr const char* kNames[] = {
      "NoProtection",           "Integrity",    "Confidentiality",  "DetectReplay",        "DetectMisordering",
      "EstablishTrustInTarget",
      "EstablishTrustInClient", "NoDelegation", "SimpleDelegation", "CompositeDelegation", "IdentityAssertion",
      "DelegationByClient"};
  std::string out;
  for (std::size_t i = 0; i < std::size(kNames); ++i) {
    if (bits >> i & 1) out.append(out.empty() ? "" : ", ").append(kNames[i]);
  }
  return out.empty() ? "nothing" : out;
}

bool read_ssl(Decoder& d, Tree& out) {
  const std::uint16_t supports = d.get_ushort(), requires_ = d.get_ushort(), port = d.get_ushort();
  if (!d.ok()) return false;
  out.words = "TLS on port " + std::to_string(port);
  out.add(Tree::count("port", port).in_json_only());
  out.add(Tree::text("supports", association_options(supports)));
  out.add(Tree::text("requires", association_options(requires_)));
  return true;
}

bool read_codebase(Decoder& d, Tree& out) {
  const std::string_view url = d.get_string();
  if (!d.ok()) return false;
  out.words = escaped(url);
  out.add(Tree::text("url", out.words).in_json_only());
  return true;
}

bool read_stream_format(Decoder& d, Tree& out) {
  const Byte format = d.get_octet();
  if (!d.ok()) return false;
  out.words = std::to_string(format);
  out.add(Tree::count("format", format).in_json_only());
  return true;
}

bool read_complete_key(Decoder& d, Tree& out) {
  const ByteView key = d.get_octets();
  if (!d.ok()) return false;
  out.words = escaped({reinterpret_cast<const char*>(key.data()), key.size()});
  out.add(Tree::text("text", out.words).in_json_only());
  return true;
}

using ReadBody = bool (*)(Decoder&, Tree&);
using ReadData = bool (*)(ByteView, Tree&);
struct Reader {
  std::uint32_t tag;
  ReadBody body;  // of an encapsulation
  ReadData data;
};
constexpr Reader kReaders[] = {
    {ior::kOrbType, read_orb_type, nullptr},
    {ior::kCodeSets, nullptr, read_code_sets},
    {ior::kPolicies, read_policies, nullptr},
    {ior::kAlternateIiopAddress, nullptr, read_alternate_address},
    {5, read_complete_key, nullptr},
    {ior::kSslSecTrans, read_ssl, nullptr},
    {25, read_codebase, nullptr},
    {38, read_stream_format, nullptr},
    {ior::kOmniUnixTransport, nullptr, read_unix_address},
};

// Whether it is known and could be read; out is as it was otherwise.
bool read(const Reader& reader, ByteView data, Tree& out) {
  Tree read = out;
  cdr::Budget budget = cdr::Budget::of(Limits{}, data.size());
  if (reader.data) {
    if (!reader.data(data, read)) return false;
  } else {
    Decoder d = Decoder::of_encapsulation(data, budget);
    if (!reader.body(d, read)) return false;
  }
  out = std::move(read);
  return true;
}

// OMG's list of ORB types, those that are met.
struct OrbName {
  std::uint32_t type;
  const char* name;
};
constexpr OrbName kOrbNames[] = {
    {ior::kCallisOrbType, "callis"}, {ior::kOmniOrbType, "omniORB"}, {0x54414F00, "TAO"},
    {0x4A414300, "JacORB"},          {0x4F425400, "ORBit"},          {0x4F4F4300, "Orbacus"},
    {0x49545F00, "Orbix"},           {0x56495300, "VisiBroker"},     {0x504F0000, "PolyORB"},
    {0x53554E00, "Java (Sun)"},      {0x49424D00, "IBM"},
};

}  // namespace

const char* orb_type_name(std::uint32_t type) {
  for (const OrbName& o : kOrbNames) {
    if (o.type == type) return o.name;
  }
  return nullptr;
}

Tree describe_component(const ior::TaggedComponent& component) {
  const char* const name = ior::component_tag_name(component.tag);
  Tree out = Tree::object("component " + name_or_number(name, component.tag));
  out.add(Tree::count("tag", component.tag).in_json_only());
  out.add(Tree::text("name", name ? name : "").in_json_only());
  const Tree bytes = Tree::text("hex", hex(component.data));
  for (const Reader& reader : kReaders) {
    if (reader.tag != component.tag) continue;
    const bool good = read(reader, component.data, out);
    if (!good) out.words = "malformed";
    out.add(Tree::truth("malformed", !good).in_json_only());
    if (good) out.add(Tree(bytes).in_json_only());
    else out.add(bytes);
    return out;
  }
  out.words = std::to_string(component.data.size()) + (component.data.size() == 1 ? " byte" : " bytes");
  out.add(bytes);
  return out;
}

}  // namespace callis::tools
