// SPDX-License-Identifier: Apache-2.0
// Flows over loopback, with each carrier and protocol: frames, start and stop, the end, and strangers.
#include <gtest/gtest.h>
#include <services/streams/flows/flow.h>
#include <services/streams/flows/flow_failed.h>
#include <services/streams/flows/testing/frames.h>
#include <thread>

namespace callis::streams {
namespace {

using testing::Frames;
using testing::soon;
using testing::view;

FlowSettings settings(Carrier carrier, const std::string& protocol, bool producer) {
  FlowSettings out;
  out.carrier = carrier;
  out.protocol = parse_flow_protocol(protocol);
  out.producer = producer;
  out.rtp.cname = producer ? "producer@test" : "consumer@test";
  out.rtp.bandwidth_bits = 50e6;
  return out;
}

struct Ends {
  Frames at_producer, at_consumer;
  Flow producer, consumer;
  FlowAddress of_producer, of_consumer;
  Ends(Carrier carrier, const std::string& protocol, bool producer_connects = true)
      : producer(settings(carrier, protocol, true), at_producer),
        consumer(settings(carrier, protocol, false), at_consumer),
        of_producer(producer.listen(producer_connects)),
        of_consumer(consumer.listen(!producer_connects)) {
    if (producer_connects) consumer.connect(of_producer);
    producer.connect(of_consumer);
    if (!producer_connects) consumer.connect(of_producer);
    producer.start();
    consumer.start();
  }
  // Sends until the flow takes it: SFP has to be agreed first, a connection to be accepted.
  Sent send(const std::string& text, std::uint32_t timestamp = 0) {
    Frame frame;
    frame.data = view(text);
    frame.timestamp = timestamp;
    Sent sent = Sent::NotConnected;
    const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(20);
    while ((sent == Sent::NotConnected || sent == Sent::NoCredit) && std::chrono::steady_clock::now() < until) {
      sent = producer.send(frame);
      if (sent == Sent::NotConnected || sent == Sent::NoCredit) std::this_thread::yield();
    }
    return sent;
  }
};

struct TestWay {
  Carrier carrier;
  const char* protocol;
  bool producer_connects;
};

class EveryFlow : public ::testing::TestWithParam<TestWay> {};
INSTANTIATE_TEST_SUITE_P(Ways, EveryFlow,
                         ::testing::Values(TestWay{Carrier::Udp, "", true}, TestWay{Carrier::RtpUdp, "RTP", true},
                                           TestWay{Carrier::Udp, "SFP1.0", true},
                                           TestWay{Carrier::Udp, "SFP1.0:credit=2", true},
                                           TestWay{Carrier::Tcp, "SFP1.0", true},
                                           TestWay{Carrier::Tcp, "SFP1.0:credit=3", false},
                                           TestWay{Carrier::Tcp, "SFP1.0", false}),
                         [](const auto& of) {
                           std::string out = std::string(to_text(of.param.carrier)) + "_" + of.param.protocol +
                                             (of.param.producer_connects ? "" : "_from_the_consumer");
                           for (char& c : out) {
                             if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
                           }
                           return out;
                         });

TEST_P(EveryFlow, carries_frames_in_order) {
  Ends e(GetParam().carrier, GetParam().protocol, GetParam().producer_connects);
  std::vector<std::string> sent;
  for (int i = 0; i < 20; ++i) {
    sent.push_back("frame " + std::to_string(i) + std::string(static_cast<std::size_t>(i) * 100, '.'));
    ASSERT_EQ(e.send(sent.back()), Sent::Sent);
  }
  EXPECT_EQ(e.at_consumer.wait(sent.size()), sent);
  EXPECT_EQ(e.producer.counts().frames_sent, sent.size());
  EXPECT_EQ(e.consumer.counts().frames_received, sent.size());
}

TEST_P(EveryFlow, sends_nothing_and_delivers_nothing_while_stopped) {
  Ends e(GetParam().carrier, GetParam().protocol, GetParam().producer_connects);
  ASSERT_EQ(e.send("one"), Sent::Sent);
  e.at_consumer.wait(1);
  e.producer.stop();
  Frame frame;
  frame.data = view("not sent");
  EXPECT_EQ(e.producer.send(frame), Sent::Stopped);
  e.producer.start();
  e.consumer.stop();
  ASSERT_EQ(e.send("not delivered"), Sent::Sent);
  ASSERT_TRUE(soon([&] { return e.consumer.counts().while_stopped == 1; }));
  e.consumer.start();
  ASSERT_EQ(e.send("two"), Sent::Sent);
  EXPECT_EQ(e.at_consumer.wait(2), (std::vector<std::string>{"one", "two"}));
}

TEST_P(EveryFlow, may_be_closed_twice_from_several_threads) {
  Ends e(GetParam().carrier, GetParam().protocol, GetParam().producer_connects);
  std::thread other([&] { e.producer.close(); });
  e.producer.close();
  e.consumer.close();
  other.join();
  Frame frame;
  EXPECT_NE(e.producer.send(frame), Sent::Sent);
}

TEST(Flow, of_tcp_is_a_row_of_bytes) {
  Ends e(Carrier::Tcp, "");
  ASSERT_EQ(e.send("some "), Sent::Sent);
  ASSERT_EQ(e.send("bytes"), Sent::Sent);
  std::string all;
  ASSERT_TRUE(soon([&] {
    all.clear();
    for (const std::string& each : e.at_consumer.wait(1)) all += each;
    return all.size() == 10;
  }));
  EXPECT_EQ(all, "some bytes");
}

TEST(Flow, tells_the_consumer_that_the_producer_has_ended) {
  for (const auto& [carrier, protocol] : {std::pair(Carrier::Tcp, ""), std::pair(Carrier::Udp, "SFP1.0")}) {
    Ends e(carrier, protocol);
    ASSERT_EQ(e.send("last"), Sent::Sent);
    e.at_consumer.wait(1);
    e.producer.close();
    EXPECT_NE(e.at_consumer.wait_for_end(), "");
    EXPECT_FALSE(e.consumer.connected());
  }
}

TEST(Flow, of_sfp_carries_frames_that_are_larger_than_datagrams) {
  Ends e(Carrier::Udp, "SFP1.0");
  const std::string large(300000, 'L');
  ASSERT_EQ(e.send(large), Sent::Sent);
  const auto got = e.at_consumer.wait(1);
  ASSERT_EQ(got.size(), 1u);
  EXPECT_TRUE(got[0] == large);
}

TEST(Flow, of_udp_refuses_frames_that_are_larger_than_datagrams) {
  Ends plain(Carrier::Udp, ""), rtp(Carrier::RtpUdp, "RTP");
  const std::string large(70000, 'L');
  EXPECT_EQ(plain.send(large), Sent::TooLarge);
  EXPECT_EQ(rtp.send(large), Sent::TooLarge);
}

TEST(Flow, of_rtp_reports_both_ways) {
  Ends e(Carrier::RtpUdp, "RTP");
  for (std::uint32_t i = 0; i < 10; ++i) ASSERT_EQ(e.send("f", i * 3000), Sent::Sent);
  e.at_consumer.wait(10);
  ASSERT_TRUE(
      soon([&] { return e.producer.quality().reports_received > 0 && e.consumer.quality().reports_received > 0; }));
  EXPECT_EQ(e.producer.quality().peer_name, "consumer@test");
  EXPECT_EQ(e.consumer.quality().peer_name, "producer@test");
  EXPECT_EQ(e.producer.quality().sent.lost, 0);
  EXPECT_EQ(e.at_consumer.timestamps().back(), 27000u);
  e.producer.close("end of test");
  EXPECT_TRUE(soon([&] { return e.consumer.quality().byes_received == 1; }));
}

TEST(Flow, takes_nothing_from_strangers) {
  for (const char* protocol : {"", "RTP", "SFP1.0"}) {
    Ends e(Carrier::Udp, protocol);
    DatagramSocket stranger = DatagramSocket::bound(SocketAddress("127.0.0.1", 0));
    stranger.connect(e.of_consumer.data());
    for (int i = 0; i < 100; ++i) ASSERT_TRUE(stranger.send({}, view("anything")));
    ASSERT_EQ(e.send("real"), Sent::Sent);
    EXPECT_EQ(e.at_consumer.wait(1), std::vector<std::string>{"real"});
    EXPECT_EQ(e.consumer.quality().malformed, 0u);
  }
}

TEST(Flow, takes_its_own_end_for_no_datagram) {
  for (const char* protocol : {"", "RTP", "SFP1.0"}) {
    Ends e(Carrier::Udp, protocol);
    ASSERT_EQ(e.send("last"), Sent::Sent);
    EXPECT_EQ(e.at_consumer.wait(1), std::vector<std::string>{"last"});
    e.consumer.close();  // its threads wait for datagrams
    EXPECT_EQ(e.consumer.counts().frames_received, 1u) << protocol;
    EXPECT_EQ(e.consumer.quality().malformed, 0u) << protocol;
  }
}

TEST(Flow, counts_and_drops_what_the_peer_sends_malformed) {
  Frames frames;
  Flow consumer(settings(Carrier::RtpUdp, "RTP", false), frames);
  const FlowAddress own = consumer.listen(false);
  auto [data, control] = DatagramSocket::bound_pair(SocketAddress("127.0.0.1", 0));
  FlowAddress peer = own;
  peer.port = data.local().port();
  consumer.connect(peer);
  consumer.start();
  data.connect(own.data());
  control.connect(own.control());
  ASSERT_TRUE(data.send({}, view("no RTP")));
  ASSERT_TRUE(control.send({}, view("no RTCP either, of any kind")));
  EXPECT_TRUE(soon([&] { return consumer.quality().malformed == 2; }));
}

TEST(Flow, over_multicast_reaches_all_members) {
  for (const char* protocol : {"", "RTP"}) {
    const bool rtp = *protocol != 0;
    const Carrier carrier = rtp ? Carrier::RtpUdp : Carrier::Udp;
    FlowAddress group;
    group.carrier = carrier;
    group.host = "239.255.77.2";
    group.port = DatagramSocket::bound_pair(SocketAddress("127.0.0.1", 0)).first.local().port();
    Frames none, one, two;
    Flow producer(settings(carrier, protocol, true), none), first(settings(carrier, protocol, false), one),
        second(settings(carrier, protocol, false), two);
    const FlowAddress sender = producer.send_to_group(group);
    first.join(group, sender.host);
    second.join(group, sender.host);
    for (Flow* each : {&producer, &first, &second}) each->start();
    Frame frame;
    const std::string text = "to all";
    frame.data = view(text);
    ASSERT_EQ(producer.send(frame), Sent::Sent);
    EXPECT_EQ(one.wait(1), std::vector<std::string>{"to all"});
    EXPECT_EQ(two.wait(1), std::vector<std::string>{"to all"});
    const std::size_t members = rtp ? 3 : 0;
    EXPECT_TRUE(soon([&] { return producer.quality().members == members && first.quality().members == members; }));
    first.close();  // while it waits for datagrams
    EXPECT_EQ(first.counts().strangers, 0u);
    EXPECT_EQ(first.counts().frames_received, 1u);
  }
}

TEST(Flow, says_why_it_cannot_be) {
  Frames frames;
  EXPECT_THROW(Flow(settings(Carrier::Tcp, "RTP", true), frames), FlowFailed);
  EXPECT_THROW(Flow(settings(Carrier::RtpUdp, "SFP1.0", true), frames), FlowFailed);
  Flow flow(settings(Carrier::Tcp, "", true), frames);
  EXPECT_THROW(flow.connect(parse_address("UDP=127.0.0.1:9")), FlowFailed);
  EXPECT_THROW(flow.connect(parse_address("TCP=127.0.0.1:9")), FlowFailed);  // before listen()
  flow.listen(true);
  const std::uint16_t free = TcpListener(SocketAddress("127.0.0.1", 0)).local().port();
  try {
    flow.connect(parse_address("TCP=127.0.0.1:" + std::to_string(free)));
    FAIL();
  } catch (const FlowFailed& e) {
    EXPECT_NE(std::string(e.what()).find("127.0.0.1:" + std::to_string(free)), std::string::npos) << e.what();
  }
}

}  // namespace
}  // namespace callis::streams
