// SPDX-License-Identifier: Apache-2.0
// ORBs and the root adapter of the micro profile: options, initial references, objects, managers, the end.
#include <callis/micro/testing/pair.h>
#include <callis/orb/base/minor_codes.h>

namespace callis::micro {
namespace {

using namespace testing;

std::string refusal(std::vector<std::string> options) {
  const auto e = caught<CORBA::BAD_PARAM>([&] { CORBA::release(make_orb("refused", std::move(options))); });
  EXPECT_EQ(e.minor(), orb::kBadOption);
  return e.what();
}

TEST(MicroOptions, are_taken_out_of_argv_and_the_rest_keeps_its_order) {
  std::string words[] = {"program", "-ORBCallTimeout", "7", "a", "-ORBid", "named", "b"};
  char* argv[8] = {};
  for (int i = 0; i < 7; ++i) argv[i] = words[i].data();
  int argc = 7;
  const CORBA::ORB_var made = CORBA::ORB_init(argc, argv, "");
  ASSERT_EQ(argc, 3);
  EXPECT_STREQ(argv[1], "a");
  EXPECT_STREQ(argv[2], "b");
  EXPECT_EQ(argv[3], nullptr);
  EXPECT_STREQ(CORBA::String_var(made->id()), "named");
  made->destroy();
}

TEST(MicroOptions, that_are_wrong_are_refused_by_name) {
  EXPECT_NE(refusal({"-ORBSpin", "3"}).find("-ORBSpin 3: the micro profile has no such option"), std::string::npos);
  EXPECT_NE(refusal({"-ORBEndpoint", "unix:/x"}).find("has no other endpoints"), std::string::npos);
  EXPECT_NE(refusal({"-ORBMaxConnections", "0"}).find("-ORBMaxConnections 0"), std::string::npos);
  EXPECT_NE(refusal({"-ORBMaxConnections", "97"}).find("-ORBMaxConnections 97"), std::string::npos);
  EXPECT_NE(refusal({"-ORBCallTimeout", "soon"}).find("no such number"), std::string::npos);
  EXPECT_NE(refusal({"-ORBCallTimeout"}).find("the value is missing"), std::string::npos);
  EXPECT_NE(refusal({"-ORBInitRef", "x"}).find("NAME=REFERENCE"), std::string::npos);
  EXPECT_NE(refusal({"-ORBEndpoint", "tcp:127.0.0.1:65536"}).find("wants tcp:HOST:PORT"), std::string::npos);
  EXPECT_NE(refusal({"-ORBEndpoint", "tcp:::1:80"}).find("wants tcp:HOST:PORT"), std::string::npos);
}

TEST(MicroOptions, give_endpoint_and_published_address) {
  Served server({"-ORBEndpoint", "tcp:127.0.0.1:0", "-ORBPublish", "192.0.2.7:2809"});
  const CORBA::Object_var object = server.poa->id_to_reference(server.id_of_object.in());
  EXPECT_EQ(address_of(object.in()), (ior::Address{"192.0.2.7", 2809}));
}

TEST(MicroOrb, that_cannot_listen_says_where_and_why) {
  Served first;
  const CORBA::Object_var object = first.poa->id_to_reference(first.id_of_object.in());
  const std::string at = "tcp:127.0.0.1:" + std::to_string(address_of(object.in()).port);
  const CORBA::ORB_var second = make_orb("second", {"-ORBEndpoint", at});
  const auto e = caught<CORBA::INITIALIZE>([&] { (void)second->resolve_initial_references("RootPOA"); });
  EXPECT_EQ(e.minor(), orb::kCannotListen);
  EXPECT_NE(std::string(e.what()).find(at), std::string::npos) << e.what();
  second->destroy();
}

TEST(MicroOrb, knows_initial_references_of_options_and_those_that_are_registered) {
  Served server;
  Client client({"-ORBInitRef", "Meter=" + server.text()});
  const CORBA::Object_var object = client.orb->resolve_initial_references("Meter");
  EXPECT_EQ(Parts::Meter_var(Parts::Meter::_narrow(object.in()))->twice(3), 6);
  const CORBA::Object_var same = client.orb->string_to_object("corbaloc:rir:/Meter");
  EXPECT_TRUE(same->_is_equivalent(object.in()));
  client.orb->register_initial_reference("Again", object.in());
  EXPECT_THROW(client.orb->register_initial_reference("Again", object.in()), CORBA::ORB::InvalidName);
  EXPECT_THROW((void)client.orb->resolve_initial_references("Nothing"), CORBA::ORB::InvalidName);
  const CORBA::ORB::ObjectIdList_var names = client.orb->list_initial_services();
  ASSERT_EQ(names->length(), 3u);
  EXPECT_STREQ(names[0u], "RootPOA");
  EXPECT_STREQ(names[1u], "Meter");
  EXPECT_STREQ(names[2u], "Again");
}

TEST(MicroOrb, of_the_same_id_is_the_same_until_it_is_destroyed) {
  const CORBA::ORB_var a = make_orb("same"), b = make_orb("same");
  EXPECT_EQ(a.in(), b.in());
  a->destroy();
  EXPECT_THROW(a->destroy(), CORBA::OBJECT_NOT_EXIST);
  EXPECT_THROW(CORBA::release(a->string_to_object("IOR:00")), CORBA::OBJECT_NOT_EXIST);
  const CORBA::ORB_var c = make_orb("same");
  EXPECT_NE(a.in(), c.in());
  c->destroy();
}

TEST(MicroOrb, texts_that_are_no_references_are_refused_with_the_standards_minor_codes) {
  Client client;
  const auto minor = [&](const char* text) {
    return caught<CORBA::BAD_PARAM>([&] { CORBA::release(client.orb->string_to_object(text)); }).minor();
  };
  EXPECT_EQ(minor("http://x"), orb::omg(7));
  EXPECT_EQ(minor("corbaname::127.0.0.1#x"), orb::omg(7));
  EXPECT_EQ(minor("IOR:0"), orb::omg(9));
  EXPECT_EQ(minor("corbaloc::127.0.0.1:99999/x"), orb::omg(8));
  const CORBA::Object_var nil = client.orb->string_to_object("IOR:0000000000000001000000000000000000000000");
  EXPECT_TRUE(CORBA::is_nil(nil.in()));
}

TEST(MicroOrb, runs_until_a_servant_shuts_it_down) {
  Served server;
  Client client;
  const Parts::Meter_var meter = client.meter(server.text());
  meter->stop();
  EXPECT_THROW(server.orb->run(), CORBA::BAD_INV_ORDER) << "it has been shut down";
  EXPECT_THROW(meter->twice(1), CORBA::TRANSIENT);
}

TEST(MicroOrb, cannot_be_waited_for_in_an_upcall) {
  struct Waiter final : POA_Parts::Listener {
    CORBA::Long heard(const char*) override {
      orb->shutdown(true);
      return 0;
    }
    CORBA::ORB_var orb;
  };
  Served server;
  const PortableServer::Servant_var<Waiter> waiter = new Waiter;
  waiter->orb = server.orb;
  const Parts::Listener_var there = waiter->_this();
  const auto e = caught<CORBA::BAD_INV_ORDER>([&] { there->heard(""); });
  EXPECT_EQ(e.minor(), orb::omg(3));
}

TEST(MicroOrb, has_work_when_a_client_has_called) {
  Served server;
  EXPECT_FALSE(server.orb->work_pending());
  server.orb->perform_work();
  Client client;
  const Parts::Meter_var meter = client.meter(server.text());
  meter->note("x");
  EXPECT_TRUE(server.orb->work_pending());
  while (server.orb->work_pending()) server.orb->perform_work();
  EXPECT_STREQ(CORBA::String_var(server.servant->noted()), "x");
}

TEST(MicroOrb, runs_and_waits_for_work_for_a_limited_time) {
  Served server;
  EXPECT_FALSE(server.orb->work_pending_for(1'000));
  server.orb->run_for(1'000);
  Client client;
  const Parts::Meter_var meter = client.meter(server.text());
  meter->note("x");
  EXPECT_TRUE(server.orb->work_pending_for(20'000'000));
  while (server.orb->work_pending()) server.orb->run_for(1);
  EXPECT_STREQ(CORBA::String_var(server.servant->noted()), "x");
}

// --- The root adapter ---

TEST(MicroAdapter, gives_each_servant_one_object) {
  Served server;
  EXPECT_THROW((void)server.poa->activate_object(server.servant.in()), PortableServer::POA::ServantAlreadyActive);
  const PortableServer::ObjectId_var id = server.poa->servant_to_id(server.servant.in());
  EXPECT_TRUE(std::ranges::equal(poa::bytes_of(id.in()), poa::bytes_of(server.id_of_object.in())));
  const CORBA::Object_var object = server.poa->servant_to_reference(server.servant.in());
  const PortableServer::ServantBase_var back = server.poa->reference_to_servant(object.in());
  EXPECT_EQ(back.in(), static_cast<PortableServer::ServantBase*>(server.servant.in()));
  const PortableServer::ServantBase_var by_id = server.poa->id_to_servant(id.in());
  EXPECT_EQ(by_id.in(), back.in());
}

TEST(MicroAdapter, lets_servants_go_when_their_objects_are_deactivated) {
  Served server;
  EXPECT_EQ(server.servant->_refcount_value(), 2u);
  server.poa->deactivate_object(server.id_of_object.in());
  EXPECT_EQ(server.servant->_refcount_value(), 1u);
  EXPECT_THROW(server.poa->deactivate_object(server.id_of_object.in()), PortableServer::POA::ObjectNotActive);
  EXPECT_THROW((void)server.poa->id_to_reference(server.id_of_object.in()), PortableServer::POA::ObjectNotActive);
  server.poa->activate_object_with_id(server.id_of_object.in(), server.servant.in());
  EXPECT_THROW(server.poa->activate_object_with_id(server.id_of_object.in(), server.servant.in()),
               PortableServer::POA::ObjectAlreadyActive);
  const PortableServer::Servant_var<Meter> other = new Meter(server.orb.in());
  const PortableServer::ObjectId_var id = server.poa->activate_object(other.in());
  EXPECT_FALSE(std::ranges::equal(poa::bytes_of(id.in()), poa::bytes_of(server.id_of_object.in())));
}

TEST(MicroAdapter, makes_references_of_objects_to_come) {
  Served server;
  Client client;
  const CORBA::Object_var to_come = server.poa->create_reference("IDL:Parts/Meter:1.0");
  const Parts::Meter_var meter =
      client.meter(CORBA::String_var(server.orb->object_to_string(to_come.in())).in());
  EXPECT_THROW(meter->twice(1), CORBA::OBJECT_NOT_EXIST);
  const PortableServer::ObjectId_var id = server.poa->reference_to_id(to_come.in());
  const PortableServer::Servant_var<Meter> servant = new Meter(server.orb.in());
  server.poa->activate_object_with_id(id.in(), servant.in());
  EXPECT_EQ(meter->twice(1), 2);
}

TEST(MicroAdapter, refuses_ids_and_references_of_others) {
  Served server, other({}, "other");
  const CORBA::Object_var theirs = other.poa->id_to_reference(other.id_of_object.in());
  EXPECT_THROW((void)server.poa->reference_to_id(theirs.in()), PortableServer::POA::WrongAdapter);
  const PortableServer::ObjectId_var made = PortableServer::string_to_ObjectId("12345678");
  const PortableServer::Servant_var<Meter> servant = new Meter(server.orb.in());
  EXPECT_EQ(caught<CORBA::BAD_PARAM>([&] { server.poa->activate_object_with_id(made.in(), servant.in()); }).minor(),
            orb::omg(14));
  EXPECT_THROW((void)server.poa->create_POA("child", nullptr, CORBA::PolicyList()), CORBA::NO_IMPLEMENT);
  EXPECT_THROW((void)server.poa->find_POA("child", true), PortableServer::POA::AdapterNonExistent);
  EXPECT_THROW((void)server.poa->get_servant(), PortableServer::POA::WrongPolicy);
  EXPECT_THROW((void)server.poa->activate_object(nullptr), CORBA::BAD_PARAM);
}

TEST(MicroAdapter, serves_while_its_manager_is_active) {
  Served server;
  Client client;
  const Parts::Meter_var meter = client.meter(server.text());
  const PortableServer::POAManager_var manager = server.poa->the_POAManager();
  manager->discard_requests(false);
  EXPECT_EQ(caught<CORBA::TRANSIENT>([&] { meter->twice(1); }).minor(), orb::omg(1));
  manager->hold_requests(false);
  EXPECT_EQ(caught<CORBA::TRANSIENT>([&] { meter->twice(1); }).minor(), orb::omg(1));
  manager->activate();
  EXPECT_EQ(meter->twice(1), 2);
  manager->deactivate(false, false);
  EXPECT_EQ(caught<CORBA::OBJ_ADAPTER>([&] { meter->twice(1); }).minor(), orb::omg(1));
  EXPECT_THROW(manager->activate(), PortableServer::POAManager::AdapterInactive);
}

TEST(MicroAdapter, ends_with_its_ORB_and_lets_its_servants_go) {
  PortableServer::Servant_var<Meter> servant;
  PortableServer::POA_var poa;
  {
    Served server;
    servant = server.servant;
    poa = server.poa;
  }
  EXPECT_EQ(servant->_refcount_value(), 1u);
  EXPECT_THROW((void)poa->activate_object(servant.in()), CORBA::OBJECT_NOT_EXIST);
}

}  // namespace
}  // namespace callis::micro
