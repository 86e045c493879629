// SPDX-License-Identifier: Apache-2.0
// Clients that send anything: flow specs of any bytes, QoS of any type, references of others.
#include <callis/ior/iiop_profile.h>
#include <callis/ior/text.h>
#include <callis/orb/core/object_of.h>
#include <gtest/gtest.h>
#include <services/streams/flows/consent.h>
#include <services/streams/testing/serving.h>
#include <cmath>
#include <random>
#include "AVStreams_skel.h"

namespace callis::streams {
namespace {

using testing::device;
using testing::flow;
using testing::framerate;
using testing::Program;
using testing::Seen;
using testing::spec;

struct Attacked {
  Seen seen;
  Program p;
  AVStreams::MMDevice_var target;
  AVStreams::streamQoS qos;
  AVStreams::StreamEndPoint_B_var end;
  AVStreams::VDev_var vdev;
  Attacked() {
    target = p.streams->add_device(device(seen, {flow("video", false)}));
    CORBA::Boolean met = false;
    CORBA::String_var name = CORBA::string_dup("");
    end = target->create_B(AVStreams::StreamCtrl::_nil(), vdev.out(), qos, met, name.inout(), {});
  }
};

TEST(HostileClients, flow_specs_of_any_bytes_are_refused_by_exceptions_of_the_operation) {
  Attacked a;
  std::mt19937 random(19);
  const std::string alphabet = "video\\in\\RTP/UDP=127.0.0.1:;@[]0123456789SFPC\xff\x01";
  for (int i = 0; i < 3000; ++i) {
    AVStreams::flowSpec any;
    any.length(static_cast<CORBA::ULong>(random() % 3 + 1));
    for (CORBA::ULong n = 0; n < any.length(); ++n) {
      std::string text = random() % 2 ? "video\\in\\F\\" : "";
      for (std::size_t k = random() % 60; k > 0; --k) text += alphabet[random() % alphabet.size()];
      any[n] = text.c_str();
    }
    AVStreams::flowSpec asked = any;
    try {
      a.end->request_connection(AVStreams::StreamEndPoint::_nil(), random() % 8 == 0, a.qos, asked);
      a.end->disconnect({});
    } catch (const CORBA::UserException&) {}
    try {
      a.end->start(any);
    } catch (const AVStreams::noSuchFlow&) {}
  }
  AVStreams::flowSpec good = spec({"video\\in\\F\\RTP\\RTP/UDP=127.0.0.1:40000"});
  a.end->disconnect({});
  EXPECT_TRUE(a.end->request_connection(AVStreams::StreamEndPoint::_nil(), false, a.qos, good));
  EXPECT_NE(std::string(good[0].in()).find("video\\RTP/UDP=127.0.0.1:"), std::string::npos);
}

TEST(HostileClients, long_specs_are_refused) {
  Attacked a;
  AVStreams::flowSpec many;
  many.length(10000);
  for (CORBA::ULong i = 0; i < many.length(); ++i) many[i] = "video";
  EXPECT_THROW(a.end->start(many), AVStreams::noSuchFlow);
  EXPECT_THROW(a.end->request_connection(AVStreams::StreamEndPoint::_nil(), false, a.qos, many),
               AVStreams::noSuchFlow);
  AVStreams::flowSpec long_one = spec({"video\\in\\" + std::string(1 << 20, 'F')});
  EXPECT_THROW(a.end->request_connection(AVStreams::StreamEndPoint::_nil(), false, a.qos, long_one),
               CORBA::UserException);
}

TEST(HostileClients, qos_of_any_kind_is_refused) {
  Attacked a;
  for (int kind = 0; kind < 4; ++kind) {
    AVStreams::streamQoS odd = framerate("video", 5);
    if (kind == 0) odd[0].QoSParams[0].property_value <<= std::nan("");
    if (kind == 1) odd[0].QoSParams[0].property_value = CORBA::Any();
    if (kind == 2) odd[0].QoSParams[0].property_value <<= framerate("x", 1);
    if (kind == 3) odd[0].QoSParams[0].property_name = std::string(1 << 16, 'n').c_str();
    EXPECT_THROW(a.end->modify_QoS(odd, {}), AVStreams::QoSRequestFailed) << kind;
  }
  AVStreams::streamQoS many;
  many.length(1000);
  EXPECT_THROW(a.end->modify_QoS(many, {}), AVStreams::QoSRequestFailed);
}

TEST(HostileClients, properties_are_bounded) {
  Attacked a;
  CORBA::Any value;
  value <<= CORBA::Long(1);
  std::size_t taken = 0;
  try {
    for (; taken < 10000; ++taken) a.target->define_property(("p" + std::to_string(taken)).c_str(), value);
  } catch (const CORBA::IMP_LIMIT&) {}
  EXPECT_LE(taken, kPropertyBounds.properties);
  EXPECT_GT(taken, 100u);
}

TEST(HostileClients, a_flow_is_asked_for_once_and_with_an_address) {
  Attacked a;
  AVStreams::flowSpec without = spec({"video\\in\\F\\RTP\\RTP/UDP"});
  EXPECT_THROW(a.end->request_connection(AVStreams::StreamEndPoint::_nil(), false, a.qos, without),
               AVStreams::streamOpDenied);
  AVStreams::flowSpec one = spec({"video\\in\\F\\RTP\\RTP/UDP=127.0.0.1:40000"}), two = one;
  EXPECT_TRUE(a.end->request_connection(AVStreams::StreamEndPoint::_nil(), false, a.qos, one));
  EXPECT_THROW(a.end->request_connection(AVStreams::StreamEndPoint::_nil(), false, a.qos, two),
               AVStreams::streamOpDenied);
  EXPECT_NO_THROW(a.end->start({}));  // the first is as it was
}

// The datagrams that somebody at another address than the caller's gets, who never asked for anything.
class Bystander {
 public:
  explicit Bystander(const char* host)
      : sockets_(DatagramSocket::bound_pair(SocketAddress(host, 0))), host_(host) {}
  std::string address(const std::string& carrier) const {
    return carrier + "=" + host_ + ":" + std::to_string(sockets_.first.local().port());
  }
  // How many bytes have come, when the device has had time for much more.
  std::size_t bytes() {
    const auto until = std::chrono::steady_clock::now() + std::chrono::milliseconds(300);
    std::size_t out = 0;
    Byte into[2048];
    while (std::chrono::steady_clock::now() < until) {
      for (const auto* socket : {&sockets_.first, &sockets_.second})
        for (ssize_t n; (n = ::recv(socket->fd(), into, sizeof into, MSG_DONTWAIT)) >= 0;)
          out += static_cast<std::size_t>(n);
      std::this_thread::yield();
    }
    return out;
  }

