// SPDX-License-Identifier: Apache-2.0
// Criteria: what is refused, what meets them, and which of several homes is preferred.
#include <gtest/gtest.h>
#include <services/lifecycle/criteria.h>

namespace callis::life_cycle {
namespace {

struct Pairs {
  CosLifeCycle::Criteria all;
  template <class T>
  Pairs& with(const char* name, T value) {
    const CORBA::ULong n = all.length();
    all.length(n + 1);
    all[n].name = name;
    all[n].value <<= value;
    return *this;
  }
};

CallisLifeCycle::Place place(CORBA::Long cpus, const char* rack = "r1") {
  CallisLifeCycle::Place out;
  out.properties = Pairs().with("cpus", cpus).with("system", "linux").all;
  out.location = Pairs().with("rack", rack).with("floor", CORBA::Long(2)).all;
  return out;
}

bool meets(const Pairs& criteria, const CallisLifeCycle::Place& at) {
  return Wanted(criteria.all, Wanted::For::Creation).unmet_by(at).length() == 0;
}

std::string invalid(const Pairs& criteria) {
  try {
    const Wanted read(criteria.all, Wanted::For::Creation);
  } catch (const CosLifeCycle::InvalidCriteria& e) {
    std::string out;
    for (CORBA::ULong i = 0; i < e.invalid_criteria.length(); ++i)
      out += std::string(e.invalid_criteria[i].name.in()) + ";";
    return out;
  }
  return "";
}

TEST(CriteriaTest, filter_is_a_constraint_on_properties) {
  EXPECT_TRUE(meets(Pairs().with("filter", "cpus >= 4 and system == 'linux'"), place(4)));
  EXPECT_FALSE(meets(Pairs().with("filter", "cpus >= 4"), place(2)));
  EXPECT_FALSE(meets(Pairs().with("filter", "memory > 1"), place(4))) << "it has no such property";
  EXPECT_TRUE(meets(Pairs(), CallisLifeCycle::Place()));
}

TEST(CriteriaTest, location_is_met_where_all_its_names_have_those_values) {
  const auto at = [](const Pairs& where) { return Pairs().with("logical location", where.all); };
  EXPECT_TRUE(meets(at(Pairs().with("rack", "r1")), place(1)));
  EXPECT_TRUE(meets(at(Pairs().with("rack", "r1").with("floor", CORBA::Short(2))), place(1)));
  EXPECT_FALSE(meets(at(Pairs().with("rack", "r2")), place(1)));
  EXPECT_FALSE(meets(at(Pairs().with("rack", "r1").with("room", "12")), place(1)));
}

TEST(CriteriaTest, unmet_ones_are_told) {
  const Pairs both = Pairs().with("filter", "cpus > 9").with("logical location", Pairs().with("rack", "r2").all);
  const Wanted wanted(both.all, Wanted::For::Creation);
  EXPECT_EQ(wanted.unmet_by(place(1)).length(), 2u);
  EXPECT_EQ(wanted.unmet_by(place(10)).length(), 1u);
  EXPECT_THROW(wanted.check(place(1)), CosLifeCycle::CannotMeetCriteria);
  EXPECT_NO_THROW(wanted.check(place(10, "r2")));
}

TEST(CriteriaTest, preferred_place_comes_first) {
  const std::vector<CallisLifeCycle::Place> places{place(2), place(8), place(4)};
  const auto order = [&](const char* preference) {
    return Wanted(Pairs().with("preferences", preference).all, Wanted::For::Move).order(places);
  };
  EXPECT_EQ(order("max cpus"), (std::vector<std::size_t>{1, 2, 0}));
  EXPECT_EQ(order("with cpus == 4"), (std::vector<std::size_t>{2, 0, 1}));
  EXPECT_EQ(order("first"), (std::vector<std::size_t>{0, 1, 2}));
  EXPECT_EQ(order("random").size(), 3u);
}

TEST(CriteriaTest, what_is_no_criterion_is_told) {
  EXPECT_EQ(invalid(Pairs().with("colour", "red").with("filter", "cpus > 1")), "colour;");
  EXPECT_EQ(invalid(Pairs().with("filter", "cpus >").with("preferences", "most cpus")), "filter;preferences;");
  EXPECT_EQ(invalid(Pairs().with("filter", CORBA::Long(1))), "filter;");
  EXPECT_EQ(invalid(Pairs().with("logical location", "r1")), "logical location;");
  EXPECT_EQ(invalid(Pairs().with("filter", "TRUE").with("filter", "TRUE")), "filter;") << "twice";
  EXPECT_EQ(invalid(Pairs().with("filter", std::string(20'000, '(').c_str())), "filter;") << "beyond the limits";
}

TEST(CriteriaTest, initialization_is_for_new_objects) {
  const Pairs initial = Pairs().with("initialization", CORBA::Long(7));
  CORBA::Long n = 0;
  EXPECT_TRUE(Wanted(initial.all, Wanted::For::Creation).initialization() >>= n);
  EXPECT_EQ(n, 7);
  EXPECT_THROW(Wanted(initial.all, Wanted::For::Move), CosLifeCycle::CannotMeetCriteria);
}

}  // namespace
}  // namespace callis::life_cycle
