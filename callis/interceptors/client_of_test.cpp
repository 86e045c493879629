// SPDX-License-Identifier: Apache-2.0
// A server's interceptors learn who calls: client_of().
#include <callis/interceptors.h>
#include <callis/interceptors/testing/server_fixture.h>
#include <callis/ior/text.h>
#include <unistd.h>
#include <algorithm>

namespace callis::interceptors::testing {
namespace {

struct ClientOf : Server, ::testing::WithParamInterface<const char*> {
  explicit ClientOf(std::vector<std::string> options = {}) : Server(with_model(std::move(options))) {
    for (const char* point : {"contexts", "receive_request", "send_reply"})
      a->at[point] = [this](PI::ServerRequestInfo_ptr ri) { clients.push_back(client_of(ri)); };
  }
  static std::vector<std::string> with_model(std::vector<std::string> options) {
    options.insert(options.end(), {"-ORBServerThreads", GetParam()});
    return options;
  }
  // The client calls over what the profiles of that tag say.
  void call_by(std::uint32_t tag) {
    ior::Ior ior = own->_callis_reference()->ior();
    std::erase_if(ior.profiles, [tag](const auto& profile) { return profile.tag != tag; });
    object = client->string_to_object(ior::to_text(ior).c_str());
    EXPECT_EQ(ping(), "ok");
    ASSERT_EQ(clients.size(), 3u);
  }
  std::vector<transport::Peer> clients;
};
struct ClientOverTcp : ClientOf {
  ClientOverTcp() : ClientOf({"-ORBEndpoint", "tcp:127.0.0.1:0"}) {}
};
struct ClientOverUnix : ClientOf {
  ClientOverUnix() : ClientOf({"-ORBEndpoint", "unix:/tmp/callis_client_of_" + std::to_string(::getpid())}) {}
};

TEST_P(ClientOverTcp, is_an_address_at_every_point) {
  call_by(ior::kInternetProfile);
  for (const transport::Peer& p : clients) {
    EXPECT_EQ(p.kind, transport::Peer::Kind::Address);
    EXPECT_EQ(p.host, "127.0.0.1");
    EXPECT_EQ(p.reach, transport::Reach::Machine);
  }
}

TEST_P(ClientOverUnix, is_a_user_of_this_machine) {
  call_by(ior::kUiopProfile);
  for (const transport::Peer& p : clients) {
    EXPECT_EQ(p.kind, transport::Peer::Kind::Local);
    EXPECT_EQ(p.user, ::getuid());
    EXPECT_EQ(p.process, static_cast<std::uint32_t>(::getpid()));
  }
}

TEST_P(ClientOf, in_this_process_is_of_kind_memory) {
  EXPECT_EQ(ping(), "ok");
  OrbFixture::ping(own.in());
  ASSERT_EQ(clients.size(), 6u);
  for (const transport::Peer& p : clients) EXPECT_EQ(p.kind, transport::Peer::Kind::Memory);
}

TEST_P(ClientOf, is_not_known_afterwards) {
  PI::ServerRequestInfo_var kept;
  a->at["send_reply"] = [&](PI::ServerRequestInfo_ptr ri) { kept = PI::ServerRequestInfo::_duplicate(ri); };
  EXPECT_EQ(ping(), "ok");
  EXPECT_THROW(client_of(kept.in()), CORBA::BAD_INV_ORDER);
  EXPECT_THROW(client_of(nullptr), CORBA::BAD_PARAM);
}

#define CALLIS_MODELS(SUITE) INSTANTIATE_TEST_SUITE_P(Models, SUITE, ::testing::Values("connection", "pool"))
CALLIS_MODELS(ClientOf);
CALLIS_MODELS(ClientOverTcp);
CALLIS_MODELS(ClientOverUnix);

}  // namespace
}  // namespace callis::interceptors::testing
