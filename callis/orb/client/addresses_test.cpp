// SPDX-License-Identifier: Apache-2.0
// The contents of references to several addresses or Unix-domain sockets, and the address that calls go to.
#include <gtest/gtest.h>
#include <callis/base/text.h>
#include <callis/orb/endpoint/endpoint.h>
#include <callis/orb/server/server.h>
#include <callis/orb/testing/client.h>
#include <callis/orb/testing/scripted_peer.h>
#include <callis/transport/transport.h>
#include <filesystem>
#include <unistd.h>

namespace callis::orb {
namespace {

using namespace testing;

std::string path(const char* name) {
  return concat({::testing::TempDir(), "callis_", name, Decimal(static_cast<std::uint64_t>(::getpid()))});
}

const ior::Ior& ior_of(const EchoServer& s) { return s.reference->ior(); }

std::vector<std::uint32_t> tags_of(const ior::Ior& ior) {
  std::vector<std::uint32_t> tags;
  for (const auto& p : ior.profiles) tags.push_back(p.tag);
  return tags;
}

// The endpoints that calls on o try, in this order.
std::vector<std::string> ways(CORBA::Object_ptr o) {
  std::vector<std::string> names;
  for (const Path& p : o->_callis_reference()->paths()) names.push_back(p.endpoint->name());
  return names;
}

TEST(SeveralAddresses, stand_in_one_profile_of_iiop_1_2) {  // 9.7.3
  EchoServer server(
      {"-ORBEndpoint", "tcp:127.0.0.1:0", "-ORBEndpoint", "tcp:127.0.0.1:0", "-ORBPublish", "gate:1,[::1]:2"});
  ASSERT_EQ(tags_of(ior_of(server)), std::vector{ior::kInternetProfile});
  const auto p = ior::parse_iiop(ior_of(server).profiles[0].data).value();
  const auto all = ior::addresses(p);
  ASSERT_EQ(all.size(), 3u);
  EXPECT_EQ(all[0].host, "127.0.0.1");
  EXPECT_EQ(all[1], (ior::Address{"gate", 1}));
  EXPECT_EQ(all[2], (ior::Address{"::1", 2}));
}

TEST(SeveralAddresses, stand_in_profiles_of_their_own_below_1_2) {
  for (const char* version : {"1.0", "1.1"}) {
    EchoServer server({"-ORBEndpoint", "tcp:127.0.0.1:0", "-ORBPublish", "a:1,b:2", "-ORBGIOPVersion", version});
    ASSERT_EQ(ior_of(server).profiles.size(), 2u);
    EXPECT_EQ(ior::parse_iiop(ior_of(server).profiles[1].data)->address, (ior::Address{"b", 2}));
  }
}

TEST(SeveralAddresses, are_tried_in_order_until_one_answers) {
  EchoServer server({"-ORBEndpoint", "tcp:127.0.0.1:0"});
  const auto there = ior::parse_iiop(ior_of(server).profiles[0].data).value();
  Client client;
  for (const ior::Version version : {ior::Version{1, 1}, ior::Version{1, 2}}) {
    ior::IiopProfile p = there;
    p.version = version;
    p.components.push_back(ior::alternate_address_component(p.address));
    p.address = {"127.0.0.1", 1};  // nobody listens there
    auto o = client.object(ior::Ior{kEchoType, {ior::to_profile(p)}});
    EXPECT_EQ(echo(o, 5), 5u);
    EXPECT_EQ(o->_callis_reference()->preferred(), 1u) << "the next call goes there at once";
  }
}

TEST(SeveralAddresses, that_all_fail_are_all_in_the_text) {
  Client client;
  auto o = client.object("corbaloc::127.0.0.1:1,:127.0.0.1:2/k");
  try {
    echo(o, 1);
    ADD_FAILURE();
  } catch (const CORBA::TRANSIENT& e) {
    EXPECT_NE(std::string_view(e.what()).find("127.0.0.1:1 refused"), std::string_view::npos) << e.what();
    EXPECT_NE(std::string_view(e.what()).find("127.0.0.1:2 refused"), std::string_view::npos) << e.what();
  }
}

TEST(SeveralAddresses, of_ipv4_and_ipv6_both_serve) {
  if (!transport::listen_tcp("::1", 0)) GTEST_SKIP() << "no IPv6 here";
  EchoServer server({"-ORBEndpoint", "tcp:127.0.0.1:0", "-ORBEndpoint", "tcp:[::1]:0"});
  Client client;
  for (const ior::Address& a : ior::addresses(ior::parse_iiop(ior_of(server).profiles[0].data).value()))
    EXPECT_EQ(echo(client.object(concat({"corbaloc::", transport::address_text(a.host, a.port), "/echo"})), 3), 3u);
}

TEST(SeveralAddresses, of_ipv6_may_stand_in_brackets_in_a_profile) {
  Client client;
  const auto place = [&](const char* host) {
    const auto o = client.object(ior::Ior{kEchoType, {ior::to_profile({1, 2}, {host, 99}, bytes_of("k"), {})}});
    return ways(o).at(0);
  };
  EXPECT_EQ(place("[::1]"), place("::1"));
  EXPECT_EQ(place("[fe80::1%eth0]"), place("fe80::1%eth0"));
}

TEST(UnixEndpoint, is_published_as_tao_and_omniorb_do) {
  EchoServer server({"-ORBEndpoint", "unix:" + path("a"), "-ORBEndpoint", "tcp:127.0.0.1:0"});
  ASSERT_EQ(tags_of(ior_of(server)), (std::vector{ior::kInternetProfile, ior::kUiopProfile}));
  const auto uiop = ior::parse_uiop(ior_of(server).profiles[1].data).value();
  EXPECT_EQ(uiop.address.host, path("a"));
  EXPECT_EQ(uiop.object_key, (ior::Bytes{'e', 'c', 'h', 'o'}));
  const auto iiop = ior::parse_iiop(ior_of(server).profiles[0].data).value();
  const auto* c = iiop.component(ior::kOmniUnixTransport);
  ASSERT_NE(c, nullptr);
  EXPECT_EQ(ior::parse_unix_address(c->data).value(), (ior::UnixAddress{transport::host_name(), path("a")}));
}

TEST(UnixEndpoint, alone_has_a_profile_without_a_port) {
  EchoServer server({"-ORBEndpoint", "unix:" + path("b")});
  ASSERT_EQ(tags_of(ior_of(server)), (std::vector{ior::kInternetProfile, ior::kUiopProfile}));
  EXPECT_EQ(ior::parse_iiop(ior_of(server).profiles[0].data)->address, (ior::Address{transport::host_name(), 0}));
  EchoServer old({"-ORBEndpoint", "unix:" + path("c"), "-ORBGIOPVersion", "1.0"});
  EXPECT_EQ(tags_of(ior_of(old)), std::vector{ior::kUiopProfile});
  Client client;
  EXPECT_EQ(echo(client.object(ior_of(server)), 1), 1u);
  EXPECT_EQ(echo(client.object(ior_of(old)), 1), 1u);
}

TEST(UnixEndpoint, of_this_host_comes_first_and_once) {
  EchoServer server({"-ORBEndpoint", "tcp:127.0.0.1:0", "-ORBEndpoint", "unix:" + path("d")});
  Client client;
  auto o = client.object(ior_of(server));
  EXPECT_EQ(ways(o),
            (std::vector<std::string>{"unix:" + path("d"), concat({"tcp:127.0.0.1:", Decimal(server.port())})}));
  EXPECT_EQ(echo(o, 4), 4u);
  EXPECT_EQ(o->_callis_reference()->preferred(), 0u);
}

TEST(UnixEndpoint, that_is_gone_leaves_the_other_addresses) {
  EchoServer server({"-ORBEndpoint", "tcp:127.0.0.1:0", "-ORBEndpoint", "unix:" + path("e")});
  std::filesystem::remove(path("e"));
  Client client;
  EXPECT_EQ(echo(client.object(ior_of(server)), 4), 4u);
}

// A server somewhere else whose socket has the path of one here must not be mistaken for it.
TEST(UnixEndpoint, of_another_host_is_used_only_where_there_is_nothing_else) {
  const ior::TaggedComponent elsewhere = ior::unix_address_component({"another", "/run/s"});
  const ior::TaggedProfile uiop = ior::uiop_profile({1, 2}, "/run/s", bytes_of("k"), {elsewhere});
  const ior::TaggedProfile iiop = ior::to_profile({1, 2}, {"h", 1}, bytes_of("k"), {elsewhere});
  Client client;
  EXPECT_EQ(ways(client.object(ior::Ior{kEchoType, {uiop, iiop}})), std::vector<std::string>{"tcp:h:1"});
  EXPECT_EQ(ways(client.object(ior::Ior{kEchoType, {uiop}})), std::vector<std::string>{"unix:/run/s"});
  EXPECT_EQ(ways(client.object("corbaloc:uiop:1.2@/run/t|k")), std::vector<std::string>{"unix:/run/t"});
}

TEST(UnixEndpoint, is_called_by_corbaloc) {
  EchoServer server({"-ORBEndpoint", "uiop://" + path("f")});
  Client client;
  for (const char* version : {"", "1.0@", "1.1@", "1.2@"})
    EXPECT_EQ(echo(client.object(concat({"corbaloc:uiop:", version, path("f"), "|echo"})), 6), 6u);
}

TEST(UnixEndpoint, of_the_same_orb_is_no_connection) {
  EchoServer server({"-ORBEndpoint", "unix:" + path("g")});
  CORBA::Object_var own = server.core->string_to_object(("corbaloc:uiop:1.2@" + path("g") + "|echo").c_str());
  EXPECT_EQ(ways(own), std::vector<std::string>{"this ORB"});
  EXPECT_EQ(echo(own, 8), 8u);
  EXPECT_EQ(server.core->server().connections(), 0u);
}

TEST(UnixEndpoint, is_removed_by_shutdown_and_left_ones_are_taken_over) {
  const std::string at = path("h");
  for (int i = 0; i < 2; ++i) {
    EchoServer server({"-ORBEndpoint", "unix:" + at});
    EXPECT_TRUE(std::filesystem::is_socket(at));
    server.core->shutdown(true);
    EXPECT_FALSE(std::filesystem::exists(at));
  }
}

TEST(UnixEndpoint, in_use_is_INITIALIZE_with_its_path) {
  EchoServer server({"-ORBEndpoint", "unix:" + path("i")});
  auto second = make_core({"-ORBEndpoint", "unix:" + path("i")});
  try {
    second->listen();
    ADD_FAILURE();
  } catch (const CORBA::INITIALIZE& e) {
    EXPECT_NE(std::string_view(e.what()).find(path("i")), std::string_view::npos) << e.what();
  }
  second->destroy();
}

TEST(UnixEndpoint, has_the_permissions_of_the_option) {
  const auto mode = [](const std::string& at) { return std::filesystem::status(at).permissions(); };
  EchoServer mine({"-ORBEndpoint", "unix:" + path("j")});
  EXPECT_EQ(mode(path("j")), std::filesystem::perms(0600));
  EchoServer ours({"-ORBEndpoint", "unix:" + path("k"), "-ORBUnixPermissions", "660"});
  EXPECT_EQ(mode(path("k")), std::filesystem::perms(0660));
}

}  // namespace
}  // namespace callis::orb
