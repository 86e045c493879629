// SPDX-License-Identifier: Apache-2.0
// The servant under attack.
#include "victim.h"
#include <cstring>

namespace attack {
namespace {

constexpr CORBA::ULong kMostProduced = 16 << 20;  // an application bounds what it does for a caller

class NodeValue final : public virtual OBV_Attack::Node, public virtual CORBA::DefaultValueRefCountBase {
 public:
  static inline std::atomic<CORBA::ULong> alive{0};
  NodeValue() { ++alive; }
  ~NodeValue() override { --alive; }
};

class NodeFactory final : public CORBA::ValueFactoryBase {
  CORBA::ValueBase* create_for_unmarshal() override { return new NodeValue; }
};

// The values of a message that was accepted are the application's: it undoes circles itself.
void release_graph(CORBA::ValueBase* value) {
  if (value) callis::value::take_apart(value);
}

}  // namespace

char* Victim::echo(const char* text) { return CORBA::string_dup(text); }
void Victim::note(const char*) { ++notes_; }

Attack::Octets* Victim::produce(CORBA::ULong count) {
  if (count > kMostProduced) throw CORBA::NO_RESOURCES();
  auto* const octets = new Attack::Octets;
  octets->length(count);
  if (count > 0) std::memset(octets->get_buffer(), 0x5a, count);
  return octets;
}

CORBA::ULong Victim::take_octets(const Attack::Octets& bytes) { return bytes.length(); }
CORBA::ULong Victim::take_texts(const Attack::Texts& lines) { return lines.length(); }

CORBA::ULong Victim::take_any(const CORBA::Any& value) {
  const CORBA::Any copy(value);
  const CORBA::TypeCode_var type(copy.type());
  Attack::Colour shade = Attack::red;
  copy >>= shade;
  const CORBA::TypeCode_var declared(value.type());
  return type->equal(declared.in()) ? static_cast<CORBA::ULong>(type->kind()) : 1000;
}
CORBA::Any* Victim::pass_any(const CORBA::Any& value) { return new CORBA::Any(value); }
CORBA::ULong Victim::take_anys(const Attack::Anys& values) {
  const Attack::Anys copy(values);
  return copy.length();
}

CORBA::ULong Victim::take_type(CORBA::TypeCode_ptr type) {
  const CORBA::TypeCode_var compact(type->get_compact_typecode());
  return type->equivalent(compact.in()) ? static_cast<CORBA::ULong>(type->kind()) : 1000;
}

CORBA::ULong Victim::take_tree(const Attack::Tree& root) {
  const Attack::Tree copy(root);
  return copy.branches.length();
}
CORBA::ULong Victim::take_either(const Attack::Either& root) {
  const Attack::Either copy(root);
  return static_cast<CORBA::ULong>(copy._d());
}
CORBA::ULong Victim::take_hollows(const Attack::Hollows& values) {
  CORBA::ULong sum = 0;
  for (CORBA::ULong i = 0; i < values.length(); ++i)
    sum += static_cast<CORBA::ULong>(values[i].first) + static_cast<CORBA::ULong>(values[i].last);
  return sum;
}

CORBA::ULong Victim::take_value(CORBA::ValueBase* value) {
  release_graph(value);
  return value ? 1 : 0;
}
CORBA::ULong Victim::take_nodes(const Attack::Nodes& values) {
  for (CORBA::ULong i = 0; i < values.length(); ++i) release_graph(values[i]);
  return values.length();
}
Attack::Nodes* Victim::pass_nodes(const Attack::Nodes& values) { return new Attack::Nodes(values); }
CORBA::ULong Victim::take_words(const Attack::Words& values) {
  CORBA::ULong filled = 0;
  for (CORBA::ULong i = 0; i < values.length(); ++i) filled += values[i] != nullptr;
  return filled;
}

CORBA::ULong Victim::take_object(CORBA::Object_ptr reference) { return CORBA::is_nil(reference) ? 0 : 1; }
CORBA::ULong Victim::take_pair(const Attack::Pair& value, Attack::Colour shade) {
  return static_cast<CORBA::ULong>(value.first) + shade;
}
CORBA::ULong Victim::take_wide(const CORBA::WChar* text) {
  CORBA::ULong length = 0;
  while (text[length] != 0) ++length;
  return length;
}

CORBA::ULong Victim::take_prices(const Attack::Price& one, const Attack::Finest& other) {
  const CORBA::Fixed a(one), b(other);
  CORBA::ULong digits = 0;
  const auto use = [&](const CORBA::Fixed& f) {
    for (CORBA::UShort scale = 0; scale <= 31; ++scale) {
      digits += f.round(scale).fixed_digits();
      digits += f.truncate(scale).fixed_digits();
    }
  };
  use(a), use(b), use(a + b), use(a - b), use(a * b);
  if (!!b) use(a / b);  // DATA_CONVERSION where the result has more than 31 digits before the point
  if (!!a) use(b / a);
  return digits + static_cast<CORBA::ULong>(static_cast<CORBA::LongLong>(a));
}

CORBA::ULong Victim::nodes_alive() { return NodeValue::alive; }
CORBA::ULong Victim::notes() { return notes_; }

void register_factories(CORBA::ORB_ptr orb) {
  const CORBA::ValueFactory_var factory(new NodeFactory);
  orb->register_value_factory("IDL:Attack/Node:1.0", factory.in());
}

}  // namespace attack
