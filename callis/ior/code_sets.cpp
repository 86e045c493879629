// SPDX-License-Identifier: Apache-2.0
// Code sets components, and the choice of a code set for transmission (CORBA 3.3 part 2, 7.10.2.6).
#include <callis/ior/code_sets.h>
#include <callis/ior/internal/body.h>

namespace callis::ior {
namespace {

bool get_sets(cdr::Decoder& d, CodeSets& out, const Limits& limits) {
  out.native = d.get_ulong();
  const std::uint32_t n = d.count(4, 4);
  if (n > limits.max_profiles) d.set_fault(Fault::LimitExceeded);
  if (!d.ok()) return false;
  out.conversion.resize(n);
  return d.get_array(out.conversion.data(), n, 4);
}

void put_sets(cdr::Encoder& e, const CodeSets& s) {
  e.put_ulong(s.native);
  e.put_ulong(static_cast<std::uint32_t>(s.conversion.size()));
  e.put_array(s.conversion.data(), s.conversion.size(), 4);
}

bool converts(const CodeSets& s, std::uint32_t code_set) {
  for (const std::uint32_t c : s.conversion)
    if (c == code_set) return true;
  return false;
}

}  // namespace

Result<CodeSetComponent> parse_code_sets(ByteView component_data, const Limits& limits) {
  cdr::Budget budget = cdr::Budget::of(limits, component_data.size());
  cdr::Decoder d = cdr::Decoder::of_encapsulation(component_data, budget);
  CodeSetComponent sets;
  if (!get_sets(d, sets.for_char, limits)) return bad(d.fault(), "code sets for char");
  if (!get_sets(d, sets.for_wchar, limits)) return bad(d.fault(), "code sets for wchar");
  return sets;
}

Result<std::optional<CodeSetComponent>> find_code_sets(const Ior& ior, const IiopProfile& profile,
                                                       const Limits& limits) {
  const auto parsed = [&](const TaggedComponent& c) -> Result<std::optional<CodeSetComponent>> {
    auto sets = parse_code_sets(c.data, limits);
    if (!sets) return sets.error();
    return std::optional(std::move(sets).value());
  };
  if (const TaggedComponent* c = profile.component(kCodeSets)) return parsed(*c);
  for (const TaggedProfile& p : ior.profiles) {
    if (p.tag != kMultipleComponents) continue;
    cdr::Budget budget = cdr::Budget::of(limits, p.data.size());
    cdr::Decoder d = cdr::Decoder::of_encapsulation(p.data, budget);
    std::vector<TaggedComponent> components;
    if (!decode(d, components, limits)) return bad(d.fault(), "components for all profiles");
    for (const TaggedComponent& c : components)
      if (c.tag == kCodeSets) return parsed(c);
  }
  return std::optional<CodeSetComponent>();
}

TaggedComponent code_sets_component(const CodeSetComponent& sets, ByteOrder order) {
  Body body(order);
  put_sets(body.encoder(), sets.for_char);
  put_sets(body.encoder(), sets.for_wchar);
  return body.finish(kCodeSets);
}

namespace {

// Best first. Levels 2 and 3 of UCS differ by what may be combined, which is the sender's matter.
constexpr std::uint32_t kForChar[] = {kUtf8, kIso8859_1};
constexpr std::uint32_t kForWchar[] = {kUtf16, kUcs4, kUcs4 + 1, kUcs4 + 2, kUcs2, kUcs2 + 1, kUcs2 + 2};

template <std::size_t N>
bool is_one_of(const std::uint32_t (&all)[N], std::uint32_t code_set) {
  for (const std::uint32_t c : all)
    if (c == code_set) return true;
  return false;
}
template <std::size_t N>
CodeSets offered(std::uint32_t native, const std::uint32_t (&all)[N]) {
  CodeSets sets{native, {}};
  sets.conversion.resize(N);
  auto to = sets.conversion.begin();
  for (const std::uint32_t c : all)
    if (c != native) *to++ = c;
  sets.conversion.resize(static_cast<std::size_t>(to - sets.conversion.begin()));
  return sets;
}

// Whether the registry's character sets overlap beyond what any two do: all of Unicode with everything, and
// the parts of ISO 8859 with each other and ASCII.
bool is_unicode(std::uint32_t code_set) { return code_set >> 8 == kUcs2 >> 8 || code_set == kUtf8; }
bool compatible(std::uint32_t a, std::uint32_t b) {
  return is_unicode(a) || is_unicode(b) || (a >> 8 == kIso8859_1 >> 8 && b >> 8 == kIso8859_1 >> 8);
}

}  // namespace

CodeSetComponent offered_code_sets(std::uint32_t for_char, std::uint32_t for_wchar) {
  return {offered(for_char, kForChar), offered(for_wchar, kForWchar)};
}
bool is_code_set_for_char(std::uint32_t code_set) { return is_one_of(kForChar, code_set); }
bool is_code_set_for_wchar(std::uint32_t code_set) { return is_one_of(kForWchar, code_set); }

Result<std::uint32_t> choose_code_set(const CodeSets& client, const CodeSets& server, std::uint32_t fallback) {
  if (client.native == 0 || server.native == 0) return bad(Fault::NoWideCodeSet, "no native code set");
  if (client.native == server.native) return client.native;
  if (converts(client, server.native)) return server.native;  // the client converts
  if (converts(server, client.native)) return client.native;  // the server converts
  for (const std::uint32_t c : server.conversion) {
    if (converts(client, c)) return c;  // both do
  }
  if (!compatible(client.native, server.native)) return bad(Fault::CodeSetsIncompatible, "no code set in common");
  return fallback;
}

}  // namespace callis::ior
