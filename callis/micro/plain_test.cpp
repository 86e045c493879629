// SPDX-License-Identifier: Apache-2.0
// A program without any feature: what it refuses.
#include <callis/giop/request.h>
#include <callis/micro/testing/pair.h>
#include <callis/orb/base/minor_codes.h>
#include <malloc.h>
#include <poll.h>
#include <thread>

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

// --- Memory ---

#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)

// In a thread of its own: the C library keeps for each thread what this thread has freed, and counts it as used.
template <class F>
void measured(F f) {
  std::thread(f).join();
}
std::size_t heap() { return ::mallinfo2().uordblks; }

TEST(MicroMemory, of_an_ORB_with_one_object_is_below_24_KB) {
  measured([] {
    const std::size_t before = heap();
    Served server;
    const std::size_t taken = heap() - before;
    RecordProperty("bytes", static_cast<int>(taken));
    EXPECT_LE(taken, 24'000u);
  });
}

TEST(MicroMemory, of_a_connection_is_below_6_KB_on_both_sides_together) {
  measured([] {
    Served server;
    const CORBA::Object_var object = server.poa->id_to_reference(server.id_of_object.in());
    SocketAddress to;
    ASSERT_TRUE(to.set(address_of(object.in())));
    std::vector<Descriptor> sockets;
    sockets.reserve(20);
    Error why;
    Inbox in[20];
    const auto request = [&](int fd) {
      Buffer buffer;
      cdr::Encoder e(buffer);
      giop::OutgoingRequest r;
      r.operation = "twice";
      ASSERT_EQ(giop::finish_message(e, giop::begin_request(e, giop::kGiop12, r)), Fault::None);
      ASSERT_GT(send_some(fd, buffer.view()), 0);
    };
    const std::size_t before = heap();
    for (Inbox& each : in) {
      sockets.push_back(connect_to(to, TimePoint::max(), why));
      request(sockets.back().get());
      const TimePoint end = Clock::steady().now() + std::chrono::seconds(20);
      ASSERT_TRUE(Loop::instance().wait(sockets.back().get(), POLLIN, end));
      ASSERT_EQ(each.receive(sockets.back().get(), {}), Inbox::State::Whole);
    }
    const std::size_t taken = (heap() - before) / 20;
    RecordProperty("bytes", static_cast<int>(taken));
    EXPECT_LE(taken, 6'000u);
  });
}

TEST(MicroMemory, does_not_grow_with_calls_and_operations) {
  measured([] {
    Served server;
    Client client;
    const Parts::Meter_var meter = client.meter(server.text());
    EXPECT_EQ(meter->twice(1), 2);
    const std::size_t before = heap();
    for (int i = 0; i < 1000; ++i) meter->twice(i);
    meter->note("x");
    EXPECT_EQ(meter->calls(), 1001);
    EXPECT_EQ(heap(), before);
  });
}

#endif

}  // namespace
}  // namespace callis::micro
