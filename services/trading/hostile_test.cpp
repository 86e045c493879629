// SPDX-License-Identifier: Apache-2.0
// Things that clients may do to a trader: texts and values of any kind, iterators left behind, changes from many at
// once. Also stores that take nothing.
#include <services/trading/testing/serving.h>
#include <thread>

namespace callis::trading {
namespace {

using namespace testing;

// A store that can be told to be full.
class Filling final : public services::Store {
 public:
  std::atomic<bool> full{false};
  services::Revision read(std::string_view prefix, const std::function<void(services::Pair&&)>& take) override {
    return under_.read(prefix, take);
  }
  services::Outcome commit(const services::Transaction& t) override {
    if (full) throw services::StoreFailed(services::StoreFailed::Full, "the disk is full");
    return under_.commit(t);
  }
  services::Revision latest() override { return under_.latest(); }
  void watch(services::Revision from, services::Watcher& w) override { under_.watch(from, w); }
  bool shared() const override { return false; }
  void announce(const std::string& text) override { under_.announce(text); }
  std::vector<std::string> instances() override { return under_.instances(); }

 private:
  services::MemoryStore under_;
};

void declare_t(Serving& s) { s.add_type("T", {{"Cost", CORBA::_tc_long}}); }

TEST(HostileClients, get_no_further_than_the_limits_of_constraints) {
  Serving s;
  declare_t(s);
  s.offer("a", "T", Props{{"Cost", any_of(CORBA::Long(1))}});
  EXPECT_THROW(s.query("T", std::string(20'000, '(').c_str()), CosTrading::IllegalConstraint);
  EXPECT_THROW(s.query("T", std::string(1'000, '(').c_str()), CosTrading::IllegalConstraint);
  EXPECT_THROW(s.query("T", "\x80\xff'\x01"), CosTrading::IllegalConstraint);
  EXPECT_THROW(s.query("T", "", std::string(20'000, 'm').c_str()), Lookup::IllegalPreference);
  EXPECT_THROW(s.query(std::string(300, 'T').c_str(), ""), CosTrading::IllegalServiceType);
  EXPECT_EQ(s.found("T", ""), "a");
}

TEST(HostileClients, export_no_more_than_an_offer_may_have) {
  Serving s;
  declare_t(s);
  const auto many = [](unsigned n, const std::string& prefix) {
    CosTrading::PropertySeq out;
    out.length(n);
    for (CORBA::ULong i = 0; i < n; ++i) {
      out[i].name = (prefix + std::to_string(i)).c_str();
      out[i].value <<= CORBA::Long(1);
    }
    return out;
  };
  EXPECT_THROW(s.offer("a", "T", many(501, "p")), CORBA::IMP_LIMIT);
  s.offer("a", "T", many(500, "p"));
  s.offer("b", "T", many(500, "q"));
  EXPECT_THROW(s.offer("c", "T", many(1, "r")), CORBA::IMP_LIMIT);  // the names of the type's offers
  EXPECT_EQ(s.query("T", "p7 == 1").ids, std::vector<std::string>{"a"});
  EXPECT_EQ(s.query("T", "q7 == 1").ids, std::vector<std::string>{"b"});
}

TEST(HostileClients, export_values_of_any_type) {
  Serving s;
  declare_t(s);
  CORBA::Any inner = any_of("x"), any, type, nothing, object;
  any <<= inner;
  type <<= CORBA::_tc_long;
  const CORBA::Object_var thing = s.thing("f");
  object <<= thing.in();
  s.offer("a", "T", Props{{"A", any}, {"B", type}, {"C", nothing}, {"D", object}});
  EXPECT_EQ(s.query("T", "exist A and exist B and exist C and exist D and not exist Cost").ids,
            std::vector<std::string>{"a"});
  EXPECT_EQ(s.query("T", "A == 1 or B == 'x' or C == TRUE or 1 in D").ids.size(), 0u);
  EXPECT_EQ(s.query("T", "").offers[0].properties.length(), 4u);
}

TEST(HostileClients, that_leave_iterators_behind_lose_those_that_rested_longest) {
  Serving s;
  declare_t(s);
  s.offer("a", "T", Props{});
  s.offer("b", "T", Props{});
  const Answer first = s.query("T", "", "", {}, 1);
  for (std::size_t i = 0; i < Iterators::kMost; ++i) s.query("T", "", "", {}, 1);
  EXPECT_EQ(s.service->iterators(), Iterators::kMost);
  CosTrading::OfferSeq_var next;
  EXPECT_THROW(first.more->next_n(1, next.out()), CORBA::OBJECT_NOT_EXIST);
}

TEST(Iterators, that_nobody_uses_are_reaped) {
  const CORBA::ORB_var orb = new_orb({"-ORBEndpoint", "tcp:127.0.0.1:0"}, "trading-reaped");
  {
    const PortableServer::POA_var root = root_of(orb.in());
    Iterators all(root.in());
    const auto ids = all.make({1, 2, 3}, 1);
    all.reap(std::chrono::steady_clock::now());
    EXPECT_EQ(all.size(), 1u);
    all.reap(std::chrono::steady_clock::now() + Iterators::kIdle);
    EXPECT_EQ(all.size(), 0u);
  }
  orb->destroy();
}

TEST(FullStores, change_nothing_and_the_trader_goes_on_when_there_is_room) {
  Filling store;
  Serving s(Serving::quick(), &store);
  declare_t(s);
  const std::string id = s.offer("a", "T", Props{{"Cost", any_of(CORBA::Long(1))}});
  store.full = true;
  EXPECT_THROW(s.offer("b", "T", Props{}), CORBA::NO_RESOURCES);
  EXPECT_THROW(s.reg->withdraw(id.c_str()), CORBA::NO_RESOURCES);
  EXPECT_THROW(s.reg->withdraw_using_constraint("T", ""), CORBA::NO_RESOURCES);
  EXPECT_THROW(s.reg->modify(id.c_str(), CosTrading::PropertyNameSeq(), Props{{"Cost", any_of(CORBA::Long(2))}}),
               CORBA::NO_RESOURCES);
  EXPECT_THROW(s.add_type("U", {}), CORBA::NO_RESOURCES);
  EXPECT_THROW(s.admin->set_max_list(5), CORBA::NO_RESOURCES);
  EXPECT_EQ(s.found("T", "Cost == 1"), "a");
  EXPECT_EQ(s.lookup->max_list(), 1'000u);
  store.full = false;
  s.offer("b", "T", Props{{"Cost", any_of(CORBA::Long(2))}});
  EXPECT_EQ(s.found("T", ""), "a b");
}

TEST(ManyClients, export_modify_query_and_withdraw_at_once) {
  Serving s;
  declare_t(s);
  for (CORBA::Long i = 0; i < 300; ++i) s.offer("f", "T", Props{{"Cost", any_of(CORBA::Long(1'000 + i))}});
  std::atomic<int> wrong{0};
  const auto work = [&](CORBA::Long number) {
    const CORBA::Object_var thing = s.thing("a");
    for (int round = 0; round < 50; ++round) {
      CORBA::String_var id = s.reg->_cxx_export(thing.in(), "T", Props{{"Cost", any_of(number)}});
      const std::string one = "Cost == " + std::to_string(number), other = "Cost == " + std::to_string(number + 100);
      if (s.query("T", one.c_str()).ids.size() != 1) ++wrong;
      s.reg->modify(id.in(), CosTrading::PropertyNameSeq(), Props{{"Cost", any_of(CORBA::Long(number + 100))}});
      if (!s.query("T", one.c_str()).ids.empty() || s.query("T", other.c_str()).ids.size() != 1) ++wrong;
      s.reg->withdraw(id.in());
      if (!s.query("T", other.c_str()).ids.empty()) ++wrong;
    }
  };
  std::vector<std::thread> clients;
  for (CORBA::Long i = 0; i < 4; ++i) clients.emplace_back(work, i);
  for (std::thread& c : clients) c.join();
  EXPECT_EQ(wrong, 0);
  EXPECT_EQ(s.service->market().catalogue().size(), 300u);
}

}  // namespace
}  // namespace callis::trading
