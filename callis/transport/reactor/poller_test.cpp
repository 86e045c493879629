// SPDX-License-Identifier: Apache-2.0
// Events: one at a time, in turn, and their end.
#include <callis/transport/reactor/poller.h>
#include <callis/transport/tcp/tcp.h>
#include <callis/transport/testing/bytes.h>
#include <gtest/gtest.h>
#include <string>
#include <thread>
#include <vector>

namespace callis::transport {
namespace {

using testing::bytes;
using testing::soon;

using Kind = Poller::Kind;
constexpr int kLongWait = 20'000;

struct Watched {
  std::unique_ptr<Poller> poller = Poller::create().value();
  std::unique_ptr<TcpListener> listener = listen_tcp("127.0.0.1", 0).value();
  std::unique_ptr<Stream> client = connect_tcp("127.0.0.1", listener->port(), soon()).value();
  std::unique_ptr<Stream> server = listener->accept().value();
  int tag = 0;

  Watched() { EXPECT_EQ(poller->add(server->descriptor(), &tag), 0); }
  void send() { EXPECT_TRUE(client->send(bytes("x"), soon()).ok()); }
  std::string receive() {
    Byte buffer[64];
    const Transfer t = server->receive_now(buffer);
    return t.ok() ? std::string(reinterpret_cast<char*>(buffer), t.bytes) : fault_name(t.fault);
  }
};

TEST(Poller, hands_out_one_event_until_it_is_armed_again) {
  Watched w;
  w.send();
  const auto e = w.poller->wait(kLongWait);
  EXPECT_EQ(e.kind, Kind::Input);
  EXPECT_EQ(e.tag, &w.tag);
  w.send();
  EXPECT_EQ(w.poller->wait(0).kind, Kind::None);
  EXPECT_FALSE(w.poller->ready());
  w.poller->arm(w.server->descriptor(), &w.tag);
  EXPECT_TRUE(w.poller->ready());
  EXPECT_EQ(w.poller->wait(kLongWait).kind, Kind::Input);
  EXPECT_EQ(w.receive(), "xx");
  EXPECT_EQ(w.receive(), "DeadlinePassed") << "nothing there, and no waiting";
}

TEST(Poller, comes_at_once_when_armed_for_bytes_that_were_kept) {
  Watched w;
  w.send();
  EXPECT_EQ(w.poller->wait(kLongWait).kind, Kind::Input);
  EXPECT_EQ(w.receive(), "x");
  w.poller->arm(w.server->descriptor(), &w.tag, true);
  EXPECT_EQ(w.poller->wait(kLongWait).kind, Kind::Input);
}

TEST(Poller, gives_all_that_are_armed_behind_half_as_many_turns_as_one_other) {
  constexpr int kMany = 8, kTurns = 30;
  Watched w;
  int tags[kMany] = {};
  std::vector<std::unique_ptr<Stream>> streams;
  std::vector<int> descriptors;
  for (int& tag : tags) {
    streams.push_back(connect_tcp("127.0.0.1", w.listener->port(), soon()).value());
    EXPECT_TRUE(streams.back()->send(bytes("x"), soon()).ok());
    streams.push_back(w.listener->accept().value());
    descriptors.push_back(streams.back()->descriptor());
    EXPECT_EQ(w.poller->add(descriptors.back(), &tag), 0);
    EXPECT_EQ(w.poller->wait(kLongWait).tag, &tag);
  }
  for (std::size_t i = 0; i < kMany; ++i) w.poller->arm_behind(descriptors[i], &tags[i], false);
  w.send();
  int own = 0;
  int others[kMany] = {};
  for (int i = 0; i < kTurns; ++i) {
    const auto e = w.poller->wait(kLongWait);
    EXPECT_EQ(e.kind, Kind::Input);
    if (e.tag == &w.tag) {
      ++own;
      w.poller->arm(w.server->descriptor(), &w.tag);
      continue;
    }
    const auto other = static_cast<std::size_t>(static_cast<int*>(e.tag) - tags);
    ++others[other];
    w.poller->arm_behind(descriptors[other], e.tag, true);
  }
  EXPECT_GE(own, kTurns / 2 - 1);
  EXPECT_LE(own, kTurns * 2 / 3 + 1);
  for (int turns : others) EXPECT_GE(turns, 1) << "each of them";
}

TEST(Poller, tells_the_end_of_a_stream_and_stop_receiving) {
  Watched closed, stopped;
  closed.client.reset();
  EXPECT_EQ(closed.poller->wait(kLongWait).kind, Kind::Input);
  EXPECT_EQ(closed.receive(), "ConnectionLost");
  stopped.server->stop_receiving();
  EXPECT_EQ(stopped.poller->wait(kLongWait).kind, Kind::Input);
  EXPECT_EQ(stopped.receive(), "ConnectionLost");
}

TEST(Poller, tells_when_output_goes_on_apart_from_input) {
  Watched w;
  const std::string much(1u << 20, 'm');
  const ByteView part = bytes(much);
  Transfer t;
  do t = w.server->send_now({&part, 1});
  while (t.ok());
  EXPECT_EQ(t.fault, Fault::DeadlinePassed);
  EXPECT_EQ(w.poller->arm_output(w.server->descriptor(), &w.tag), 0);
  EXPECT_FALSE(w.poller->ready());
  std::thread reader([&] {
    Byte buffer[64u << 10];
    while (w.client->receive(buffer, soon()).ok()) {}
  });
  EXPECT_EQ(w.poller->wait(kLongWait).kind, Kind::Output);
  w.send();
  EXPECT_EQ(w.poller->wait(kLongWait).kind, Kind::Input);
  w.server->shutdown();
  reader.join();
}

TEST(Poller, sends_many_parts_without_waiting_in_order) {
  Watched w;
  std::vector<ByteView> parts(200, bytes("ab"));
  EXPECT_EQ(w.server->send_now(parts).bytes, 400u);
  std::string got;
  while (got.size() < 400) {
    Byte buffer[64];
    const Transfer t = w.client->receive(buffer, soon());
    ASSERT_TRUE(t.ok());
    got.append(reinterpret_cast<char*>(buffer), t.bytes);
  }
  EXPECT_EQ(got.substr(396), "abab");
}

TEST(Poller, a_nudge_is_for_one_and_stop_for_all) {
  Watched w;
  w.poller->nudge();
  EXPECT_EQ(w.poller->wait(kLongWait).kind, Kind::Nudge);
  EXPECT_EQ(w.poller->wait(0).kind, Kind::None);
  std::thread waiting[3];
  for (auto& t : waiting) t = std::thread([&] { EXPECT_EQ(w.poller->wait(kLongWait).kind, Kind::Stop); });
  w.poller->stop();
  for (auto& t : waiting) t.join();
}

}  // namespace
}  // namespace callis::transport
