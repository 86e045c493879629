// SPDX-License-Identifier: Apache-2.0
// Factories found in traders; moves to the home, of several, that criteria ask for.
#include <chrono>
#include <arpa/inet.h>
#include <services/lifecycle/broker.h>
#include <services/lifecycle/testing/world.h>
#include <services/trading/testing/serving.h>

namespace callis::life_cycle::testing {
namespace {

Home::Options with_cpus(CORBA::Long cpus, const char* rack) {
  Home::Options out;
  out.place.properties.length(1);
  out.place.properties[0].name = "cpus";
  out.place.properties[0].value <<= cpus;
  out.place.location.length(1);
  out.place.location[0].name = "rack";
  out.place.location[0].value <<= rack;
  return out;
}

CosLifeCycle::Criteria asking(const char* name, const char* text) {
  CosLifeCycle::Criteria out;
  out.length(1);
  out[0].name = name;
  out[0].value <<= text;
  return out;
}

CosLifeCycle::Criteria asking_for_rack(const char* rack) {
  CosLifeCycle::Criteria out;
  out.length(1);
  out[0].name = "logical location";
  out[0].value <<= asking("rack", rack);
  return out;
}

struct TradedHomes : World {
  trading::testing::Serving trader;
  Site berlin{"berlin", with_cpus(2, "r1")}, munich{"munich", with_cpus(4, "r1")}, ulm{"ulm", with_cpus(8, "r2")};

  TradedHomes() {
    CosTradingRepos::ServiceTypeRepository::PropStructSeq properties;
    properties.length(2);
    const CORBA::TypeCode_ptr types[] = {CORBA::_tc_string, CORBA::_tc_long};
    const char* const names_of[] = {"implementation", "cpus"};
    for (CORBA::ULong i = 0; i < 2; ++i) {
      properties[i].name = names_of[i];
      properties[i].value_type = CORBA::TypeCode::_duplicate(types[i]);
      properties[i].mode = CosTradingRepos::ServiceTypeRepository::PROP_NORMAL;
    }
    (void)trader.types->add_type("Home", "IDL:omg.org/CosLifeCycle/GenericFactory:1.0", properties, {});
    offer(berlin, 2);
    offer(munich, 4);
    offer(ulm, 8);
  }
  void offer(const Site& site, CORBA::Long cpus) {
    CosTrading::PropertySeq properties;
    properties.length(2);
    properties[0].name = "implementation";
    properties[0].value <<= "Account";
    properties[1].name = "cpus";
    properties[1].value <<= cpus;
    const CORBA::Object_var home = in(trader.client.in(), site.orb.in(), site.home->reference().in());
    const CORBA::String_var id = trader.reg->_cxx_export(home.in(), "Home", properties);
  }
  CosLifeCycle::FactoryFinder_var traded(const char* constraint = "", const char* preference = "") {
    const CORBA::Object_var object = in(orb.in(), trader.client.in(), trader.lookup.in());
    const CosTrading::Lookup_var lookup = CosTrading::Lookup::_narrow(object.in());
    const PortableServer::Servant_var<TraderFinder> servant =
        new TraderFinder(lookup.in(), "Home", constraint, preference);
    const PortableServer::ObjectId_var id = poa->activate_object(servant.in());
    const CORBA::Object_var mine = in(client.in(), orb.in(), CORBA::Object_var(poa->id_to_reference(id.in())).in());
    return CosLifeCycle::FactoryFinder::_narrow(mine.in());
  }
};

TEST_F(TradedHomes, finder_has_the_offers_of_the_implementation_in_the_preferred_order) {
  const CosLifeCycle::Factories_var all = traded("cpus > 2", "max cpus")->find_factories(key_of("Account"));
  ASSERT_EQ(all->length(), 2u);
  const CORBA::Object_var ulms = in(client.in(), ulm.orb.in(), ulm.home->reference().in());
  EXPECT_TRUE(all[0]->_is_equivalent(ulms.in()));
}

TEST_F(TradedHomes, finder_says_no_factory_for_what_nobody_offers_and_what_the_trader_refuses) {
  EXPECT_THROW(traded()->find_factories(key_of("Boat")), CosLifeCycle::NoFactory);
  EXPECT_THROW(traded()->find_factories(key_of("x' or 'a' == 'a")), CosLifeCycle::NoFactory);
  EXPECT_THROW(traded()->find_factories(CosLifeCycle::Key()), CosLifeCycle::NoFactory);
  EXPECT_THROW(traded("cpus >")->find_factories(key_of("Account")), CosLifeCycle::NoFactory);
  EXPECT_THROW(traded("", "most cpus")->find_factories(key_of("Account")), CosLifeCycle::NoFactory);
}

TEST_F(TradedHomes, object_moves_to_the_home_that_its_criteria_ask_for) {
  const auto a = account(make(berlin));
  const auto there = traded();
  a->move(there.in(), asking("filter", "cpus == 4"));
  EXPECT_EQ(home_of(a.in()), "munich");
  a->move(there.in(), asking("preferences", "max cpus"));
  EXPECT_EQ(home_of(a.in()), "ulm");
  a->move(there.in(), asking_for_rack("r1"));
  EXPECT_NE(home_of(a.in()), "ulm");
  EXPECT_THROW(a->move(there.in(), asking("filter", "cpus > 100")), CosLifeCycle::CannotMeetCriteria);
  EXPECT_THROW(a->copy(there.in(), asking_for_rack("r9")), CosLifeCycle::CannotMeetCriteria);
  EXPECT_THROW(a->move(there.in(), asking("filter", "cpus >")), CosLifeCycle::InvalidCriteria);
}

TEST_F(TradedHomes, factory_makes_nothing_where_it_does_not_meet_the_criteria) {
  const CORBA::Object_var object = in(client.in(), ulm.orb.in(), ulm.home->reference().in());
  const auto factory = CosLifeCycle::GenericFactory::_narrow(object.in());
  const CosLifeCycle::GenericFactory_var owned(factory);
  EXPECT_THROW(factory->create_object(key_of("Account"), asking("filter", "cpus < 8")),
               CosLifeCycle::CannotMeetCriteria);
  EXPECT_TRUE(ulm.home->identities().empty());
  const CORBA::Object_var made = factory->create_object(key_of("Account"), asking("filter", "cpus >= 8"));
  EXPECT_FALSE(CORBA::is_nil(made.in()));
}

struct Brokered : TradedHomes {
  CosNaming::NamingContext_var root;
  CallisLifeCycle::Broker_var broker;

