// SPDX-License-Identifier: Apache-2.0
// TLS streams: Stream's promises, handshakes, who is accepted and who is not, and what is said about it.
#include <callis/base/testing/log_lines.h>
#include <callis/transport/certificate.h>
#include <callis/transport/testing/bytes.h>
#include <callis/transport/tls/testing/site.h>
#include <callis/transport/tls/tls.h>
#include <gtest/gtest.h>
#include <thread>

namespace callis::transport {
namespace {

using callis::testing::LogLines;
using testing::bytes;
using testing::Site;
using testing::soon;
using testing::usual_site;

// A TLS connection over the loopback interface; its server has made its handshake.
struct Pair {
  std::shared_ptr<TlsContext> of_server, of_client;
  std::unique_ptr<TcpListener> listener;
  std::unique_ptr<Stream> client, server;
  Error refused;           // why there is no client
  Transfer server_saw{0};  // the server's first receive

  Pair(const TlsTerms& server_terms, const TlsTerms& client_terms, const std::string& expected = "127.0.0.1")
      : of_server(TlsContext::make(server_terms).value()), of_client(TlsContext::make(client_terms).value()) {
    listener = listen_tls(of_server, "127.0.0.1", 0).value();
    auto tcp = connect_tcp("127.0.0.1", listener->port(), soon()).value();
    server = listener->accept().value();
    std::thread serving([&] {
      Byte b[4];
      server_saw = server->receive(b, soon());
      if (server_saw.ok()) (void)server->send(ByteView(b).first(server_saw.bytes), soon());
      else server->shutdown();
    });
    auto made = start_tls(*of_client, std::move(tcp), expected, soon());
    if (made) {
      client = std::move(made).value();
      (void)client->send(bytes("ping"), soon());
      Byte b[4];
      first = client->receive(b, soon());
    } else {
      refused = made.error();
    }
    serving.join();
  }
  Pair() : Pair(usual_site().terms("server"), usual_site().terms("ops")) {}
  Transfer first;  // the client's first receive
};

std::string receive_exactly(Stream& s, std::size_t n) {
  std::string out;
  while (out.size() < n) {
    Byte buffer[40'000];
    const Transfer t = s.receive({buffer, std::min(sizeof buffer, n - out.size())}, soon());
    if (!t.ok()) return out + "<" + fault_name(t.fault) + ">";
    out.append(reinterpret_cast<char*>(buffer), t.bytes);
  }
  return out;
}

bool has(const std::string& text, const std::string& part) { return text.find(part) != text.npos; }

TEST(TlsStream, carries_bytes_in_both_directions_by_tls_1_3) {
  Pair p;
  ASSERT_TRUE(p.client) << p.refused.detail;
  EXPECT_EQ(p.first.bytes, 4u);
  EXPECT_TRUE(has(tls_words(*p.client), "TLSv1.3")) << tls_words(*p.client);
  EXPECT_EQ(tls_words(*p.client), tls_words(*p.server));
}

// Another stream: its bytes come one by one, and its sends are counted.
class OneByOne final : public Stream {
 public:
  explicit OneByOne(std::unique_ptr<Stream> inner) : inner_(std::move(inner)) {}
  Transfer send(std::span<const ByteView> parts, Deadline deadline) override {
    ++sends;
    return inner_->send(parts, deadline);
  }
  Transfer receive(MutableBytes into, Deadline deadline, TimePoint now) override {
    return inner_->receive(into.first(1), deadline, now);
  }
  bool quiet() override { return inner_->quiet(); }
  void finish_sending() noexcept override { inner_->finish_sending(); }
  void stop_receiving() noexcept override { inner_->stop_receiving(); }
  void shutdown() noexcept override { inner_->shutdown(); }
  const std::string& peer() const override { return inner_->peer(); }
  const Peer& peer_identity() const override { return inner_->peer_identity(); }

  int sends = 0;

 private:
  const std::unique_ptr<Stream> inner_;
};

TEST(TlsStream, makes_its_handshake_whatever_the_pieces_in_which_bytes_come) {
  const auto of_server = usual_site().context("server"), of_client = usual_site().context("ops");
  auto listener = listen_tcp("127.0.0.1", 0).value();
  auto tcp = connect_tcp("127.0.0.1", listener->port(), soon()).value();
  auto server = accept_tls(*of_server, std::make_unique<OneByOne>(listener->accept().value()));
  std::thread serving([&] {
    EXPECT_EQ(receive_exactly(*server, 5), "hello");
    EXPECT_TRUE(server->send(bytes("again"), soon()).ok());
  });
  auto client = start_tls(*of_client, std::make_unique<OneByOne>(std::move(tcp)), "127.0.0.1", soon());
  ASSERT_TRUE(client) << client.error().detail;
  EXPECT_TRUE(client.value()->send(bytes("hello"), soon()).ok());
  EXPECT_EQ(receive_exactly(*client.value(), 5), "again");
  serving.join();
}

TEST(TlsStream, sends_many_parts_whole_and_in_order_to_a_slow_reader) {
  Pair p;
  ASSERT_TRUE(p.client);
  std::string parts[40], all;
  std::vector<ByteView> views;
  for (std::size_t i = 0; i < std::size(parts); ++i) {
    parts[i].assign(i % 3 == 0 ? i : 100'000 + i, static_cast<char>('a' + i % 26));
    views.push_back(bytes(parts[i]));
    all += parts[i];
  }
  std::thread sender([&] {
    const Transfer t = p.client->send(views, soon());
    EXPECT_TRUE(t.ok());
    EXPECT_EQ(t.bytes, all.size());
  });
  EXPECT_TRUE(receive_exactly(*p.server, all.size()) == all);
  sender.join();
}

TEST(TlsStream, carries_both_directions_at_once) {
  Pair p;
  ASSERT_TRUE(p.client);
  const std::string there(3u << 20, 't'), back(3u << 20, 'b');
  std::thread a([&] { EXPECT_TRUE(p.client->send(bytes(there), soon()).ok()); });
  std::thread b([&] { EXPECT_TRUE(p.server->send(bytes(back), soon()).ok()); });
  std::thread c([&] { EXPECT_TRUE(receive_exactly(*p.client, back.size()) == back); });
  EXPECT_TRUE(receive_exactly(*p.server, there.size()) == there);
  a.join();
  b.join();
  c.join();
}

// A pool does so with replies that its peer does not take in.
TEST(TlsStream, goes_on_where_sending_without_waiting_has_stopped) {
  Pair p;
  ASSERT_TRUE(p.client);
  std::string all;
  for (std::size_t i = 0; all.size() < (8u << 20); ++i) all += static_cast<char>('a' + i % 23);
  ByteView rest = bytes(all);
  const Transfer stopped = p.server->send_now({&rest, 1});
  ASSERT_EQ(stopped.fault, Fault::DeadlinePassed);
  rest = rest.subspan(stopped.bytes);
  const Transfer again = p.server->send_now({&rest, 1});
  ASSERT_EQ(again.fault, Fault::DeadlinePassed);
  rest = rest.subspan(again.bytes);
  std::thread reader([&] { EXPECT_TRUE(receive_exactly(*p.client, all.size()) == all); });
  while (!rest.empty()) {
    const Transfer t = p.server->send_now({&rest, 1});
    rest = rest.subspan(t.bytes);
    if (!t.ok()) {
      ASSERT_EQ(t.fault, Fault::DeadlinePassed);
      std::this_thread::yield();
    }
  }
  reader.join();
}

// A message of a large argument: its header and 16 KiB are two records.
TEST(TlsStream, sends_a_short_rest_together_with_the_record_before_it) {
  const auto of_server = usual_site().context("server"), of_client = usual_site().context("ops");
  auto listener = listen_tcp("127.0.0.1", 0).value();
  auto tcp = std::make_unique<OneByOne>(connect_tcp("127.0.0.1", listener->port(), soon()).value());
  OneByOne& inner = *tcp;
  auto server = accept_tls(*of_server, listener->accept().value());
  const std::string header(92, 'h'), data(16u << 10, 'd'), more(64u << 10, 'm');
  std::thread serving([&] {
    EXPECT_TRUE(receive_exactly(*server, header.size() + data.size()) == header + data);
    EXPECT_TRUE(receive_exactly(*server, header.size() + more.size()) == header + more);
  });
  auto client = start_tls(*of_client, std::move(tcp), "127.0.0.1", soon());
  ASSERT_TRUE(client) << client.error().detail;
  inner.sends = 0;
  const ByteView one[] = {bytes(header), bytes(data)}, other[] = {bytes(header), bytes(more)};
  EXPECT_EQ(client.value()->send(one, soon()).bytes, header.size() + data.size());
  EXPECT_EQ(inner.sends, 1);
  EXPECT_EQ(client.value()->send(other, soon()).bytes, header.size() + more.size());
  EXPECT_EQ(inner.sends, 1 + 4) << "whole records go at once, the last of them with the rest";
  serving.join();
}

TEST(TlsStream, goes_on_in_a_message_whose_rest_was_to_go_with_its_last_record) {
  Pair p;
  ASSERT_TRUE(p.client);
  std::string header(92, 'h'), data;
  for (std::size_t i = 0; data.size() < (16u << 10); ++i) data += static_cast<char>('a' + i % 23);
  std::thread reader;
  bool stopped = false;
  for (int i = 0; i < 1000; ++i) {
    std::size_t done = 0;
    while (done < header.size() + data.size()) {
      std::vector<ByteView> parts;
      if (done < header.size()) parts.push_back(bytes(header).subspan(done));
      parts.push_back(bytes(data).subspan(done < header.size() ? 0 : done - header.size()));
      const Transfer t = p.server->send_now(parts);
      done += t.bytes;
      if (t.ok()) continue;
      ASSERT_EQ(t.fault, Fault::DeadlinePassed);
      if (!std::exchange(stopped, true))
        reader = std::thread([&] {
          std::string all;
          for (int n = 0; n < 1000; ++n) all += header + data;
          EXPECT_TRUE(receive_exactly(*p.client, all.size()) == all);
        });
      std::this_thread::yield();
    }
  }
  ASSERT_TRUE(stopped);
  reader.join();
}

TEST(TlsStream, tells_of_bytes_that_were_decrypted_and_not_taken) {
  Pair p;
  ASSERT_TRUE(p.client);
  EXPECT_FALSE(p.server->pending());
  ASSERT_TRUE(p.client->send(bytes("many bytes"), soon()).ok());
  Byte b;
  ASSERT_EQ(p.server->receive({&b, 1}, soon()).bytes, 1u);
  EXPECT_TRUE(p.server->pending());
  Byte rest[100];
  EXPECT_EQ(p.server->receive_now(rest).bytes, 9u);
  EXPECT_FALSE(p.server->pending());
  EXPECT_EQ(p.server->receive_now(rest).fault, Fault::DeadlinePassed);
}

TEST(TlsStream, is_quiet_though_tickets_have_come_and_not_when_bytes_have_or_the_peer_has_closed) {
  Pair p;
  ASSERT_TRUE(p.client);
  EXPECT_TRUE(p.client->quiet());
  ASSERT_TRUE(p.server->send(bytes("x"), soon()).ok());
  Byte b;
  EXPECT_EQ(p.client->receive({&b, 1}, soon()).bytes, 1u);
  EXPECT_TRUE(p.client->quiet());
  ASSERT_TRUE(p.server->send(bytes("y"), soon()).ok());
  while (p.client->quiet()) std::this_thread::yield();
  EXPECT_EQ(p.client->receive({&b, 1}, soon()).bytes, 1u);
  p.server.reset();
  while (p.client->quiet()) std::this_thread::yield();
  EXPECT_EQ(p.client->receive({&b, 1}, soon()).fault, Fault::ConnectionLost);
}

TEST(TlsStream, receive_ends_at_the_deadline_and_goes_on_after_it) {
  Pair p;
  ASSERT_TRUE(p.client);
  Byte b;
  EXPECT_EQ(p.client->receive({&b, 1}, Deadline::in(Duration(20))).fault, Fault::DeadlinePassed);
  EXPECT_EQ(p.client->receive_within({&b, 1}, Duration(20)).fault, Fault::DeadlinePassed);
  ASSERT_TRUE(p.server->send(bytes("x"), soon()).ok());
  EXPECT_EQ(p.client->receive_within({&b, 1}, testing::kLong).bytes, 1u);
}

TEST(TlsStream, the_end_of_sending_and_shutdown_wake_a_receiver) {
  Pair p;
  ASSERT_TRUE(p.client);
  p.client->finish_sending();
  Byte b;
  EXPECT_EQ(p.server->receive({&b, 1}, soon()).fault, Fault::ConnectionLost);
  ASSERT_TRUE(p.server->send(bytes("x"), soon()).ok()) << "the other direction goes on";
  EXPECT_EQ(p.client->receive({&b, 1}, soon()).bytes, 1u);
  std::thread waits([&] { EXPECT_EQ(p.client->receive({&b, 1}, soon()).fault, Fault::ConnectionLost); });
  p.client->shutdown();
  waits.join();
}

TEST(TlsStream, knows_the_peers_certificate) {
  Pair p;
  ASSERT_TRUE(p.client);
  const auto client = certificate_of(p.server->peer_identity());
  ASSERT_TRUE(client);
  EXPECT_EQ(client->subject, "CN=ops");
  EXPECT_EQ(client->common_name, "ops");
  EXPECT_EQ(client->fingerprint.size(), 64u);
  const auto server = certificate_of(p.client->peer_identity());
  ASSERT_TRUE(server);
  EXPECT_TRUE(server->is_for("127.0.0.1") && server->is_for("SERVER.example") && !server->is_for("other.example"));
  EXPECT_TRUE(is_encrypted(p.client->peer_identity()));
  const Peer gone = p.client->peer_identity();
  p.client.reset();
  EXPECT_FALSE(certificate_of(gone));
}

TEST(TlsStream, resumes_a_session_with_the_same_client_certificate) {
  const Site& site = usual_site();
  const auto of_server = site.context("server"), of_client = site.context("ops");
  auto listener = listen_tls(of_server, "127.0.0.1", 0).value();
  for (int i = 0; i < 2; ++i) {
    std::unique_ptr<Stream> server;
    std::thread serving([&] {
      server = listener->accept().value();
      Byte b;
      EXPECT_EQ(server->receive({&b, 1}, soon()).bytes, 1u);
      (void)server->send(bytes("y"), soon());
    });
    auto client = connect_tls(*of_client, "127.0.0.1", listener->port(), soon());
    ASSERT_TRUE(client) << client.error().detail;
    ASSERT_TRUE(client.value()->send(bytes("x"), soon()).ok());
    Byte b;
    EXPECT_EQ(client.value()->receive({&b, 1}, soon()).bytes, 1u);
    serving.join();
    EXPECT_EQ(has(tls_words(*client.value()), "resumed"), i == 1);
    ASSERT_TRUE(certificate_of(server->peer_identity()));
    EXPECT_EQ(certificate_of(server->peer_identity())->subject, "CN=ops");
    EXPECT_TRUE(certificate_of(client.value()->peer_identity()));
  }
}

TEST(TlsStream, speaks_1_2_with_who_has_no_other) {
  TlsTerms newer = usual_site().terms("server");
  newer.oldest = TlsTerms::Oldest::Tls13;
  Pair p(newer, usual_site().terms("ops"));
  EXPECT_TRUE(p.client);
}

// --- Who is not accepted ---

TEST(TlsStream, refuses_a_server_that_an_unknown_authority_has_signed) {
  const Site other("somebody else's authority");
  const LogLines lines;
  Pair p(usual_site().terms("server"), other.terms());
  ASSERT_FALSE(p.client);
  EXPECT_EQ(p.refused.fault, Fault::NotTrusted);
  EXPECT_TRUE(has(p.refused.detail, "the server's certificate (CN=server) is signed by CN=the test's authority") &&
              has(p.refused.detail, "-ORBTlsCA"))
      << p.refused.detail;
  EXPECT_EQ(p.server_saw.fault, Fault::NotTrusted);
  EXPECT_EQ(lines.with("the peer does not trust the authority"), 1u);
}

TEST(TlsStream, refuses_a_server_with_another_name) {
  Pair p(usual_site().terms("server"), usual_site().terms("ops"), "bank.example");
  EXPECT_EQ(p.refused.fault, Fault::NotTrusted);
  EXPECT_TRUE(has(p.refused.detail, "ip:127.0.0.1") && has(p.refused.detail, "not for bank.example") &&
              has(p.refused.detail, "-ORBTlsExpect"))
      << p.refused.detail;
  EXPECT_FALSE(Pair(usual_site().terms("server"), usual_site().terms("ops"), "127.0.0.2").client);
  EXPECT_TRUE(Pair(usual_site().terms("server"), usual_site().terms("ops"), "server.example").client);
}

TEST(TlsStream, expects_the_name_that_the_options_give) {
  TlsTerms t = usual_site().terms("ops");
  t.expect = "server.example";
  EXPECT_TRUE(Pair(usual_site().terms("server"), t, "198.51.100.1").client);
  t.expect = "other.example";
  EXPECT_FALSE(Pair(usual_site().terms("server"), t).client);
}

TEST(TlsStream, refuses_expired_certificates_of_both_sides) {
  const Site& site = usual_site();
  site.issue_server("stale", -2);
  site.issue_client("stale-client", -2);
  Pair of_server(site.terms("stale"), site.terms("ops"));
  EXPECT_EQ(of_server.refused.fault, Fault::NotTrusted);
  EXPECT_TRUE(has(of_server.refused.detail, "expired on")) << of_server.refused.detail;
  const LogLines lines;
  Pair of_client(site.terms("server"), site.terms("stale-client"));
  EXPECT_EQ(of_client.refused.fault, Fault::NotTrusted) << "told when it connects, also by TLS 1.3";
  EXPECT_TRUE(has(of_client.refused.detail, "has expired")) << of_client.refused.detail;
  EXPECT_EQ(lines.with("the client's certificate (CN=stale-client) expired on"), 1u);
}

TEST(TlsStream, refuses_a_client_without_a_certificate) {
  const LogLines lines;
  Pair p(usual_site().terms("server"), usual_site().terms());
  EXPECT_EQ(p.refused.fault, Fault::NotTrusted);
  EXPECT_TRUE(has(p.refused.detail, "the server wants a client's certificate")) << p.refused.detail;
  EXPECT_EQ(lines.with("the client sent no certificate, and -ORBTlsClients wants one"), 1u);
}

TEST(TlsStream, lets_clients_without_a_certificate_in_where_it_is_only_wanted) {
  TlsTerms wants = usual_site().terms("server");
  wants.clients = TlsTerms::Clients::Wanted;
  Pair without(wants, usual_site().terms());
  ASSERT_TRUE(without.client) << without.refused.detail;
  EXPECT_FALSE(certificate_of(without.server->peer_identity()));
  EXPECT_TRUE(is_encrypted(without.server->peer_identity()));
  Pair with(wants, usual_site().terms("ops"));
  ASSERT_TRUE(with.client);
  EXPECT_TRUE(certificate_of(with.server->peer_identity()));
  const Site other("nobody's");
  other.issue_client("stranger");
  TlsTerms strange = usual_site().terms();
  strange.certificate = other.path("stranger.pem");
  strange.key = other.path("stranger.key");
  EXPECT_FALSE(Pair(wants, strange).client) << "a bad one is worse than none";
}

TEST(TlsStream, refuses_a_client_that_shows_a_servers_certificate_only) {
  usual_site().issue("only", {"only", {"ip:127.0.0.1"}, true, false, 30});
  Pair p(usual_site().terms("server"), usual_site().terms("only"));
  EXPECT_EQ(p.refused.fault, Fault::NotTrusted);
  Pair other(usual_site().terms("ops"), usual_site().terms("ops"));
  EXPECT_TRUE(has(other.refused.detail, "is not for servers")) << other.refused.detail;
}

TEST(TlsStream, refuses_what_is_revoked) {
  const Site& site = usual_site();
  site.issue_client("sold");
  site.write("crl.pem", site.authority().revoke({site.read("sold.pem")}, 30).value());
  TlsTerms t = site.terms("server");
  t.revoked = site.path("crl.pem");
  const LogLines lines;
  EXPECT_EQ(Pair(t, site.terms("sold")).refused.fault, Fault::NotTrusted);
  EXPECT_EQ(lines.with("has been revoked"), 1u);
  EXPECT_TRUE(Pair(t, site.terms("ops")).client);
}

TEST(TlsStream, refuses_weak_keys) {
  usual_site().issue("weak", {"weak", {"ip:127.0.0.1"}, true, false, 30, 1024});
  EXPECT_FALSE(TlsContext::make(usual_site().terms("weak"))) << "not even its owner may use it";
}

TEST(TlsStream, a_pinned_key_is_enough_without_an_authority_and_is_compared_with_one) {
  const Site& site = usual_site();
  Pair p;
  TlsTerms pinned;
  pinned.pins = certificate_of(p.client->peer_identity())->key;
  TlsTerms server = site.terms("server");
  server.clients = TlsTerms::Clients::None;
  EXPECT_TRUE(Pair(server, pinned, "anything.example").client);
  site.issue_server("impostor");
  TlsTerms impostor = site.terms("impostor");
  impostor.clients = TlsTerms::Clients::None;
  Pair refused(impostor, pinned);
  EXPECT_EQ(refused.refused.fault, Fault::NotTrusted);
  EXPECT_TRUE(has(refused.refused.detail, "none of -ORBTlsPin")) << refused.refused.detail;
  pinned.authorities = site.path("ca.pem");
  EXPECT_TRUE(Pair(server, pinned).client);
  EXPECT_FALSE(Pair(server, pinned, "anything.example").client) << "with an authority the name counts, too";
}

TEST(TlsStream, does_not_connect_without_anything_to_verify_servers_by) {
  Pair p(usual_site().terms("server"), TlsTerms());
  EXPECT_EQ(p.refused.fault, Fault::NotTrusted);
  EXPECT_TRUE(has(p.refused.detail, "-ORBTlsCA")) << p.refused.detail;
}

// --- What is no TLS ---

struct Refusing {
  std::shared_ptr<TlsContext> context;
  std::unique_ptr<TcpListener> listener;
  LogLines lines{LogLevel::Info};

  explicit Refusing(Duration timeout = Duration(10'000), std::uint32_t most = 256) {
    TlsTerms t = usual_site().terms("server");
    t.handshake_timeout = timeout;
    t.max_handshakes = most;
    context = TlsContext::make(t).value();
    listener = listen_tls(context, "127.0.0.1", 0).value();
  }
  std::unique_ptr<Stream> plain_client() { return connect_tcp("127.0.0.1", listener->port(), soon()).value(); }
};

TEST(TlsListener, says_what_came_that_is_no_tls) {
  const std::pair<const char*, const char*> all[] = {
      {"GIOP\1\2\1\0....", "a GIOP message came without TLS"},
      {"GET / HTTP/1.1\r\n\r\n", "HTTP came, and no TLS"},
      {"\x80garbage", "what came is no TLS; it begins with the bytes 80676172"}};
  Refusing r;
  for (const auto& [sent, said] : all) {
    auto client = r.plain_client();
    auto server = r.listener->accept().value();
    ASSERT_TRUE(client->send(bytes(sent), soon()).ok());
    Byte b;
    EXPECT_EQ(server->receive({&b, 1}, soon()).fault, Fault::ConnectionLost);
    EXPECT_EQ(r.lines.with(said), 1u) << said;
  }
  EXPECT_EQ(r.lines.all().size(), 3u);
}

TEST(TlsListener, says_that_a_client_left_in_the_middle) {
  Refusing r;
  auto client = r.plain_client();
  auto server = r.listener->accept().value();
  ASSERT_TRUE(client->send(bytes(std::string("\x16\3\1\0\x80 hello", 11)), soon()).ok());
  client->finish_sending();
  Byte b;
  EXPECT_EQ(server->receive({&b, 1}, soon()).fault, Fault::ConnectionLost);
  EXPECT_EQ(r.lines.with("closed the connection during the handshake"), 1u);
}

TEST(TlsListener, ends_a_handshake_that_takes_too_long_whatever_comes_meanwhile) {
  Refusing r(Duration(60));
  auto client = r.plain_client();
  auto server = r.listener->accept().value();
  std::thread drips([&] {
    const std::string hello("\x16\3\1\3\xff", 5);
    for (std::size_t i = 0; i < 1000; ++i) {
      if (!client->send(bytes(hello.substr(std::min<std::size_t>(i, 4), 1)), soon()).ok()) break;
      std::this_thread::yield();
    }
  });
  Byte b;
  EXPECT_EQ(server->receive({&b, 1}, soon()).fault, Fault::ConnectionLost);
  EXPECT_EQ(r.lines.with("the handshake was not complete within 60 ms"), 1u);
  drips.join();
}

TEST(TlsListener, a_silent_client_is_ended_though_nobody_reads) {
  Refusing r(Duration(30));
  auto client = r.plain_client();
  auto server = r.listener->accept().value();
  Byte b;
  EXPECT_EQ(client->receive({&b, 1}, soon()).fault, Fault::ConnectionLost) << "the server's side was shut down";
  EXPECT_EQ(r.lines.with("0 bytes had come"), 1u);
}

TEST(TlsListener, beyond_the_bound_the_oldest_handshake_of_the_greediest_peer_goes) {
  Refusing r(Duration(10'000), 2);
  std::vector<std::unique_ptr<Stream>> clients, servers;
  for (int i = 0; i < 3; ++i) {
    clients.push_back(r.plain_client());
    servers.push_back(r.listener->accept().value());
  }
  Byte b;
  EXPECT_EQ(servers[0]->receive({&b, 1}, soon()).fault, Fault::ConnectionLost);
  EXPECT_EQ(servers[1]->receive_now({&b, 1}).fault, Fault::DeadlinePassed);
  EXPECT_EQ(r.lines.with("too many handshakes"), 1u);
}

TEST(TlsListener, sends_nothing_before_a_handshake) {
  Refusing r;
  auto client = r.plain_client();
  auto server = r.listener->accept().value();
  EXPECT_EQ(server->send(bytes("secret"), soon()).fault, Fault::ConnectionLost);
}

TEST(TlsListener, needs_a_certificate) {
  auto context = TlsContext::make(usual_site().terms()).value();
  auto listener = listen_tls(context, "127.0.0.1", 0);
  ASSERT_FALSE(listener);
  EXPECT_TRUE(has(listener.error().detail, "-ORBTlsCertificate")) << listener.error().detail;
}

TEST(TlsClient, says_that_a_server_speaks_no_tls) {
  auto listener = listen_tcp("127.0.0.1", 0).value();
  const auto context = usual_site().context();
  for (const auto& [answer, said] : {std::pair{"GIOP\1\0\1\6\0\0\0\0", "this port is for clients without TLS"},
                                     {"HTTP/1.1 400 Bad Request\r\n\r\n", "HTTP came"},
                                     {"", "closed the connection during the handshake"}}) {
    std::thread serving([&, answer = std::string_view(answer)] {
      auto server = listener->accept().value();
      Byte b[2000];
      (void)server->receive(b, soon());
      if (!answer.empty()) (void)server->send(bytes(answer), soon());
      server->finish_sending();
      (void)server->receive(b, soon());
    });
    auto client = connect_tls(*context, "127.0.0.1", listener->port(), soon());
    ASSERT_FALSE(client);
    EXPECT_EQ(client.fault(), Fault::ConnectionLost);
    EXPECT_TRUE(has(client.error().detail, said)) << client.error().detail;
    EXPECT_TRUE(has(client.error().detail, "TLS with 127.0.0.1:"));
    serving.join();
  }
}

TEST(TlsClient, a_server_that_says_nothing_is_given_up_at_the_deadline) {
  auto listener = listen_tcp("127.0.0.1", 0).value();
  auto client = connect_tls(*usual_site().context(), "127.0.0.1", listener->port(), Deadline::in(Duration(40)));
  EXPECT_EQ(client.fault(), Fault::ConnectTimeout);
}

// Bytes that were changed on their way, or put in.
TEST(TlsStream, ends_at_a_record_that_is_not_the_peers) {
  Pair p;
  ASSERT_TRUE(p.client);
  const int fd = p.client->descriptor();
  const std::string forged("\x17\3\3\0\x20" "................................", 37);
  ASSERT_EQ(::write(fd, forged.data(), forged.size()), static_cast<ssize_t>(forged.size()));
  Byte b;
  EXPECT_EQ(p.server->receive({&b, 1}, soon()).fault, Fault::ConnectionLost);
  EXPECT_EQ(p.server->send(bytes("x"), soon()).fault, Fault::ConnectionLost);
}

TEST(TlsStream, ends_at_a_record_that_is_too_long) {
  Pair p;
  ASSERT_TRUE(p.client);
  const std::string forged("\x17\3\3\xff\xff....", 9);
  ASSERT_EQ(::write(p.client->descriptor(), forged.data(), forged.size()), static_cast<ssize_t>(forged.size()));
  Byte b;
  EXPECT_EQ(p.server->receive({&b, 1}, soon()).fault, Fault::ConnectionLost);
}

}  // namespace
}  // namespace callis::transport
