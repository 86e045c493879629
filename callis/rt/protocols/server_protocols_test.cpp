// SPDX-License-Identifier: Apache-2.0
// ServerProtocolPolicy (RT-CORBA 1.2, 2.12): the sockets that a server accepts, and the addresses in its references.
#include <callis/ior/tags.h>
#include <callis/rt/testing/lanes.h>
#include <filesystem>
#include <fstream>
#include <sys/socket.h>
#include <unistd.h>

namespace callis::rt {
namespace {

using namespace testing;

constexpr int kSend = 13'346;  // bytes; a size that nothing else has

ProtocolTerms tcp(std::int32_t send) { return {ior::kInternetProfile, true, send, 0, false, false, true}; }

TEST(ServerProtocolsOfOneAddress, AreThoseOfTheFirstPolicy) {
  ServerProtocols all;
  EXPECT_TRUE(all.use({tcp(1000)}));
  EXPECT_TRUE(all.use({tcp(1000), {ior::kUiopProfile, true, 2000, 0, false, false, true}}));
  EXPECT_FALSE(all.fits({tcp(1001)}));
  EXPECT_FALSE(all.use({tcp(1001)}));
  EXPECT_TRUE(all.use({{ior::kInternetProfile, false, 0, 0, false, false, true}})) << "a protocol without properties";
  EXPECT_FALSE(all.use({{ior::kUiopProfile, true, 2001, 0, false, false, true}}));
}

// Sockets of this process with that send buffer, of a family; Linux doubles what is asked for.
int sockets_with_send_buffer(int family, int bytes) {
  int found = 0;
  for (int fd = 3; fd < 1024; ++fd) {
    int size = 0, domain = 0;
    socklen_t length = sizeof size;
    if (::getsockopt(fd, SOL_SOCKET, SO_SNDBUF, &size, &length) != 0) continue;
    length = sizeof domain;
    if (::getsockopt(fd, SOL_SOCKET, SO_DOMAIN, &domain, &length) != 0) continue;
    found += domain == family && size == 2 * bytes;
  }
  return found;
}

// A server that listens at TCP and, beside it, at a Unix-domain socket.
struct TwoProtocols : Lanes {
  TwoProtocols() : TwoProtocols(endpoint().c_str()) {}
  explicit TwoProtocols(const char* other) : Lanes({"-ORBEndpoint", other}) {}
  ~TwoProtocols() override { std::filesystem::remove(endpoint().substr(5)); }

  static const std::string& endpoint() {
    static const std::string all = "unix:/tmp/callis-protocols-" + std::to_string(::getpid());
    return all;
  }
  RTCORBA::Protocol protocol(std::uint32_t profile, int send_buffer = 0) {
    RTCORBA::Protocol p;
    p.protocol_type = profile;
    if (send_buffer == 0) return p;
    if (profile == ior::kInternetProfile)
      p.transport_protocol_properties = rt->create_tcp_protocol_properties(send_buffer, 0, true, false, true);
    else p.transport_protocol_properties = rt->create_unix_domain_protocol_properties(send_buffer, 0);
    return p;
  }
  // pool: 0 for the ORB's own threads and addresses.
  PortableServer::POA_ptr adapter_with(std::initializer_list<RTCORBA::Protocol> protocols, RTCORBA::ThreadpoolId pool,
                                       const char* name = "protocols") {
    RTCORBA::ProtocolList list;
    for (const RTCORBA::Protocol& p : protocols) {
      list.length(list.length() + 1);
      list[list.length() - 1] = p;
    }
    CORBA::PolicyList policies;
    add(policies, rt->create_priority_model_policy(RTCORBA::SERVER_DECLARED, 10));
    if (pool != 0) add(policies, rt->create_threadpool_policy(pool));
    add(policies, rt->create_server_protocol_policy(list));
    const PortableServer::POAManager_var manager = root->the_POAManager();
    return root->create_POA(name, manager.in(), policies);
  }
  // The tags of the profiles that have addresses, as they stand in the reference.
  static std::vector<std::uint32_t> profiles(where::Teller_ptr of) {
    std::vector<std::uint32_t> tags;
    for (const ior::TaggedProfile& p : of->_callis_reference()->ior().profiles)
      if (p.tag == ior::kInternetProfile || p.tag == ior::kUiopProfile) tags.push_back(p.tag);
    return tags;
  }
  CORBA::UShort bad_policy_of(std::initializer_list<RTCORBA::Protocol> protocols, RTCORBA::ThreadpoolId pool) {
    try {
      const PortableServer::POA_var poa = adapter_with(protocols, pool, "another");
    } catch (const PortableServer::POA::InvalidPolicy& e) {
      return e.index;
    }
    ADD_FAILURE() << "the adapter could be made";
    return 0;
  }
};

TEST_F(TwoProtocols, AreAcceptedAtLanesWithThePropertiesOfThePolicy) {
  const PortableServer::POA_var poa = adapter_with({protocol(ior::kInternetProfile, kSend)}, lanes({10, 20}));
  const where::Teller_var teller = activate(poa.in());
  EXPECT_EQ(sockets_with_send_buffer(AF_INET, kSend), 0);
  expect(tell_of(teller.in()), 10);
  EXPECT_EQ(sockets_with_send_buffer(AF_INET, kSend), 1);
}

TEST_F(TwoProtocols, AreAcceptedAtTheOrbsOwnAddressesWithThePropertiesOfThePolicy) {
  const PortableServer::POA_var poa = adapter_with({protocol(ior::kInternetProfile, kSend)}, 0);
  const where::Teller_var teller = activate(poa.in());
  expect(tell_of(teller.in()), 10, false);
  EXPECT_EQ(sockets_with_send_buffer(AF_INET, kSend), 1);
}

TEST_F(TwoProtocols, GiveUnixDomainSocketsTheirProperties) {
  const PortableServer::POA_var poa = adapter_with({protocol(ior::kUiopProfile, kSend)}, lanes({10}));
  const where::Teller_var teller = activate(poa.in());
  expect(tell_of(teller.in()), 10);
  EXPECT_EQ(sockets_with_send_buffer(AF_UNIX, kSend), 1);
}

TEST_F(TwoProtocols, StandInReferencesAsThePolicyOrdersThem) {
  const auto of = [this](std::initializer_list<RTCORBA::Protocol> protocols, RTCORBA::ThreadpoolId pool) {
    const PortableServer::POA_var poa = adapter_with(protocols, pool);
    const where::Teller_var teller = activate(poa.in());
    expect(tell_of(teller.in()), 10, pool != 0);
    const std::vector<std::uint32_t> found = profiles(teller.in());
    poa->destroy(false, true);
    return found;
  };
  const auto tcp_first = {protocol(ior::kInternetProfile), protocol(ior::kUiopProfile)};
  const auto unix_first = {protocol(ior::kUiopProfile), protocol(ior::kInternetProfile)};
  const auto tcp_only = {protocol(ior::kInternetProfile)};
  using Tags = std::vector<std::uint32_t>;
  for (const RTCORBA::ThreadpoolId pool : {RTCORBA::ThreadpoolId{0}, lanes({10})}) {
    EXPECT_EQ(of(tcp_only, pool), Tags{ior::kInternetProfile}) << pool;
    EXPECT_EQ(of(tcp_first, pool), (Tags{ior::kInternetProfile, ior::kUiopProfile})) << pool;
    // The first has port 0: omniORB reads the path there.
    EXPECT_EQ(of(unix_first, pool), (Tags{ior::kInternetProfile, ior::kUiopProfile, ior::kInternetProfile})) << pool;
  }
}

TEST_F(TwoProtocols, ThatTheServerDoesNotHaveAreInvalid) {
  EXPECT_EQ(bad_policy_of({protocol(ior::kMemoryProfile)}, 0), 1);
  EXPECT_EQ(bad_policy_of({protocol(ior::kMemoryProfile)}, lanes({10})), 2);
}

// Memory of this process that is in use, in bytes.
std::size_t resident() {
  std::ifstream statm("/proc/self/statm");
  std::size_t all = 0, in_use = 0;
  statm >> all >> in_use;
  return in_use * static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
}

// A server whose endpoint is in this process's memory. The memory of a connection for answers is there, and touched,
// as soon as the connection is made.
struct MemoryProtocol : TwoProtocols {
  static constexpr std::size_t kBytes = std::size_t{64} << 20;

