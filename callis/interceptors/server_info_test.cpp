// SPDX-License-Identifier: Apache-2.0
// ServerRequestInfo: what is valid at which point (CORBA 3.0.3, table 21-2), what it says, contexts and slots.
#include <callis/interceptors/testing/server_fixture.h>
#include <callis/interceptors/testing/wire.h>
#include <callis/orb/server/server.h>
#include <thread>

namespace callis::interceptors::testing {
namespace {

struct ServerInfo : Server {};

// A letter for each member: y, n, or - for what is valid and not available.
std::string row(PI::ServerRequestInfo_ptr ri) {
  std::string all = common_row(ri);
  const auto add = [&](auto&& f) { all += validity_of(f); };
  all += ' ';
  add([&] { delete ri->sending_exception(); });
  add([&] { delete ri->object_id(); });
  add([&] { delete ri->adapter_id(); });
  add([&] { CORBA::String_var(ri->server_id()); });
  add([&] { CORBA::String_var(ri->orb_id()); });
  add([&] { delete ri->adapter_name(); });
  add([&] { CORBA::String_var(ri->target_most_derived_interface()); });
  add([&] { CORBA::Policy_var(ri->get_server_policy(23)); });
  add([&] { ri->set_slot(0, CORBA::Any()); });
  add([&] { ri->target_is_a("IDL:x:1.0"); });
  add([&] { ri->add_reply_service_context(context(7, {}), true); });
  return all;
}

TEST_F(ServerInfo, the_servers_id_is_empty_where_no_option_gives_it) {
  std::string id = "none";
  a->at["receive_request"] = [&](PI::ServerRequestInfo_ptr ri) { id = CORBA::String_var(ri->server_id()).in(); };
  EXPECT_EQ(ping(), "ok");
  EXPECT_EQ(id, "");
}

TEST_F(ServerInfo, has_the_members_of_the_table_at_each_point) {
  std::map<std::string, std::string> rows;
  for (const char* point : {"contexts", "receive_request", "send_reply", "send_exception", "send_other"})
    a->at[point] = [&rows, point](PI::ServerRequestInfo_ptr ri) { rows[point] = row(ri); };
  EXPECT_EQ(ping(), "ok");
  EXPECT_EQ(rows["contexts"], "yynnnnnyynnyyn nnnnnnn-yny");
  EXPECT_EQ(rows["receive_request"], "yyyyyynyynnyyn nyyyyyyyyyy");
  EXPECT_EQ(rows["send_reply"], "yyyyyyyyyynyyy nyyyyynyyny");
  b->at["receive_request"] = deny_request;
  ping();
  EXPECT_EQ(rows["send_exception"], "yynyynnyyynyyy yyyyyynyyny");
  b->at["receive_request"] = forward_request(own.in());
  ping();
  EXPECT_EQ(rows["send_other"], "yynyynnyyyyyyy nyyyyynyyny");
}

TEST_F(ServerInfo, has_no_adapter_where_none_was_found) {
  const PortableServer::ObjectId_var id = root->reference_to_id(own.in());
  root->deactivate_object(id.in());
  std::string at_end;
  a->at["send_exception"] = [&](PI::ServerRequestInfo_ptr ri) { at_end = row(ri); };
  ping();
  EXPECT_EQ(at_end, "yyn--nnyyynyyy y--yy-n-yny");
}

TEST_F(ServerInfo, is_good_for_nothing_afterwards) {
  PI::ServerRequestInfo_var kept;
  a->at["send_reply"] = [&](PI::ServerRequestInfo_ptr ri) { kept = PI::ServerRequestInfo::_duplicate(ri); };
  EXPECT_EQ(ping(), "ok");
  EXPECT_EQ(row(kept.in()), "nnnnnnnnnnnnnn nnnnnnnnnnn");
}

TEST_F(ServerInfo, names_operation_object_and_adapter) {
  CORBA::PolicyList none;
  const PortableServer::POA_var child = root->create_POA("child", manager.in(), none);
  const PortableServer::POA_var grandchild = child->create_POA("grand", manager.in(), none);
  PortableServer::Servant_var<Probe> servant(new Probe);
  const PortableServer::ObjectId_var id = grandchild->activate_object(servant.in());
  const CORBA::Object_var there = grandchild->id_to_reference(id.in());
  object = seen_by_client(there.in());
  a->at["receive_request"] = [&](PI::ServerRequestInfo_ptr ri) {
    EXPECT_STREQ(CORBA::String_var(ri->operation()), "ping");
    const PI::AdapterName_var name = ri->adapter_name();
    ASSERT_EQ(name->length(), 3u);
    EXPECT_STREQ(name.in()[0], "RootPOA");
    EXPECT_STREQ(name.in()[1], "child");
    EXPECT_STREQ(name.in()[2], "grand");
    const PI::ObjectId_var object_id = ri->object_id();
    EXPECT_EQ(ints(object_id.in()), (std::vector<int>{id->get_buffer(), id->get_buffer() + id->length()}));
    const CORBA::OctetSeq_var adapter_id = ri->adapter_id();
    const PortableServer::ObjectId_var expected = grandchild->id();
    EXPECT_EQ(ints(adapter_id.in()),
              (std::vector<int>{expected->get_buffer(), expected->get_buffer() + expected->length()}));
    EXPECT_STREQ(CORBA::String_var(ri->target_most_derived_interface()), poa::testing::kProbeId);
    EXPECT_TRUE(ri->target_is_a(poa::testing::kBaseId));
    EXPECT_FALSE(ri->target_is_a("IDL:test/Other:1.0"));
    EXPECT_STREQ(CORBA::String_var(ri->orb_id()), CORBA::String_var(core->id()));
    EXPECT_EQ(caught<CORBA::INV_POLICY>([&] { ri->get_server_policy(4711); }).minor(), orb::omg(3));
  };
  EXPECT_EQ(ping(), "ok");
  EXPECT_EQ(log.back(), "A.send_reply");
}

// --- contexts ---

// Returns the server's answer to the bytes.
std::vector<Byte> answer(orb::Core& core, ByteView request) {
  const auto connection = core.server().make_memory_connection("wire");
  Buffer out;
  EXPECT_TRUE(connection->bytes_in(request, out));
  return {out.data(), out.data() + out.size()};
}

TEST_F(ServerInfo, reads_and_adds_contexts_byte_by_byte) {
  const ByteView key = core->own_key(own.in());
  for (const int minor : {0, 1, 2}) {
    a->at["contexts"] = [](PI::ServerRequestInfo_ptr ri) {
      const IOP::ServiceContext_var c0 = ri->get_request_service_context(0x77);
      EXPECT_EQ(ints(c0->context_data), (std::vector{5, 6}));
      EXPECT_EQ(caught<CORBA::BAD_PARAM>([&] { ri->get_request_service_context(0x78); }).minor(), orb::omg(26));
      ri->add_reply_service_context(context(0xa1, {1}), false);
    };
    a->at["send_reply"] = [](PI::ServerRequestInfo_ptr ri) {
      ri->add_reply_service_context(context(0xa2, {2, 3, 4, 5, 6}), false);
      EXPECT_EQ(caught<CORBA::BAD_INV_ORDER>([&] {
                  ri->add_reply_service_context(context(0xa1, {}), false);
                }).minor(),
                orb::omg(15));
      const IOP::ServiceContext_var c0 = ri->get_reply_service_context(0xa1);
      EXPECT_EQ(ints(c0->context_data), std::vector{1});
    };
    Buffer request;
    cdr::Encoder e(request);
    const std::vector<Byte> data = {Byte{5}, Byte{6}};
    const giop::ServiceContext c0{0x77, data};
    giop::OutgoingRequest r;
    r.request_id = 9;
    r.operation = "add";
    r.target = giop::Target::key(key);
    r.contexts = {&c0, 1};
    const auto started = giop::begin_request(e, {1, static_cast<std::uint8_t>(minor)}, r);
    e.put_ulong(2);
    e.put_ulong(3);
    ASSERT_EQ(giop::finish_message(e, started), Fault::None);

    Wire expected;
    const auto contexts = [&] {
      expected.ulong(2).ulong(0xa1).ulong(1).octets({1, 0, 0, 0}).ulong(0xa2).ulong(5).octets({2, 3, 4, 5, 6});
    };
    if (minor == 2) {
      expected.ulong(9).ulong(0);
      contexts();  // up to 57, with the header
      expected.octets({0, 0, 0, 0, 0, 0, 0});
    } else {
      contexts();
      expected.octets({0, 0, 0}).ulong(9).ulong(0);
    }
    expected.ulong(5);
    EXPECT_EQ(answer(*core, request.view()), expected.message(minor, 1)) << minor;
  }
  EXPECT_EQ(log.back(), "A.send_reply");
}

TEST_F(ServerInfo, adds_contexts_to_exceptions_and_empty_replies) {
  ClientRecorder* const recorder = new ClientRecorder("X", log);
  const PI::ClientRequestInterceptor_var counted = recorder;
  const auto other = orb::Counted<orb::Core>::adopt(
      make_orb({[&](PI::ORBInitInfo_ptr info) { info->add_client_request_interceptor(counted.in()); }, {}},
               {"-ORBSyncScope", "target"}));
  const CORBA::String_var text = core->object_to_string(own.in());
  object = other->string_to_object(text.in());
  int seen = 0;
  const ClientRecorder::Act look = [&](PI::ClientRequestInfo_ptr ri) {
    const IOP::ServiceContext_var c0 = ri->get_reply_service_context(0xa1);
    EXPECT_EQ(ints(c0->context_data), std::vector{1});
    ++seen;
  };
  recorder->at = {{"receive_reply", look}, {"receive_exception", look}};
  a->at["contexts"] = [](PI::ServerRequestInfo_ptr ri) { ri->add_reply_service_context(context(0xa1, {1}), false); };
  EXPECT_EQ(ping(), "ok");
  OrbFixture::tick(object.in(), 1);
  EXPECT_EQ(log.back(), "X.receive_reply") << "of a oneway that is answered";
  EXPECT_EQ(outcome_of([&] { OrbFixture::greet(object.in(), "stranger"); }), "Refused");
  b->at["receive_request"] = deny_request;
  EXPECT_EQ(ping(), "NO_PERMISSION 7 NO");
  EXPECT_EQ(seen, 4);
  other->destroy();
}

// --- slots ---

TEST_F(ServerInfo, hands_slots_to_the_servant_and_back) {
  const CORBA::Object_var o = core->resolve_initial_references("PICurrent");
  const PI::Current_var current = PI::Current::_narrow(o.in());
  current->set_slot(slots[0], any_of(100));  // of this thread, which serves, too
  a->at["contexts"] = [&](PI::ServerRequestInfo_ptr ri) {
    EXPECT_EQ(number(ri->get_slot(slots[0])), 0u);
    ri->set_slot(slots[0], any_of(1));
    EXPECT_THROW(ri->set_slot(2, any_of(1)), PI::InvalidSlot);
  };
  a->at["receive_request"] = [&](PI::ServerRequestInfo_ptr ri) {
    EXPECT_EQ(number(current->get_slot(slots[0])), 1u) << "the thread's are a copy of the request's";
    ri->set_slot(slots[0], any_of(2));
    EXPECT_EQ(number(current->get_slot(slots[0])), 1u) << "made before this";
    current->set_slot(slots[1], any_of(3));
  };
  probe.in()->during = [&] {
    EXPECT_EQ(number(current->get_slot(slots[0])), 1u);
    EXPECT_EQ(number(current->get_slot(slots[1])), 3u);
    current->set_slot(slots[0], any_of(4));
  };
  a->at["send_reply"] = [&](PI::ServerRequestInfo_ptr ri) {
    EXPECT_EQ(number(ri->get_slot(slots[0])), 4u) << "copied back when the servant is done";
    EXPECT_EQ(number(ri->get_slot(slots[1])), 3u);
  };
  EXPECT_EQ(outcome_of([&] { OrbFixture::act(object.in()); }), "ok");
  EXPECT_EQ(log.back(), "A.send_reply");
  EXPECT_EQ(number(current->get_slot(slots[0])), 100u) << "the thread has its own again";
  EXPECT_EQ(number(current->get_slot(slots[1])), 0u);
}

TEST_F(ServerInfo, hands_slots_to_servants_on_the_main_thread) {
  const CORBA::Object_var o = core->resolve_initial_references("PICurrent");
  const PI::Current_var current = PI::Current::_narrow(o.in());
  CORBA::PolicyList policies;
  policies.length(1);
  policies[0] = root->create_thread_policy(PortableServer::MAIN_THREAD_MODEL);
  const PortableServer::POA_var child = root->create_POA("main", manager.in(), policies);
  PortableServer::Servant_var<Probe> servant(new Probe);
  const PortableServer::ObjectId_var id = child->activate_object(servant.in());
  const CORBA::Object_var there = child->id_to_reference(id.in());
  object = seen_by_client(there.in());
  const std::thread::id main = std::this_thread::get_id();
  current->set_slot(slots[0], any_of(100));
  std::atomic<int> points{0};
  const auto here = [&](CORBA::ULong expected) {
    EXPECT_EQ(std::this_thread::get_id(), main);
    EXPECT_EQ(number(current->get_slot(slots[0])), expected);
    ++points;
  };
  a->at["contexts"] = [&](PI::ServerRequestInfo_ptr ri) { ri->set_slot(slots[0], any_of(1)); };
  a->at["receive_request"] = [&](PI::ServerRequestInfo_ptr) { here(1); };
  servant.in()->during = [&] {
    here(1);
    current->set_slot(slots[0], any_of(2));
  };
  a->at["send_reply"] = [&](PI::ServerRequestInfo_ptr ri) {
    EXPECT_EQ(std::this_thread::get_id(), main);
    EXPECT_EQ(number(ri->get_slot(slots[0])), servant.in()->ticks == 0 ? 2u : 1u);
    ++points;
  };
  std::atomic<bool> done{false};
  std::thread calling([&] {
    EXPECT_EQ(outcome_of([&] { OrbFixture::act(object.in()); }), "ok");
    OrbFixture::tick(object.in(), 1);
    done = true;
  });
  while (!done || points < 5) core->perform_work();
  calling.join();
  here(100);
}

}  // namespace
}  // namespace callis::interceptors::testing
