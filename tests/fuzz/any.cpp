// SPDX-License-Identifier: Apache-2.0
// Bytes read as an Any, values in it included: of a class that is known here, and of others. Byte 0 is the byte
// order. What is accepted is copied, compared, and written in both orders; what is written can be read, and is
// written the same again.
#include "bombs.h"
#include "target.h"
#include <callis/base/buffer.h>
#include <callis/classic/layout.h>
#include <callis/marshal/testing/costly_types.h>
#include <callis/marshal/testing/type_codes.h>
#include <callis/typecode/coder.h>
#include <callis/typecode/create.h>
#include <callis/value/value.h>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <set>
#include <utility>

namespace {

using namespace callis;
using marshal::Kind;
using marshal::type_word;
using marshal::Word;

// valuetype Node { public long number; public Node next; };
const void* node_links[1];
const Word kWords[] = {0, type_word(Kind::Struct, 2), type_word(Kind::Long), type_word(Kind::Value, 0)};
const marshal::Unit kUnit = {kWords, "", node_links, nullptr, &marshal::kExtension};
const marshal::Plan* node_plan;

class Node final : public virtual CORBA::ValueBase, public virtual CORBA::DefaultValueRefCountBase {
 public:
  static const value::ValueLink link;
  struct State {
    CORBA::Long number = 0;
    Node* next = nullptr;
  } state;
  Node() { living().insert(this); }
  ~Node() override {
    living().erase(this);
    CORBA::remove_ref(state.next);
  }
  static std::set<Node*>& living() {
    static auto* const nodes = new std::set<Node*>;
    return *nodes;
  }
  // Values in rings hold each other: who made them opens the rings. Nothing else is left then.
  static bool open_rings() {
    const std::set<Node*> all = living();
    for (Node* n : all) n->_add_ref();
    for (Node* n : all) CORBA::remove_ref(std::exchange(n->state.next, nullptr));
    for (Node* n : all) n->_remove_ref();
    return living().empty();
  }
  CORBA::ValueBase* _copy_value() override { return nullptr; }
  const value::ValueLink* _callis_link() const noexcept override { return &link; }
  void* _callis_state(const value::ValueLink& l) noexcept override { return &l == &link ? &state : nullptr; }
};
const value::ValueLink Node::link = {"IDL:Node:1.0", nullptr, 0, &kUnit, type_word(Kind::Ref, 1), &node_plan,
                                     [](void* p) -> CORBA::ValueBase* { return static_cast<Node*>(p); },
                                     [](CORBA::ValueBase* v) -> void* { return dynamic_cast<Node*>(v); }};

class NodeFactory final : public CORBA::ValueFactoryBase {
  CORBA::ValueBase* create_for_unmarshal() override { return new Node; }
};

CORBA::TypeCode_ptr type_of_value(const char* id) {
  const CORBA::TypeCode_var self = typecode::create_recursive_tc(id);
  CORBA::ValueMemberSeq members;
  members.length(2);
  members[0].name = "number";
  members[0].type = CORBA::TypeCode::_duplicate(CORBA::_tc_long);
  members[1].name = "next";
  members[1].type = CORBA::TypeCode::_duplicate(self.in());
  return typecode::create_value_tc(id, "Node", CORBA::VM_NONE, nullptr, members);
}

std::vector<Byte> finished(cdr::Encoder& e, Buffer& b, std::size_t order) {
  e.finish();
  std::vector<Byte> bytes = {static_cast<Byte>(order)};
  bytes.insert(bytes.end(), b.data(), b.data() + b.size());
  return bytes;
}

// Two nodes, the second of which is the first once more or of a class that is not known, in chunks or not.
std::vector<Byte> values(std::size_t i) {
  Buffer b(64);
  cdr::Encoder e(b, static_cast<ByteOrder>(i & 1));
  const bool known = i & 2, chunks = i & 4, cycle = i & 8;
  const char* const id = known ? "IDL:Node:1.0" : "IDL:Unknown:1.0";
  const CORBA::TypeCode_var type = type_of_value(id);
  typecode::put_type_code(e, type.in());
  e.put_ulong(chunks ? 0x7fffff0a : 0x7fffff02);
  const std::size_t start = e.position() - 4;
  e.put_string(id);
  if (chunks) e.put_ulong(4);
  e.put_ulong(7);
  if (cycle) {
    e.put_ulong(0xffffffff);
    e.put_ulong(static_cast<std::uint32_t>(start - e.position()));
  } else {
    e.put_ulong(0);
  }
  if (chunks) e.put_ulong(0xffffffff);
  return finished(e, b, i & 1);
}

// Of a random type.
std::vector<Byte> plain(std::size_t i) {
  marshal::testing::Random random(i);
  marshal::testing::Types types;
  const Word type = random_type(types, random);
  const marshal::Unit unit = types.unit();
  const auto plan = marshal::make_plan(unit, type);
  Buffer b(64);
  cdr::Encoder e(b, static_cast<ByteOrder>(i & 1));
  marshal::testing::TypeCodeWriter(unit, e, random).write(type);
  std::vector<std::uint64_t> memory(marshal::native_size(*plan) / 8 + 2);
  Byte* const value =
      reinterpret_cast<Byte*>((reinterpret_cast<std::uintptr_t>(memory.data()) + 15) & ~std::uintptr_t{15});
  marshal::testing::random_value(unit, type, value, random);
  (void)marshal::encode(*plan, value, e);
  marshal::destroy(*plan, value);
  return finished(e, b, i & 1);
}

// Of a type that costs as much as it can, by itself and as an element; then zeros.
std::vector<Byte> costly(std::size_t i) {
  const auto& families = marshal::testing::costly_families();
  const auto order = static_cast<ByteOrder>(i & 1);
  marshal::testing::CostlyType t(order);
  const auto write = [&] { families[i / 2 % families.size()].write(t, 4 + static_cast<unsigned>(i % 60)); };
  if (i / 2 < families.size()) write();
  else t.sequence(write);
  std::vector<Byte> bytes = t.bytes();
  bytes.resize((bytes.size() + 3) / 4 * 4 + 16);
  bytes.insert(bytes.begin(), static_cast<Byte>(order));
  return bytes;
}

// An Any of a union that is small on the wire and large in memory: more than the message may have.
std::vector<Byte> any_of_large_union(std::size_t order) {
  const CORBA::TypeCode_var octets = typecode::create_array_tc(2u << 20, CORBA::_tc_octet);
  CORBA::UnionMemberSeq members;
  members.length(1);
  members[0].label <<= CORBA::Any::from_char('b');
  members[0].name = "octets";
  members[0].type = CORBA::TypeCode::_duplicate(octets.in());
  const CORBA::TypeCode_var type = typecode::create_union_tc("IDL:Large:1.0", "Large", CORBA::_tc_char, members);
  Buffer b(64);
  cdr::Encoder e(b, static_cast<ByteOrder>(order));
  typecode::put_type_code(e, CORBA::_tc_any);
  typecode::put_type_code(e, type.in());
  e.put_octet('a');
  std::vector<Byte> bytes = finished(e, b, order);
  bytes[14] = 1;  // of the padding in the TypeCode, which goes out as it came where it is kept
  return bytes;
}

std::vector<Byte> of_bomb(std::size_t i) {
  std::vector<Byte> bytes = fuzz::bomb(i);
  bytes.insert(bytes.begin(), static_cast<Byte>(fuzz::bomb_order(i)));
  return bytes;
}

void require(bool ok, int line = __builtin_LINE()) {
  if (ok) return;
  std::fprintf(stderr, "%s:%d: not as it must be\n", __FILE__, line);
  std::abort();
}

bool read(ByteView bytes, ByteOrder order, std::size_t memory, CORBA::Any& to) {
  cdr::Budget budget{memory, 64};
  cdr::Decoder d(bytes, order, budget);
  const value::DecodeScope scope(d);
  typecode::get_any(d, to);
  return d.ok();
}

bool write(const CORBA::Any& any, ByteOrder order, std::vector<Byte>& to) {
  Buffer b(64);
  cdr::Encoder e(b, order);
  {
    const value::EncodeScope scope(e);
    typecode::put_any(e, any);
  }
  e.finish();
  to.assign(b.data(), b.data() + b.size());
  return e.fault() == Fault::None;
}

}  // namespace

