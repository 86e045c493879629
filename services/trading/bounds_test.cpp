// SPDX-License-Identifier: Apache-2.0
// The bounds on a trader's memory and work for each client: bytes of offers, types, links and iterators, bytes of
// others' answers, time and steps of an operation.
#include <services/trading/offer_source.h>
#include <services/trading/testing/serving.h>
#include <thread>

namespace callis::trading {
namespace {

using namespace testing;
using services::MemoryBound;
using namespace std::chrono_literals;

constexpr std::size_t kMiB = 1u << 20;

struct Bounded {
  MemoryBound memory;
  Serving s;
  explicit Bounded(MemoryBound::Limits limits = {.all = 64 * kMiB, .each = 4 * kMiB},
                   ServiceOptions options = Serving::quick(), services::Store* store = nullptr)
      : memory(limits), s(with(options), store) {
    if (!store) s.add_type("T", {{"Cost", CORBA::_tc_long}, {"Place", CORBA::_tc_string}});
  }
  ServiceOptions with(ServiceOptions options) {
    options.market.memory = &memory;
    return options;
  }
};

CORBA::Any text(std::size_t bytes) { return any_of(std::string(bytes, 'x').c_str()); }
CORBA::Any always() {
  CORBA::Any out;
  out <<= CosTrading::always;
  return out;
}

// Calls f until it is refused; how often it was not.
template<class F>
std::size_t times_until_refused(const F& f) {
  for (std::size_t n = 0; n < 100'000; ++n) {
    try {
      f(n);
    } catch (const CORBA::NO_RESOURCES& e) {
      EXPECT_EQ(e.completed(), CORBA::COMPLETED_NO);
      EXPECT_NE(std::string(e.what()).find("--max-memory-each"), std::string::npos) << e.what();
      return n;
    }
  }
  ADD_FAILURE() << "nothing is refused";
  return 0;
}

TEST(Memory, of_a_client_is_bounded_and_those_that_have_offers_are_served) {
  Bounded b;
  std::string last;
  const Props large{{"Cost", any_of(CORBA::Long(1))}, {"Place", text(200'000)}};
  const std::size_t offers = times_until_refused([&](std::size_t) { last = b.s.offer("a", "T", large); });
  EXPECT_GT(offers, 4u);
  EXPECT_LT(offers, 20u);
  const Answer answer = b.s.query("T", "Cost == 1");
  EXPECT_EQ(answer.ids.size(), 6u);  // about a MiB in one answer
  answer.more->destroy();            // it keeps what it has still to tell
  b.s.reg->withdraw(last.c_str());
  b.s.offer("b", "T", Props{{"Place", text(100'000)}});
  EXPECT_EQ(b.s.found("T", "Cost != 1 or not exist Cost"), "b");
}

TEST(Memory, of_offers_is_given_back_with_them) {
  Bounded b;
  const std::size_t before = b.memory.held();
  const std::string id = b.s.offer("a", "T", Props{{"Place", text(10'000)}});
  const std::size_t with = b.memory.held();
  EXPECT_GT(with, before + 10'000);
  EXPECT_LT(with, before + 40'000);
  b.s.reg->modify(id.c_str(), CosTrading::PropertyNameSeq(), Props{{"Place", text(10)}});
  EXPECT_LT(b.memory.held(), before + 2'000);
  b.s.reg->withdraw(id.c_str());
  EXPECT_EQ(b.memory.held(), before);
}

TEST(Memory, counts_sparse_offers_by_their_cells) {
  Bounded b;
  CosTrading::PropertySeq many;
  many.length(500);
  for (CORBA::ULong i = 0; i < 500; ++i) {
    many[i].name = ("p" + std::to_string(i)).c_str();
    many[i].value <<= CORBA::Long(1);
  }
  b.s.offer("a", "T", many);
  const std::size_t before = b.memory.held();
  b.s.offer("a", "T", Props{{"p499", any_of(CORBA::Long(1))}});
  EXPECT_GT(b.memory.held(), before + 500 * 16);
}

TEST(Memory, counts_types_with_what_they_inherit) {
  Bounded b;
  std::vector<std::string> names;
  std::vector<Serving::Declared> props;
  for (int i = 0; i < 400; ++i) names.push_back("property" + std::to_string(i));
  for (const std::string& n : names) props.push_back({n.c_str(), CORBA::_tc_long});
  b.s.add_type("Base", props);
  const std::size_t types =
      times_until_refused([&](std::size_t n) { b.s.add_type(("D" + std::to_string(n)).c_str(), {}, {"Base"}); });
  EXPECT_LT(types, 200u);  // 400 names each
}

TEST(Memory, counts_links_and_proxy_offers) {
  Bounded b;
  CORBA::Object_var far = b.s.client->string_to_object(("corbaloc::127.0.0.1:9/" + std::string(60'000, 'k')).c_str());
  const CosTrading::Lookup_var target = Lookup::_unchecked_narrow(far.in());
  const std::size_t links = times_until_refused([&](std::size_t n) {
    const std::string name = "l" + std::to_string(n);
    b.s.link->add_link(name.c_str(), target.in(), CosTrading::always, CosTrading::always);
  });
  EXPECT_LT(links, 60u);
  const Props large{{"Place", text(100'000)}};
  const CosTrading::PolicySeq none;
  EXPECT_THROW(CORBA::String_var(b.s.proxy->export_proxy(target.in(), "T", large, true, "$*", none)),
               CORBA::NO_RESOURCES);
}

TEST(Memory, counts_what_iterators_hold) {
  Bounded b({.all = 64 * kMiB, .each = 16 * kMiB});
  constexpr std::size_t kOffers = 3'000;
  for (std::size_t i = 0; i < kOffers; ++i) b.s.offer("a", "T", Props{});
  const std::size_t before = b.memory.held();
  Answer answer = b.s.query("T", "", "", {}, 1);
  EXPECT_GE(b.memory.held() + Answers::kFreeOfIterator, before + kOffers * sizeof(Hit));
  CosTrading::OfferIdSeq_var ids;
  CosTrading::OfferIdIterator_var more;
  b.s.admin->list_offers(1, ids.out(), more.out());
  EXPECT_GE(b.memory.held() + Answers::kFreeOfIterator, before + kOffers * (sizeof(Hit) + sizeof(OfferNumber)));
  answer.more->destroy();
  more->destroy();
  EXPECT_EQ(b.memory.held(), before);
}

TEST(Memory, takes_in_what_a_store_has_and_refuses_more) {
  services::MemoryStore store;
  {
    Bounded full({.all = 64 * kMiB, .each = 32 * kMiB}, Serving::quick(), &store);
    full.s.add_type("T", {});
    for (int i = 0; i < 20; ++i) full.s.offer("a", "T", Props{{"Place", text(200'000)}});
  }
  Bounded small({.all = kMiB, .each = kMiB / 2}, Serving::quick(), &store);
  EXPECT_GT(small.memory.held(), 4 * kMiB);
  EXPECT_THROW(small.s.offer("b", "T", Props{}), CORBA::NO_RESOURCES);
  EXPECT_EQ(small.s.query("T", "exist Place", "", {}, 2).ids.size(), 2u);
}

TEST(Answers, of_other_traders_are_counted_in_bytes_before_they_are_kept) {
  ServiceOptions options = Serving::quick();
  options.market.answers = kMiB;
  Serving far;
  Bounded b({.all = 64 * kMiB, .each = 32 * kMiB}, options);
  far.add_type("T", {});
  far.add_type("Large", {});
  b.s.add_type("Large", {});
  b.s.offer("a", "Large", Props{});
  b.s.link->add_link("far", far.seen_by(b.s).in(), CosTrading::always, CosTrading::always);
  for (int i = 0; i < 20; ++i) far.offer("b", "T", Props{{"Place", text(100'000)}});
  far.offer("b", "Large", Props{{"Place", text(900'000)}});
  const Given everywhere{{"link_follow_rule", always()}};
  const std::size_t before = b.memory.held();
  {
    const Answer answer = b.s.query("T", "", "", everywhere, 1);
    EXPECT_EQ(answer.limits, std::vector<std::string>{"return_card"});
    EXPECT_EQ(answer.ids.size(), 1u);
    EXPECT_GE(answer.more->max_left(), 1u);
    EXPECT_GT(b.memory.held(), before + 600'000);
    EXPECT_LE(b.memory.held(), before + kMiB + 1'000);
    answer.more->destroy();
  }
  EXPECT_EQ(b.memory.held(), before);
  // More than a query may keep: as if there were no offer.
  const Answer answer = b.s.query("Large", "", "", everywhere);
  EXPECT_EQ(answer.ids, std::vector<std::string>{"a"});
  EXPECT_EQ(answer.limits, std::vector<std::string>{"return_card"});
  EXPECT_EQ(b.memory.held(), before);
}

struct Evaluators {
  Bounded b;
  PortableServer::Servant_var<Evaluator> evaluator = new Evaluator;
  explicit Evaluators(ServiceOptions options) : b({.all = 64 * kMiB, .each = 32 * kMiB}, options) {}
  CORBA::Any dynamic(CORBA::TypeCode_ptr type) {
    const PortableServer::POA_var poa = root_of(b.s.client.in());
    const PortableServer::ObjectId_var id = poa->activate_object(evaluator.in());
    const CORBA::Object_var o = poa->id_to_reference(id.in());
    CosTradingDynamic::DynamicProp p;
    p.eval_if = CosTradingDynamic::DynamicPropEval::_narrow(o.in());
    p.returned_type = CORBA::TypeCode::_duplicate(type);
    p.extra_info <<= "";
    CORBA::Any out;
    out <<= p;
    return out;
  }
};

TEST(Answers, of_dynamic_properties_are_counted_in_bytes_before_they_are_kept) {
  ServiceOptions options = Serving::quick();
  options.market.answers = kMiB;
  Evaluators e(options);
  e.evaluator->answer = text(4 * kMiB);
  const CORBA::Any dynamic = e.dynamic(CORBA::_tc_string);
  for (int i = 0; i < 20; ++i) e.b.s.offer("b", "T", Props{{"Place", dynamic}});
  e.b.s.offer("a", "T", Props{{"Place", any_of("x")}});
  const std::size_t before = e.b.memory.held();
  const Answer answer = e.b.s.query("T", "Place != 'y'");
  EXPECT_EQ(answer.ids, std::vector<std::string>{"a"});
  EXPECT_EQ(answer.limits, std::vector<std::string>{"match_card"});
  EXPECT_LT(e.evaluator->asked, 20);  // who answers too much is not asked on
  EXPECT_EQ(e.b.memory.held(), before);
  e.evaluator->answer = text(10);
  EXPECT_EQ(e.b.s.query("T", "Place != 'y'").ids.size(), 21u);
}

TEST(Operations, that_work_too_much_end_and_say_so) {
  Bounded b({.all = 256 * kMiB, .each = 128 * kMiB});
  for (int i = 0; i < 30; ++i) b.s.offer("a", "T", Props{{"Place", text(480'000)}});
  const std::string part = "'" + std::string(256, 'y') + "' ~ Place";  // 500,000 steps for each offer
  std::string costly = part;
  for (int i = 0; i < 40; ++i) costly += " or " + part;
  EXPECT_THROW(b.s.query("T", costly.c_str()), CORBA::IMP_LIMIT);
  EXPECT_THROW(b.s.reg->withdraw_using_constraint("T", costly.c_str()), CORBA::IMP_LIMIT);
  EXPECT_EQ(b.s.service->market().catalogue().size(), 30u);
}

TEST(Operations, that_take_too_long_end_and_say_so) {
  ServiceOptions options = Serving::quick();
  options.market.operation = 1ms;
  Bounded b({.all = 256 * kMiB, .each = 128 * kMiB}, options);
  for (int i = 0; i < 30; ++i) b.s.offer("a", "T", Props{{"Place", text(480'000)}});
  std::string slow = "'" + std::string(250, 'x') + "y' ~ Place";
  for (int i = 0; i < 10; ++i) slow += " or '" + std::string(250, 'x') + "z' ~ Place";
  const auto refusal = [](const auto& f) -> std::string {
    try {
      f();
    } catch (const CORBA::NO_RESOURCES& e) {
      EXPECT_EQ(e.completed(), CORBA::COMPLETED_NO);
      return e.what();
    }
    return "none";
  };
  EXPECT_NE(refusal([&] { b.s.query("T", slow.c_str()); }).find("1 ms (--operation-timeout)"), std::string::npos);
  EXPECT_NE(refusal([&] { b.s.reg->withdraw_using_constraint("T", slow.c_str()); }).find("--operation-timeout"),
            std::string::npos);
}

TEST(Operations, on_types_refuse_what_is_too_large_at_once) {
  Bounded b;
  Repository::PropStructSeq props;
  Repository::ServiceTypeNameSeq supers;
  supers.length(100'000);
  for (CORBA::ULong i = 0; i < supers.length(); ++i) supers[i] = "T";
  EXPECT_THROW(b.s.types->add_type("U", "", props, supers), CORBA::IMP_LIMIT);
  props.length(501);
  for (CORBA::ULong i = 0; i < props.length(); ++i) {
    props[i].name = ("p" + std::to_string(i)).c_str();
    props[i].value_type = CORBA::TypeCode::_duplicate(CORBA::_tc_long);
    props[i].mode = Repository::PROP_NORMAL;
  }
  EXPECT_THROW(b.s.types->add_type("U", "", props, Repository::ServiceTypeNameSeq()), CORBA::IMP_LIMIT);
}

}  // namespace
}  // namespace callis::trading
