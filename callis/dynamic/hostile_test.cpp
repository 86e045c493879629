// SPDX-License-Identifier: Apache-2.0
// DynAnys of what peers send: random values of random types, spoiled ones, and types that cost as much as they can.
#include <callis/dynamic/testing/work.h>
#include <callis/dynamic_any.h>
#include <callis/marshal/testing/costly_types.h>
#include <callis/marshal/testing/type_codes.h>
#include <callis/orb/core/core.h>
#include <callis/typecode/coder.h>
#include <callis/typecode/plan_of.h>
#include <callis/typecode/wire.h>
#include <callis/value/wire.h>

namespace callis::dynamic::testing {
namespace {

using namespace DynamicAny;
using marshal::Word;

std::vector<Byte> taken(cdr::Encoder& e, Buffer& b) {
  e.finish();
  return {b.data(), b.data() + b.size()};
}

// An any of a random type.
std::vector<Byte> random_any(std::uint32_t i, ByteOrder order) {
  marshal::testing::Random random(i);
  marshal::testing::Types types;
  const Word type = random_type(types, random);
  const marshal::Unit unit = types.unit();
  const auto plan = marshal::make_plan(unit, type);
  Buffer b(64);
  cdr::Encoder e(b, order);
  marshal::testing::TypeCodeWriter(unit, e, random).write(type);
  std::vector<std::uint64_t> memory(marshal::native_size(*plan) / 8 + 2);
  Byte* const value =
      reinterpret_cast<Byte*>((reinterpret_cast<std::uintptr_t>(memory.data()) + 15) & ~std::uintptr_t{15});
  marshal::testing::random_value(unit, type, value, random);
  (void)marshal::encode(*plan, value, e);
  marshal::destroy(*plan, value);
  return taken(e, b);
}

bool read(const std::vector<Byte>& bytes, ByteOrder order, CORBA::ORB_ptr orb, CORBA::Any& to) {
  cdr::Budget budget{1u << 20, 64};
  cdr::Decoder d({bytes.data(), bytes.size()}, order, budget);
  d.set_context(dynamic_cast<orb::Core*>(orb)->own_source());
  const value::DecodeScope scope(d);
  typecode::get_any(d, to);
  return d.ok();
}

std::vector<Byte> written(const CORBA::Any& any) {
  Buffer b(64);
  cdr::Encoder e(b);
  typecode::put_any(e, any);
  EXPECT_EQ(e.fault(), Fault::None);
  return taken(e, b);
}

struct Hostile : ::testing::Test {
  CORBA::ORB_var orb = make_orb({});
  DynAnyFactory_var factory;
  int visited = 0, accepted = 0, walked = 0;

  Hostile() {
    const CORBA::Object_var o = orb->resolve_initial_references("DynAnyFactory");
    factory = DynAnyFactory::_narrow(o.in());
  }
  ~Hostile() override { orb->destroy(); }

  // Visits components, some of each.
  void walk(DynAny_ptr d, int depth) {
    ++visited;
    const CORBA::ULong n = d->component_count();
    for (CORBA::ULong i = 0; depth != 0 && i < n && i < 20; ++i) {
      ASSERT_TRUE(d->seek(static_cast<CORBA::Long>(i)));
      const DynAny_var c = d->current_component();
      ASSERT_FALSE(CORBA::is_nil(c.in()));
      walk(c.in(), depth - 1);
    }
    const CORBA::TypeCode_var type = d->type();
    if (typecode::type_behind(*type.in())->kind() == CORBA::tk_any) {
      try {
        const DynAny_var inner = d->get_dyn_any();
        walk(inner.in(), depth - 1);
      } catch (const DynAny::InvalidValue&) {
      } catch (const DynAnyFactory::InconsistentTypeCode&) {
      }
    }
  }

