// SPDX-License-Identifier: Apache-2.0
// A reference as a tree: its type, who made it, and each profile with addresses, key and components.
#include <callis/ior/tls_component.h>
#include <callis/transport/unix/unix.h>
#include <services/programs/site.h>
#include <tools/ior/components.h>
#include <tools/ior/object_key.h>
#include <tools/ior/report.h>
#include <algorithm>
#include <strings.h>

namespace callis::tools {
namespace {

// Who asks the addresses, if anybody does, and what came of it.
class Asker final {
 public:
  explicit Asker(const Ping& ping) : ping_(ping) {}
  bool asks() const { return static_cast<bool>(ping_); }
  bool reached() const { return reached_; }

  void ask(Tree& address, const Place& place, ior::Version version, ByteView key) {
    if (!asks()) return;
    const PingResult result = ping_(place, version, key);
    reached_ |= result.here;
    Tree& out = address.add(Tree::object("ping", result.words));
    out.add(Tree::truth("connected", result.connected).in_json_only());
    out.add(Tree::truth("object_here", result.here).in_json_only());
    out.add(Tree::text("outcome", result.words).in_json_only());
  }
  void pass_over(Tree& address, const char* why) const {
    if (asks()) address.add(Tree::text("ping", std::string("not tried: ") + why));
  }