  Brokered() {
    const CORBA::Object_var object = in(orb.in(), orb.in(), names->reference().in());
    root = CosNaming::NamingContext::_narrow(object.in());
    CosNaming::Name plant;
    plant.length(1);
    plant[0].id = "plant";
    const CORBA::Object_var seen = in(orb.in(), trader.client.in(), trader.lookup.in());
    const CosTrading::Lookup_var lookup = CosTrading::Lookup::_narrow(seen.in());
    std::vector<Broker::Finder> finders;
    finders.emplace_back(new NamingFinder(root.in(), plant));
    finders.emplace_back(new TraderFinder(lookup.in(), "Home", "cpus > 2"));
    const PortableServer::Servant_var<Broker> servant = new Broker(std::move(finders), Milliseconds(5'000));
    const PortableServer::ObjectId_var id = poa->activate_object(servant.in());
    const CORBA::Object_var mine = in(client.in(), orb.in(), CORBA::Object_var(poa->id_to_reference(id.in())).in());
    broker = CallisLifeCycle::Broker::_narrow(mine.in());
  }
  // In plant/, which is made.
  void name(const Site& site) {
    CosNaming::Name plant;
    plant.length(1);
    plant[0].id = "plant";
    const CosNaming::NamingContext_var context = root->bind_new_context(plant);
    context->bind(key_of("Account"), in(orb.in(), site.orb.in(), site.home->reference().in()).in());
  }
  std::string made(const CosLifeCycle::Criteria& criteria) {
    const CORBA::Object_var object = broker->create_object(key_of("Account"), criteria);
    return home_of(LifeCycleTest::Account_var(LifeCycleTest::Account::_narrow(object.in())).in());
  }
};

// Sockets that take connections, and never answer.
class Silent final {
 public:
  Silent() : fd_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in at{};
    at.sin_family = AF_INET;
    at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    EXPECT_EQ(::bind(fd_, reinterpret_cast<const sockaddr*>(&at), sizeof at), 0);
    EXPECT_EQ(::listen(fd_, 100), 0);
    socklen_t size = sizeof at;
    EXPECT_EQ(::getsockname(fd_, reinterpret_cast<sockaddr*>(&at), &size), 0);
    port_ = ntohs(at.sin_port);
  }
  ~Silent() { ::close(fd_); }
  std::string reference(int i) const {
    return "corbaloc::127.0.0.1:" + std::to_string(port_) + "/dead" + std::to_string(i);
  }

 private:
  const int fd_;
  std::uint16_t port_ = 0;
};

// Sixty of them, and then one that answers.
class DeadFactories final : public virtual POA_CosLifeCycle::FactoryFinder {
 public:
  DeadFactories(CORBA::ORB_ptr orb, const std::string& good) {
    found_.length(61);
    for (int i = 0; i < 60; ++i)
      found_[static_cast<CORBA::ULong>(i)] = orb->string_to_object(silent_.reference(i).c_str());
    found_[60] = orb->string_to_object(good.c_str());
  }
  CosLifeCycle::Factories* find_factories(const CosLifeCycle::Key&) override {
    return new CosLifeCycle::Factories(found_);
  }