 private:
  std::pair<DatagramSocket, DatagramSocket> sockets_;
  const std::string host_;
};

class EveryCarrierOfDatagrams : public ::testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Ways, EveryCarrierOfDatagrams, ::testing::Values("RTP/UDP", "UDP", "UDP;SFP1.0"),
                         [](const auto& of) { return testing::name_of(parse_way(of.param)); });

// The caller is at 127.0.0.1, and names 127.0.0.2.
TEST_P(EveryCarrierOfDatagrams, sends_a_bystander_questions_and_no_flow) {
  const Way way = parse_way(GetParam());
  Seen seen, listed;
  Program p, client;
  const auto ask = [&](Seen& of, std::vector<std::string> receivers, Bystander& bystander) {
    DeviceOffer offer = device(of, {flow("video", true, {way})});
    offer.receivers = std::move(receivers);
    const AVStreams::MMDevice_var made = p.streams->add_device(offer);
    const AVStreams::MMDevice_var camera = client.here(p, made.in());
    AVStreams::streamQoS qos;
    CORBA::Boolean met = false;
    CORBA::String_var name = CORBA::string_dup("");
    AVStreams::VDev_var vdev;
    const AVStreams::StreamEndPoint_B_var end =
        camera->create_B(AVStreams::StreamCtrl::_nil(), vdev.out(), qos, met, name.inout(), {});
    AVStreams::flowSpec asked = spec({"video\\out\\F\\" + way.protocol.text() + "\\" +
                                      bystander.address(to_text(way.carrier))});
    EXPECT_TRUE(end->request_connection(AVStreams::StreamEndPoint::_nil(), false, qos, asked));
    end->start({});
  };
  Bystander bystander("127.0.0.2"), friendly("127.0.0.3");
  ask(seen, {}, bystander);
  for (int i = 0; i < 1'000; ++i) {
    EXPECT_EQ(seen.send_once("video", "a frame"), Sent::NotConnected);
  }
  EXPECT_LE(bystander.bytes(), 5 * Consent::kBytes);
  ask(listed, {"127.0.0.3/32"}, friendly);
  if (way.protocol.kind != FlowProtocol::Kind::Sfp) {
    EXPECT_EQ(listed.send_once("video", "a frame"), Sent::Sent);
  }
  EXPECT_GE(friendly.bytes(), 7u) << "who is listed is not asked";
}

// An end of TCP that would connect to whatever the responder says: no ports of others are looked at by it.
class LyingEnd final : public virtual POA_AVStreams::StreamEndPoint_B {
 public:
  explicit LyingEnd(std::string says) : says_(std::move(says)) {}
  CORBA::Boolean request_connection(AVStreams::StreamEndPoint_ptr, CORBA::Boolean, AVStreams::streamQoS&,
                                    AVStreams::flowSpec& flows) override {
    flows.length(1);
    flows[0] = says_.c_str();
    return true;
  }
  void disconnect(const AVStreams::flowSpec&) override {}
  CORBA::Boolean multiconnect(AVStreams::streamQoS&, AVStreams::flowSpec&) override { return false; }
  void stop(const AVStreams::flowSpec&) override {}
  void start(const AVStreams::flowSpec&) override {}
  void destroy(const AVStreams::flowSpec&) override {}
  CORBA::Boolean connect(AVStreams::StreamEndPoint_ptr, AVStreams::streamQoS&, const AVStreams::flowSpec&) override {
    return false;
  }
  CORBA::Boolean modify_QoS(AVStreams::streamQoS&, const AVStreams::flowSpec&) override { return false; }
  CORBA::Boolean set_protocol_restriction(const AVStreams::protocolSpec&) override { return false; }
  void set_FPStatus(const AVStreams::flowSpec&, const char*, const CORBA::Any&) override {}
  CORBA::Object_ptr get_fep(const char*) override { return CORBA::Object::_nil(); }
  char* add_fep(CORBA::Object_ptr) override { return CORBA::string_dup(""); }
  void remove_fep(const char*) override {}
  void set_negotiator(AVStreams::Negotiator_ptr) override {}
  void set_key(const char*, const AVStreams::key&) override {}
  void set_source_id(CORBA::Long) override {}
  void define_property(const char*, const CORBA::Any&) override {}
  void define_properties(const CosPropertyService::Properties&) override {}
  CORBA::ULong get_number_of_properties() override { return 0; }
  void get_all_property_names(CORBA::ULong, CosPropertyService::PropertyNames_out names,
                              CosPropertyService::PropertyNamesIterator_out rest) override {
    names = new CosPropertyService::PropertyNames;
    rest = CosPropertyService::PropertyNamesIterator::_nil();
  }
  CORBA::Any* get_property_value(const char*) override { throw CosPropertyService::PropertyNotFound(); }
  CORBA::Boolean get_properties(const CosPropertyService::PropertyNames&,
                                CosPropertyService::Properties_out all) override {
    all = new CosPropertyService::Properties;
    return false;
  }
  void get_all_properties(CORBA::ULong, CosPropertyService::Properties_out all,
                          CosPropertyService::PropertiesIterator_out rest) override {
    all = new CosPropertyService::Properties;
    rest = CosPropertyService::PropertiesIterator::_nil();
  }
  void delete_property(const char*) override {}
  void delete_properties(const CosPropertyService::PropertyNames&) override {}
  CORBA::Boolean delete_all_properties() override { return true; }
  CORBA::Boolean is_property_defined(const char*) override { return false; }

