// SPDX-License-Identifier: Apache-2.0
// What clients make a property service keep, and how long they make others wait.
#include <services/properties/testing/serving.h>
#include <services/properties/value_bytes.h>
#include <future>

namespace callis::properties::testing {
namespace {

using namespace std::chrono_literals;
using services::MemoryBound;

std::vector<Def> many(int n) {
  std::vector<Def> out;
  for (int i = 0; i < n; ++i) out.push_back({"p" + std::to_string(i), any(i)});
  return out;
}

// At its first call begins something that needs the set's lock; at one of the next, that must have ended. (The thread
// may come to the lock after the first portion only.)
struct LockProbe final : Keeper {
  std::function<void()> needs_the_lock;
  std::future<void> done;
  std::size_t calls = 0;
  bool free = false;
  void keep(std::span<const Change>) override {
    ++calls;
    if (calls == 1) done = std::async(std::launch::async, needs_the_lock);
    if (calls > 1) free = free || done.wait_for(50ms) == std::future_status::ready;
  }
  // Another operation begins.
  void again() { calls = 0, free = false; }
};

TEST(PropertyTurns, others_have_theirs_between_portions_of_an_operation_on_many) {
  LockProbe probe;
  Set set({}, {}, &probe);
  std::size_t seen = 0;
  probe.needs_the_lock = [&] { seen = set.names().size(); };
  set.define(properties(many(500)));
  EXPECT_TRUE(probe.free) << "a reader waited for all of it";
  EXPECT_GE(seen, Keeper::kMostChanges);
  EXPECT_LT(seen, 500u);
  probe.again();
  probe.needs_the_lock = [&] { set.define_own("own", any(1)); };
  set.set_modes([] {
    std::vector<std::pair<std::string, cos::PropertyModeType>> all;
    for (int i = 0; i < 500; ++i) all.emplace_back("p" + std::to_string(i), cos::read_only);
    return modes(all);
  }());
  EXPECT_TRUE(probe.free) << "a writer waited for all of it";
  probe.again();
  probe.needs_the_lock = [&] { seen = set.names().size(); };
  EXPECT_FALSE(set.remove_all()) << "what is the servant's own is fixed";
  EXPECT_TRUE(probe.free);
  EXPECT_LT(seen, 501u);
  EXPECT_EQ(set.size(), 1u);
}

TEST(PropertyTurns, come_sooner_where_each_property_is_compared_with_many_types) {
  cos::PropertyTypes types;
  types.length(1'000);
  for (CORBA::ULong i = 0; i < types.length(); ++i) types[i] = CORBA::TypeCode::_duplicate(CORBA::_tc_string);
  types[types.length() - 1] = CORBA::TypeCode::_duplicate(CORBA::_tc_long);
  LockProbe probe;
  Set set({}, Constraints::make(types, {}, {}), &probe);
  probe.needs_the_lock = [&] { (void)set.has("p0"); };
  set.define(properties(many(60)));
  EXPECT_TRUE(probe.free);
  EXPECT_GE(probe.calls, 3u);
}

TEST(PropertyTurns, constraints_have_a_bound_of_types) {
  cos::PropertyTypes types;
  types.length(1'001);
  for (CORBA::ULong i = 0; i < types.length(); ++i) types[i] = CORBA::TypeCode::_duplicate(CORBA::_tc_long);
  EXPECT_THROW(Constraints::make(types, {}, {}), cos::ConstraintNotSupported);
  types.length(1'000);
  EXPECT_NO_THROW(Constraints::make(types, {}, {}));
}

TEST(PropertyMemory, is_counted_until_properties_go) {
  MemoryBound bound({.all = 20'000, .each = 20'000});
  Bounds bounds;
  bounds.memory = &bound;
  {
    Set set(bounds);
    set.define("x", any(std::string(5'000, 'x').c_str()));
    EXPECT_GE(bound.held(), 10'000u) << "its bytes, and what they were read as";
    const std::size_t before = bound.held();
    set.set_mode("x", cos::read_only);
    set.set_mode("x", cos::normal);
    EXPECT_EQ(bound.held(), before) << "a mode takes no memory";
    EXPECT_THROW(set.define("y", any(std::string(5'000, 'x').c_str())), CORBA::NO_RESOURCES);
    EXPECT_EQ(failed([&] {
                set.define(properties({{"y", any(std::string(5'000, 'x').c_str())}, {"z", any(1)}}));
              }),
              (Failed{{"y", cos::unsupported_property}}));
    EXPECT_TRUE(set.has("z"));
    set.remove("x");
    EXPECT_NO_THROW(set.define("y", any(std::string(5'000, 'x').c_str())));
    set.define_own("own", any(1));
  }
  EXPECT_EQ(bound.held(), 0u);
}

TEST(PropertyMemory, of_values_that_take_more_than_on_the_wire_counts_so) {
  CORBA::Any strings;
  strings <<= names(std::vector<std::string>(1'000, ""));
  EXPECT_GE(memory_of(strings, size_of(strings)), 3 * size_of(strings));
  const CORBA::Any text = any(std::string(1'000, 'x').c_str());
  EXPECT_EQ(memory_of(text, size_of(text)), 2 * size_of(text));
}

TEST(PropertyMemory, that_is_used_up_refuses_sets_and_serves_all_else) {
  MemoryBound bound({.all = 200'000, .each = 200'000});
  services::MemoryStore store;
  ServiceOptions options;
  options.bounds.memory = &bound;
  std::size_t held = 0;
  {
    Life life(store, options);
    std::vector<cos::PropertySetDef_var> sets;
    try {
      while (sets.size() < 1'000) sets.push_back(life.factory->create_propertysetdef());
      ADD_FAILURE() << "all were made";
    } catch (const CORBA::NO_RESOURCES& e) {
      EXPECT_EQ(e.completed(), CORBA::COMPLETED_NO);
    }
    EXPECT_GT(sets.size(), 10u);
    EXPECT_THROW(life.factory->create_initial_propertyset(properties({{"a", any(1)}})), CORBA::NO_RESOURCES);
    for (int i = 0; i < 3; ++i) life.factory->destroy(sets[static_cast<std::size_t>(i)].in());
    sets[5]->define_properties(properties({{"a", any(1)}, {"b", any(2)}}));
    for (int i = 0; i < 100; ++i) {
      cos::Properties_var some;
      cos::PropertiesIterator_var rest;
      sets[5]->get_all_properties(1, some.out(), rest.out());
      cos::Property_var last;
      EXPECT_TRUE(rest->next_one(last.out())) << "the client's own iterators make room";
    }
    life.service->iterators().reap(std::chrono::steady_clock::now() + Iterators::kIdle);
    held = bound.held();
  }
  EXPECT_EQ(bound.held(), 0u);
  Life again(store, options);
  EXPECT_EQ(bound.held(), held) << "what the store has counts, too";
}

}  // namespace
}  // namespace callis::properties::testing
