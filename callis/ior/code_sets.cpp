// SPDX-License-Identifier: Apache-2.0
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

TaggedComponent code_sets_component(const CodeSetComponent& sets, ByteOrder order) {
  Body body(order);
  put_sets(body.encoder(), sets.for_char);
  put_sets(body.encoder(), sets.for_wchar);
  return body.finish(kCodeSets);
}

CodeSetComponent own_code_sets() { return {{kIso8859_1, {}}, {kUtf16, {}}}; }

std::optional<std::uint32_t> choose_code_set(const CodeSets& client, const CodeSets& server,
                                             std::uint32_t fallback) {
  if (client.native == 0 || server.native == 0) return std::nullopt;
  if (client.native == server.native) return client.native;
  if (converts(client, server.native)) return server.native;  // the client converts
  if (converts(server, client.native)) return client.native;  // the server converts
  for (const std::uint32_t c : server.conversion) {
    if (converts(client, c)) return c;  // both do
  }
  return fallback;
}

}  // namespace callis::ior