 private:
  Silent silent_;
  CosLifeCycle::Factories found_;
};

struct WithDeadFactories : TradedHomes {
  using Clock = std::chrono::steady_clock;
  Broker::Finder dead{new DeadFactories(orb.in(), ulm.text())};
  CosLifeCycle::FactoryFinder_var finder_of_dead() {
    const PortableServer::ObjectId_var id = poa->activate_object(dead.in());
    const CORBA::Object_var mine = in(client.in(), orb.in(), CORBA::Object_var(poa->id_to_reference(id.in())).in());
    return CosLifeCycle::FactoryFinder::_narrow(mine.in());
  }
};

TEST_F(WithDeadFactories, an_object_is_made_by_the_one_that_answers_within_the_operations_time) {
  std::vector<Broker::Finder> finders{dead};
  services::MemoryBound bound;
  const PortableServer::Servant_var<Broker> broker =
      new Broker(std::move(finders), Broker::Limits{Milliseconds(5'000), Milliseconds(2'000), &bound});
  const auto begin = Clock::now();
  const CORBA::Object_var made = broker->create_object(key_of("Account"), {});
  EXPECT_FALSE(CORBA::is_nil(made.in()));
  EXPECT_LT(Clock::now() - begin, Milliseconds(4'000));
  EXPECT_EQ(bound.held(), 0u);
}

TEST_F(WithDeadFactories, who_asks_while_all_his_memory_is_in_use_is_refused) {
  services::MemoryBound bound({100'000, 100'000});
  const PortableServer::Servant_var<Broker> broker =
      new Broker({dead}, Broker::Limits{Milliseconds(5'000), Milliseconds(2'000), &bound});
  EXPECT_THROW(CORBA::Object_var(broker->create_object(key_of("Account"), {})), CORBA::NO_RESOURCES);
  EXPECT_THROW(CosLifeCycle::Factories_var(broker->find_factories(key_of("Account"))), CORBA::NO_RESOURCES);
}

TEST_F(WithDeadFactories, a_move_to_the_one_that_answers_takes_the_operations_time_at_most) {
  Home::Options options;
  options.operation = Milliseconds(3'000);
  Site hof("hof", options);
  const auto a = account(make(hof));
  a->add(0, 1, 1);
  const auto there = finder_of_dead();
  const auto begin = Clock::now();
  a->move(there.in(), none);
  EXPECT_LT(Clock::now() - begin, Milliseconds(5'000));
  EXPECT_EQ(home_of(a.in()), "ulm");
  EXPECT_EQ(a->add(0, 2, 1), 2);
}

TEST_F(Brokered, finds_each_factory_of_names_and_offers_once) {
  const auto found = [&] { return CosLifeCycle::Factories_var(broker->find_factories(key_of("Account")))->length(); };
  EXPECT_EQ(found(), 2u) << "munich and ulm are offered; nothing has a name";
  name(berlin);
  EXPECT_EQ(found(), 3u);
  EXPECT_TRUE(broker->supports(key_of("Account")));
  EXPECT_FALSE(broker->supports(key_of("Boat")));
  EXPECT_THROW(broker->find_factories(key_of("Boat")), CosLifeCycle::NoFactory);
}

TEST_F(Brokered, has_the_home_make_an_object_that_criteria_ask_for) {
  name(berlin);
  EXPECT_EQ(made(asking("preferences", "max cpus")), "ulm");
  EXPECT_EQ(made(asking("preferences", "min cpus")), "berlin");
  EXPECT_EQ(made(asking("filter", "cpus == 4")), "munich");
  EXPECT_THROW(made(asking("filter", "cpus == 5")), CosLifeCycle::CannotMeetCriteria);
  EXPECT_THROW(made(asking("filter", "cpus ==")), CosLifeCycle::InvalidCriteria);
  EXPECT_THROW(made(asking("colour", "red")), CosLifeCycle::InvalidCriteria) << "the factory says so";
}

TEST_F(Brokered, goes_on_with_the_next_factory_and_the_next_finder) {
  name(berlin);
  ulm.end();
  EXPECT_EQ(made(asking("preferences", "max cpus")), "munich");
  names.reset();
  EXPECT_EQ(made(asking("preferences", "min cpus")), "munich") << "berlin has only a name";
}

}  // namespace
}  // namespace callis::life_cycle::testing
