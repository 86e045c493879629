// SPDX-License-Identifier: Apache-2.0
// Calls of numbers, and of structs of them: results, exceptions and bytes are the same whichever way they go.
#include "flat.h"
#include "flat_skel.h"
#include <callis/corba.h>
#include <callis/giop/giop.h>
#include <callis/orb/core/core.h>
#include <callis/orb/server/server.h>
#include <callis/poa/servant/caller.h>
#include <callis/portable_server.h>
#include <callis/transport/transport.h>
#include <gtest/gtest.h>
#include <functional>
#include <stdexcept>
#include <thread>

namespace callis {
namespace {

class Servant final : public POA_Flat::Sums {
 public:
  std::function<void()> during;

  CORBA::Long add(CORBA::Long a, CORBA::Long b) override {
    if (during) during();
    return a + b;
  }
  Flat::Point turn(Flat::Point& p, CORBA::Long& n) override {
    const Flat::Point was = p;
    p = {static_cast<CORBA::Short>(-p.x), -p.y};
    n = p.x;
    return was;
  }
  void nothing() override {
    if (during) during();
  }
  CORBA::Octet narrow(CORBA::Octet b) override { return b; }
  CORBA::Boolean no(CORBA::Boolean b) override { return !b; }
  Flat::Colour next(Flat::Colour c) override { return c == Flat::red ? Flat::green : Flat::red; }
  char* name(CORBA::Long n) override { return CORBA::string_dup(std::to_string(n).c_str()); }
};

CORBA::ORB_var make_orb(const char* id, std::initializer_list<const char*> options) {
  std::vector<char*> arguments{const_cast<char*>("flat_test")};
  for (const char* o : options) arguments.push_back(const_cast<char*>(o));
  int n = static_cast<int>(arguments.size());
  arguments.push_back(nullptr);
  return CORBA::ORB_init(n, arguments.data(), id);
}

struct Calls : ::testing::TestWithParam<const char*> {
  CORBA::ORB_var server = make_orb("server", {"-ORBEndpoint", "tcp:127.0.0.1:0", "-ORBServerThreads", GetParam()});
  CORBA::ORB_var client = make_orb("client", {});
  PortableServer::POA_var poa = PortableServer::POA::_narrow(CORBA::Object_var(
      server->resolve_initial_references("RootPOA")).in());
  PortableServer::Servant_var<Servant> servant{new Servant};
  CORBA::Object_var own;
  Flat::Sums_var sums;
  std::thread serves;

