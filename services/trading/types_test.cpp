// SPDX-License-Identifier: Apache-2.0
// The repository of service types: inheritance, masks, incarnation numbers.
#include <services/trading/testing/serving.h>

namespace callis::trading {
namespace {

using namespace testing;

std::vector<std::string> listed(Serving& s, std::uint64_t since) {
  Repository::SpecifiedServiceTypes which;
  which.incarnation(to_idl(since));
  Repository::ServiceTypeNameSeq_var names = s.types->list_types(which);
  std::vector<std::string> out;
  for (CORBA::ULong i = 0; i < names->length(); ++i) out.emplace_back(names[i].in());
  return out;
}

TEST(ServiceTypes, inherit_properties_and_make_them_stricter) {
  Serving s;
  s.add_type("Base", {{"A", CORBA::_tc_long}, {"B", CORBA::_tc_string, Repository::PROP_READONLY}});
  s.add_type("Other", {{"A", CORBA::_tc_long, Repository::PROP_MANDATORY}});
  s.add_type("Derived", {{"B", CORBA::_tc_string, Repository::PROP_MANDATORY_READONLY}, {"C", CORBA::_tc_short}},
             {"Base", "Other"});
  Repository::TypeStruct_var own = s.types->describe_type("Derived"), all = s.types->fully_describe_type("Derived");
  EXPECT_EQ(own->props.length(), 2u);
  ASSERT_EQ(all->props.length(), 3u);
  EXPECT_STREQ(all->props[0].name.in(), "A");
  EXPECT_EQ(all->props[0].mode, Repository::PROP_MANDATORY);
  EXPECT_EQ(all->props[1].mode, Repository::PROP_MANDATORY_READONLY);
  s.add_type("Grandchild", {}, {"Derived"});
  EXPECT_EQ(Repository::TypeStruct_var(s.types->fully_describe_type("Grandchild"))->super_types.length(), 3u);
  EXPECT_EQ(Repository::TypeStruct_var(s.types->describe_type("Grandchild"))->super_types.length(), 1u);
}

TEST(ServiceTypes, refuse_what_does_not_fit) {
  Serving s;
  s.add_type("Base", {{"A", CORBA::_tc_long, Repository::PROP_MANDATORY}});
  s.add_type("Texts", {{"A", CORBA::_tc_string}});
  EXPECT_THROW(s.add_type("Base", {}), Repository::ServiceTypeExists);
  EXPECT_THROW(s.add_type("1", {}), CosTrading::IllegalServiceType);
  EXPECT_THROW(s.add_type("X", {{"A-", CORBA::_tc_long}}), CosTrading::IllegalPropertyName);
  EXPECT_THROW(s.add_type("X", {{"and", CORBA::_tc_long}}), CosTrading::IllegalPropertyName);
  EXPECT_THROW(s.add_type("X", {{"A", CORBA::_tc_long}, {"A", CORBA::_tc_long}}), CosTrading::DuplicatePropertyName);
  EXPECT_THROW(s.add_type("X", {}, {"Nothing"}), CosTrading::UnknownServiceType);
  EXPECT_THROW(s.add_type("X", {}, {"Base", "Base"}), Repository::DuplicateServiceTypeName);
  EXPECT_THROW(s.add_type("X", {}, {"Base", "Texts"}), Repository::ValueTypeRedefinition);
  EXPECT_THROW(s.add_type("X", {{"A", CORBA::_tc_string, Repository::PROP_MANDATORY}}, {"Base"}),
               Repository::ValueTypeRedefinition);
  EXPECT_THROW(s.add_type("X", {{"A", CORBA::_tc_long}}, {"Base"}), Repository::ValueTypeRedefinition);  // weaker
  EXPECT_EQ(listed(s, 0).size(), 2u);
}

TEST(ServiceTypes, count_their_incarnations) {
  Serving s;
  s.add_type("A", {});
  const std::uint64_t from = from_idl(s.types->incarnation());
  s.add_type("C", {});
  s.add_type("B", {});
  EXPECT_EQ(listed(s, from), (std::vector<std::string>{"B", "C"}));
  EXPECT_EQ(from_idl(Repository::TypeStruct_var(s.types->describe_type("C"))->incarnation), from);
  s.types->remove_type("B");
  EXPECT_EQ(from_idl(s.types->incarnation()), from + 2);
  EXPECT_EQ(listed(s, 0), (std::vector<std::string>{"A", "C"}));
}

TEST(ServiceTypes, are_masked_and_removed) {
  Serving s;
  s.add_type("Base", {});
  s.add_type("Derived", {}, {"Base"});
  EXPECT_THROW(s.types->remove_type("Base"), Repository::HasSubTypes);
  s.types->mask_type("Base");
  EXPECT_THROW(s.types->mask_type("Base"), Repository::AlreadyMasked);
  EXPECT_TRUE(Repository::TypeStruct_var(s.types->describe_type("Base"))->masked);
  s.offer("a", "Derived", Props{});
  EXPECT_EQ(s.found("Base", ""), "a");
  s.types->unmask_type("Base");
  EXPECT_THROW(s.types->unmask_type("Base"), Repository::NotMasked);
  s.types->remove_type("Derived");
  s.types->remove_type("Base");
  EXPECT_THROW(s.types->describe_type("Base"), CosTrading::UnknownServiceType);
}

}  // namespace
}  // namespace callis::trading
