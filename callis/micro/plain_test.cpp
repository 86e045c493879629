// SPDX-License-Identifier: Apache-2.0
// A program without any feature: what it refuses.
#include <callis/giop/request.h>
#include <callis/micro/testing/pair.h>
#include <callis/orb/base/minor_codes.h>
#include <poll.h>

namespace callis::micro {
namespace {

using namespace testing;

TEST(MicroWithoutFeatures, refuses_messages_in_fragments_by_MessageError) {
  Served server;
  const CORBA::Object_var object = server.poa->id_to_reference(server.id_of_object.in());
  SocketAddress to;
  Error why;
  ASSERT_TRUE(to.set(address_of(object.in())));
  const Descriptor socket = connect_to(to, TimePoint::max(), why);
  Buffer buffer;
  cdr::Encoder e(buffer);
  giop::OutgoingRequest r;
  r.operation = "twice";
  ASSERT_EQ(giop::finish_message(e, giop::begin_request(e, giop::kGiop12, r)), Fault::None);
  buffer.data()[6] |= 2;
  ASSERT_GT(send_some(socket.get(), buffer.view()), 0);
  Inbox in;
  ASSERT_TRUE(Loop::instance().wait(socket.get(), POLLIN, Clock::steady().now() + std::chrono::seconds(20)));
  ASSERT_EQ(in.receive(socket.get(), {}), Inbox::State::Whole);
  EXPECT_EQ(in.header().type, giop::MessageType::MessageError);
}

TEST(MicroWithoutFeatures, knows_no_names_of_hosts) {
  Client client;
  Served server;
  const Parts::Meter_var narrowed = client.meter(server.text());  // so that there are calls
  const CORBA::Object_var object = client.orb->string_to_object("corbaloc::localhost:1/k");
  const auto e = caught<CORBA::TRANSIENT>([&] { object->_non_existent(); });
  EXPECT_EQ(e.minor(), orb::own(Fault::ResolveFailed));
}

}  // namespace
}  // namespace callis::micro