  Calls() {
    poa->the_POAManager()->activate();
    const PortableServer::ObjectId_var id = poa->activate_object(servant.in());
    own = poa->id_to_reference(id.in());
    const CORBA::String_var text = server->object_to_string(own.in());
    sums = Flat::Sums::_narrow(CORBA::Object_var(client->string_to_object(text.in())).in());
    if (std::string_view(GetParam()) == "single") serves = std::thread([this] { server->run(); });
  }
  ~Calls() override {
    client->destroy();
    server->shutdown(!serves.joinable());
    if (serves.joinable()) serves.join();
    server->destroy();
  }
  // The first call of an operation over a connection goes the other way.
  void warm_up() {
    for (int i = 0; i < 3; ++i) EXPECT_EQ(sums->add(i, 40), i + 40);
  }
};

TEST_P(Calls, have_the_same_results_each_time) {
  for (int i = 0; i < 4; ++i) {
    EXPECT_EQ(sums->add(i, -7), i - 7);
    Flat::Point p{static_cast<CORBA::Short>(i), 0.5};
    CORBA::Long n = 0;
    const Flat::Point was = sums->turn(p, n);
    EXPECT_EQ(was.x, i);
    EXPECT_EQ(was.y, 0.5);
    EXPECT_EQ(p.x, -i);
    EXPECT_EQ(p.y, -0.5);
    EXPECT_EQ(n, -i);
    sums->nothing();
    EXPECT_EQ(sums->narrow(static_cast<CORBA::Octet>(200 + i)), 200 + i);
    EXPECT_EQ(sums->no(i % 2 == 0), i % 2 != 0);
    EXPECT_EQ(sums->next(Flat::red), Flat::green);
    EXPECT_STREQ(CORBA::String_var(sums->name(i)).in(), std::to_string(i).c_str());
  }
}

TEST_P(Calls, give_exceptions_of_all_kinds_and_go_on) {
  warm_up();
  for (int round = 0; round < 2; ++round) {
    servant->during = [] { throw Flat::Refused(11); };
    try {
      sums->add(1, 2);
      FAIL();
    } catch (const Flat::Refused& e) {
      EXPECT_EQ(e.why, 11);
    }
    EXPECT_THROW(sums->nothing(), CORBA::UNKNOWN) << "an exception that the operation does not raise";
    servant->during = [] { throw CORBA::NO_PERMISSION(7, CORBA::COMPLETED_YES); };
    try {
      sums->add(1, 2);
      FAIL();
    } catch (const CORBA::NO_PERMISSION& e) {
      EXPECT_EQ(e.minor(), 7u);
      EXPECT_EQ(e.completed(), CORBA::COMPLETED_YES);
    }
    servant->during = [] { throw std::runtime_error("none of CORBA's"); };
    EXPECT_THROW(sums->add(1, 2), CORBA::UNKNOWN);
    servant->during = [] { throw std::bad_alloc(); };
    EXPECT_THROW(sums->add(1, 2), CORBA::NO_MEMORY);
    servant->during = nullptr;
    EXPECT_EQ(sums->add(1, 2), 3);
  }
}

TEST_P(Calls, are_requests_for_POACurrent_for_this_and_for_who_calls) {
  const auto current = PortableServer::Current::_narrow(
      CORBA::Object_var(server->resolve_initial_references("POACurrent")).in());
  const PortableServer::Current_var holds(current);
  const PortableServer::ObjectId_var id = poa->servant_to_id(servant.in());
  warm_up();
  bool looked = false;
  servant->during = [&] {
    const PortableServer::ObjectId_var of_call = holds->get_object_id();
    ASSERT_EQ(of_call->length(), id->length());
    EXPECT_TRUE(std::equal(of_call->get_buffer(), of_call->get_buffer() + id->length(), id->get_buffer()));
    EXPECT_TRUE(own->_is_equivalent(Flat::Sums_var(servant->_this()).in()));
    EXPECT_EQ(Caller::current().text(), "nobody (127.0.0.1)");
    looked = true;
  };
  EXPECT_EQ(sums->add(2, 2), 4);
  EXPECT_TRUE(looked);
  EXPECT_THROW(holds->get_POA(), PortableServer::Current::NoContext) << "outside";
}

TEST_P(Calls, find_no_object_that_has_been_deactivated) {
  warm_up();
  const PortableServer::ObjectId_var id = poa->servant_to_id(servant.in());
  poa->deactivate_object(id.in());
  EXPECT_THROW(sums->add(1, 2), CORBA::OBJECT_NOT_EXIST);
  poa->activate_object_with_id(id.in(), servant.in());
}

TEST_P(Calls, wait_for_their_end_when_the_object_is_deactivated_inside) {
  warm_up();
  const PortableServer::ObjectId_var id = poa->servant_to_id(servant.in());
  servant->during = [&] { poa->deactivate_object(id.in()); };
  EXPECT_EQ(sums->add(1, 2), 3);
  servant->during = nullptr;
  EXPECT_THROW(sums->add(1, 2), CORBA::OBJECT_NOT_EXIST);
}

// The client repeats a call with the last request's bytes, as long as nothing has come between.
TEST_P(Calls, are_right_whatever_has_come_between_two_equal_ones) {
  const PortableServer::Servant_var<Servant> another{new Servant};
  const PortableServer::ObjectId_var id = poa->activate_object(another.in());
  const CORBA::String_var text = server->object_to_string(CORBA::Object_var(poa->id_to_reference(id.in())).in());
  const Flat::Sums_var other = Flat::Sums::_narrow(CORBA::Object_var(client->string_to_object(text.in())).in());
  int mine = 0, others = 0;
  servant->during = [&] { ++mine; };
  another->during = [&] { ++others; };
  Flat::Point p{1, 2};
  CORBA::Long n = 0;
  const std::function<void()> between[] = {
      [] {},
      [&] { EXPECT_EQ(sums->add(3, 4), 7); },
      [&] { EXPECT_EQ(other->add(3, 4), 7); },
      [&] { other->nothing(); },
      [&] { sums->turn(p, n); },
      [&] { EXPECT_STREQ(CORBA::String_var(sums->name(5)).in(), "5"); },
      [&] { EXPECT_FALSE(sums->_non_existent()); },
      [&] {
        servant->during = [] { throw Flat::Refused(1); };
        EXPECT_THROW(sums->nothing(), CORBA::UNKNOWN);
        EXPECT_THROW(sums->add(1, 1), Flat::Refused);
        servant->during = [&] { ++mine; };
      },
      [&] { std::thread([&] { EXPECT_EQ(sums->add(8, 9), 17); }).join(); },
      [&] { EXPECT_FALSE(other->_is_a(std::string(2000, 'x').c_str())); },
  };
  for (const auto& b : between)
    for (int round = 0; round < 3; ++round) {
      EXPECT_EQ(sums->add(round, 100), round + 100);
      b();
      const int before = mine, before_others = others;
      EXPECT_EQ(sums->add(round, 200), round + 200);
      sums->nothing();
      EXPECT_EQ(mine, before + 2) << "the call has reached the object that it was made on";
      EXPECT_EQ(others, before_others);
    }
  client->shutdown(true);
  EXPECT_THROW(sums->nothing(), CORBA::BAD_INV_ORDER);
}

INSTANTIATE_TEST_SUITE_P(Models, Calls, ::testing::Values("connection", "pool", "single"),
                         [](const auto& i) { return std::string(i.param); });

// --- The wire

using Bytes = std::vector<Byte>;

struct Wire : ::testing::Test {
  CORBA::ORB_var server = make_orb("server", {"-ORBEndpoint", "tcp:127.0.0.1:0"});
  PortableServer::POA_var poa = PortableServer::POA::_narrow(CORBA::Object_var(
      server->resolve_initial_references("RootPOA")).in());
  PortableServer::Servant_var<Servant> servant{new Servant};
  CORBA::Object_var own;
  std::unique_ptr<transport::Stream> stream;