 private:
  const Ping& ping_;
  bool reached_ = false;
};

// The machine that made a profile has written it in its own byte order, as the first byte says.
ByteOrder order_of(ByteView encapsulation) {
  return !encapsulation.empty() && encapsulation[0] == 0 ? ByteOrder::Big : ByteOrder::Little;
}

std::string address_words(const ior::Address& a) {
  const std::string host = escaped(a.host);
  return (host.find(':') == std::string::npos ? host : '[' + host + ']') + ':' + std::to_string(a.port);
}

void add_tcp(Tree& addresses, const ior::Address& a, ior::Version version, ByteView key, Asker& asker) {
  Tree& one = addresses.add(Tree::object("address", address_words(a)));
  one.add(Tree::text("host", escaped(a.host)).in_json_only());
  one.add(Tree::count("port", a.port).in_json_only());
  if (a.port == 0) {
    one.words += ", which is no TCP port: the components say how it is reached";
    asker.pass_over(one, "port 0");
  } else {
    asker.ask(one, {a.host, a.port, {}}, version, key);
  }
}

void add_tls(Tree& addresses, const ior::IiopProfile& p, Asker& asker) {
  for (const ior::Address& a : ior::tls_addresses(p)) {
    Tree& one = addresses.add(Tree::object("address", address_words(a) + " by TLS"));
    one.add(Tree::text("host", escaped(a.host)).in_json_only());
    one.add(Tree::count("port", a.port).in_json_only());
    one.add(Tree::truth("tls", true).in_json_only());
    if (programs::in_site()) asker.ask(one, {a.host, a.port, {}, true}, p.version, p.object_key);
    else asker.pass_over(one, "TLS needs --tls DIR, with this client's certificates");
  }
}

void add_socket(Tree& addresses, const std::string& path, ior::Version version, ByteView key, Asker& asker) {
  Tree& one = addresses.add(Tree::object("address", "socket " + escaped(path)));
  one.add(Tree::text("path", escaped(path)).in_json_only());
  asker.ask(one, {{}, 0, path}, version, key);
}

// Those that components add to the profile's own.
void add_other_addresses(Tree& addresses, const ior::IiopProfile& p, Asker& asker) {
  for (const ior::TaggedComponent& c : p.components) {
    if (c.tag == ior::kAlternateIiopAddress) {
      const auto a = ior::parse_alternate_address(c.data);
      if (a) add_tcp(addresses, a.value(), p.version, p.object_key, asker);
    } else if (c.tag == ior::kOmniUnixTransport) {
      const auto a = ior::parse_unix_address(c.data);
      if (!a) continue;
      const bool elsewhere = a.value().host != transport::host_name();
      Tree& one = addresses.add(Tree::object("address", "socket " + escaped(a.value().path) + " on host " +
                                                            escaped(a.value().host)));
      one.add(Tree::text("path", escaped(a.value().path)).in_json_only());
      one.add(Tree::text("on_host", escaped(a.value().host)).in_json_only());
      if (elsewhere) asker.pass_over(one, "this is another host");
      else asker.ask(one, {{}, 0, a.value().path}, p.version, p.object_key);
    }
  }
}

void add_components(Tree& profile, const std::vector<ior::TaggedComponent>& components) {
  Tree list = Tree::list("components");
  for (const ior::TaggedComponent& c : components) list.add(describe_component(c));
  profile.add(std::move(list));
}

void add_malformed(Tree& profile, const Error& error, ByteView data) {
  profile.words += ", malformed";
  profile.add(Tree::text("malformed", escaped(error.text())));
  profile.add(Tree::text("hex", hex(data)));
}

void describe_iiop(Tree& out, const ior::TaggedProfile& t, Asker& asker) {
  const bool socket = t.tag == ior::kUiopProfile;
  out.words = socket ? "UIOP (TAO's, for Unix-domain sockets)" : "IIOP";
  const auto parsed = socket ? ior::parse_uiop(t.data) : ior::parse_iiop(t.data);
  if (!parsed) return add_malformed(out, parsed.error(), t.data);
  const ior::IiopProfile& p = parsed.value();
  const std::string version = std::to_string(p.version.major) + '.' + std::to_string(p.version.minor);
  out.words = (socket ? "UIOP " : "IIOP ") + version + (socket ? ", TAO's, for Unix-domain sockets" : "");
  out.add(Tree::text("version", version).in_json_only());
  Tree addresses = Tree::list("addresses");
  if (socket) add_socket(addresses, p.address.host, p.version, p.object_key, asker);
  else add_tcp(addresses, p.address, p.version, p.object_key, asker);
  add_other_addresses(addresses, p, asker);
  if (!socket) add_tls(addresses, p, asker);
  out.add(std::move(addresses));
  out.add(describe_key(p.object_key, order_of(t.data)));
  add_components(out, p.components);
}

void describe_memory(Tree& out, const ior::TaggedProfile& t, const Asker& asker) {
  out.words = "inside a process of callis";
  const auto parsed = ior::parse_memory(t.data);
  if (!parsed) return add_malformed(out, parsed.error(), t.data);
  Tree addresses = Tree::list("addresses");
  Tree& one = addresses.add(Tree::object("address", "memory:" + escaped(parsed.value().endpoint)));
  one.add(Tree::text("endpoint", escaped(parsed.value().endpoint)).in_json_only());
  asker.pass_over(one, "nobody but that process can");
  out.add(std::move(addresses));
  out.add(describe_key(parsed.value().object_key, order_of(t.data)));
}

void describe_multiple(Tree& out, const ior::TaggedProfile& t) {
  out.words = "components for all profiles";
  const Limits limits;
  cdr::Budget budget = cdr::Budget::of(limits, t.data.size());
  cdr::Decoder d = cdr::Decoder::of_encapsulation(t.data, budget);
  std::vector<ior::TaggedComponent> components;
  if (!decode(d, components, limits)) return add_malformed(out, Error{d.fault(), 0, "components"}, t.data);
  add_components(out, components);
}

Tree describe_profile(const ior::TaggedProfile& t, std::size_t index, Asker& asker) {
  Tree out = Tree::object("profile " + std::to_string(index + 1));
  const char* const name = ior::profile_tag_name(t.tag);
  out.add(Tree::count("tag", t.tag).in_json_only());
  out.add(Tree::text("name", name ? name : "").in_json_only());
  switch (t.tag) {
    case ior::kInternetProfile: case ior::kUiopProfile: describe_iiop(out, t, asker); break;
    case ior::kMemoryProfile: describe_memory(out, t, asker); break;
    case ior::kMultipleComponents: describe_multiple(out, t); break;
    default:
      out.words = name ? name : "unknown tag " + hex_number(t.tag);
      out.words += ", " + std::to_string(t.data.size()) + " bytes";
      out.add(Tree::text("hex", hex(t.data)));
  }
  return out;
}

// Who made it: what the first TAG_ORB_TYPE says, or the object key.
std::string maker_of(const ior::Ior& ior) {
  for (const ior::TaggedProfile& t : ior.profiles) {
    const bool socket = t.tag == ior::kUiopProfile;
    if (!socket && t.tag != ior::kInternetProfile) continue;
    const auto p = socket ? ior::parse_uiop(t.data) : ior::parse_iiop(t.data);
    if (!p) continue;
    const auto type = ior::orb_type(p.value());
    if (type && orb_type_name(*type)) return orb_type_name(*type);
    if (is_callis_key(p.value().object_key)) return "callis";
  }
  return {};
}

void describe_ior(Tree& out, const ior::Ior& ior, Asker& asker) {
  if (ior.is_nil()) {
    out.add(Tree::truth("nil", true));
    return;
  }
  Tree type = Tree::text("type", escaped(ior.type_id));
  type.only_json = ior.type_id.empty();
  out.add(std::move(type));
  const std::string maker = maker_of(ior);
  if (!maker.empty()) out.add(Tree::text("made_by", maker));
  Tree profiles = Tree::list("profiles");
  for (std::size_t i = 0; i < ior.profiles.size(); ++i) profiles.add(describe_profile(ior.profiles[i], i, asker));
  out.add(std::move(profiles));
}


}  // namespace

Report report(const ior::ParsedReference& parsed, const Ping& ping) {
  Asker asker(ping);
  Report out;
  if (const auto* ior = std::get_if<ior::Ior>(&parsed)) {
    describe_ior(out.tree, *ior, asker);
  } else if (const auto* initial = std::get_if<ior::InitialReference>(&parsed)) {
    out.tree.add(Tree::text("initial_reference", escaped(initial->name)));
  } else if (const auto* named = std::get_if<ior::NameInContext>(&parsed)) {
    out.tree.add(Tree::text("name", escaped(named->name)));
    if (named->context.is_nil()) {
      out.tree.add(Tree::text("in_initial_reference", escaped(named->initial.name)));
    } else {
      Tree& context = out.tree.add(Tree::object("in_naming_context"));
      describe_ior(context, named->context, asker);
    }
  }
  out.reached = asker.reached();
  return out;
}

}  // namespace callis::tools