extern "C" int LLVMFuzzerInitialize(int* argc, char*** argv) {
  node_links[0] = &Node::link;
  const CORBA::ValueFactory_var f(new NodeFactory);
  const CORBA::ValueFactory_var before(value::register_value_factory("IDL:Node:1.0", f.in()));
  fuzz::write_seeds(*argc, *argv, 352 + fuzz::bomb_seeds(), [](std::size_t i) {
    if (i >= 352) return of_bomb(i - 352);
    return i < 16 ? values(i) : i < 200 ? plain(i) : i < 350 ? costly(i - 200) : any_of_large_union(i - 350);
  });
  return 0;
}

static void try_any(const std::uint8_t* data, std::size_t size) {
  CORBA::Any any;
  if (!read({data + 1, size - 1}, static_cast<ByteOrder>(data[0] & 1), 1u << 20, any)) return;
  const CORBA::Any copy(any);
  const CORBA::TypeCode_var type = any.type(), same = copy.type();
  require(type->equal(same.in()) && type->equivalent(same.in()));
  for (const ByteOrder order : {ByteOrder::Big, ByteOrder::Little}) {
    std::vector<Byte> first, second, of_copy;
    if (!write(any, order, first)) continue;  // an unknown value in chunks goes in its own order alone
    require(write(copy, order, of_copy) && of_copy == first);
    // Elements that take no bytes count as one each against what follows them (Decoder::count()): enough follows
    // here.
    std::vector<Byte> followed = first;
    followed.resize(first.size() + 8192);
    CORBA::Any back;
    require(read(followed, order, 1u << 26, back));
    require(write(back, order, second) && second == first);
  }
}

void callis::fuzz::try_one(const std::uint8_t* data, std::size_t size) {
  if (size < 1) return;
  try_any(data, size);
  require(Node::open_rings());
}
