// SPDX-License-Identifier: Apache-2.0
// What callis's object keys say to who is not the ORB that made them: the nonce is taken from the key itself.
#include <callis/poa/object/key.h>
#include <tools/ior/object_key.h>
#include <algorithm>

namespace callis::tools {
namespace {

constexpr std::size_t kNonceAt = 4, kNumbersAt = 12;
constexpr std::size_t kSealBytes = 8;  // -ORBUnguessableKeys

std::string as_text(ByteView bytes) { return escaped({reinterpret_cast<const char*>(bytes.data()), bytes.size()}); }

bool is_sealed_system_key(ByteView key) {
  return key.size() == poa::kSystemKeyBytes + kSealBytes &&
         key[poa::kKindAt] == static_cast<Byte>(poa::KeyKind::System);
}

poa::ParsedKey parse(ByteView key) {
  poa::Nonce nonce{};
  if (key.size() >= kNumbersAt) std::copy_n(key.begin() + kNonceAt, nonce.size(), nonce.begin());
  return poa::parse_key(is_sealed_system_key(key) ? key.first(poa::kSystemKeyBytes) : key, nonce);
}

struct Words {
  poa::KeyKind kind;
  const char* lifespan;
  const char* ids;
};
constexpr Words kWords[] = {
    {poa::KeyKind::System, "transient", "chosen by the ORB"},
    {poa::KeyKind::User, "transient", "chosen by the application"},
    {poa::KeyKind::Persistent, "persistent", "chosen by the application or the ORB"},
    {poa::KeyKind::Hinted, "transient", "chosen by the application, with a hint to the slot"},
    {poa::KeyKind::HintedPersistent, "persistent", "chosen by the application or the ORB, with a hint to the slot"},
    {poa::KeyKind::Named, "transient", "found by the adapter's name"},
    {poa::KeyKind::Linear, "transient", "found by comparing one after the other"},
};

void add_bytes(Tree& to, ByteView bytes) {
  to.add(Tree::count("bytes", bytes.size()).in_json_only());
  to.add(Tree::text("text", as_text(bytes)));
  to.add(Tree::text("hex", hex(bytes)));
}

std::string adapter_path(ByteView path) {
  std::string out = "RootPOA";
  std::string_view name;
  for (poa::PathReader names(path); names.next(name);) out.append("/").append(escaped(name));
  return out;
}

}  // namespace

bool is_callis_key(ByteView key) { return parse(key).kind != poa::KeyKind::Foreign; }

Tree describe_key(ByteView key, ByteOrder order) {
  Tree out = Tree::object("object_key", std::to_string(key.size()) + (key.size() == 1 ? " byte" : " bytes"));
  add_bytes(out, key);
  const poa::ParsedKey parsed = parse(key);
  const Words* const words = std::find_if(std::begin(kWords), std::end(kWords),
                                          [&](const Words& w) { return w.kind == parsed.kind; });
  if (words == std::end(kWords)) return out;

  Tree& callis = out.add(Tree::object("callis", std::string(words->lifespan) + " object, id " + words->ids));
  callis.add(Tree::text("lifespan", words->lifespan).in_json_only());
  callis.add(Tree::text("ids", words->ids).in_json_only());
  const auto number = [&](const char* name, const Byte* at) {
    callis.add(Tree::count(name, load<std::uint32_t>(at, order != kNativeOrder)));
  };
  if (!poa::is_persistent(parsed.kind)) callis.add(Tree::text("nonce_of_the_ORB", hex(key.subspan(kNonceAt, 8))));
  const Byte* hint = nullptr;  // slot and generation
  if (parsed.path.empty()) {
    number("adapter_number", key.data() + kNumbersAt);
    const bool numbered = parsed.kind == poa::KeyKind::System || parsed.kind == poa::KeyKind::Hinted;
    if (numbered) hint = key.data() + kNumbersAt + 4;
  } else {
    callis.add(Tree::text("adapter", adapter_path(parsed.path)));
    if (parsed.kind == poa::KeyKind::HintedPersistent) hint = parsed.path.data() + parsed.path.size();
  }
  if (hint) {
    number("slot", hint);
    number("generation", hint + 4);
  }
  if (parsed.kind == poa::KeyKind::System) {
    callis.add(Tree::truth("sealed", is_sealed_system_key(key)));
  } else {
    Tree& id = callis.add(Tree::object("object_id", std::to_string(parsed.object_id.size()) + " bytes"));
    add_bytes(id, parsed.object_id);
  }
  return out;
}

}  // namespace callis::tools