  MemoryProtocol() : TwoProtocols("memory:callis-rt-protocols") {}

  RTCORBA::Protocol memory(std::size_t bytes) {
    RTCORBA::Protocol p;
    p.protocol_type = ior::kMemoryProfile;
    if (bytes != 0)
      p.transport_protocol_properties = rt->create_shared_memory_protocol_properties(static_cast<CORBA::Long>(bytes));
    return p;
  }
  // Returns how much more memory is in use after the first call of the reference.
  static std::size_t taken_by(where::Teller_ptr teller) {
    const std::size_t before = resident();
    where::Place_var(teller->tell());
    const std::size_t after = resident();
    return after > before ? after - before : 0;
  }
};

TEST_F(MemoryProtocol, TakesTheSizeOfTheServersPolicyForEachConnection) {
  const PortableServer::POA_var poa = adapter_with({memory(kBytes)}, 0);
  const where::Teller_var teller = activate(poa.in());
  EXPECT_GE(taken_by(teller.in()), kBytes * 9 / 10);
  EXPECT_LT(taken_by(teller.in()), kBytes / 10) << "the same connection";
}

TEST_F(MemoryProtocol, TakesTheSizeOfTheClientsPolicyForItsConnections) {
  const PortableServer::POA_var poa = adapter_with({memory(0)}, 0);
  const where::Teller_var teller = activate(poa.in());
  EXPECT_LT(taken_by(teller.in()), kBytes / 10);
  RTCORBA::ProtocolList protocols;
  protocols.length(1);
  protocols[0] = memory(kBytes);
  CORBA::PolicyList list;
  add(list, rt->create_client_protocol_policy(protocols));
  const CORBA::Object_var with = teller->_set_policy_overrides(list, CORBA::SET_OVERRIDE);
  const where::Teller_var configured = where::Teller::_unchecked_narrow(with.in());
  EXPECT_GE(taken_by(configured.in()), kBytes * 9 / 10);
}

TEST_F(MemoryProtocol, OfAnotherSizeIsInvalidAtTheSameAddress) {
  const PortableServer::POA_var poa = adapter_with({memory(1000)}, 0);
  EXPECT_EQ(bad_policy_of({memory(2000)}, 0), 1);
}

TEST_F(TwoProtocols, WithOtherPropertiesAreInvalidAtAddressesThatAreShared) {
  const RTCORBA::ThreadpoolId pool = lanes({10});
  const PortableServer::POA_var first = adapter_with({protocol(ior::kInternetProfile, kSend)}, pool);
  EXPECT_EQ(bad_policy_of({protocol(ior::kInternetProfile, kSend + 1)}, pool), 2);
  const PortableServer::POA_var same = adapter_with({protocol(ior::kInternetProfile, kSend)}, pool, "same");
  const PortableServer::POA_var apart =
      adapter_with({protocol(ior::kInternetProfile, kSend + 1)}, lanes({10}), "apart");
}

}  // namespace
}  // namespace callis::rt
