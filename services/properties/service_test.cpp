// SPDX-License-Identifier: Apache-2.0
// A service over sockets: factories, sets, iterators, what is kept; and servants with properties of their own.
#include <callis/ior/iiop_profile.h>
#include <callis/orb/core/object_of.h>
#include <services/common/testing/reading.h>
#include <services/properties/servant.h>
#include <services/properties/testing/serving.h>
#include "boiler_skel.h"

namespace callis::properties::testing {
namespace {

struct PropertyService : Serving {};
INSTANTIATE_TEST_SUITE_P(Stores, PropertyService, ::testing::Values("memory", "etcd"));

TEST_P(PropertyService, factories_make_sets_with_and_without_modes) {
  const cos::PropertySet_var plain = factory()->create_propertyset();
  EXPECT_FALSE(plain->_is_a(cos::PropertySetDef::_repository_id()));
  plain->define_property("x", any(1));
  EXPECT_EQ(plain->get_number_of_properties(), 1u);
  const cos::PropertySetDef_var with = factory()->create_propertysetdef();
  EXPECT_TRUE(with->_is_a(cos::PropertySet::_repository_id()));
  with->define_property_with_mode("x", any(1), cos::fixed_readonly);
  EXPECT_EQ(with->get_property_mode("x"), cos::fixed_readonly);
  EXPECT_EQ(factory()->number_of_sets(), 2u);
  const cos::PropertySetFactory_var as_factory = cos::PropertySetFactory::_narrow(factory());
  EXPECT_FALSE(CORBA::is_nil(as_factory.in()));
}

TEST_P(PropertyService, constrained_sets_tell_their_constraints) {
  const cos::PropertySetDef_var set = factory()->create_constrained_propertysetdef(
      types({CORBA::_tc_long, CORBA::_tc_string}), defs({{"x", any(5), cos::read_only}}));
  cos::PropertyTypes_var allowed_types;
  set->get_allowed_property_types(allowed_types.out());
  ASSERT_EQ(allowed_types->length(), 2u);
  EXPECT_EQ(allowed_types[1]->kind(), CORBA::tk_string);
  cos::PropertyDefs_var allowed;
  set->get_allowed_properties(allowed.out());
  ASSERT_EQ(allowed->length(), 1u);
  EXPECT_EQ(long_of(allowed[0].property_value), 5);
  EXPECT_EQ(allowed[0].property_mode, cos::read_only);
  EXPECT_EQ(set->get_number_of_properties(), 0u);
  EXPECT_THROW(set->define_property("y", any(1)), cos::UnsupportedProperty);
  EXPECT_THROW(factory()->create_constrained_propertyset(types({CORBA::_tc_long}), properties({{"x", any("text")}})),
               cos::ConstraintNotSupported);
  const cos::PropertySet_var plain =
      factory()->create_constrained_propertyset(types({}), properties({{"x", any(1)}}));
  EXPECT_THROW(plain->define_property("x", any("text")), cos::UnsupportedTypeCode);
  plain->define_property("x", any(2));
}

TEST_P(PropertyService, initial_sets_are_made_whole_or_not_at_all) {
  const cos::PropertySetDef_var set =
      factory()->create_initial_propertysetdef(defs({{"a", any(1)}, {"b", any(2), cos::fixed_normal}}));
  EXPECT_EQ(set->get_property_mode("b"), cos::fixed_normal);
  EXPECT_EQ(failed([&] {
              factory()->create_initial_propertyset(properties({{"a", any(1)}, {"", any(2)}, {"a", any("text")}}));
            }),
            (Failed{{"", cos::invalid_property_name}, {"a", cos::conflicting_property}}));
  EXPECT_EQ(factory()->number_of_sets(), 1u);
}

TEST_P(PropertyService, exceptions_of_one_property_reach_the_client) {
  const cos::PropertySetDef_var set = factory()->create_propertysetdef();
  set->define_property_with_mode("x", any(1), cos::fixed_readonly);
  EXPECT_THROW(set->define_property("x", any(2)), cos::ReadOnlyProperty);
  EXPECT_THROW(set->define_property("x", any("text")), cos::ConflictingProperty);
  EXPECT_THROW(set->delete_property("x"), cos::FixedProperty);
  EXPECT_THROW(set->get_property_value("y"), cos::PropertyNotFound);
  EXPECT_THROW(set->is_property_defined(""), cos::InvalidPropertyName);
  EXPECT_THROW(set->set_property_mode("x", cos::normal), cos::UnsupportedMode);
  EXPECT_FALSE(set->delete_all_properties());
}

TEST_P(PropertyService, iterators_go_on_where_the_first_answer_ended) {
  const cos::PropertySet_var set = factory()->create_propertyset();
  std::vector<Def> all;
  for (char c = 'a'; c < 'h'; ++c) all.push_back({std::string(1, c), any(c)});
  set->define_properties(properties(all));
  cos::PropertyNames_var first;
  cos::PropertyNamesIterator_var rest;
  set->get_all_property_names(3, first.out(), rest.out());
  ASSERT_EQ(first->length(), 3u);
  EXPECT_STREQ(first[2], "c");
  set->define_property("zzz", any(1));  // not in what was there
  CORBA::String_var name;
  EXPECT_TRUE(rest->next_one(name.out()));
  EXPECT_STREQ(name.in(), "d");
  cos::PropertyNames_var more;
  EXPECT_TRUE(rest->next_n(100, more.out()));
  EXPECT_EQ(more->length(), 3u);
  EXPECT_FALSE(rest->next_n(1, more.out()));
  EXPECT_FALSE(rest->next_one(name.out()));
  rest->reset();
  EXPECT_TRUE(rest->next_one(name.out()));
  EXPECT_STREQ(name.in(), "d");
  rest->destroy();
  EXPECT_THROW(rest->next_one(name.out()), CORBA::OBJECT_NOT_EXIST);
  cos::Properties_var values;
  cos::PropertiesIterator_var others;
  set->get_all_properties(0, values.out(), others.out());
  EXPECT_EQ(values->length(), 0u);
  cos::Property_var one;
  EXPECT_TRUE(others->next_one(one.out()));
  EXPECT_EQ(long_of(one->property_value), 'a');
  EXPECT_TRUE(others->next_n(100, values.out()));
  EXPECT_EQ(values->length(), 7u);
  others->destroy();
  set->get_all_properties(8, values.out(), others.out());
  EXPECT_TRUE(CORBA::is_nil(others.in())) << "nothing is left";
  EXPECT_EQ(life->service->iterators().size(), 0u);
}

TEST_P(PropertyService, set_of_a_name_is_made_once_and_found) {
  const cos::PropertySetDef_var set = factory()->named("plant");
  set->define_property("x", any(1));
  EXPECT_EQ(cos::PropertySetDef_var(factory()->named("plant"))->get_number_of_properties(), 1u);
  EXPECT_EQ(cos::PropertySetDef_var(factory()->find("plant"))->get_number_of_properties(), 1u);
  EXPECT_THROW(factory()->find("nobody"), CallisProperties::Unknown);
  EXPECT_THROW(factory()->named(""), CallisProperties::BadName);
  EXPECT_THROW(factory()->named(std::string(256, 'x').c_str()), CallisProperties::BadName);
  EXPECT_EQ(factory()->number_of_sets(), 1u);
}

TEST_P(PropertyService, destroyed_set_is_gone_with_all_its_properties) {
  const cos::PropertySetDef_var set = factory()->named("plant");
  set->define_property_with_mode("x", any(1), cos::fixed_readonly);
  factory()->destroy(set.in());
  EXPECT_THROW(set->get_number_of_properties(), CORBA::OBJECT_NOT_EXIST);
  EXPECT_TRUE(set->_non_existent());
  EXPECT_THROW(factory()->destroy(set.in()), CallisProperties::Unknown);
  EXPECT_THROW(factory()->destroy(nullptr), CallisProperties::Unknown);
  const cos::PropertySet_var no_set = cos::PropertySet::_unchecked_narrow(factory());
  EXPECT_THROW(factory()->destroy(no_set.in()), CallisProperties::Unknown);
  EXPECT_TRUE(services::testing::all_of(store()).empty());
}

TEST_P(PropertyService, counters_tell_what_there_is) {
  const cos::PropertySetDef_var set = factory()->create_propertysetdef();
  set->define_property("x", any(1));
  std::map<std::string, std::int64_t> told;
  for (const services::Value& value : life->counters.values()) told[value.name] = value.number;
  EXPECT_EQ(told, (std::map<std::string, std::int64_t>{{"iterators", 0}, {"properties", 1}, {"sets", 1},
                                                       {"sets_created", 1}}));
}

// Every kind of value that a property may have, through a file and another life of the service.
struct PropertyStore : ::testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Stores, PropertyStore, ::testing::Values("sqlite", "etcd"));

TEST_P(PropertyStore, has_all_again_in_the_next_life) {
  const auto kept = services::testing::make_place(GetParam());
  if (!kept) GTEST_SKIP() << "there is no " << GetParam();
  std::string plain, with, port;
  {
    Opened opened(kept->where());
    Life life(*opened.store, {}, "0", &opened.relay);
    port = std::to_string(ior::parse_iiop(orb::reference_of(life.service->reference()).ior().profiles[0].data)
                              .value().address.port);
    const cos::PropertySet_var set =
        life.factory->create_constrained_propertyset(types({CORBA::_tc_long}), properties({{"x", any(1)}}));
    set->define_property("x", any(42));
    plain = life.text_of(set.in());
    const cos::PropertySetDef_var def = life.factory->named("plant");
    PropertyTest::Place place;
    place.street = "Hauptstra\xdf" "e";
    place.numbers.length(2);
    place.numbers[1] = 7;
    CORBA::Any struct_value, object_value, nested;
    struct_value <<= place;
    object_value <<= set.in();
    nested <<= struct_value;
    def->define_properties_with_modes(defs({{"struct", struct_value, cos::fixed_normal},
                                            {"object", object_value},
                                            {"nested", nested, cos::read_only},
                                            {"nothing", CORBA::Any()},
                                            {"/a/b", any("text")},
                                            {"gone", any(1)}}));
    def->delete_property("gone");
    with = life.text_of(def.in());
    const cos::PropertySetDef_var other = life.factory->create_initial_propertysetdef(defs({{"x", any(1)}}));
    life.factory->destroy(other.in());
  }
  Opened opened(kept->where());
  Life life(*opened.store, {}, port, &opened.relay);
  EXPECT_EQ(life.factory->number_of_sets(), 2u);
  CORBA::Object_var object = life.client->string_to_object(plain.c_str());
  const cos::PropertySet_var set = cos::PropertySet::_narrow(object.in());
  EXPECT_EQ(long_in(set->get_property_value("x")), 42);
  EXPECT_THROW(set->define_property("y", any(1)), cos::UnsupportedProperty);
  object = life.client->string_to_object(with.c_str());
  const cos::PropertySetDef_var def = cos::PropertySetDef::_narrow(object.in());
  EXPECT_EQ(def->get_number_of_properties(), 5u);
  EXPECT_EQ(def->get_property_mode("struct"), cos::fixed_normal);
  EXPECT_EQ(def->get_property_mode("nested"), cos::read_only);
  const CORBA::Any_var value = def->get_property_value("struct");
  const PropertyTest::Place* place = nullptr;
  ASSERT_TRUE(value.in() >>= place);
  EXPECT_STREQ(place->street, "Hauptstra\xdf" "e");
  EXPECT_EQ(place->numbers[1], 7);
  const CORBA::Any_var reference = def->get_property_value("object");
  CORBA::Object_var found;
  ASSERT_TRUE(reference.in() >>= CORBA::Any::to_object(found));
  EXPECT_TRUE(found->_is_equivalent(set.in()));
  EXPECT_EQ(cos::PropertySetDef_var(life.factory->find("plant"))->get_number_of_properties(), 5u);
}

TEST(OwnPropertyStore, pairs_without_a_set_are_erased_and_bad_ones_passed_over) {
  services::MemoryStore store;
  store.commit({{}, {{"value/0123456789abcdef/x", "0xyz"}, {"value/zz", "1"}, {"set/0000000000000001", "nonsense"},
                     {"set/nonsense", ""}}, {}});
  {
    Life life(store);
    EXPECT_EQ(life.factory->number_of_sets(), 0u);
    const cos::PropertySetDef_var set = life.factory->named("plant");
    set->define_property("x", any(1));
  }
  auto all = services::testing::all_of(store, "value/");
  ASSERT_EQ(all.size(), 1u);
  store.commit({{}, {{all.begin()->first, "9"}}, {}});
  Life life(store);
  EXPECT_EQ(cos::PropertySetDef_var(life.factory->find("plant"))->get_number_of_properties(), 0u);
}

struct BoilerServant final : PropertySetDefServant<POA_PropertyTest::Boiler> {
  using PropertySetDefServant<POA_PropertyTest::Boiler>::WithOwnSet;
  CORBA::Long degrees() override { return 70; }
};

TEST(PropertyServant, object_of_an_application_has_properties_of_its_own) {
  const CORBA::ORB_var orb = new_orb({"-ORBEndpoint", "tcp:127.0.0.1:0"}, "boilers"), client = new_orb({}, "stoker");
  {
    CORBA::Object_var object = orb->resolve_initial_references("RootPOA");
    const PortableServer::POA_var root = PortableServer::POA::_narrow(object.in());
    Iterators iterators(root.in());
    const PortableServer::Servant_var<BoilerServant> one = new BoilerServant(iterators);
    const PortableServer::Servant_var<BoilerServant> two = new BoilerServant(iterators);
    const CORBA::Object_var first =
        root->id_to_reference(PortableServer::ObjectId_var(root->activate_object(one.in())).in());
    const CORBA::Object_var second =
        root->id_to_reference(PortableServer::ObjectId_var(root->activate_object(two.in())).in());
    PortableServer::POAManager_var(root->the_POAManager())->activate();
    object = client->string_to_object(CORBA::String_var(orb->object_to_string(first.in())).in());
    const PropertyTest::Boiler_var boiler = PropertyTest::Boiler::_narrow(object.in());
    object = client->string_to_object(CORBA::String_var(orb->object_to_string(second.in())).in());
    const PropertyTest::Boiler_var other = PropertyTest::Boiler::_narrow(object.in());
    EXPECT_EQ(boiler->degrees(), 70);
    boiler->define_property_with_mode("room", any("cellar"), cos::read_only);
    boiler->define_property("size", any(3));
    EXPECT_EQ(boiler->get_number_of_properties(), 2u);
    EXPECT_EQ(other->get_number_of_properties(), 0u);
    cos::PropertyNames_var names;
    cos::PropertyNamesIterator_var rest;
    boiler->get_all_property_names(1, names.out(), rest.out());
    CORBA::String_var name;
    EXPECT_TRUE(rest->next_one(name.out()));
    EXPECT_STREQ(name.in(), "size");
  }
  client->destroy();
  orb->destroy();
}

}  // namespace
}  // namespace callis::properties::testing
