// SPDX-License-Identifier: Apache-2.0
// Links, proxies, dynamic properties: a query's questions to others, and its defences against others that loop, lie
// or hang.
#include <services/trading/recipe.h>
#include <services/trading/testing/serving.h>
#include <chrono>

namespace callis::trading {
namespace {

using namespace testing;
using Clock = std::chrono::steady_clock;

CORBA::Any long_of(CORBA::Long n) { return any_of(n); }

void declare(Serving& s) { s.add_type("T", {{"Cost", CORBA::_tc_long}, {"Place", CORBA::_tc_string}}); }

CORBA::Any follow(CosTrading::FollowOption rule) {
  CORBA::Any out;
  out <<= rule;
  return out;
}

TEST(Links, are_followed_where_there_is_nothing_here_or_always) {
  Serving one, two;
  declare(one);
  declare(two);
  one.offer("a", "T", Props{{"Cost", long_of(2)}});
  two.offer("b", "T", Props{{"Cost", long_of(1)}});
  two.offer("c", "T", Props{{"Cost", long_of(3)}});
  one.link->add_link("two", two.seen_by(one).in(), CosTrading::local_only, CosTrading::always);
  EXPECT_EQ(one.found("T", ""), "a");  // the default: only where there is nothing here
  EXPECT_EQ(one.found("T", "Cost == 3"), "c");
  EXPECT_EQ(one.query("T", "", "min Cost", Given{{"link_follow_rule", follow(CosTrading::always)}}).ids,
            (std::vector<std::string>{"b", "a", "c"}));
  EXPECT_EQ(one.query("T", "Cost == 3", "", Given{{"link_follow_rule", follow(CosTrading::local_only)}}).ids.size(),
            0u);
  EXPECT_EQ(one.query("T", "Cost == 3", "", Given{{"hop_count", any_of(CORBA::ULong(0))}}).ids.size(), 0u);
  one.link->modify_link("two", CosTrading::local_only, CosTrading::local_only);
  EXPECT_EQ(one.found("T", "Cost == 3"), "");
}

TEST(Links, that_loop_answer_each_query_once) {
  Serving one, two, three;
  for (Serving* s : {&one, &two, &three}) declare(*s);
  const Given always{{"link_follow_rule", follow(CosTrading::always)}};
  one.offer("a", "T", Props{{"Cost", long_of(1)}});
  two.offer("b", "T", Props{{"Cost", long_of(2)}});
  three.offer("c", "T", Props{{"Cost", long_of(3)}});
  Serving* const all[] = {&one, &two, &three};
  for (Serving* from : all) {
    for (Serving* to : all)  // also to itself
      from->link->add_link(("to" + std::to_string(to - &one)).c_str(), to->seen_by(*from).in(), CosTrading::always,
                           CosTrading::always);
  }
  EXPECT_EQ(one.query("T", "", "min Cost", always).ids, (std::vector<std::string>{"a", "b", "c"}));
  EXPECT_EQ(two.query("T", "", "max Cost", always).ids, (std::vector<std::string>{"c", "b", "a"}));
}

TEST(Links, that_lead_nowhere_leave_the_rest_of_the_query_alone) {
  Serving one, two;
  declare(one);
  declare(two);
  one.offer("a", "T", Props{{"Cost", long_of(1)}});
  two.offer("b", "T", Props{{"Cost", long_of(2)}});
  const CORBA::Object_var nobody = one.thing("nobody"),
                          liar = one.client->string_to_object(
                              CORBA::String_var(two.orb->object_to_string(two.service->parts().registering.in()))
                                  .in());
  const CosTrading::Lookup_var no_trader = Lookup::_unchecked_narrow(nobody.in()),
                               no_lookup = Lookup::_unchecked_narrow(liar.in());
  one.link->add_link("nobody", no_trader.in(), CosTrading::always, CosTrading::always);
  one.link->add_link("liar", no_lookup.in(), CosTrading::always, CosTrading::always);
  one.link->add_link("two", two.seen_by(one).in(), CosTrading::always, CosTrading::always);
  EXPECT_EQ(one.query("T", "", "min Cost", Given{{"link_follow_rule", follow(CosTrading::always)}}).ids,
            (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(one.counters.counter("traders_failed").load(), 2);
}

TEST(Links, lead_to_the_trader_and_the_register_that_a_name_tells) {
  Serving one, two;
  declare(one);
  declare(two);
  two.offer("b", "T", Props{{"Cost", long_of(2)}});
  one.link->add_link("two", two.seen_by(one).in(), CosTrading::local_only, CosTrading::local_only);
  CosTrading::TraderName name;
  name.length(1);
  name[0] = "two";
  CORBA::Any start;
  start <<= name;
  EXPECT_EQ(one.query("T", "", "", Given{{"starting_trader", start}}).ids, std::vector<std::string>{"b"});
  CosTrading::Register_var there = one.reg->resolve(name);
  EXPECT_TRUE(there->_is_equivalent(two.reg.in()));
  name[0] = "three";
  EXPECT_THROW(one.reg->resolve(name), CosTrading::Register::UnknownTraderName);
  EXPECT_THROW(one.reg->resolve(CosTrading::TraderName()), CosTrading::Register::IllegalTraderName);
}

TEST(Links, are_refused_where_their_rules_are_too_permissive) {
  Serving s;
  const auto add = [&](const char* name, CosTrading::FollowOption pass_on, CosTrading::FollowOption limit) {
    s.link->add_link(name, s.lookup.in(), pass_on, limit);
  };
  EXPECT_THROW(add("x", CosTrading::always, CosTrading::local_only), CosTrading::Link::DefaultFollowTooPermissive);
  s.admin->set_max_link_follow_policy(CosTrading::if_no_local);
  EXPECT_THROW(add("x", CosTrading::local_only, CosTrading::always), CosTrading::Link::LimitingFollowTooPermissive);
  EXPECT_THROW(add("a b", CosTrading::local_only, CosTrading::local_only), CosTrading::Link::IllegalLinkName);
  EXPECT_THROW(s.link->add_link("x", Lookup::_nil(), CosTrading::local_only, CosTrading::local_only),
               CosTrading::InvalidLookupRef);
  add("x", CosTrading::local_only, CosTrading::local_only);
  EXPECT_THROW(add("x", CosTrading::local_only, CosTrading::local_only), CosTrading::Link::DuplicateLinkName);
  EXPECT_EQ(CosTrading::LinkNameSeq_var(s.link->list_links())->length(), 1u);
  s.link->remove_link("x");
  EXPECT_THROW(s.link->describe_link("x"), CosTrading::Link::UnknownLinkName);
}

TEST(Proxies, ask_their_target_by_their_recipe) {
  Serving one, two;
  declare(one);
  declare(two);
  two.offer("b", "T", Props{{"Cost", long_of(2)}, {"Place", any_of("it's here")}});
  two.offer("c", "T", Props{{"Cost", long_of(3)}, {"Place", any_of("there")}});
  const auto add = [&](const char* recipe, bool match_all, const CosTrading::PropertySeq& properties) {
    return std::string(CORBA::String_var(one.proxy->export_proxy(two.seen_by(one).in(), "T", properties, match_all,
                                                                 recipe, CosTrading::PolicySeq()))
                           .in());
  };
  const Props own{{"Cost", long_of(2)}, {"Place", any_of("it's here")}};
  const std::string id = add("Place == $(Place)", false, own);
  EXPECT_EQ(one.found("T", "Cost == 2"), "b");
  EXPECT_EQ(one.found("T", "Cost == 9"), "");
  one.proxy->withdraw_proxy(id.c_str());
  const std::string all = add("$* and Cost < 3", true, Props{});
  EXPECT_EQ(one.found("T", "Cost == 2 or Cost == 3"), "b");
  EXPECT_EQ(one.query("T", "", "", Given{{"use_proxy_offers", any_of(false)}}).ids.size(), 0u);
  EXPECT_THROW(one.reg->withdraw(all.c_str()), CosTrading::Register::ProxyOfferId);
  EXPECT_THROW(add("$(Absent)", false, own), CosTrading::Proxy::IllegalRecipe);
  EXPECT_THROW(add("$", false, own), CosTrading::Proxy::IllegalRecipe);
  const std::string offer = one.offer("a", "T", Props{});
  EXPECT_THROW(one.proxy->describe_proxy(offer.c_str()), CosTrading::Proxy::NotProxyOfferId);
}

TEST(Proxies, that_lead_back_here_answer_nothing) {
  Serving s;
  declare(s);
  s.offer("a", "T", Props{{"Cost", long_of(1)}});
  CORBA::String_var(s.proxy->export_proxy(s.seen_by(s).in(), "T", Props{}, true, "$*", CosTrading::PolicySeq()));
  EXPECT_EQ(s.found("T", ""), "a");
}

TEST(Recipe, puts_values_in_as_literals) {
  const auto value = [](std::string_view name) {
    return name == "T" ? constraints::Value::text("a'b\\") : constraints::Value::integer(-5);
  };
  EXPECT_EQ(follow_recipe("x == $(T) and y == $(N)", "", value), "x == 'a\\'b\\\\' and y == -5");
  EXPECT_EQ(follow_recipe("$*", "a == 1", value), "a == 1");
  EXPECT_EQ(follow_recipe("$* and c", "a or b", value), "(a or b) and c");
  EXPECT_EQ(follow_recipe("$* and c", " ", value), "TRUE and c");
}

TEST(Recipe, makes_no_constraint_that_is_longer_than_64_KiB) {
  const std::string large(60'000, 'x');
  const auto value = [&](std::string_view) { return constraints::Value::text(large); };
  EXPECT_EQ(follow_recipe("x == $(T)", "", value).size(), large.size() + 7);
  EXPECT_EQ(follow_recipe("x == $(T) or y == $(T)", "", value), "FALSE");
  std::string all;
  for (int i = 0; i < 1'000; ++i) all += "$* ";
  EXPECT_EQ(follow_recipe(all, std::string(16'000, 'a'), value), "FALSE");
}

struct Telling {
  Serving s;
  PortableServer::Servant_var<Evaluator> evaluator = new Evaluator;
  CosTradingDynamic::DynamicPropEval_var object;

  explicit Telling(CORBA::Any answer) {
    evaluator->answer = answer;
    object = activate(evaluator.in());
    declare(s);
  }
  CosTradingDynamic::DynamicPropEval_var activate(Evaluator* e) {
    const PortableServer::POA_var poa = root_of(s.client.in());
    const PortableServer::ObjectId_var id = poa->activate_object(e);
    const CORBA::Object_var o = poa->id_to_reference(id.in());
    return CosTradingDynamic::DynamicPropEval::_narrow(o.in());
  }
  CORBA::Any dynamic(CosTradingDynamic::DynamicPropEval_ptr of, const char* extra = "") {
    CosTradingDynamic::DynamicProp p;
    p.eval_if = CosTradingDynamic::DynamicPropEval::_duplicate(of);
    p.returned_type = CORBA::TypeCode::_duplicate(CORBA::_tc_long);
    p.extra_info <<= extra;
    CORBA::Any out;
    out <<= p;
    return out;
  }
};

TEST(DynamicProperties, are_asked_for_when_a_constraint_or_a_result_needs_them) {
  Telling t(any_of(CORBA::Long(7)));
  t.s.offer("a", "T", Props{{"Cost", t.dynamic(t.object.in())}, {"Place", any_of("x")}});
  t.s.offer("b", "T", Props{{"Cost", any_of(CORBA::Long(3))}, {"Place", any_of("x")}});
  EXPECT_EQ(t.s.found("T", "Cost == 7", ""), "a");
  EXPECT_EQ(t.s.found("T", "Place == 'x'", "max Cost"), "a b");
  const int before = t.evaluator->asked;
  EXPECT_EQ(t.s.found("T", "Place == 'y' and Cost == 7", ""), "");  // nothing to ask
  EXPECT_EQ(t.evaluator->asked, before);
  const Answer answer = t.s.query("T", "Cost == 7");
  CORBA::Long value = 0;
  ASSERT_EQ(answer.offers[0].properties.length(), 2u);
  EXPECT_TRUE(answer.offers[0].properties[0].value >>= value);
  EXPECT_EQ(value, 7);
  EXPECT_EQ(t.s.query("T", "", "", Given{{"use_dynamic_properties", any_of(false)}}).ids,
            std::vector<std::string>{"b"});
}

TEST(DynamicProperties, that_hang_fail_or_lie_are_not_there_and_the_rest_of_the_query_goes_on) {
  Telling t(any_of(CORBA::Long(7)));
  std::promise<void> let_go;
  PortableServer::Servant_var<Evaluator> hangs = new Evaluator, lies = new Evaluator;
  hangs->held = let_go.get_future().share();
  lies->answer = any_of("no number");
  const auto hanging = t.activate(hangs.in()), lying = t.activate(lies.in());
  for (int i = 0; i < 30; ++i) t.s.offer("b", "T", Props{{"Cost", t.dynamic(hanging.in())}});
  t.s.offer("c", "T", Props{{"Cost", t.dynamic(lying.in())}});
  t.s.offer("d", "T", Props{{"Cost", t.dynamic(t.object.in(), "fail")}});
  const CORBA::Object_var nobody = t.s.thing("nobody");
  const CosTradingDynamic::DynamicPropEval_var absent =
      CosTradingDynamic::DynamicPropEval::_unchecked_narrow(nobody.in());
  t.s.offer("e", "T", Props{{"Cost", t.dynamic(absent.in())}});
  t.s.offer("a", "T", Props{{"Cost", t.dynamic(t.object.in())}});
  const auto start = Clock::now();
  EXPECT_EQ(t.s.found("T", "Cost == 7", ""), "a");
  // 30 that hang for 300 ms each would take 9 s one after the other.
  EXPECT_LT(Clock::now() - start, std::chrono::seconds(3));
  let_go.set_value();
}

TEST(DynamicProperties, are_refused_where_their_type_does_not_fit) {
  Telling t(any_of(CORBA::Long(7)));
  t.s.add_type("R", {{"Cost", CORBA::_tc_long, Repository::PROP_READONLY}, {"Name", CORBA::_tc_string}});
  EXPECT_THROW(t.s.offer("a", "R", Props{{"Cost", t.dynamic(t.object.in())}}), CosTrading::ReadonlyDynamicProperty);
  EXPECT_THROW(t.s.offer("a", "R", Props{{"Name", t.dynamic(t.object.in())}}), CosTrading::PropertyTypeMismatch);
  EXPECT_THROW(t.s.offer("a", "T", Props{{"Cost", t.dynamic(CosTradingDynamic::DynamicPropEval::_nil())}}),
               CosTrading::PropertyTypeMismatch);
  t.s.admin->set_supports_dynamic_properties(false);
  EXPECT_THROW(t.s.offer("a", "T", Props{{"Cost", t.dynamic(t.object.in())}}), CosTrading::PropertyTypeMismatch);
}

}  // namespace
}  // namespace callis::trading
