// SPDX-License-Identifier: Apache-2.0
// The list of transports, and endpoints by their identity.
#include <gtest/gtest.h>
#include <callis/orb/endpoint/endpoint_directory.h>
#include <callis/orb/options/tcp.h>
#include <algorithm>

namespace callis::orb {
namespace {

using Parsed = Transport::Parsed;

const std::list<EndpointAddress> kPlaces{
    {tcp_transport(), "192.0.2.1", 4711}, {tcp_transport(), "::1", 1}, {tcp_transport(), "host.example", 65535},
    {unix_transport(), "/run/app socket", 0}, {memory_transport(), "a name", 0}};

TEST(Transports, go_from_far_to_near) {
  const auto all = transports();
  ASSERT_EQ(std::vector(all.begin(), all.end()),
            (std::vector{tcp_transport(), unix_transport(), memory_transport()}));
}

TEST(Transports, read_the_text_of_their_own_addresses_and_of_no_others) {
  for (const EndpointAddress& place : kPlaces)
    for (const Transport* const t : transports()) {
      EndpointAddress read;
      ASSERT_EQ(t->parse(place.text(), read), t == place.transport ? Parsed::Good : Parsed::Other) << place.text();
      if (t == place.transport) {
        EXPECT_EQ(read, place) << place.text();
      }
    }
}

TEST(Transports, know_a_bad_address_as_their_own) {
  for (const char* text : {"tcp:host:65536", "tcp:[::1", "giop:tcp:h:x", "unix:", "unix:run/app", "uiop://run",
                           "giop:unix:x", "memory:"}) {
    int bad = 0, good = 0;
    for (const Transport* const t : transports()) {
      EndpointAddress read;
      const Parsed parsed = t->parse(text, read);
      bad += parsed == Parsed::Bad;
      good += parsed == Parsed::Good;
    }
    EXPECT_EQ(bad, 1) << text;
    EXPECT_EQ(good, 0) << text;
  }
}

// The addresses that Reference reads from a reference with these places.
std::list<EndpointAddress> through_a_reference(const std::list<EndpointAddress>& places, ior::Version version,
                                               bool any_host) {
  const Byte key[] = {'k'};
  ReferenceParts parts{version, key, places, {}, {}};
  for (const Transport* const t : transports()) t->offer_components(parts);
  for (const Transport* const t : transports()) t->offer(parts);
  std::list<EndpointAddress> found;
  for (const ior::TaggedProfile& p : parts.profiles) {
    ior::IiopProfile content;
    int readers = 0;
    for (const Transport* const t : transports()) readers += t->read(p, Limits(), content);
    EXPECT_EQ(readers, 1) << p.tag;
    for (const Transport* const t : transports()) t->find(p.tag, content, any_host, found, nullptr);
  }
  return found;
}

TEST(Transports, find_in_references_what_they_offered) {
  for (const ior::Version version : {ior::Version{1, 0}, ior::Version{1, 1}, ior::Version{1, 2}}) {
    const auto found = through_a_reference(kPlaces, version, false);
    for (const EndpointAddress& place : kPlaces)
      EXPECT_NE(std::ranges::find(found, place), found.end()) << place.text();
    for (const EndpointAddress& a : found) EXPECT_NE(std::ranges::find(kPlaces, a), kPlaces.end()) << a.text();
  }
}

TEST(Transports, name_each_kind_of_place_alone) {
  for (const EndpointAddress& place : kPlaces) {
    const auto found = through_a_reference({place}, {1, 2}, true);
    ASSERT_FALSE(found.empty()) << place.text();
    for (const EndpointAddress& a : found) EXPECT_EQ(a, place) << place.text();
  }
}

TEST(Transports, a_socket_of_another_host_is_found_where_any_host_is_meant) {
  ior::IiopProfile p;
  p.address.host = "/run/app";
  p.components.push_back(ior::unix_address_component({"elsewhere.example", "/run/app"}));
  for (const bool any_host : {false, true}) {
    std::list<EndpointAddress> found;
    unix_transport()->find(ior::kUiopProfile, p, any_host, found, nullptr);
    EXPECT_EQ(found.size(), any_host ? 1u : 0u);
  }
}

TEST(Transports, say_from_how_far_their_addresses_can_be_reached) {
  using transport::Reach;
  const auto reach = [](const EndpointAddress& a) { return a.transport->reach(a); };
  EXPECT_EQ(reach({tcp_transport(), "192.0.2.1", 1}), Reach::Anywhere);
  EXPECT_EQ(reach({tcp_transport(), "127.0.0.1", 1}), Reach::Machine);
  EXPECT_EQ(reach({unix_transport(), "/run/app", 0}), Reach::Machine);
  EXPECT_EQ(reach({memory_transport(), "x", 0}), Reach::Process);
}

TEST(EndpointDirectory, gives_one_endpoint_for_equal_identities) {
  const Options options;
  EndpointDirectory directory(options);
  const EndpointIdentity plain{kPlaces.front()}, told{kPlaces.front(), ior::kUtf8, ior::kUtf16};
  const auto endpoint = directory.find(plain), other = directory.find(told);
  EXPECT_EQ(endpoint, directory.find(plain));
  EXPECT_EQ(other, directory.find(told));
  EXPECT_NE(endpoint, other);
  EXPECT_EQ(endpoint->identity().address, other->identity().address);
  EXPECT_FALSE(endpoint->identity().same_code_sets(other->identity()));
  EXPECT_EQ(endpoint->name(), "tcp:192.0.2.1:4711");
}

// A transport of a program's own.
class Nowhere final : public Transport {
 public:
  std::string text(const EndpointAddress& a) const override { return "nowhere:" + a.place; }
  transport::Reach reach(const EndpointAddress&) const override { return transport::Reach::Process; }
  Result<std::unique_ptr<transport::Stream>> connect(const EndpointAddress& to, Deadline) const override {
    return Error{Fault::ConnectRefused, 0, to.text()};
  }
};

TEST(EndpointDirectory, leads_to_the_orb_itself_from_where_it_listens) {
  const Options options;
  const Nowhere to_itself;
  const std::list<EndpointAddress> own{kPlaces.front()};
  EndpointDirectory directory(options);
  directory.set_own(own, to_itself);
  const auto itself = directory.find({kPlaces.front()}), other = directory.find({kPlaces.back()});
  EXPECT_TRUE(itself->is_own());
  EXPECT_EQ(itself->identity().address.transport, &to_itself);
  EXPECT_FALSE(other->is_own());
  EndpointAddress near = kPlaces.front();
  ++near.port;
  EXPECT_FALSE(directory.find({near})->is_own()) << "another port";
}

TEST(Endpoint, opens_streams_by_its_transport) {
  const Options options;
  const Nowhere nowhere;
  EndpointDirectory directory(options);
  const auto endpoint = directory.find({{&nowhere, "here", 0}});
  const auto stream = endpoint->open_stream(Deadline());
  ASSERT_FALSE(stream);
  EXPECT_EQ(stream.error().detail, "nowhere:here");
}

}  // namespace
}  // namespace callis::orb
