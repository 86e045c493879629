// SPDX-License-Identifier: Apache-2.0
// What a set takes, what it refuses and why, and what becomes of the others (Property Service 1.0, 1.2 and 1.3).
#include <services/properties/testing/serving.h>

namespace callis::properties::testing {
namespace {

TEST(PropertySet, property_is_defined_changed_read_and_deleted) {
  Set set;
  set.define("width", any(3));
  EXPECT_TRUE(set.has("width"));
  EXPECT_EQ(long_in(set.value("width")), 3);
  set.define("width", any(4));
  EXPECT_EQ(long_in(set.value("width")), 4);
  EXPECT_EQ(set.size(), 1u);
  set.remove("width");
  EXPECT_FALSE(set.has("width"));
  EXPECT_THROW(set.value("width"), cos::PropertyNotFound);
  EXPECT_THROW(set.remove("width"), cos::PropertyNotFound);
}

TEST(PropertySet, type_of_a_property_is_changed_by_deleting_it) {
  Set set;
  set.define("width", any(3));
  EXPECT_THROW(set.define("width", any("wide")), cos::ConflictingProperty);
  EXPECT_EQ(long_in(set.value("width")), 3);
  set.remove("width");
  set.define("width", any("wide"));
}

TEST(PropertySet, empty_name_is_none) {
  Set set;
  EXPECT_THROW(set.define("", any(1)), cos::InvalidPropertyName);
  EXPECT_THROW(set.value(""), cos::InvalidPropertyName);
  EXPECT_THROW(set.has(""), cos::InvalidPropertyName);
  EXPECT_THROW(set.remove(""), cos::InvalidPropertyName);
  EXPECT_THROW(set.mode(""), cos::InvalidPropertyName);
  EXPECT_THROW(set.set_mode("", cos::normal), cos::InvalidPropertyName);
}

TEST(PropertySet, mode_says_what_may_be_done) {
  struct Row {
    Mode mode;
    bool changes, goes;
  };
  for (const Row& row : {Row{cos::normal, true, true}, Row{cos::read_only, false, true},
                         Row{cos::fixed_normal, true, false}, Row{cos::fixed_readonly, false, false}}) {
    Set set;
    set.define("x", any(1), row.mode);
    EXPECT_EQ(set.mode("x"), row.mode);
    if (row.changes) EXPECT_NO_THROW(set.define("x", any(2))) << row.mode;
    else EXPECT_THROW(set.define("x", any(2)), cos::ReadOnlyProperty) << row.mode;
    EXPECT_EQ(long_in(set.value("x")), row.changes ? 2 : 1);
    EXPECT_EQ(set.mode("x"), row.mode) << "define_property leaves it";
    if (row.goes) EXPECT_NO_THROW(set.remove("x")) << row.mode;
    else EXPECT_THROW(set.remove("x"), cos::FixedProperty) << row.mode;
    EXPECT_EQ(set.size(), row.goes ? 0u : 1u);
  }
}

TEST(PropertySet, undefined_is_no_mode_to_set) {
  Set set;
  EXPECT_THROW(set.define("x", any(1), cos::undefined), cos::UnsupportedMode);
  set.define("x", any(1));
  EXPECT_THROW(set.set_mode("x", cos::undefined), cos::UnsupportedMode);
  EXPECT_THROW(set.set_mode("y", cos::normal), cos::PropertyNotFound);
  EXPECT_EQ(set.mode("x"), cos::normal);
}

TEST(PropertySet, fixed_property_stays_fixed) {
  Set set;
  set.define("x", any(1), cos::fixed_normal);
  EXPECT_THROW(set.set_mode("x", cos::normal), cos::UnsupportedMode);
  EXPECT_THROW(set.define("x", any(1), cos::read_only), cos::UnsupportedMode);
  set.set_mode("x", cos::fixed_readonly);
  set.set_mode("x", cos::fixed_normal);
  set.define("y", any(1), cos::read_only);
  set.set_mode("y", cos::normal);
  EXPECT_EQ(set.mode("y"), cos::normal);
}

TEST(PropertySet, operation_on_several_does_what_can_be_done_and_tells_the_others) {
  Set set;
  set.define("fixed", any(1), cos::fixed_readonly);
  set.define("text", any("a"));
  EXPECT_EQ(failed([&] {
              set.define(properties({{"new", any(1)}, {"", any(2)}, {"fixed", any(3)}, {"text", any(4)},
                                     {"other", any(5)}, {"text", any("b")}}));
            }),
            (Failed{{"", cos::invalid_property_name}, {"fixed", cos::read_only_property},
                    {"text", cos::conflicting_property}}));
  EXPECT_EQ(set.size(), 4u);
  EXPECT_EQ(long_in(set.value("fixed")), 1);
  EXPECT_EQ(long_in(set.value("other")), 5);
  EXPECT_EQ(failed([&] {
              set.define(defs({{"new", any(7), cos::undefined}, {"third", any(1), cos::read_only}}));
            }),
            (Failed{{"new", cos::unsupported_mode}}));
  EXPECT_EQ(set.mode("third"), cos::read_only);
  EXPECT_EQ(failed([&] { set.set_modes(modes({{"new", cos::read_only}, {"none", cos::normal},
                                              {"fixed", cos::normal}, {"", cos::normal}})); }),
            (Failed{{"none", cos::property_not_found}, {"fixed", cos::unsupported_mode},
                    {"", cos::invalid_property_name}}));
  EXPECT_EQ(set.mode("new"), cos::read_only);
  EXPECT_EQ(failed([&] { set.remove(names({"new", "fixed", "none", "", "other", "other"})); }),
            (Failed{{"fixed", cos::fixed_property}, {"none", cos::property_not_found},
                    {"", cos::invalid_property_name}, {"other", cos::property_not_found}}));
  EXPECT_EQ(set.names(), (std::vector<std::string>{"fixed", "text", "third"}));
}

TEST(PropertySet, elements_are_taken_in_order) {
  Set set;
  EXPECT_EQ(failed([&] {
              set.define(defs({{"x", any(1), cos::read_only}, {"x", any(2)}, {"y", any(1)}, {"y", any(2)}}));
            }),
            (Failed{{"x", cos::read_only_property}}));
  EXPECT_EQ(long_in(set.value("x")), 1);
  EXPECT_EQ(long_in(set.value("y")), 2);
}

TEST(PropertySet, what_is_not_there_has_no_value_and_no_mode) {
  Set set;
  set.define("x", any(1));
  cos::Properties values;
  EXPECT_FALSE(set.values(names({"x", "y", ""}), values));
  ASSERT_EQ(values.length(), 3u);
  EXPECT_EQ(long_of(values[0].property_value), 1);
  EXPECT_EQ(CORBA::TypeCode_var(values[1].property_value.type())->kind(), CORBA::tk_void);
  EXPECT_STREQ(values[1].property_name, "y");
  EXPECT_TRUE(set.values(names({"x", "x"}), values));
  cos::PropertyModes all;
  EXPECT_FALSE(set.modes(names({"x", "y"}), all));
  EXPECT_EQ(all[0].property_mode, cos::normal);
  EXPECT_EQ(all[1].property_mode, cos::undefined);
}

TEST(PropertySet, delete_all_leaves_what_is_fixed_and_says_so) {
  Set set;
  set.define(defs({{"a", any(1)}, {"b", any(1), cos::fixed_normal}, {"c", any(1), cos::read_only}}));
  EXPECT_FALSE(set.remove_all());
  EXPECT_EQ(set.names(), std::vector<std::string>{"b"});
  Set other;
  other.define("a", any(1));
  EXPECT_TRUE(other.remove_all());
  EXPECT_TRUE(other.remove_all());
}

TEST(PropertyConstraints, types_that_are_not_among_them_are_refused) {
  Set set({}, Constraints::make(types({CORBA::_tc_long}), {}, {}));
  set.define("x", any(1));
  EXPECT_THROW(set.define("y", any("text")), cos::UnsupportedTypeCode);
  EXPECT_EQ(failed([&] { set.define(properties({{"y", any("text")}, {"z", any(1)}})); }),
            (Failed{{"y", cos::unsupported_type_code}}));
  EXPECT_EQ(set.size(), 2u);
}

TEST(PropertyConstraints, properties_that_are_not_among_them_are_refused) {
  Set set({}, Constraints::make({}, defs({{"x", any(0), cos::read_only},
                                          {"any", CORBA::Any(), cos::undefined},
                                          {"two", any(0), cos::fixed_normal}}), {}));
  set.define("x", any(7));
  EXPECT_EQ(set.mode("x"), cos::read_only) << "the mode that the constraint says";
  EXPECT_THROW(set.define("y", any(1)), cos::UnsupportedProperty);
  EXPECT_THROW(set.define("two", any("text")), cos::UnsupportedTypeCode);
  EXPECT_THROW(set.define("two", any(1), cos::normal), cos::UnsupportedMode);
  EXPECT_THROW(set.set_mode("x", cos::normal), cos::UnsupportedMode);
  set.define("any", any("text"), cos::normal);
  set.set_mode("any", cos::read_only);
  EXPECT_EQ(failed([&] { set.define(properties({{"y", any(1)}, {"two", any(1)}})); }),
            (Failed{{"y", cos::unsupported_property}}));
  EXPECT_EQ(set.mode("two"), cos::fixed_normal);
}

TEST(PropertyConstraints, that_contradict_themselves_are_not_supported) {
  const auto refuse = [](const cos::PropertyTypes& t, const cos::PropertyDefs& d) {
    EXPECT_THROW(Constraints::make(t, d, {}), cos::ConstraintNotSupported);
  };
  refuse({}, defs({{"x", any(0)}, {"x", any(1)}}));
  refuse({}, defs({{"", any(0)}}));
  refuse(types({CORBA::_tc_long}), defs({{"x", any("text")}}));
  refuse({}, defs({{std::string(2'000, 'x'), any(0)}}));
  EXPECT_NO_THROW(Constraints::make(types({CORBA::_tc_long}), defs({{"x", any(0)}, {"y", CORBA::Any()}}), {}));
}

TEST(PropertyBounds, one_property_beyond_them_is_a_limit_and_one_of_several_fails) {
  Bounds bounds;
  bounds.properties = 3;
  bounds.value_bytes = 100;
  bounds.set_bytes = 160;
  bounds.name_bytes = 10;
  Set set(bounds);
  EXPECT_THROW(set.define("a", any(std::string(101, 'x').c_str())), CORBA::IMP_LIMIT);
  EXPECT_THROW(set.define("longer than ten", any(1)), cos::InvalidPropertyName);
  const std::string text(80, 'x');
  set.define("a", any(text.c_str()));
  set.define("b", any(1));
  EXPECT_EQ(failed([&] { set.define(properties({{"c", any(std::string(300, 'x').c_str())}, {"d", any(1)},
                                                {"e", any(1)}})); }),
            (Failed{{"c", cos::unsupported_property}, {"e", cos::unsupported_property}}));
  EXPECT_EQ(set.size(), 3u);
  EXPECT_THROW(set.define("f", any(1)), CORBA::IMP_LIMIT);
  set.remove("d");
  EXPECT_THROW(set.define("f", any(text.c_str())), CORBA::IMP_LIMIT) << "bytes of the set";
  set.remove("a");
  EXPECT_NO_THROW(set.define("f", any(text.c_str())));
  EXPECT_THROW(set.define(properties({{"1", any(1)}, {"2", any(1)}, {"3", any(1)}, {"4", any(1)}})), CORBA::IMP_LIMIT);
  cos::Properties values;
  EXPECT_THROW(set.values(names({"f", "f", "f"}), values), CORBA::IMP_LIMIT) << "one value many times in an answer";
}

// What is kept comes before what is made, in portions, and a failure leaves what was not kept.
TEST(PropertyKeeper, what_it_refuses_is_not_made) {
  struct Counting final : Keeper {
    std::size_t calls = 0, changes = 0, most = 0;
    bool full = false;
    void keep(std::span<const Change> all) override {
      if (full) throw CORBA::NO_RESOURCES();
      ++calls;
      changes += all.size();
      most = std::max(most, all.size());
    }
  } keeper;
  Set set({}, {}, &keeper);
  std::vector<Def> many;
  for (int i = 0; i < 250; ++i) many.push_back({"p" + std::to_string(i), any(i)});
  set.define(properties(many));
  EXPECT_EQ(keeper.changes, 250u);
  EXPECT_EQ(keeper.most, Keeper::kMostChanges);
  EXPECT_EQ(keeper.calls, 3u);
  keeper.full = true;
  EXPECT_THROW(set.define("p0", any(9)), CORBA::NO_RESOURCES);
  EXPECT_EQ(long_in(set.value("p0")), 0);
  EXPECT_THROW(set.remove("p0"), CORBA::NO_RESOURCES);
  EXPECT_THROW(set.set_mode("p0", cos::read_only), CORBA::NO_RESOURCES);
  EXPECT_EQ(set.mode("p0"), cos::normal);
  keeper.full = false;
  EXPECT_TRUE(set.remove_all());
  EXPECT_EQ(keeper.changes, 500u);
}

}  // namespace
}  // namespace callis::properties::testing
