// SPDX-License-Identifier: Apache-2.0
#include <callis/poa/servant/caller.h>
#include <callis/poa/testing/fixture.h>
#include <callis/transport/peer.h>

namespace callis::poa::testing {
namespace {

using transport::Peer;

Peer user(std::uint32_t number) {
  Peer p;
  p.kind = Peer::Kind::Local;
  p.reach = transport::Reach::Machine;
  p.user = number;
  p.host = "user " + std::to_string(number);
  return p;
}

struct CallerTest : PoaTest {
  CORBA::Object_var reference;
  Probe* probe = activate(reference);

  Caller caller_of(const Peer& peer) {
    Caller out;
    probe->during = [&] { out = Caller::current(); };
    FakeRequest request(key_of(reference), "act", true, false, &peer);
    call(request);
    EXPECT_EQ(request.outcome, FakeRequest::Outcome::Reply) << request.system();
    return out;
  }
};

TEST_F(CallerTest, IsTheProcessOutsideRequests) {
  const Caller caller = Caller::current();
  EXPECT_EQ(caller.kind(), Caller::Kind::Process);
  EXPECT_EQ(caller.text(), "this process");
  EXPECT_EQ(caller.counted_as(), "");
}

TEST_F(CallerTest, IsTheUserAtTheOtherEndOfAUnixDomainSocket) {
  const Caller caller = caller_of(user(1000));
  EXPECT_EQ(caller.kind(), Caller::Kind::User);
  EXPECT_EQ(caller.user(), 1000u);
  EXPECT_EQ(caller.text(), "user 1000");
  EXPECT_EQ(caller.counted_as(), "user 1000");
}

TEST_F(CallerTest, IsNobodyOverANetworkWhateverTheAddress) {
  for (const char* host : {"127.0.0.1", "127.0.0.5", "::1", "10.1.2.3", "2001:db8::1"}) {
    const Caller caller = caller_of(Peer::at(host));
    EXPECT_EQ(caller.kind(), Caller::Kind::Nobody) << host;
    EXPECT_EQ(caller.text(), "nobody (" + std::string(host) + ")");
  }
}

// A socket whose other end the system does not tell.
TEST_F(CallerTest, IsNobodyWhereTheSystemDoesNotTellTheUser) {
  EXPECT_EQ(caller_of(user(Peer::kUnknown)).kind(), Caller::Kind::Nobody);
}

// A peer that has all addresses of a network counts as one caller, as every user has all loopback addresses.
TEST_F(CallerTest, CountsAddressesThatOneMayHaveAsOne) {
  EXPECT_EQ(caller_of(Peer::at("127.0.0.1")).counted_as(), caller_of(Peer::at("127.9.9.9")).counted_as());
  EXPECT_EQ(caller_of(Peer::at("127.0.0.1")).counted_as(), caller_of(Peer::at("::1")).counted_as());
  EXPECT_EQ(caller_of(Peer::at("2001:db8::1")).counted_as(), caller_of(Peer::at("2001:db8::2")).counted_as());
  EXPECT_NE(caller_of(Peer::at("10.0.0.1")).counted_as(), caller_of(Peer::at("10.0.0.2")).counted_as());
  EXPECT_NE(caller_of(user(1)).counted_as(), caller_of(user(2)).counted_as());
}

// Else a stranger would have the process's rights by naming one of its objects to another one.
TEST_F(CallerTest, StaysWhoItIsInCallsToObjectsOfTheSameProcess) {
  CORBA::Object_var inner;
  Probe* const other = activate(inner);
  Caller seen;
  other->during = [&] { seen = Caller::current(); };
  probe->during = [&] {
    FakeRequest request(key_of(inner), "act");
    call(request);
  };
  const Peer peer = Peer::at("10.1.2.3");
  FakeRequest request(key_of(reference), "act", true, false, &peer);
  call(request);
  EXPECT_EQ(seen.kind(), Caller::Kind::Nobody);
  EXPECT_EQ(seen.counted_as(), "10.1.2.3");
}

}  // namespace
}  // namespace callis::poa::testing