  Wire() {
    PortableServer::POAManager_var(poa->the_POAManager())->activate();
    const PortableServer::ObjectId_var id = poa->activate_object(servant.in());
    own = poa->id_to_reference(id.in());
    const std::uint16_t port = static_cast<orb::Core*>(server.in())->server().published().front().port;
    stream = transport::connect_tcp("127.0.0.1", port, kPatience).value();
  }
  ~Wire() override { server->destroy(); }

  // The reply to a request for add() with these arguments, whole; and with other bytes behind them.
  Bytes ask(std::uint32_t id, std::initializer_list<CORBA::Long> arguments, ByteOrder order = kNativeOrder,
            giop::Version version = giop::kGiop12) {
    const ByteView key = static_cast<orb::Core*>(server.in())->own_key(own.in());
    Buffer b;
    cdr::Encoder e(b, order);
    giop::OutgoingRequest o;
    o.request_id = id;
    o.target = giop::Target::key(key);
    o.operation = "add";
    const giop::Started s = giop::begin_request(e, version, o);
    for (const CORBA::Long a : arguments) e.put(static_cast<std::uint32_t>(a));
    EXPECT_EQ(giop::finish_message(e, s), Fault::None);
    EXPECT_TRUE(stream->send(b.view(), kPatience).ok());
    Bytes reply(giop::kHeaderBytes);
    EXPECT_TRUE(receive(reply, 0));
    const bool swap = (reply[6] & 1) != static_cast<Byte>(kNativeOrder);
    reply.resize(giop::kHeaderBytes + load<std::uint32_t>(reply.data() + 8, swap));
    EXPECT_TRUE(receive(reply, giop::kHeaderBytes));
    return reply;
  }

 private:
  static inline const Deadline kPatience = Deadline::in(Duration(20'000));

  bool receive(Bytes& into, std::size_t from) {
    while (from < into.size()) {
      const auto t = stream->receive({into.data() + from, into.size() - from}, kPatience);
      if (!t.ok()) return false;
      from += t.bytes;
    }
    return true;
  }
};

Bytes with_id(Bytes reply, std::uint32_t id) {
  store(reply.data() + giop::kHeaderBytes, id);
  return reply;
}

TEST_F(Wire, has_the_same_bytes_whichever_way_a_request_goes) {
  const Bytes first = ask(1, {20, 22});
  ASSERT_EQ(first.size(), 28u);
  EXPECT_EQ(load<std::uint32_t>(first.data() + 24), 42u);
  for (std::uint32_t id = 2; id < 6; ++id) EXPECT_EQ(ask(id, {20, 22}), with_id(first, id));
}

TEST_F(Wire, shows_a_system_exception_with_the_same_bytes) {
  servant->during = [] { throw CORBA::NO_PERMISSION(7, CORBA::COMPLETED_YES); };
  const Bytes first = ask(1, {20, 22});
  EXPECT_EQ(load<std::uint32_t>(first.data() + 16), 2u) << "SYSTEM_EXCEPTION";
  for (std::uint32_t id = 2; id < 6; ++id) EXPECT_EQ(ask(id, {20, 22}), with_id(first, id));
}

TEST_F(Wire, of_arguments_that_end_too_early_is_refused_however_often_and_others_are_served) {
  for (std::uint32_t id = 1; id < 4; ++id) EXPECT_EQ(load<std::uint32_t>(ask(id, {20, 22}).data() + 24), 42u);
  const Bytes refused = ask(4, {20});
  EXPECT_EQ(load<std::uint32_t>(refused.data() + 16), 2u);
  EXPECT_NE(std::string(refused.begin(), refused.end()).find("IDL:omg.org/CORBA/MARSHAL:1.0"), std::string::npos);
  for (std::uint32_t id = 5; id < 8; ++id) EXPECT_EQ(load<std::uint32_t>(ask(id, {20, 22}).data() + 24), 42u);
}

TEST_F(Wire, may_have_more_bytes_behind_the_arguments) {
  for (std::uint32_t id = 1; id < 4; ++id) EXPECT_EQ(load<std::uint32_t>(ask(id, {20, 22, 9, 9}).data() + 24), 42u);
}

TEST_F(Wire, in_the_other_byte_order_or_of_an_older_version_is_served_by_the_other_way) {
  for (std::uint32_t id = 1; id < 5; ++id) {
    const Bytes swapped = ask(2 * id, {20, 22}, other(kNativeOrder));
    EXPECT_EQ(load<std::uint32_t>(swapped.data() + swapped.size() - 4, swapped[6] != Byte(kNativeOrder)), 42u);
    const Bytes old = ask(2 * id + 1, {20, 22}, kNativeOrder, giop::kGiop10);
    EXPECT_EQ(load<std::uint32_t>(old.data() + old.size() - 4), 42u);
  }
}

}  // namespace
}  // namespace callis
