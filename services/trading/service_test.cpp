// SPDX-License-Identifier: Apache-2.0
// The trader over sockets, by the clauses of the Trading Object Service 1.0: Register, Lookup, policies, iterators.
#include <services/trading/testing/serving.h>
#include <functional>
#include <set>

namespace callis::trading {
namespace {

using namespace testing;

// Five printers: Cost 1 to 5, Name "printer N", Floor 1 for odd ones; "e" has no Floor.
void fill(Serving& s) {
  s.add_type("Printer", {{"Cost", CORBA::_tc_long, Repository::PROP_MANDATORY},
                         {"Name", CORBA::_tc_string},
                         {"Floor", CORBA::_tc_short, Repository::PROP_READONLY}});
  for (CORBA::Long i = 1; i <= 4; ++i)
    s.offer(std::string(1, static_cast<char>('a' + i - 1)), "Printer",
            Props{{"Cost", any_of(i)},
                  {"Name", any_of(("printer " + std::to_string(i)).c_str())},
                  {"Floor", any_of(static_cast<CORBA::Short>(i % 2))}});
  s.offer("e", "Printer", Props{{"Cost", any_of(CORBA::Long(5))}});
}

TEST(Lookup, finds_offers_by_constraint_in_the_order_of_the_preference) {
  Serving s;
  fill(s);
  EXPECT_EQ(s.found("Printer", ""), "a b c d e");
  EXPECT_EQ(s.found("Printer", "Cost < 3 or Floor == 1"), "a b c");
  EXPECT_EQ(s.found("Printer", "'3' ~ Name"), "c");
  EXPECT_EQ(s.found("Printer", "exist Floor and Cost >= 2", "max Cost"), "d c b");
  EXPECT_EQ(s.found("Printer", "not exist Floor"), "e");
  EXPECT_EQ(s.found("Printer", "", "max Floor + Cost * 0"), "a c b d e");
}

TEST(Lookup, refuses_what_is_no_query_and_says_where) {
  Serving s;
  fill(s);
  EXPECT_THROW(s.query("no type", ""), CosTrading::IllegalServiceType);
  EXPECT_THROW(s.query("Scanner", ""), CosTrading::UnknownServiceType);
  try {
    s.query("Printer", "Cost < 'x'");
    ADD_FAILURE();
  } catch (const CosTrading::IllegalConstraint& e) {
    EXPECT_STREQ(e.constr.in(), "Cost < 'x'\n1:1: a number is compared with a text");
  }
  EXPECT_THROW(s.query("Printer", "", "best Cost"), Lookup::IllegalPreference);
  EXPECT_THROW(s.query("Printer", "", "", Given{{"colour", any_of(CORBA::ULong(1))}}), Lookup::IllegalPolicyName);
  EXPECT_THROW(s.query("Printer", "", "", Given{{"match_card", any_of("x")}}), Lookup::PolicyTypeMismatch);
  EXPECT_THROW(s.query("Printer", "", "",
                       Given{{"match_card", any_of(CORBA::ULong(1))}, {"match_card", any_of(CORBA::ULong(2))}}),
               CosTrading::DuplicatePolicyName);
  CosTrading::TraderName nowhere;
  nowhere.length(1);
  nowhere[0] = "nowhere";
  CORBA::Any name;
  name <<= nowhere;
  EXPECT_THROW(s.query("Printer", "", "", Given{{"starting_trader", name}}), Lookup::InvalidPolicyValue);
}

TEST(Lookup, applies_cardinalities_and_tells_which) {
  Serving s;
  fill(s);
  const auto limits = [&](const char* policy, CORBA::ULong n) {
    const Answer a = s.query("Printer", "", "", Given{{policy, any_of(n)}});
    std::string out = std::to_string(a.ids.size());
    for (const std::string& l : a.limits) out += " " + l;
    return out;
  };
  EXPECT_EQ(limits("return_card", 2), "2 return_card");
  EXPECT_EQ(limits("match_card", 3), "3 match_card");
  EXPECT_EQ(limits("search_card", 4), "4 search_card");
  EXPECT_EQ(limits("return_card", 5), "5");
  EXPECT_EQ(s.admin->set_max_return_card(3), 100'000u);
  EXPECT_EQ(limits("return_card", 4), "3 return_card");
  EXPECT_EQ(s.lookup->max_return_card(), 3u);
}

TEST(Lookup, gives_the_rest_by_an_iterator) {
  Serving s;
  fill(s);
  Answer a = s.query("Printer", "", "min Cost", {}, 2);
  EXPECT_EQ(a.ids.size(), 2u);
  ASSERT_FALSE(CORBA::is_nil(a.more.in()));
  EXPECT_EQ(a.more->max_left(), 3u);
  CosTrading::OfferSeq_var next;
  EXPECT_TRUE(a.more->next_n(2, next.out()));
  EXPECT_EQ(s.key_of(next[0].reference.in()) + s.key_of(next[1].reference.in()), "cd");
  EXPECT_FALSE(a.more->next_n(10, next.out()));
  EXPECT_EQ(next->length(), 1u);
  a.more->destroy();
  EXPECT_THROW(a.more->next_n(1, next.out()), CORBA::OBJECT_NOT_EXIST);
  EXPECT_EQ(s.service->iterators(), 0u);
  EXPECT_TRUE(CORBA::is_nil(s.query("Printer", "", "", {}, 5).more.in()));
}

TEST(Lookup, returns_the_properties_that_are_wanted) {
  Serving s;
  fill(s);
  const auto names = [&](const Lookup::SpecifiedProps& wanted) {
    CosTrading::OfferSeq_var offers;
    CosTrading::OfferIterator_var more;
    CosTrading::PolicyNameSeq_var limits;
    s.lookup->query("Printer", "Cost == 2", "", CosTrading::PolicySeq(), wanted, 9, offers.out(), more.out(),
                    limits.out());
    std::string out;
    for (CORBA::ULong i = 0; i < offers[0].properties.length(); ++i) out += offers[0].properties[i].name.in();
    return out;
  };
  Lookup::SpecifiedProps wanted;
  wanted._d(Lookup::none);
  EXPECT_EQ(names(wanted), "");
  wanted._d(Lookup::all);
  EXPECT_EQ(names(wanted), "CostNameFloor");
  CosTrading::PropertyNameSeq some;
  some.length(2);
  some[0] = "Name";
  some[1] = "Unknown";
  wanted.prop_names(some);
  EXPECT_EQ(names(wanted), "Name");
  some[1] = "Name";
  wanted.prop_names(some);
  EXPECT_THROW(names(wanted), CosTrading::DuplicatePropertyName);
  some[1] = "no name";
  wanted.prop_names(some);
  EXPECT_THROW(names(wanted), CosTrading::IllegalPropertyName);
}

TEST(Lookup, finds_offers_of_derived_types_unless_told_not_to) {
  Serving s;
  fill(s);
  s.add_type("ColourPrinter", {{"Inks", CORBA::_tc_StringSeq}}, {"Printer"});
  CORBA::StringSeq inks;
  inks.length(1);
  inks[0] = "red";
  s.offer("f", "ColourPrinter", Props{{"Cost", any_of(CORBA::Long(0))}, {"Inks", any_of(inks)}});
  EXPECT_EQ(s.found("Printer", "Cost < 2"), "f a");
  EXPECT_EQ(s.query("Printer", "Cost < 2", "", Given{{"exact_type_match", any_of(true)}}).ids.size(), 1u);
  EXPECT_EQ(s.found("ColourPrinter", "'red' in Inks"), "f");
}

TEST(Lookup, considers_only_offers_that_cannot_change_where_that_is_asked) {
  Serving s;
  s.add_type("Fixed",
             {{"Serial", CORBA::_tc_long, Repository::PROP_MANDATORY_READONLY}, {"Note", CORBA::_tc_string}});
  s.offer("a", "Fixed", Props{{"Serial", any_of(CORBA::Long(1))}});
  s.offer("b", "Fixed", Props{{"Serial", any_of(CORBA::Long(2))}, {"Note", any_of("x")}});
  EXPECT_EQ(s.query("Fixed", "", "", Given{{"use_modifiable_properties", any_of(false)}}).ids,
            std::vector<std::string>{"a"});
}

TEST(Lookup, answers_by_index_as_by_looking_at_all) {
  Serving s;
  s.add_type("Many", {{"N", CORBA::_tc_long}, {"T", CORBA::_tc_string}, {"D", CORBA::_tc_double}});
  for (CORBA::Long i = 0; i < 2'000; ++i) {
    const std::string text = "t" + std::to_string(i % 37);
    s.service->market().add(s.thing("a").in(), "Many",
                            Props{{"N", any_of(i % 500)}, {"T", any_of(text.c_str())}, {"D", any_of(i / 7.0)}});
  }
  const auto count = [&](const std::string& text) {
    const Answer a = s.query("Many", text.c_str(), "", {}, 1);
    return a.ids.size() + (CORBA::is_nil(a.more.in()) ? 0 : a.more->max_left());
  };
  for (const char* bound : {"N == 7", "N < 3", "N <= 3", "N > 496", "N >= 496", "3 > N", "T == 't5'", "T > 't8'",
                            "N > 5 and N < 9", "N == 7 and T == 't5'", "D < 10", "N > 2.5 and N < 4.5"}) {
    const std::string text = bound;
    EXPECT_EQ(count(text), count("(" + text + ") == TRUE")) << text;  // no index serves the second
  }
  EXPECT_GE(s.counters.counter("queries_by_index").load(), 12);
  const auto before = s.counters.counter("offers_looked_at").load();
  count("N == 7");
  EXPECT_EQ(s.counters.counter("offers_looked_at").load() - before, 4);
}

TEST(Register, checks_what_is_exported) {
  Serving s;
  fill(s);
  const auto refused = [&](const char* type, const CosTrading::PropertySeq& p) { s.offer("a", type, p); };
  const CORBA::Any one = any_of(CORBA::Long(1));
  EXPECT_THROW(refused("Printer", Props{}), CosTrading::MissingMandatoryProperty);
  EXPECT_THROW(refused("Printer", (Props{{"Cost", any_of("x")}})), CosTrading::PropertyTypeMismatch);
  EXPECT_THROW(refused("Printer", (Props{{"Cost", one}, {"Cost", one}})), CosTrading::DuplicatePropertyName);
  EXPECT_THROW(refused("Printer", (Props{{"Cost", one}, {"<x", one}})), CosTrading::IllegalPropertyName);
  EXPECT_THROW(refused("Nothing", Props{}), CosTrading::UnknownServiceType);
  EXPECT_THROW(refused("+", Props{}), CosTrading::IllegalServiceType);
  EXPECT_THROW(s.reg->_cxx_export(CORBA::Object::_nil(), "Printer", Props{{"Cost", one}}),
               CosTrading::Register::InvalidObjectRef);
  s.types->mask_type("Printer");
  EXPECT_THROW(refused("Printer", (Props{{"Cost", one}})), CosTrading::UnknownServiceType);
  EXPECT_EQ(s.found("Printer", "Cost == 1"), "a");  // those that are there stay
  s.types->unmask_type("Printer");
  refused("Printer", Props{{"Cost", one}, {"Undeclared", any_of("kept")}});
  EXPECT_EQ(s.found("Printer", "Undeclared == 'kept'"), "a");
}

TEST(Register, describes_modifies_and_withdraws) {
  Serving s;
  fill(s);
  const std::string id =
      s.offer("f", "Printer",
              Props{{"Cost", any_of(CORBA::Long(9))}, {"Floor", any_of(CORBA::Short(3))}, {"Name", any_of("x")}});
  CosTrading::Register::OfferInfo_var info = s.reg->describe(id.c_str());
  EXPECT_STREQ(info->type.in(), "Printer");
  EXPECT_EQ(info->properties.length(), 3u);
  const auto modify = [&](const std::vector<const char*>& gone, const CosTrading::PropertySeq& put) {
    CosTrading::PropertyNameSeq names;
    names.length(static_cast<CORBA::ULong>(gone.size()));
    for (CORBA::ULong i = 0; i < gone.size(); ++i) names[i] = gone[i];
    s.reg->modify(id.c_str(), names, put);
  };
  modify({"Name"}, Props{{"Cost", any_of(CORBA::Long(10))}, {"More", any_of(true)}});
  EXPECT_EQ(s.found("Printer", "Cost == 10 and More and not exist Name"), "f");
  EXPECT_EQ(s.found("Printer", "Cost == 9"), "");
  EXPECT_THROW(modify({"Cost"}, Props{}), CosTrading::Register::MandatoryProperty);
  EXPECT_THROW(modify({}, (Props{{"Floor", any_of(CORBA::Short(1))}})), CosTrading::Register::ReadonlyProperty);
  EXPECT_THROW(modify({"Nothing"}, Props{}), CosTrading::Register::UnknownPropertyName);
  EXPECT_THROW(modify({}, (Props{{"Cost", any_of("x")}})), CosTrading::PropertyTypeMismatch);
  s.reg->withdraw(id.c_str());
  EXPECT_EQ(s.found("Printer", "Cost == 10"), "");
  EXPECT_THROW(s.reg->withdraw(id.c_str()), CosTrading::UnknownOfferId);
  EXPECT_THROW(s.reg->withdraw("xyz"), CosTrading::IllegalOfferId);
  EXPECT_THROW(s.reg->describe("0123456789abcdeF"), CosTrading::IllegalOfferId);
  s.admin->set_supports_modifiable_properties(false);
  EXPECT_THROW(modify({}, Props{}), CosTrading::NotImplemented);
}

TEST(Register, withdraws_by_constraint) {
  Serving s;
  fill(s);
  s.reg->withdraw_using_constraint("Printer", "Cost > 2");
  EXPECT_EQ(s.found("Printer", ""), "a b");
  EXPECT_THROW(s.reg->withdraw_using_constraint("Printer", "Cost > 2"), CosTrading::Register::NoMatchingOffers);
  EXPECT_THROW(s.reg->withdraw_using_constraint("Printer", "Cost >"), CosTrading::IllegalConstraint);
}

TEST(Trader, has_its_offers_types_links_and_settings_again_after_a_restart) {
  services::MemoryStore store;
  std::string proxy;
  {
    Serving s(Serving::quick(), &store);
    fill(s);
    s.admin->set_def_hop_count(7);
    s.link->add_link("self", s.seen_by(s).in(), CosTrading::local_only, CosTrading::if_no_local);
    proxy =
        CORBA::String_var(s.proxy->export_proxy(s.lookup.in(), "Printer", Props{{"Cost", any_of(CORBA::Long(77))}},
                                                false, "$*", CosTrading::PolicySeq()))
            .in();
  }
  Serving s(Serving::quick(), &store);
  EXPECT_EQ(s.found("Printer", "Cost < 4"), "a b c");
  EXPECT_EQ(s.admin->def_hop_count(), 7u);
  EXPECT_EQ(CosTrading::Link::LinkInfo_var(s.link->describe_link("self"))->limiting_follow_rule,
            CosTrading::if_no_local);
  EXPECT_STREQ(CosTrading::Proxy::ProxyInfo_var(s.proxy->describe_proxy(proxy.c_str()))->recipe.in(), "$*");
  EXPECT_EQ(s.found("Printer", "Floor == 1"), "a c");
}

TEST(Trader, changes_nothing_any_more_when_another_has_taken_its_store) {
  services::MemoryStore store;
  Serving first(Serving::quick(), &store);
  fill(first);
  const Serving second(Serving::quick(), &store);
  EXPECT_TRUE(first.service->healthy());
  EXPECT_THROW(first.offer("f", "Printer", Props{{"Cost", any_of(CORBA::Long(1))}}), CORBA::PERSIST_STORE);
  EXPECT_FALSE(first.service->healthy());
  EXPECT_EQ(first.found("Printer", "Cost == 1"), "a");
  EXPECT_TRUE(const_cast<Serving&>(second).service->healthy());
}

TEST(Admin, lists_offers_and_proxies_and_changes_settings) {
  Serving s;
  fill(s);
  CosTrading::OfferIdSeq_var ids;
  CosTrading::OfferIdIterator_var more;
  s.admin->list_offers(2, ids.out(), more.out());
  EXPECT_EQ(ids->length(), 2u);
  std::set<std::string> all = {ids[0].in(), ids[1].in()};
  EXPECT_EQ(more->max_left(), 3u);
  EXPECT_FALSE(more->next_n(3, ids.out()));
  for (CORBA::ULong i = 0; i < ids->length(); ++i) all.insert(ids[i].in());
  EXPECT_EQ(all.size(), 5u);
  more->destroy();
  s.admin->list_proxies(2, ids.out(), more.out());
  EXPECT_EQ(ids->length(), 0u);
  EXPECT_TRUE(CORBA::is_nil(more.in()));
  EXPECT_EQ(s.admin->set_max_follow_policy(CosTrading::local_only), CosTrading::always);
  EXPECT_EQ(s.lookup->max_follow_policy(), CosTrading::local_only);
  CosTrading::Admin::OctetSeq stem;
  stem.length(1);
  stem[0] = 'x';
  CosTrading::Admin::OctetSeq_var before = s.admin->set_request_id_stem(stem);
  EXPECT_EQ(before->length(), 16u);
  EXPECT_THROW(s.admin->set_type_repos(CORBA::Object::_nil()), CORBA::NO_IMPLEMENT);
}

TEST(Admin, is_forbidden_where_the_options_say_so) {
  ServiceOptions options = Serving::quick();
  options.admin = false;
  Serving s(options);
  EXPECT_THROW(s.admin->set_max_list(1), CORBA::NO_PERMISSION);
  EXPECT_THROW(s.link->add_link("x", s.lookup.in(), CosTrading::local_only, CosTrading::always),
               CORBA::NO_PERMISSION);
}

}  // namespace
}  // namespace callis::trading