  // What is accepted is the same when it has been taken apart and put together.
  void try_any(const std::vector<Byte>& bytes, ByteOrder order) {
    CORBA::Any any;
    if (!read(bytes, order, orb.in(), any)) return;
    ++accepted;
    DynAny_var d;
    try {
      d = factory->create_dyn_any(any);
    } catch (const DynAnyFactory::InconsistentTypeCode&) {
      return;
    }
    ++walked;
    walk(d.in(), 6);
    const DynAny_var copy = d->copy();
    EXPECT_TRUE(copy->equal(d.in()));
    const CORBA::Any_var back = d->to_any();
    const DynAny_var again = factory->create_dyn_any(back.in());
    EXPECT_TRUE(again->equal(d.in()));
    EXPECT_EQ(written(back.in()), written(*std::make_unique<CORBA::Any>(CORBA::Any_var(again->to_any()).in())));
    const CORBA::TypeCode_var type = d->type();
    const DynAny_var empty = factory->create_dyn_any_from_type_code(type.in());
    walk(empty.in(), 6);
    empty->assign(d.in());
    EXPECT_TRUE(empty->equal(d.in()));
    d->destroy();
  }
};

TEST_F(Hostile, random_values_survive_being_taken_apart) {
  for (std::uint32_t i = 0; i < 600; ++i) {
    const auto order = static_cast<ByteOrder>(i & 1);
    try_any(random_any(i, order), order);
    if (HasFailure()) FAIL() << "any " << i;
  }
  EXPECT_GT(walked, 500);
  EXPECT_GT(visited, 5000);
}

TEST_F(Hostile, spoiled_values_are_refused_or_read) {
  std::uint32_t state = 1;
  const auto next = [&state] { return state = state * 1664525 + 1013904223; };
  for (std::uint32_t i = 0; i < 4000; ++i) {
    const auto order = static_cast<ByteOrder>(i & 1);
    std::vector<Byte> bytes = random_any(i % 400, order);
    for (std::uint32_t k = next() >> 30; k != ~0u; --k)
      bytes[(next() >> 8) % bytes.size()] = static_cast<Byte>(next() >> 24);
    if (next() >> 30 == 0) bytes.resize((next() >> 8) % bytes.size());
    try_any(bytes, order);
    if (HasFailure()) FAIL() << "any " << i;
  }
  EXPECT_GT(accepted, 100);
}

// Values of types that the program has no classes of: shared, in circles, derived, in chunks, in anys.
std::vector<Byte> any_with_values(DynAnyFactory_ptr factory, std::uint32_t i, ByteOrder order) {
  const DynAny_var d = factory->create_dyn_any_from_type_code(i % 2 ? Dyn::_tc_Pack : Dyn::_tc_Dog);
  const auto member = [](DynAny_ptr of, CORBA::Long at) {
    EXPECT_TRUE(of->seek(at));
    return DynAny_var(of->current_component());
  };
  const auto fill_dog = [&](DynAny_ptr dog) {
    dog->insert_string("Rex");
    const DynAny_var leash = member(dog, 2);
    set_to_value_of(leash.in(), Dyn::_tc_Link);
    if (i % 3 != 0) share_value(member(leash.in(), 1).in(), leash.in());
  };
  if (i % 2 == 0) {
    set_to_value_of(d.in(), Dyn::_tc_Dog);
    fill_dog(d.in());
  } else {
    const DynAny_var first = member(d.in(), 0), second = member(d.in(), 1);
    set_to_value_of(first.in(), Dyn::_tc_Dog);
    fill_dog(first.in());
    if (i % 4 == 1) share_value(second.in(), first.in());
    const DynAny_var links = member(d.in(), 2);
    DynSequence_var(DynSequence::_narrow(links.in()))->set_length(2);
    set_to_value_of(member(links.in(), 1).in(), Dyn::_tc_Link);
    const DynAny_var title = member(d.in(), 3);
    set_to_value_of(title.in(), Dyn::_tc_Name);
    EXPECT_TRUE(d->seek(4));
    const CORBA::Any_var whole = d->to_any();
    if (i % 5 == 0) d->insert_any(whole.in());
  }
  const CORBA::Any_var any = d->to_any();
  Buffer b(64);
  cdr::Encoder e(b, order);
  typecode::put_any(e, any.in());
  EXPECT_EQ(e.fault(), Fault::None);
  return taken(e, b);
}

TEST_F(Hostile, spoiled_valuetypes_are_refused_or_read) {
  std::vector<std::vector<Byte>> seeds;
  for (std::uint32_t i = 0; i < 40; ++i)
    seeds.push_back(any_with_values(factory.in(), i / 2, static_cast<ByteOrder>(i & 1)));
  for (std::uint32_t i = 0; i < 40; ++i) try_any(seeds[i], static_cast<ByteOrder>(i & 1));
  EXPECT_EQ(walked, 40);
  const std::size_t before = value::living_values();
  std::uint32_t state = 1;
  const auto next = [&state] { return state = state * 1664525 + 1013904223; };
  for (std::uint32_t i = 0; i < 4000; ++i) {
    const auto order = static_cast<ByteOrder>(i & 1);
    std::vector<Byte> bytes = seeds[i % 40];
    for (std::uint32_t k = next() >> 30; k != ~0u; --k) {
      const std::size_t at = (next() >> 8) % bytes.size();
      // Half of them offsets and tags.
      if (next() >> 31) bytes[at] = static_cast<Byte>(next() >> 24);
      else for (std::size_t n = at & ~std::size_t{3}; n < bytes.size() && n < (at & ~std::size_t{3}) + 4; ++n)
        bytes[n] = bytes[(n + (next() >> 8) % 16 * 4) % bytes.size()];
    }
    if (next() >> 30 == 0) bytes.resize((next() >> 8) % bytes.size());
    try_any(bytes, order);
    if (HasFailure()) FAIL() << "any " << i;
  }
  EXPECT_GT(accepted, 300);
  EXPECT_EQ(value::living_values(), before);
}

TEST_F(Hostile, types_that_cost_as_much_as_they_can_cost_no_more) {
  const auto& families = marshal::testing::costly_families();
  for (std::size_t f = 0; f < 2 * families.size(); ++f) {
    for (const unsigned size : {4u, 60u, 400u}) {
      marshal::testing::CostlyType t(kNativeOrder);
      const auto write = [&] { families[f / 2].write(t, size); };
      if (f % 2) t.sequence(write);
      else write();
      std::vector<Byte> bytes = t.bytes();
      cdr::Budget budget{8u << 20, 64};
      cdr::Decoder d({bytes.data(), bytes.size()}, kNativeOrder, budget);
      const CORBA::TypeCode_var type = typecode::get_type_code(d);
      if (!type.in()) continue;
      timespec before{}, after{};
      clock_gettime(CLOCK_THREAD_CPUTIME_ID, &before);
      try {
        const DynAny_var made = factory->create_dyn_any_from_type_code(type.in());
        walk(made.in(), 6);
        const DynAny_var copy = made->copy();
        EXPECT_TRUE(copy->equal(made.in()));
      } catch (const DynAnyFactory::InconsistentTypeCode&) {
      }
      clock_gettime(CLOCK_THREAD_CPUTIME_ID, &after);
      const double took = static_cast<double>(after.tv_sec - before.tv_sec) +
                          static_cast<double>(after.tv_nsec - before.tv_nsec) / 1e9;
      EXPECT_LT(took, 2.0) << "family " << f / 2 << " of " << size;
    }
  }
}

// Each level takes as long as the one around it, not twice as long.
TEST_F(Hostile, deep_values_are_taken_apart_in_time_that_grows_with_their_depth) {
  constexpr int kLevels = 60;
  CORBA::StructMemberSeq members;
  members.length(1);
  members[0].name = CORBA::string_dup("below");
  const CORBA::TypeCode_var itself = orb->create_recursive_tc("IDL:Deep:1.0");
  members[0].type = orb->create_sequence_tc(0, itself.in());
  const CORBA::TypeCode_var type = orb->create_struct_tc("IDL:Deep:1.0", "Deep", members);
  const DynAny_var whole = factory->create_dyn_any_from_type_code(type.in());
  DynAny_var at = DynAny::_duplicate(whole.in());
  for (int i = 0; i < kLevels; ++i) {
    const DynAny_var below = at->current_component();
    const DynSequence_var sequence = DynSequence::_narrow(below.in());
    sequence->set_length(1);
    at = sequence->current_component();
  }
  const DynAny_var last = at->current_component();
  EXPECT_EQ(last->component_count(), 0u);
  whole->destroy();
}

}  // namespace
}  // namespace callis::dynamic::testing