 private:
  const std::string says_;
};

TEST(HostileClients, a_device_connects_by_tcp_to_nobody_but_who_asks_or_answers) {
  const auto try_it = [](std::vector<std::string> receivers) {
    Seen seen;
    Program p, attacker;
    TcpListener victim(SocketAddress("127.0.0.2", 0));
    DeviceOffer offer = device(seen, {flow("video", true, {{Carrier::Tcp, {}}})});
    offer.receivers = std::move(receivers);
    const AVStreams::MMDevice_var made = p.streams->add_device(offer);
    const AVStreams::MMDevice_var camera = attacker.here(p, made.in());
    AVStreams::streamQoS qos;
    CORBA::Boolean met = false;
    CORBA::String_var name = CORBA::string_dup("");
    AVStreams::VDev_var vdev;
    const AVStreams::StreamEndPoint_A_var end =
        camera->create_A(AVStreams::StreamCtrl::_nil(), vdev.out(), qos, met, name.inout(), {});
    const PortableServer::Servant_var<LyingEnd> liar =
        new LyingEnd("video\\TCP=127.0.0.2:" + std::to_string(victim.local().port()) + "\\");
    const AVStreams::StreamEndPoint_B_var responder = liar->_this();
    std::string why;
    try {
      end->connect(responder.in(), qos, {});
    } catch (const AVStreams::streamOpFailed& e) {
      why = e.reason.in();
    }
    return std::pair(why, static_cast<bool>(victim.accept({})));
  };
  const auto [why, connected] = try_it({});
  EXPECT_NE(why.find("DeviceOffer::receivers"), std::string::npos) << why;
  EXPECT_FALSE(connected);
  const auto [none, listed] = try_it({"127.0.0.0/8"});
  EXPECT_EQ(none, "");
  EXPECT_TRUE(listed);
}

// Of a name nobody knows which address has answered: the responder is called once more at the one that it gives.
TEST(HostileClients, a_device_connects_by_tcp_to_a_responder_that_answers_at_the_address_that_it_gives) {
  const auto named = [](CORBA::ORB_ptr orb, CORBA::Object_ptr object) {
    ior::Ior ior = orb::reference_of(object).ior();
    auto body = ior::parse_iiop(ior.profiles.at(0).data).value();
    body.address.host = "localhost";
    ior.profiles = {ior::to_profile(body)};
    return CORBA::Object_var(orb->string_to_object(ior::to_text(ior).c_str()));
  };
  Seen at_camera, at_viewer;
  Program p, other;
  const std::vector<FlowOffer> out = {flow("video", true, {{Carrier::Tcp, {}}})};
  const std::vector<FlowOffer> in = {flow("video", false, {{Carrier::Tcp, {}}})};
  const AVStreams::MMDevice_var camera = p.streams->add_device(device(at_camera, out));
  const AVStreams::MMDevice_var viewer = other.streams->add_device(device(at_viewer, in));
  AVStreams::streamQoS qos;
  CORBA::Boolean met = false;
  CORBA::String_var name = CORBA::string_dup("");
  AVStreams::VDev_var vdev;
  // From another ORB: what this process asks for itself is its own affair.
  const AVStreams::MMDevice_var seen = other.here(p, camera.in());
  const AVStreams::StreamEndPoint_A_var a =
      seen->create_A(AVStreams::StreamCtrl::_nil(), vdev.out(), qos, met, name.inout(), {});
  const AVStreams::StreamEndPoint_B_var b =
      viewer->create_B(AVStreams::StreamCtrl::_nil(), vdev.out(), qos, met, name.inout(), {});
  const CORBA::Object_var by_name = named(other.orb.in(), b.in());
  const AVStreams::StreamEndPoint_B_var responder = AVStreams::StreamEndPoint_B::_unchecked_narrow(by_name.in());
  EXPECT_NO_THROW(a->connect(responder.in(), qos, {}));
  a->disconnect({});

  TcpListener victim(SocketAddress("127.0.0.2", 0));
  const PortableServer::Servant_var<LyingEnd> liar =
      new LyingEnd("video\\TCP=127.0.0.2:" + std::to_string(victim.local().port()) + "\\");
  const CORBA::Object_var root = other.orb->resolve_initial_references("RootPOA");
  const PortableServer::POA_var poa = PortableServer::POA::_narrow(root.in());
  const PortableServer::ObjectId_var id = poa->activate_object(liar.in());
  const CORBA::Object_var lying = named(other.orb.in(), CORBA::Object_var(poa->id_to_reference(id.in())).in());
  const AVStreams::StreamEndPoint_B_var liars = AVStreams::StreamEndPoint_B::_unchecked_narrow(lying.in());
  EXPECT_THROW(a->connect(liars.in(), qos, {}), AVStreams::streamOpFailed);
  EXPECT_FALSE(victim.accept({}));
}

TEST(HostileClients, groups_of_others_are_neither_sent_to_nor_joined) {
  Seen seen;
  Program p;
  const AVStreams::MMDevice_var camera = p.streams->add_device(device(seen, {flow("video", true)}));
  AVStreams::streamQoS qos;
  CORBA::Boolean met = false;
  CORBA::String_var name = CORBA::string_dup("");
  AVStreams::VDev_var vdev;
  const AVStreams::StreamEndPoint_A_var end =
      camera->create_A(AVStreams::StreamCtrl::_nil(), vdev.out(), qos, met, name.inout(), {});
  AVStreams::flowSpec mdns = spec({"video\\in\\F\\RTP\\RTP/UDP=224.0.0.251:5353"});
  EXPECT_THROW(end->multiconnect(qos, mdns), AVStreams::streamOpFailed);
  AVStreams::flowSpec ours = spec({"video\\in\\F\\RTP\\RTP/UDP=239.255.7.7:5004"});
  EXPECT_NO_THROW(end->multiconnect(qos, ours));
  Attacked member;
  AVStreams::flowSpec joined = spec({"video\\in\\F\\RTP\\RTP/UDP=224.0.0.251:5353"});
  EXPECT_THROW(member.end->multiconnect(qos, joined), AVStreams::streamOpFailed);
  // A group is no single receiver.
  AVStreams::flowSpec single = spec({"video\\in\\F\\RTP\\RTP/UDP=239.255.7.7:5004"});
  EXPECT_THROW(member.end->request_connection(AVStreams::StreamEndPoint::_nil(), false, qos, single),
               AVStreams::streamOpDenied);
}

TEST(HostileClients, receivers_that_are_none_are_said_so) {
  Seen seen;
  Program p;
  for (const char* bad : {"", "camera.example", "10.0.0.0/40", "ANY"}) {
    DeviceOffer offer = device(seen, {flow("video", true)});
    offer.receivers = {bad};
    EXPECT_THROW(p.streams->add_device(offer), FlowFailed) << bad;
  }
}

TEST(HostileClients, a_controller_is_not_hung_by_parties_that_are_nowhere) {
  Attacked a;
  const AVStreams::StreamCtrl_var ctrl = a.p.streams->new_stream_ctrl();
  const CORBA::Object_var nowhere = a.p.orb->string_to_object("corbaloc::127.0.0.1:1/nothing");
  const AVStreams::MMDevice_var device = AVStreams::MMDevice::_unchecked_narrow(nowhere.in());
  try {
    ctrl->bind_devs(a.target.in(), device.in(), a.qos, {});
    FAIL();
  } catch (const AVStreams::streamOpFailed& e) {
    EXPECT_NE(std::string(e.reason.in()).find("the B party: it does not answer"), std::string::npos) << e.reason.in();
  }
}

// What one client keeps in a program of streams, by each operation that keeps something.
struct Bounded {
  services::MemoryBound bound{{std::size_t{4} << 20, std::size_t{2} << 20}};
  Seen seen;
  Program p{&bound}, client;
  AVStreams::MMDevice_var camera;
  AVStreams::StreamCtrl_var ctrl;
  Bounded() {
    DeviceOffer offer = device(seen, {flow("video", true)}, true);
    offer.most_streams = 100'000;
    const AVStreams::MMDevice_var made = p.streams->add_device(offer);
    const AVStreams::StreamCtrl_var own = p.streams->new_stream_ctrl();
    camera = client.here(p, made.in());
    ctrl = client.here(p, own.in());
  }
  // Until it is refused, as it must be, and with others served.
  template<class Keep>
  void fill(Keep&& keep) {
    int kept = 0;
    EXPECT_THROW(for (; kept < 100'000; ++kept) keep(kept), CORBA::NO_RESOURCES);
    EXPECT_GT(kept, 2);
    EXPECT_LE(bound.held(), std::size_t{3} << 20) << "others have room";
    EXPECT_NO_THROW(AVStreams::StreamCtrl_var(p.streams->new_stream_ctrl())) << "this process has";
  }
};

TEST(HostileClients, parties_of_streams_are_counted_and_given_back) {
  Bounded b;
  const std::size_t before = b.bound.held();
  AVStreams::streamQoS qos;
  std::vector<AVStreams::StreamEndPoint_B_var> ends;
  EXPECT_THROW(for (int i = 0; i < 1'000; ++i) {
    CORBA::Boolean met = false;
    CORBA::String_var name = CORBA::string_dup("");
    AVStreams::VDev_var vdev;
    ends.emplace_back(b.camera->create_B(AVStreams::StreamCtrl::_nil(), vdev.out(), qos, met, name.inout(), {}));
  }, CORBA::NO_RESOURCES);
  EXPECT_GT(ends.size(), 4u);
  for (const auto& end : ends) end->destroy({});
  EXPECT_EQ(b.bound.held(), before) << "and what the refused one had begun";
}

TEST(HostileClients, properties_are_counted_in_bytes_over_all_objects) {
  Bounded b;
  CORBA::Any large;
  large <<= std::string(60'000, 'x').c_str();
  b.fill([&](int i) {
    if (i % 10 == 0) {
      const AVStreams::StreamCtrl_var more = b.p.streams->new_stream_ctrl();
      b.ctrl = b.client.here(b.p, more.in());
    }
    b.ctrl->define_property(("p" + std::to_string(i)).c_str(), large);
  });
}

TEST(HostileClients, flow_connections_are_counted) {
  Bounded b;
  const CORBA::Object_var object = b.camera->get_fdev("video");
  const AVStreams::FDev_var fdev = AVStreams::FDev::_narrow(object.in());
  AVStreams::QoS qos;
  CORBA::Boolean met = false;
  b.fill([&](int) { AVStreams::FlowConnection_var(fdev->bind_mcast(AVStreams::FDev::_nil(), qos, met)); });
}

TEST(HostileClients, large_references_are_counted) {
  Bounded b;
  ior::Ior large = orb::reference_of(b.camera.in()).ior();
  large.profiles.push_back({0x4242, std::vector<Byte>(16'000, Byte{1})});
  const CORBA::Object_var object = b.client.orb->string_to_object(ior::to_text(large).c_str());
  const AVStreams::FlowConnection_var connection = AVStreams::FlowConnection::_unchecked_narrow(object.in());
  b.fill([&](int i) { b.ctrl->set_flow_connection(("f" + std::to_string(i)).c_str(), connection.in()); });
}

}  // namespace
}  // namespace callis::streams
