// SPDX-License-Identifier: Apache-2.0
// Bytes read as up to four values that are sent together: byte 0 says in which byte order, how many there are, and
// how they are read. There are circles, values that are shared, chunks, parts that are cut off, boxes, custom values,
// and values in Anys.
//
// Of what is refused no value stays. What is accepted is copied, passed over, written in both orders, read again and
// written the same again; taken apart, it is gone.
#include "bombs.h"
#include "target.h"
#include <callis/base/buffer.h>
#include <callis/classic/layout.h>
#include <callis/marshal/values.h>
#include <callis/typecode/any.h>
#include <callis/typecode/coder.h>
#include <callis/typecode/create.h>
#include <callis/value/value.h>
#include <algorithm>
#include <string_view>

namespace {

using namespace callis;
using marshal::Kind;
using marshal::type_word;
using marshal::Word;
using value::ValueLink;

// valuetype Node { public long number; public Node next; public sequence<ValueBase> more; public any held; };
// valuetype Base { public long number; };
// valuetype Derived : truncatable Base { public Node node; public Both both; };
//     union Both switch (boolean) { case TRUE: Node node; case FALSE: any held; };
// custom valuetype Own { public ValueBase held; };
// valuetype Box any;
const void* links[1];
const Word kWords[] = {0,
                       type_word(Kind::Struct, 4),
                       type_word(Kind::Long),
                       type_word(Kind::Value, 0),
                       type_word(Kind::Ref, 6),
                       type_word(Kind::Any),
                       type_word(Kind::Sequence),
                       0,
                       type_word(Kind::Value, marshal::kNoLink),
                       type_word(Kind::Struct, 1),
                       type_word(Kind::Long),
                       type_word(Kind::Struct, 2),
                       type_word(Kind::Value, 0),
                       type_word(Kind::Ref, 16),
                       type_word(Kind::Struct, 1),
                       type_word(Kind::Value, marshal::kNoLink),
                       type_word(Kind::Union, 2),
                       type_word(Kind::Boolean),
                       marshal::kNoDefault,
                       2,
                       type_word(Kind::Value, 0),
                       type_word(Kind::Any),
                       0,
                       0,
                       1,
                       1,
                       0,
                       0};
const marshal::Unit kUnit = {kWords, "", links, nullptr, &marshal::kExtension};
const marshal::Plan *node_plan, *base_plan, *derived_plan, *own_plan, *box_plan;

template <class X>
class Known : public virtual CORBA::ValueBase, public virtual CORBA::DefaultValueRefCountBase {
 public:
  CORBA::ValueBase* _copy_value() override { return value::copy_value(*this); }
  const ValueLink* _callis_link() const noexcept override { return &X::link; }
  void* _callis_state(const ValueLink& l) noexcept override {
    return &l == &X::link ? &static_cast<X*>(this)->state : nullptr;
  }
};

class Node final : public Known<Node> {
 public:
  static const ValueLink link;
  struct State {
    CORBA::Long number = 0;
    Node* next = nullptr;
    classic::ReferenceSequence<CORBA::ValueBase> more;
    CORBA::Any held;
  } state;
  ~Node() override { CORBA::remove_ref(state.next); }
};
const ValueLink Node::link = {"IDL:Node:1.0", nullptr, 0, &kUnit, type_word(Kind::Ref, 1), &node_plan,
                              &value::upcast<Node>, &value::downcast<Node>};

class Base : public virtual CORBA::ValueBase, public virtual CORBA::DefaultValueRefCountBase {
 public:
  static const ValueLink link;
  CORBA::Long number = 0;
  CORBA::ValueBase* _copy_value() override { return value::copy_value(*this); }
  const ValueLink* _callis_link() const noexcept override { return &link; }
  void* _callis_state(const ValueLink& l) noexcept override { return &l == &link ? &number : nullptr; }
};
const ValueLink Base::link = {"IDL:Base:1.0", nullptr, 0, &kUnit, type_word(Kind::Ref, 9), &base_plan,
                              &value::upcast<Base>, &value::downcast<Base>};

class Derived final : public virtual Base {
 public:
  static const ValueLink link;
  struct State {
    Node* node;
    alignas(8) Byte both[24];
  } state{};
  ~Derived() override { marshal::destroy(*value_plan(), &state); }
  const ValueLink* _callis_link() const noexcept override { return &link; }
  void* _callis_state(const ValueLink& l) noexcept override { return &l == &link ? &state : Base::_callis_state(l); }
  static const marshal::Plan* value_plan() {
    static const auto plan = marshal::make_plan(kUnit, type_word(Kind::Ref, 11));
    return plan.get();
  }
};
const ValueLink Derived::link = {
    "IDL:Derived:1.0",        &Base::link,   value::kTruncatable,     &kUnit,
    type_word(Kind::Ref, 11), &derived_plan, &value::upcast<Derived>, &value::downcast<Derived>};

class Own final : public virtual CORBA::CustomMarshal, public virtual CORBA::DefaultValueRefCountBase {
 public:
  static const ValueLink link;
  CORBA::ValueBase_var held;
  CORBA::ValueBase* _copy_value() override { return value::copy_value(*this); }
  const ValueLink* _callis_link() const noexcept override { return &link; }
  void* _callis_state(const ValueLink& l) noexcept override { return &l == &link ? &held : nullptr; }
  void marshal(CORBA::DataOutputStream* to) override { to->write_Value(held.in()); }
  void unmarshal(CORBA::DataInputStream* from) override { held = from->read_Value(); }
};
const ValueLink Own::link = {"IDL:Own:1.0", nullptr, value::kCustom, &kUnit, type_word(Kind::Ref, 14), &own_plan,
                             &value::upcast<Own>, &value::downcast<Own>};

class Box final : public CORBA::DefaultValueRefCountBase {
 public:
  static const ValueLink link;
  CORBA::Any content;
  CORBA::ValueBase* _copy_value() override { return value::copy_value(*this); }
  const ValueLink* _callis_link() const noexcept override { return &link; }
  void* _callis_state(const ValueLink& l) noexcept override { return &l == &link ? &content : nullptr; }
};
const ValueLink Box::link = {"IDL:Box:1.0", nullptr, value::kBox, &kUnit, type_word(Kind::Any), &box_plan,
                             &value::upcast<Box>, &value::downcast<Box>, &value::create_box<Box>};
const value::BoxEntry box_entry(Box::link);

template <class X>
class Factory final : public CORBA::ValueFactoryBase {
  CORBA::ValueBase* create_for_unmarshal() override { return new X; }
};
template <class X>
void know() {
  const CORBA::ValueFactory_var f(new Factory<X>);
  const CORBA::ValueFactory_var before(value::register_value_factory(X::link.repository_id, f.in()));
}

void require(bool ok, const char* what, int line = __builtin_LINE()) {
  if (ok) return;
  std::fprintf(stderr, "%s:%d: %s\n", __FILE__, line, what);
  std::abort();
}

// ---- reading and writing ----

struct Form {
  ByteOrder order;
  std::size_t values;
  const ValueLink* formal;
  explicit Form(Byte b)
      : order(static_cast<ByteOrder>(b & 1)),
        values(1 + (b >> 1 & 3)),
        formal(b & 8    ? &Node::link
               : b & 16 ? &Base::link
                        : nullptr) {}
};
using Graph = std::vector<CORBA::ValueBase_var>;

Fault read(ByteView bytes, const Form& form, std::size_t memory, Graph& to, std::size_t& left) {
  cdr::Budget budget{memory, 64};
  cdr::Decoder d(bytes, form.order, budget);
  const value::DecodeScope scope(d);
  for (std::size_t i = 0; i < form.values && d.ok(); ++i) to.push_back(value::get_value(d, form.formal));
  left = d.remaining();
  return d.fault();
}

bool write(const Graph& graph, const Form& form, ByteOrder order, std::vector<Byte>& to) {
  Buffer b(64);
  cdr::Encoder e(b, order);
  {
    const value::EncodeScope scope(e);
    for (const CORBA::ValueBase_var& v : graph) value::put_value(e, v.in(), form.formal);
  }
  e.finish();
  to.assign(b.data(), b.data() + b.size());
  return e.fault() == Fault::None;
}

// Whether copies are as independent as what is copied: Anys share what they hold, unions have nothing of it here.
bool copies_wholly(const Graph& graph) {
  struct Seen {
    std::vector<CORBA::ValueBase*> all;
    bool whole = true;
  } seen;
  const auto follow = [](void* context, void* slot, const marshal::SlotHandlers& h, const void* link) {
    auto& s = *static_cast<Seen*>(context);
    if (!h.value_in) {
      s.whole = s.whole && static_cast<const marshal::AnySlot*>(slot)->value == nullptr;
    } else if (auto* const v = static_cast<CORBA::ValueBase*>(h.value_in(slot, link));
               v && std::find(s.all.begin(), s.all.end(), v) == s.all.end()) {
      s.all.push_back(v);
    }
  };
  for (const CORBA::ValueBase_var& v : graph)
    if (v.in()) seen.all.push_back(v.in());
  for (std::size_t i = 0; i < seen.all.size() && i < 200; ++i)
    for (const ValueLink* l = seen.all[i]->_callis_link(); l; l = l->base)
      if (l->state) marshal::each_slot(**l->plan, seen.all[i]->_callis_state(*l), follow, &seen);
  return seen.whole && seen.all.size() < 200;
}

void try_bytes(ByteView bytes, const Form& form) {
  Graph graph;
  std::size_t left;
  if (read(bytes, form, 1u << 20, graph, left) != Fault::None) return;
  Graph copy;
  try {
    for (const CORBA::ValueBase_var& v : graph) copy.push_back(v.in() ? value::copy_value(*v.in()) : nullptr);
  } catch (const CORBA::SystemException&) {
    copy.clear();
  }
  const bool one = form.values == 1 && !copy.empty() && copies_wholly(graph);
  for (const ByteOrder order : {ByteOrder::Big, ByteOrder::Little}) {
    Form other = form;
    other.order = order;
    std::vector<Byte> first, second, of_copy;
    if (!write(graph, form, order, first)) continue;  // what nobody knows goes in its own order alone
    if (one) require(write(copy, form, order, of_copy) && of_copy == first, "the copy is another");
    std::vector<Byte> followed = first;
    followed.resize(first.size() + 8192);
    Graph back;
    require(read(followed, other, 1u << 26, back, left) == Fault::None, "what was written cannot be read");
    require(left == 8192, "is read to another end");
    require(write(back, form, order, second) && second == first, "is written in another way");
    for (const CORBA::ValueBase_var& v : back) value::take_apart(v.in());
  }
  for (Graph* g : {&graph, &copy})
    for (const CORBA::ValueBase_var& v : *g) value::take_apart(v.in());
}

// ---- seeds ----

struct Writer {
  Buffer buffer{64};
  cdr::Encoder e;
  Byte form;
  explicit Writer(Byte f) : e(buffer, static_cast<ByteOrder>(f & 1)), form(f) {}
  Writer& u(std::uint32_t v) { return e.put_ulong(v), *this; }
  Writer& s(std::string_view v) { return e.put_string(v), *this; }
  Writer& o(Byte v) { return e.put_octet(v), *this; }
  Writer& back(std::size_t at) {
    e.put_ulong(0xffffffff);
    return u(static_cast<std::uint32_t>(at - e.position()));
  }
  Writer& type(const char* id) {
    const CORBA::TypeCode_var t = value_type(id);
    typecode::put_type_code(e, t.in());
    return *this;
  }
  // A struct of two nodes and a value that nobody knows.
  Writer& struct_type() {
    CORBA::StructMemberSeq members;
    members.length(3);
    for (CORBA::ULong i = 0; i < 3; ++i) members[i].type = value_type(i < 2 ? "IDL:Node:1.0" : "IDL:Unknown:1.0");
    const CORBA::TypeCode_var t = typecode::create_struct_tc("IDL:Kept:1.0", "", members);
    typecode::put_type_code(e, t.in());
    return *this;
  }
  // A node that is its own next; where it began.
  std::size_t circle() {
    u(0x7fffff02);
    const std::size_t at = e.position() - 4;
    s("IDL:Node:1.0").u(1).back(at).u(0).u(0);
    return at;
  }
  static CORBA::TypeCode_ptr value_type(const char* id) {
    return typecode::create_value_tc(id, "", CORBA::VM_NONE, nullptr, {});
  }
  std::vector<Byte> bytes() {
    e.finish();
    std::vector<Byte> all = {form};
    all.insert(all.end(), buffer.data(), buffer.data() + buffer.size());
    return all;
  }
};

constexpr std::uint32_t kValue = 0x7fffff00, kId = 2, kIds = 6, kChunks = 8;

using Seed = void (*)(Writer&);
const Seed kSeeds[] = {
    [](Writer& w) { w.u(kValue).u(1).u(0).u(0).u(0); },     // a node
    [](Writer& w) { w.u(kValue).u(1).back(0).u(0).u(0); },  // its own next
    [](Writer& w) { w.u(kValue).u(1).back(0).u(0); },       // cut off
    [](Writer& w) { w.u(kValue).u(1).u(kValue).u(2).back(0).u(0).u(0).u(1).back(8).u(0); },
    [](Writer& w) {  // a list of some
      for (int i = 0; i < 40; ++i) w.u(kValue).u(7);
      w.u(0);
      for (int i = 0; i < 40; ++i) w.u(0).u(0);
    },
    [](Writer& w) {  // a list of too many
      for (int i = 0; i < 500; ++i) w.u(kValue).u(7);
    },
    [](Writer& w) {  // a tree
      for (int i = 0; i < 70; ++i) w.u(kValue | kId).s("IDL:Node:1.0").u(7).u(0).u(1);
      w.u(0);
    },
    [](Writer& w) {  // circles in a sequence
      w.u(kValue).u(1).u(0).u(20);
      for (int i = 0; i < 20; ++i) w.u(kValue | kId).s("IDL:Node:1.0").u(1).back(w.e.position() - 28).u(0).u(0);
      w.u(0);
    },
    [](Writer& w) {  // what is cut off, with values in it
      w.u(kValue | kIds | kChunks).u(2).s("IDL:Hidden:1.0").s("IDL:Base:1.0").u(4).u(7);
      for (int i = 0; i < 5; ++i) w.u(kValue | kId | kChunks).s("IDL:U:1.0").u(4).u(1);
      w.u(static_cast<std::uint32_t>(-1));
    },
    [](Writer& w) {  // derived, in chunks
      w.u(kValue | kIds | kChunks).u(2).s("IDL:Derived:1.0").s("IDL:Base:1.0").u(4).u(7);
      w.u(kValue | kId | kChunks).s("IDL:Node:1.0").u(16).u(1).u(0).u(0).u(0).u(static_cast<std::uint32_t>(-2));
      w.u(12).o(1).back(0).u(static_cast<std::uint32_t>(-1));
    },
    [](Writer& w) { w.u(kValue | kId | kChunks).s("IDL:Own:1.0").u(8).back(0).u(static_cast<std::uint32_t>(-1)); },
    [](Writer& w) {  // custom values in each other
      for (int i = 0; i < 66; ++i) w.u(kValue | kId | kChunks).s("IDL:Own:1.0");
      w.u(4).u(0).u(static_cast<std::uint32_t>(-1));
    },
    [](Writer& w) { w.u(kValue | kId).s("IDL:Box:1.0").type("IDL:Node:1.0").u(kValue).u(1).u(0).u(0).u(0); },
    [](Writer& w) {
      w.u(kValue | kId).s("IDL:Box:1.0").type("IDL:Unknown:1.0").u(kValue | kId).s("IDL:Unknown:1.0");
    },
    [](Writer& w) {  // values in Anys in values
      for (int i = 0; i < 10; ++i) w.u(kValue | kId).s("IDL:Node:1.0").u(1).u(0).u(0).type("IDL:Node:1.0");
      w.u(0);
    },
    [](Writer& w) {  // one level too deep, with room for its bytes
      for (int i = 0; i < 33; ++i) {
        w.u(kValue | kId).s("IDL:Node:1.0").u(1).u(0).u(0);
        if (i < 32) w.type("IDL:Unknown:1.0");
      }
      w.u(0);
    },
    [](Writer& w) {  // a circle through an Any
      w.u(kValue | kId).s("IDL:Node:1.0").u(1).u(0).u(0).type("IDL:Node:1.0").back(0);
    },
    [](Writer& w) {  // an Any of what nobody knows, kept as bytes
      w.u(kValue | kId).s("IDL:Node:1.0").u(1).u(0).u(0).type("IDL:Unknown:1.0");
      w.u(kValue | kId | kChunks).s("IDL:Unknown:1.0").u(4).u(1).u(static_cast<std::uint32_t>(-1));
    },
    [](Writer& w) {  // and circles in it, to one of which another leads
      w.u(kValue | kId).s("IDL:Node:1.0").u(1).u(0).u(0).struct_type();
      w.circle();
      const std::size_t at = w.circle();
      w.u(kValue | kId | kChunks).s("IDL:Unknown:1.0").u(4).u(1).u(static_cast<std::uint32_t>(-1)).back(at);
    },
    [](Writer& w) {  // two that share one
      w.u(kValue | kId).s("IDL:Node:1.0").u(1).u(kValue).u(2).u(0).u(0).u(0).u(0).u(0);
      w.u(kValue | kId).s("IDL:Node:1.0").u(3).back(28).u(0).u(0);
    },
};
constexpr std::size_t kSeedCount = sizeof kSeeds / sizeof *kSeeds;
constexpr Byte kForms[] = {0, 8, 16, 2, 10};

// A node that holds an Any of that type.
std::vector<Byte> holds_bomb(std::size_t i) {
  Writer w(static_cast<Byte>(fuzz::bomb_order(i)));
  w.u(kValue | kId).s("IDL:Node:1.0").u(1).u(0).u(0);
  for (const Byte b : fuzz::bomb(i)) w.o(b);
  return w.bytes();
}

std::vector<Byte> seed(std::size_t i) {
  if (i >= 2 * kSeedCount * sizeof kForms) return holds_bomb(i - 2 * kSeedCount * sizeof kForms);
  Writer w(static_cast<Byte>(kForms[i / 2 / kSeedCount] | (i & 1)));
  kSeeds[i / 2 % kSeedCount](w);
  return w.bytes();
}

}  // namespace

extern "C" int LLVMFuzzerInitialize(int* argc, char*** argv) {
  links[0] = &Node::link;
  know<Node>();
  know<Base>();
  know<Derived>();
  know<Own>();
  fuzz::write_seeds(*argc, *argv, 2 * kSeedCount * sizeof kForms + fuzz::bomb_seeds(), seed);
  return 0;
}

void callis::fuzz::try_one(const std::uint8_t* data, std::size_t size) {
  if (size < 1) return;
  const std::size_t before = value::living_values();
  try_bytes({data + 1, size - 1}, Form(data[0]));
  require(value::living_values() == before, "values stay");
}
