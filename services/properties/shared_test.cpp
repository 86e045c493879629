// SPDX-License-Identifier: Apache-2.0
// Two services on one etcd, each with a client: what one has acknowledged the other has, whoever asks whom.
#include <services/common/testing/places.h>
#include <services/common/testing/reading.h>
#include <services/properties/testing/serving.h>
#include <thread>

namespace callis::properties::testing {
namespace {

struct SharedProperties : ::testing::Test {
  const std::unique_ptr<services::testing::Place> place = services::testing::make_place("etcd");
  std::unique_ptr<Opened> here, there;
  std::unique_ptr<Life> one, other;

  void SetUp() override {
    if (!place) GTEST_SKIP() << "there is no etcd";
    start();
  }
  void start() {
    here = std::make_unique<Opened>(place->where());
    there = std::make_unique<Opened>(place->where());
    one = std::make_unique<Life>(*here->store, ServiceOptions(), "0", &here->relay);
    other = std::make_unique<Life>(*there->store, ServiceOptions(), "0", &there->relay);
  }
  ~SharedProperties() override {
    one.reset();
    other.reset();
  }
};

TEST_F(SharedProperties, what_one_has_acknowledged_the_other_has) {
  const cos::PropertySetDef_var set = one->factory->named("plant");
  set->define_property("x", any(1));
  const cos::PropertySetDef_var same = other->factory->find("plant");
  EXPECT_EQ(long_in(same->get_property_value("x")), 1);
  for (CORBA::Long i = 0; i < 20; ++i) {
    const std::string name = "n" + std::to_string(i);
    set->define_property_with_mode(name.c_str(), any(i), cos::fixed_normal);
    EXPECT_EQ(long_in(same->get_property_value(name.c_str())), i) << "found when it was asked for";
    EXPECT_THROW(same->delete_property(name.c_str()), cos::FixedProperty);
  }
  set->define_property_with_mode("y", any(1), cos::read_only);
  EXPECT_THROW(same->define_property("y", any(2)), cos::ReadOnlyProperty) << "decided anew";
  set->delete_property("x");
  EXPECT_THROW(same->delete_property("x"), cos::PropertyNotFound);
  EXPECT_EQ(one->factory->number_of_sets(), 1u);
}

TEST_F(SharedProperties, set_with_contents_is_whole_at_the_other) {
  std::vector<Def> all;
  for (int i = 0; i < 250; ++i) all.push_back({"p" + std::to_string(i), any(i), cos::fixed_normal});
  const cos::PropertySetDef_var set = one->factory->create_initial_propertysetdef(defs(all));
  const cos::PropertySetDef_var marker = one->factory->named("marker");
  (void)CosPropertyService::PropertySetDef_var(other->factory->find("marker"));  // it has heard of all before that
  EXPECT_EQ(other->service->sets().properties(), 250u);
  EXPECT_EQ(set->get_number_of_properties(), 250u);
}

TEST_F(SharedProperties, changes_of_one_set_by_two_at_once_are_all_made) {
  constexpr int kEach = 40;
  const cos::PropertySetDef_var set = one->factory->named("plant"), same = other->factory->named("plant");
  const auto change = [&](cos::PropertySetDef_ptr by, const std::string& prefix) {
    for (int i = 0; i < kEach; ++i)
      by->define_properties(properties({{prefix + std::to_string(i), any(i)}, {prefix + "last", any(i)}}));
  };
  std::thread thread(change, same.in(), "b");
  change(set.in(), "a");
  thread.join();
  for (const cos::PropertySetDef_var& each : {set, same}) {
    EXPECT_EQ(long_in(each->get_property_value(("b" + std::to_string(kEach - 1)).c_str())), kEach - 1);
    EXPECT_EQ(long_in(each->get_property_value(("a" + std::to_string(kEach - 1)).c_str())), kEach - 1);
    EXPECT_EQ(each->get_number_of_properties(), 2u * kEach + 2);
  }
}

TEST_F(SharedProperties, what_is_refused_of_many_is_so_when_all_has_been_heard) {
  const cos::PropertySetDef_var set = one->factory->named("plant"), same = other->factory->named("plant");
  set->define_properties_with_modes(defs({{"a", any(1), cos::fixed_normal}, {"b", any(1), cos::read_only}}));
  EXPECT_EQ(failed([&] {
              same->delete_properties(names({"a", "b", "c"}));
            }),
            (Failed{{"a", cos::fixed_property}, {"c", cos::property_not_found}}));
  EXPECT_EQ(failed([&] {
              set->define_properties(properties({{"a", any(2)}, {"b", any(2)}, {"", any(1)}, {"a", any("text")}}));
            }),
            (Failed{{"", cos::invalid_property_name}, {"a", cos::conflicting_property}}));
  cos::Properties_var both;
  EXPECT_TRUE(same->get_properties(names({"a", "b"}), both.out()));
  EXPECT_EQ(long_of(both[0].property_value), 2);
  EXPECT_FALSE(same->delete_all_properties());
  EXPECT_EQ(same->get_number_of_properties(), 1u);
}

TEST_F(SharedProperties, a_name_has_one_set_whoever_is_first) {
  for (int round = 0; round < 10; ++round) {
    const std::string name = "set" + std::to_string(round);
    std::thread thread(
        [&] { cos::PropertySetDef_var(other->factory->named(name.c_str()))->define_property("b", any(1)); });
    const cos::PropertySetDef_var set = one->factory->named(name.c_str());
    set->define_property("a", any(1));
    thread.join();
    EXPECT_TRUE(set->is_property_defined("b"));
    EXPECT_EQ(set->get_number_of_properties(), 2u);
  }
  EXPECT_EQ(one->factory->number_of_sets(), 10u);
}

TEST_F(SharedProperties, set_that_one_destroys_is_gone_at_the_other) {
  const cos::PropertySetDef_var set = one->factory->named("plant"), same = other->factory->named("plant");
  same->define_property("x", any(1));
  one->factory->destroy(set.in());
  EXPECT_THROW(same->define_property("y", any(1)), CORBA::OBJECT_NOT_EXIST);
  EXPECT_THROW(other->factory->destroy(same.in()), CallisProperties::Unknown);
  EXPECT_THROW(other->factory->find("plant"), CallisProperties::Unknown);
  EXPECT_TRUE(services::testing::all_of(*here->store).empty());
  EXPECT_EQ(cos::PropertySetDef_var(other->factory->named("plant"))->get_number_of_properties(), 0u);
}

TEST_F(SharedProperties, service_that_missed_changes_reads_all_anew) {
  const cos::PropertySetDef_var set = one->factory->named("plant"), gone = one->factory->named("gone");
  set->define_properties(properties({{"x", any(1)}, {"y", any(1)}}));
  const cos::PropertySetDef_var same = other->factory->find("plant");
  EXPECT_TRUE(same->is_property_defined("y"));
  class Deaf final : public services::Watcher {
    void told(services::Revision, const std::vector<services::Change>&) override {}
    void lost() override {}
  } deaf;
  Sets& sets = other->service->sets();
  there->relay.set(&deaf);
  set->define_property("x", any(2));
  set->delete_property("y");
  one->factory->destroy(gone.in());
  cos::PropertySetDef_var(one->factory->named("new"))->define_property("z", any(3));
  there->relay.set(&sets.watcher());
  there->relay.lost();
  EXPECT_EQ(long_in(same->get_property_value("x")), 2);
  EXPECT_EQ(sets.properties(), 2u);
  EXPECT_EQ(sets.size(), 2u);
  same->define_property("x", any(4));
  EXPECT_TRUE(cos::PropertySetDef_var(other->factory->find("new"))->is_property_defined("z"));
}

TEST_F(SharedProperties, values_without_a_set_are_erased_by_who_is_alone) {
  here->store->commit({{}, {{"value/0123456789abcdef/x", "0xyz"}}, {}});
  other.reset();
  there.reset();
  there = std::make_unique<Opened>(place->where());
  other = std::make_unique<Life>(*there->store, ServiceOptions(), "0", &there->relay);
  EXPECT_EQ(services::testing::all_of(*here->store).size(), 1u) << "another may be making that set";
  one.reset();
  other.reset();
  here.reset();
  there.reset();
  start();
  EXPECT_TRUE(services::testing::all_of(*here->store).empty());
}

}  // namespace
}  // namespace callis::properties::testing
