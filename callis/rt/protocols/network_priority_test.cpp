// SPDX-License-Identifier: Apache-2.0
// TCPProtocolProperties::enable_network_priority: the code points of the sockets on both sides (RFC 2474).
#include <callis/ior/tags.h>
#include <callis/rt/protocols/socket_properties.h>
#include <callis/rt/testing/lanes.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>
#include <cstring>

namespace callis::rt {
namespace {

using namespace testing;

// The connected IPv4 sockets of this process with that code point.
int sockets_with(int code_point) {
  int found = 0;
  for (int fd = 3; fd < 1024; ++fd) {
    sockaddr_storage peer{};
    socklen_t size = sizeof peer;
    if (::getpeername(fd, reinterpret_cast<sockaddr*>(&peer), &size) != 0 || peer.ss_family != AF_INET) continue;
    int octet = -1;
    size = sizeof octet;
    found += ::getsockopt(fd, IPPROTO_IP, IP_TOS, &octet, &size) == 0 && octet == code_point << 2;
  }
  return found;
}

// Priority p has code point first + p, as far as there are any.
class Counting final : public RTCORBA::NetworkPriorityMapping {
 public:
  explicit Counting(int first) : first_(first) {}
  CORBA::Boolean to_network(Priority p, RTCORBA::NetworkPriority& network) override {
    network = first_ + p;
    return true;
  }
  CORBA::Boolean to_CORBA(RTCORBA::NetworkPriority, Priority&) override { return false; }

 private:
  const int first_;
};

RTCORBA::NetworkPriorityMappingManager_var mappings_of(CORBA::ORB_ptr orb) {
  const CORBA::Object_var object = orb->resolve_initial_references("NetworkPriorityMappingManager");
  return RTCORBA::NetworkPriorityMappingManager::_narrow(object.in());
}

// In the server p has code point p + 1, in the client p + 2.
struct NetworkPriorities : Lanes {
  static constexpr int kServer = 1, kClient = 2;

  explicit NetworkPriorities(std::initializer_list<const char*> server_options = {}) : Lanes(server_options) {
    mappings_of(server.in())->mapping(new Counting(kServer));
    mappings_of(client.in())->mapping(new Counting(kClient));
  }

