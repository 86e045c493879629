// SPDX-License-Identifier: Apache-2.0
// Names and values of any bytes, sequences that are too long, iterators that are left behind, object ids that nobody
// made.
#include <services/properties/testing/serving.h>
#include <chrono>

namespace callis::properties::testing {
namespace {

struct HostileProperties : Serving {
  cos::PropertySetDef_var set = factory()->create_propertysetdef();
};

TEST_P(HostileProperties, names_of_every_byte_come_back) {
  std::string all;
  for (int c = 1; c < 256; ++c) all += static_cast<char>(c);
  set->define_property(all.c_str(), any(1));
  EXPECT_TRUE(set->is_property_defined(all.c_str()));
  cos::PropertyNames_var names;
  cos::PropertyNamesIterator_var rest;
  set->get_all_property_names(1, names.out(), rest.out());
  EXPECT_EQ(std::string(names[0]), all);
  const std::string longest(1'024, 'n');
  set->define_property(longest.c_str(), any(1));
  EXPECT_THROW(set->define_property((longest + "n").c_str(), any(1)), cos::InvalidPropertyName);
  EXPECT_THROW(set->get_property_value(std::string(1u << 20, 'n').c_str()), cos::InvalidPropertyName);
}

TEST_P(HostileProperties, values_and_sequences_beyond_the_bounds_are_refused) {
  const std::string large(300'000, 'v');
  EXPECT_THROW(set->define_property("x", any(large.c_str())), CORBA::IMP_LIMIT);
  cos::Properties many;
  many.length(10'001);
  for (CORBA::ULong i = 0; i < many.length(); ++i) many[i].property_name = std::to_string(i).c_str();
  EXPECT_THROW(set->define_properties(many), CORBA::IMP_LIMIT);
  cos::PropertyNames names;
  names.length(10'001);
  cos::Properties_var out;
  EXPECT_THROW(set->get_properties(names, out.out()), CORBA::IMP_LIMIT);
  EXPECT_THROW(set->delete_properties(names), CORBA::IMP_LIMIT);
  cos::PropertyModes modes;
  modes.length(10'001);
  for (CORBA::ULong i = 0; i < modes.length(); ++i) modes[i].property_mode = cos::normal;
  EXPECT_THROW(set->set_property_modes(modes), CORBA::IMP_LIMIT);
  EXPECT_EQ(set->get_number_of_properties(), 0u);
  cos::PropertyTypes types;
  types.length(10'001);
  for (CORBA::ULong i = 0; i < types.length(); ++i) types[i] = CORBA::TypeCode::_duplicate(CORBA::_tc_long);
  EXPECT_THROW(factory()->create_constrained_propertyset(types, cos::Properties()), cos::ConstraintNotSupported);
}

TEST_P(HostileProperties, long_values_make_short_answers) {
  const std::string value(200'000, 'v');
  for (int i = 0; i < 20; ++i) set->define_property(std::to_string(i).c_str(), any(value.c_str()));
  cos::Properties_var some;
  cos::PropertiesIterator_var rest;
  set->get_all_properties(1'000, some.out(), rest.out());
  CORBA::ULong seen = some->length();
  EXPECT_LT(seen, 20u);
  ASSERT_FALSE(CORBA::is_nil(rest.in()));
  while (rest->next_n(1'000, some.out())) {
    EXPECT_LE(some->length(), 6u);
    seen += some->length();
  }
  EXPECT_EQ(seen, 20u);
}

TEST_P(HostileProperties, iterators_that_are_left_behind_go) {
  set->define_properties(properties({{"a", any(1)}, {"b", any(2)}}));
  cos::PropertyNames_var names;
  cos::PropertyNamesIterator_var first, rest;
  set->get_all_property_names(0, names.out(), first.out());
  for (std::size_t i = 0; i < Iterators::kMost; ++i) set->get_all_property_names(0, names.out(), rest.out());
  EXPECT_EQ(life->service->iterators().size(), Iterators::kMost);
  CORBA::String_var name;
  EXPECT_THROW(first->next_one(name.out()), CORBA::OBJECT_NOT_EXIST) << "the one that rested longest";
  EXPECT_TRUE(rest->next_one(name.out()));
  life->service->iterators().reap(std::chrono::steady_clock::now() + Iterators::kIdle - std::chrono::minutes(1));
  EXPECT_EQ(life->service->iterators().size(), Iterators::kMost);
  life->service->iterators().reap(std::chrono::steady_clock::now() + Iterators::kIdle + std::chrono::minutes(1));
  EXPECT_EQ(life->service->iterators().size(), 0u);
  EXPECT_THROW(rest->reset(), CORBA::OBJECT_NOT_EXIST);
}

TEST_P(HostileProperties, more_sets_than_may_be_are_refused) {
  ServiceOptions options;
  options.sets = 3;
  restart(options);  // one is there
  const cos::PropertySet_var second = factory()->create_propertyset();
  const cos::PropertySetDef_var third = factory()->create_propertysetdef();
  EXPECT_THROW(factory()->create_propertyset(), CORBA::IMP_LIMIT);
  EXPECT_THROW(factory()->named("x"), CORBA::IMP_LIMIT);
  EXPECT_THROW(factory()->create_initial_propertyset(properties({{"a", any(1)}})), CORBA::IMP_LIMIT);
  EXPECT_EQ(factory()->number_of_sets(), 3u);
}

TEST_P(HostileProperties, object_ids_that_nobody_made_are_not_there) {
  CORBA::Object_var object = life->root->find_POA("PropertyService", false);
  const PortableServer::POA_var poa = PortableServer::POA::_narrow(object.in());
  for (const char* const adapter : {"sets", "defs", "names", "values"}) {
    const PortableServer::POA_var below = poa->find_POA(adapter, false);
    for (const char* const id :
         {"", "x", "0000000000000000", "ffffffffffffffff", "00000000000000000", "-000000000000001"}) {
      const PortableServer::ObjectId_var made = PortableServer::string_to_ObjectId(id);
      const CORBA::Object_var nobody = life->at(
          CORBA::Object_var(below->create_reference_with_id(made.in(), "IDL:omg.org/CORBA/Object:1.0")).in());
      if (*adapter == 's' || *adapter == 'd') {
        const cos::PropertySet_var as_set = cos::PropertySet::_unchecked_narrow(nobody.in());
        EXPECT_THROW(as_set->get_number_of_properties(), CORBA::OBJECT_NOT_EXIST) << id;
      } else if (*adapter == 'n') {
        const cos::PropertyNamesIterator_var names = cos::PropertyNamesIterator::_unchecked_narrow(nobody.in());
        EXPECT_THROW(names->reset(), CORBA::OBJECT_NOT_EXIST);
      } else {
        const cos::PropertiesIterator_var values = cos::PropertiesIterator::_unchecked_narrow(nobody.in());
        EXPECT_THROW(values->destroy(), CORBA::OBJECT_NOT_EXIST);
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Stores, HostileProperties, ::testing::Values("memory", "etcd"));

}  // namespace
}  // namespace callis::properties::testing