  static RTCORBA::ProtocolList marked(RTCORBA::RTORB_ptr of) {
    const RTCORBA::TCPProtocolProperties_var tcp = of->create_tcp_protocol_properties(0, 0, true, false, true);
    tcp->enable_network_priority(true);
    RTCORBA::ProtocolList list;
    list.length(1);
    list[0].protocol_type = ior::kInternetProfile;
    list[0].transport_protocol_properties = RTCORBA::ProtocolProperties::_duplicate(tcp.in());
    return list;
  }
  // pool: 0 for the ORB's own addresses.
  PortableServer::POA_ptr marking_adapter(RTCORBA::PriorityModel model, Priority priority, RTCORBA::ThreadpoolId pool,
                                          const char* name = "marked") {
    CORBA::PolicyList policies;
    add(policies, rt->create_server_protocol_policy(marked(rt.in())));
    add(policies, rt->create_priority_model_policy(model, priority));
    if (pool != 0) add(policies, rt->create_threadpool_policy(pool));
    const PortableServer::POAManager_var manager = root->the_POAManager();
    return root->create_POA(name, manager.in(), policies);
  }
  where::Teller_var marking_client(const where::Teller_var& teller) {
    const CORBA::Object_var object = client->resolve_initial_references("RTORB");
    const RTCORBA::RTORB_var client_rt = RTCORBA::RTORB::_narrow(object.in());
    CORBA::PolicyList list;
    add(list, client_rt->create_client_protocol_policy(marked(client_rt.in())));
    const CORBA::Object_var with = teller->_set_policy_overrides(list, CORBA::SET_OVERRIDE);
    return where::Teller::_unchecked_narrow(with.in());
  }
};

TEST_F(NetworkPriorities, AreThoseOfTheLaneAtTheServersSockets) {
  const PortableServer::POA_var poa = marking_adapter(RTCORBA::CLIENT_PROPAGATED, 10, lanes({10, 20}));
  const where::Teller_var teller = activate(poa.in());
  expect(tell_at(current.in(), teller.in(), 20), 20);
  EXPECT_EQ(sockets_with(20 + kServer), 1);
  EXPECT_EQ(sockets_with(10 + kServer), 0);
  expect(tell_at(current.in(), teller.in(), 10), 10);
  EXPECT_EQ(sockets_with(10 + kServer), 1);
  EXPECT_EQ(sockets_with(10 + kClient) + sockets_with(20 + kClient), 0) << "the client has not asked for any";
}

TEST_F(NetworkPriorities, AreThoseOfTheThreadAtTheClientsSockets) {
  const PortableServer::POA_var poa = adapter(RTCORBA::CLIENT_PROPAGATED, 10, lanes({10, 20}));
  const where::Teller_var teller = marking_client(activate(poa.in()));
  expect(tell_at(current.in(), teller.in(), 20), 20);
  expect(tell_at(current.in(), teller.in(), 10), 10);
  EXPECT_EQ(sockets_with(20 + kClient), 1);
  EXPECT_EQ(sockets_with(10 + kClient), 1);
  EXPECT_EQ(sockets_with(10 + kServer) + sockets_with(20 + kServer), 0) << "the server has not asked for any";
}

TEST_F(NetworkPriorities, OfDifferentCallsToOneLaneTakeConnectionsOfTheirOwn) {
  const PortableServer::POA_var poa = adapter(RTCORBA::CLIENT_PROPAGATED, 10, lanes({10}));
  const where::Teller_var teller = marking_client(activate(poa.in()));
  tell_at(current.in(), teller.in(), 14);
  tell_at(current.in(), teller.in(), 15);
  tell_at(current.in(), teller.in(), 14);
  EXPECT_EQ(sockets_with(14 + kClient), 1);
  EXPECT_EQ(sockets_with(15 + kClient), 1);
}

TEST_F(NetworkPriorities, AreThoseOfTheObjectWhereTheServerDeclaresPriorities) {
  const PortableServer::POA_var poa = marking_adapter(RTCORBA::SERVER_DECLARED, 20, lanes({10, 20}));
  const where::Teller_var teller = marking_client(activate(poa.in()));
  expect(tell_at(current.in(), teller.in(), 10), 20);
  expect(tell_at(current.in(), teller.in(), 11), 20);
  EXPECT_EQ(sockets_with(20 + kServer), 1);
  EXPECT_EQ(sockets_with(20 + kClient), 1);
  EXPECT_EQ(sockets_with(10 + kClient) + sockets_with(11 + kClient), 0);
}

TEST_F(NetworkPriorities, AreThoseOfTheThreadAtObjectsWithoutAPriorityModel) {
  const where::Teller_var teller = marking_client(activate(root.in()));
  tell_at(current.in(), teller.in(), 5);
  EXPECT_EQ(sockets_with(5 + kClient), 1);
  tell_at(current.in(), teller.in(), 6);
  EXPECT_EQ(sockets_with(6 + kClient), 1);
}

TEST_F(NetworkPriorities, AreThoseOfTheBandsEnd) {
  const PortableServer::POA_var poa =
      adapter(RTCORBA::CLIENT_PROPAGATED, 10, lanes({10, 20}), {{5, 14}, {15, 25}});
  const where::Teller_var teller = marking_client(activate(poa.in()));
  tell_at(current.in(), teller.in(), 16);
  tell_at(current.in(), teller.in(), 17);
  EXPECT_EQ(sockets_with(25 + kClient), 1);
  EXPECT_EQ(sockets_with(16 + kClient) + sockets_with(17 + kClient), 0);
}

TEST_F(NetworkPriorities, AtTheOrbsOwnAddressesAreThoseOfTheAdaptersPriority) {
  const PortableServer::POA_var poa = marking_adapter(RTCORBA::SERVER_DECLARED, 12, 0);
  const where::Teller_var teller = activate(poa.in());
  expect(tell_of(teller.in()), 12, false);
  EXPECT_EQ(sockets_with(12 + kServer), 1);
}

TEST_F(NetworkPriorities, OfAnotherAdaptersPriorityAreInvalidAtTheSameAddresses) {
  const PortableServer::POA_var poa = marking_adapter(RTCORBA::SERVER_DECLARED, 12, 0);
  try {
    const PortableServer::POA_var other = marking_adapter(RTCORBA::SERVER_DECLARED, 13, 0, "other");
    ADD_FAILURE() << "the adapter could be made";
  } catch (const PortableServer::POA::InvalidPolicy& e) {
    EXPECT_EQ(e.index, 0);
  }
  const PortableServer::POA_var same = marking_adapter(RTCORBA::SERVER_DECLARED, 12, 0, "same");
  const RTCORBA::ThreadpoolId pool = lanes({13, 14});
  const PortableServer::POA_var in_lanes = marking_adapter(RTCORBA::SERVER_DECLARED, 13, pool, "in_lanes");
  const PortableServer::POA_var beside = marking_adapter(RTCORBA::SERVER_DECLARED, 14, pool, "beside");
}

TEST_F(NetworkPriorities, ThatTheMappingHasNotAreDataConversionInTheClient) {
  const PortableServer::POA_var poa = adapter(RTCORBA::CLIENT_PROPAGATED, 10, lanes({10}));
  const where::Teller_var teller = marking_client(activate(poa.in()));
  std::string words;
  std::thread([&] {
    current->the_priority(62);  // code point 64
    try {
      tell_of(teller.in());
    } catch (const CORBA::DATA_CONVERSION& e) {
      words = e.what();
    }
  }).join();
  EXPECT_NE(words.find("no code point for priority 62"), std::string::npos) << words;
  tell_at(current.in(), teller.in(), 61);
  EXPECT_EQ(sockets_with(63), 1);
}

TEST_F(NetworkPriorities, ThatTheMappingHasNotLeaveTheServersConnectionsAsTheyAre) {
  const PortableServer::POA_var poa = marking_adapter(RTCORBA::SERVER_DECLARED, 70, lanes({70}));
  const where::Teller_var teller = activate(poa.in());
  expect(tell_of(teller.in()), 70);
}

TEST_F(NetworkPriorities, OfAMappingThatIsReplacedHoldForConnectionsThatAreMadeBefore) {
  const PortableServer::POA_var poa = adapter(RTCORBA::CLIENT_PROPAGATED, 10, lanes({10}));
  const where::Teller_var before = marking_client(activate(poa.in()));
  tell_at(current.in(), before.in(), 10);
  auto* const other = new Counting(30);
  const auto mappings = mappings_of(client.in());
  mappings->mapping(other);
  EXPECT_EQ(mappings->mapping(), other);
  EXPECT_THROW(mappings->mapping(nullptr), CORBA::BAD_PARAM);
  tell_at(current.in(), before.in(), 10);
  EXPECT_EQ(sockets_with(10 + kClient), 1);
  EXPECT_EQ(sockets_with(40), 0);
  tell_at(current.in(), before.in(), 11);
  EXPECT_EQ(sockets_with(41), 1);
}

TEST_F(Lanes, HaveNoNetworkPrioritiesUnlessTheyAreAskedFor) {
  const PortableServer::POA_var poa = adapter(RTCORBA::CLIENT_PROPAGATED, 10, lanes({90}));
  const where::Teller_var teller = activate(poa.in());
  tell_at(current.in(), teller.in(), 90);
  EXPECT_EQ(sockets_with(46), 0);
}

TEST_F(NetworkPriorities, AreTheClassesOfTheNativePrioritiesByDefault) {
  const PortableServer::POA_var poa = adapter(RTCORBA::CLIENT_PROPAGATED, 10, lanes({0, 90}));
  const CORBA::ORB_var another = make_orb("network_priorities_by_default");
  const CORBA::Object_var object = another->resolve_initial_references("RTORB");
  const RTCORBA::RTORB_var its_rt = RTCORBA::RTORB::_narrow(object.in());
  CORBA::PolicyList list;
  add(list, its_rt->create_client_protocol_policy(marked(its_rt.in())));
  const where::Teller_var here_too = activate(poa.in());
  const CORBA::String_var text = server->object_to_string(here_too.in());
  const CORBA::Object_var there = another->string_to_object(text.in());
  const CORBA::Object_var with = there->_set_policy_overrides(list, CORBA::SET_OVERRIDE);
  const where::Teller_var teller = where::Teller::_unchecked_narrow(with.in());
  tell_at(current.in(), teller.in(), 90);
  EXPECT_EQ(sockets_with(46), 1) << "expedited forwarding";
  another->destroy();
}

// A TCP connection of this process to an address of IPv6's loopback, or of IPv4's by way of an IPv6 socket.
struct Connected {
  explicit Connected(bool mapped) {
    listener = ::socket(mapped ? AF_INET : AF_INET6, SOCK_STREAM | SOCK_CLOEXEC, 0);
    socket = ::socket(AF_INET6, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in6 to{};
    to.sin6_family = AF_INET6;
    if (mapped) {
      sockaddr_in at{};
      at.sin_family = AF_INET;
      at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
      if (::bind(listener, reinterpret_cast<const sockaddr*>(&at), sizeof at) != 0) return;
      socklen_t size = sizeof at;
      (void)::getsockname(listener, reinterpret_cast<sockaddr*>(&at), &size);
      to.sin6_port = at.sin_port;
      to.sin6_addr.s6_addr[10] = to.sin6_addr.s6_addr[11] = 0xff;
      std::memcpy(&to.sin6_addr.s6_addr[12], &at.sin_addr, 4);
    } else {
      to.sin6_addr = in6addr_loopback;
      if (::bind(listener, reinterpret_cast<const sockaddr*>(&to), sizeof to) != 0) return;
      socklen_t size = sizeof to;
      (void)::getsockname(listener, reinterpret_cast<sockaddr*>(&to), &size);
    }
    there = ::listen(listener, 1) == 0 && ::connect(socket, reinterpret_cast<const sockaddr*>(&to), sizeof to) == 0;
  }
  ~Connected() {
    ::close(listener);
    ::close(socket);
  }
  int option(int level, int name) const {
    int value = -1;
    socklen_t size = sizeof value;
    return ::getsockopt(socket, level, name, &value, &size) == 0 ? value : -1;
  }

  int listener = -1, socket = -1;
  bool there = false;
};

const ProtocolTerms kMarked{ior::kInternetProfile, true, 0, 0, false, false, true, true};

TEST(CodePoints, OfIpv6StandInTheTrafficClass) {
  const Connected c(false);
  if (!c.there) GTEST_SKIP() << "no IPv6 here";
  EXPECT_FALSE(set_socket_properties(c.socket, kMarked, CodePoint{46}).name);
  EXPECT_EQ(c.option(IPPROTO_IPV6, IPV6_TCLASS), 46 << 2);
  EXPECT_FALSE(set_socket_properties(c.socket, kMarked, std::nullopt).name);
  EXPECT_EQ(c.option(IPPROTO_IPV6, IPV6_TCLASS), 46 << 2) << "left as it is";
}

TEST(CodePoints, OfIpv4BehindAnIpv6SocketStandInTheTypeOfService) {
  const Connected c(true);
  if (!c.there) GTEST_SKIP() << "no IPv6 here";
  EXPECT_FALSE(set_socket_properties(c.socket, kMarked, CodePoint{46}).name);
  EXPECT_EQ(c.option(IPPROTO_IP, IP_TOS), 46 << 2);
}

TEST(CodePoints, ThatTheSystemRefusesAreNamed) {
  const RefusedProperty refused = set_socket_properties(-1, {ior::kUiopProfile, true}, CodePoint{46});
  EXPECT_FALSE(refused.name) << "Unix-domain sockets have none";
  EXPECT_STREQ(set_socket_properties(-1, kMarked, CodePoint{46}).name, "keep_alive") << "what is set first";
}

}  // namespace
}  // namespace callis::rt
