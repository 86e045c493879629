// SPDX-License-Identifier: Apache-2.0
// Clients that speak byte by byte: every version and byte order, and what is refused. Servers that lie.
#include <callis/giop/locate.h>
#include <callis/giop/reply.h>
#include <callis/giop/request.h>
#include <callis/micro/testing/pair.h>
#include <callis/orb/base/minor_codes.h>
#include <poll.h>
#include <random>

namespace callis::micro {
namespace {

using namespace testing;
using Bytes = std::vector<Byte>;

const Limits kUsual;
constexpr ByteOrder kBig = ByteOrder::Big, kLittle = ByteOrder::Little;

// A connection that says what it likes. The server runs while answer() waits.
class Raw {
 public:
  explicit Raw(const Served& server) {
    const CORBA::Object_var object = server.poa->id_to_reference(server.id_of_object.in());
    Place place;
    EXPECT_TRUE(first_place(object->_callis_reference()->ior(), kUsual, place));
    key.assign(place.key.begin(), place.key.end());
    SocketAddress to;
    Error why;
    EXPECT_TRUE(to.set(place.address));
    socket = connect_to(to, TimePoint::max(), why);
    EXPECT_TRUE(socket.valid());
  }
  void send(ByteView bytes) const { EXPECT_EQ(send_some(socket.get(), bytes), static_cast<ssize_t>(bytes.size())); }
  // Whole: the message stands in `in`. Ended: the server has closed the connection.
  Inbox::State answer() {
    in.next();
    while (true) {
      const Inbox::State state = in.receive(socket.get(), kUsual);
      if (state != Inbox::State::Wanting) return state;
      if (!Loop::instance().wait(socket.get(), POLLIN, Clock::steady().now() + std::chrono::seconds(20)))
        return Inbox::State::Wanting;
    }
  }
  // Has the server look at what has been sent.
  static void serve() {
    while (Loop::instance().turn(TimePoint{})) {
    }
  }

  Descriptor socket;
  Inbox in;
  ior::Bytes key;
};

Bytes request(giop::Version v, ByteOrder order, ByteView key, std::string_view operation, std::uint32_t argument,
              giop::ResponseFlags response = giop::ResponseFlags::WithTarget) {
  Buffer buffer;
  cdr::Encoder e(buffer, order);
  giop::OutgoingRequest r;
  r.request_id = 77;
  r.response = response;
  r.target = giop::Target::key(key);
  r.operation = operation;
  const giop::Started started = giop::begin_request(e, v, r);
  e.put_ulong(argument);
  EXPECT_EQ(giop::finish_message(e, started), Fault::None);
  return Bytes(buffer.view().begin(), buffer.view().end());
}

struct Dialect {
  giop::Version version;
  ByteOrder order;
};
class MicroDialects : public ::testing::TestWithParam<Dialect> {};

TEST_P(MicroDialects, are_understood_and_answered_in_the_same_version) {
  Served server;
  Raw raw(server);
  const auto [version, order] = GetParam();
  raw.send(request(version, order, raw.key, "twice", 21));
  ASSERT_EQ(raw.answer(), Inbox::State::Whole);
  EXPECT_EQ(raw.in.header().version, version);
  ASSERT_EQ(raw.in.header().type, giop::MessageType::Reply);
  cdr::Budget budget = cdr::Budget::of(kUsual, raw.in.body().size());
  cdr::Decoder d(raw.in.body(), raw.in.header().order, budget, giop::kBodyPhase);
  giop::ReplyHeader reply;
  ASSERT_TRUE(giop::decode(d, version, reply, kUsual));
  EXPECT_EQ(reply.request_id, 77u);
  EXPECT_EQ(reply.status, giop::ReplyStatus::NoException);
  EXPECT_EQ(d.get_ulong(), 42u);
  EXPECT_TRUE(d.ok());
  EXPECT_EQ(d.remaining(), 0u);
}

TEST_P(MicroDialects, locate_requests_are_answered) {
  Served server;
  Raw raw(server);
  const auto [version, order] = GetParam();
  for (const bool known : {true, false}) {
    if (!known) raw.key[12] ^= 0xff;
    Buffer buffer;
    cdr::Encoder e(buffer, order);
    const auto started = giop::begin_locate_request(e, version, 5, giop::Target::key(raw.key));
    ASSERT_EQ(giop::finish_message(e, started), Fault::None);
    raw.send(buffer.view());
    ASSERT_EQ(raw.answer(), Inbox::State::Whole);
    cdr::Budget budget = cdr::Budget::of(kUsual, 100);
    cdr::Decoder d(raw.in.body(), raw.in.header().order, budget, giop::kBodyPhase);
    giop::LocateReplyHeader reply;
    ASSERT_TRUE(giop::decode(d, version, reply));
    EXPECT_EQ(reply.request_id, 5u);
    EXPECT_EQ(reply.status, known ? giop::LocateStatus::ObjectHere : giop::LocateStatus::UnknownObject);
  }
}

INSTANTIATE_TEST_SUITE_P(all, MicroDialects,
                         ::testing::Values(Dialect{giop::kGiop10, kBig}, Dialect{giop::kGiop10, kLittle},
                                           Dialect{giop::kGiop11, kBig}, Dialect{giop::kGiop11, kLittle},
                                           Dialect{giop::kGiop12, kBig}, Dialect{giop::kGiop12, kLittle}),
                         [](const auto& i) {
                           return std::to_string(i.param.version.minor) + (i.param.order == kBig ? "big" : "little");
                         });

Bytes usual(const Raw& raw, std::uint32_t n = 1) { return request(giop::kGiop12, kNativeOrder, raw.key, "twice", n); }

// The server has sent MessageError and closed the connection.
void expect_refused(Raw& raw) {
  ASSERT_EQ(raw.answer(), Inbox::State::Whole);
  EXPECT_EQ(raw.in.header().type, giop::MessageType::MessageError);
  EXPECT_EQ(raw.answer(), Inbox::State::Ended);
}

TEST(MicroServer, refuses_what_is_no_GIOP) {
  Served server;
  Raw raw(server);
  constexpr std::string_view kHttp = "GET / HTTP/1.1\r\n\r\n";
  raw.send({reinterpret_cast<const Byte*>(kHttp.data()), kHttp.size()});
  expect_refused(raw);
}

// A request of that many bytes of argument in pieces; each piece but the last has `data` bytes.
Bytes in_fragments(const Bytes& whole, std::size_t data) {
  Bytes out;
  for (std::size_t at = 0; at < whole.size();) {
    const std::size_t n = std::min(at == 0 ? data + giop::kHeaderBytes : data, whole.size() - at);
    const std::size_t begin = out.size();
    if (at != 0) {
      out.insert(out.end(), whole.begin(), whole.begin() + 12);
      out.insert(out.end(), whole.begin() + 12, whole.begin() + 16);
      out[begin + 7] = static_cast<Byte>(giop::MessageType::Fragment);
    }
    out.insert(out.end(), whole.begin() + static_cast<std::ptrdiff_t>(at),
               whole.begin() + static_cast<std::ptrdiff_t>(at + n));
    at += n;
    if (at < whole.size()) out[begin + 6] |= 2;
    const bool swap = (out[begin + 6] & 1) != (kNativeOrder == ByteOrder::Little ? 1 : 0);
    const auto size = static_cast<std::uint32_t>(out.size() - begin - giop::kHeaderBytes);
    store(out.data() + begin + 8, size, swap);
  }
  return out;
}

// Has an Inbox with the feature read the bytes in pieces of `step`.
Inbox::State read_in(Inbox& in, const Bytes& bytes, std::size_t step) {
  int ends[2];
  EXPECT_EQ(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, ends), 0);
  const Descriptor from(ends[0]), to(ends[1]);
  Inbox::State state = Inbox::State::Wanting;
  for (std::size_t at = 0; at < bytes.size() && state == Inbox::State::Wanting; at += step) {
    const ByteView piece = ByteView(bytes).subspan(at, std::min(step, bytes.size() - at));
    EXPECT_EQ(send_some(to.get(), piece), static_cast<ssize_t>(piece.size()));
    for (int i = 0; i < 64 && state == Inbox::State::Wanting; ++i) state = in.receive(from.get(), kUsual);
  }
  return state;
}

TEST(MicroFragments, become_the_message_that_they_are_of) {
  const ior::Bytes key(20, 7);
  for (const ByteOrder order : {kBig, kLittle}) {
    const Bytes whole = request(giop::kGiop12, order, key, std::string(3000, 'x'), 5);
    for (const std::size_t data : {8u, 24u, 512u, 4096u}) {
      for (const std::size_t step : {1u, 7u, 700u, 100'000u}) {
        if (step == 1 && data != 24) continue;
        Bytes two = in_fragments(whole, data);
        const Bytes second = request(giop::kGiop12, order, key, "next", 6);
        two.insert(two.end(), second.begin(), second.end());
        Inbox in;
        ASSERT_EQ(read_in(in, two, step), Inbox::State::Whole) << data << ' ' << step;
        EXPECT_FALSE(in.header().more_fragments);
        EXPECT_TRUE(std::ranges::equal(in.body(), ByteView(whole).subspan(12))) << data << ' ' << step;
      }
    }
  }
}

TEST(MicroFragments, of_another_message_version_or_order_are_refused) {
  const ior::Bytes key(20, 7);
  const Bytes whole = request(giop::kGiop12, kLittle, key, std::string(300, 'x'), 5);
  const Bytes good = in_fragments(whole, 64);
  const std::size_t second = giop::kHeaderBytes + 64;
  for (const std::size_t at : {second + 5, second + 6, second + 7, second + 12}) {  // version, flags, type, id
    Bytes bad = good;
    bad[at] ^= 1;
    Inbox in;
    EXPECT_EQ(read_in(in, bad, 10'000), Inbox::State::Bad) << at;
  }
  Bytes of_11 = good;
  of_11[5] = 1;
  Inbox in;
  EXPECT_EQ(read_in(in, of_11, 10'000), Inbox::State::Bad);
}

TEST(MicroFragments, together_are_no_longer_than_a_message_may_be) {
  Limits small;
  small.max_message_bytes = 1000;
  const ior::Bytes key(20, 7);
  const Bytes bytes = in_fragments(request(giop::kGiop12, kLittle, key, std::string(3000, 'x'), 5), 64);
  int ends[2];
  ASSERT_EQ(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, ends), 0);
  const Descriptor from(ends[0]), to(ends[1]);
  EXPECT_GT(send_some(to.get(), bytes), 0);
  Inbox in;
  Inbox::State state = Inbox::State::Wanting;
  while (state == Inbox::State::Wanting) state = in.receive(from.get(), small);
  EXPECT_EQ(state, Inbox::State::Bad);
  EXPECT_EQ(in.fault(), Fault::LimitExceeded);
}

TEST(MicroServer, refuses_messages_in_fragments_of_GIOP_1_1) {
  Served server;
  Raw raw(server);
  Bytes bytes = request(giop::kGiop11, kNativeOrder, raw.key, "twice", 1);
  bytes[6] |= 2;
  raw.send(bytes);
  expect_refused(raw);
}

TEST(MicroServer, serves_a_request_in_fragments) {
  Served server;
  Raw raw(server);
  raw.send(in_fragments(usual(raw, 33), 16));
  ASSERT_EQ(raw.answer(), Inbox::State::Whole);
  EXPECT_EQ(load<std::uint32_t>(raw.in.body().data() + 12), 66u);
}

TEST(MicroServer, refuses_messages_above_the_limit_by_their_headers_alone) {
  Served server({"-ORBMaxMessageSize", "2000"});
  Raw raw(server);
  Bytes bytes = usual(raw);
  store(bytes.data() + 8, std::uint32_t{3000});
  raw.send(ByteView(bytes).first(12));
  expect_refused(raw);
}

TEST(MicroServer, refuses_messages_that_only_servers_send) {
  for (const auto type : {giop::MessageType::Reply, giop::MessageType::LocateReply, giop::MessageType::Fragment,
                          giop::MessageType::CloseConnection}) {
    Served server;
    Raw raw(server);
    Bytes bytes = usual(raw);
    bytes[7] = static_cast<Byte>(type);
    raw.send(bytes);
    Raw::serve();
    const Inbox::State first = raw.answer();
    if (first == Inbox::State::Whole) {
      EXPECT_EQ(raw.in.header().type, giop::MessageType::MessageError);
    }
    EXPECT_TRUE(first == Inbox::State::Ended || raw.answer() == Inbox::State::Ended);
  }
}

TEST(MicroServer, takes_in_a_message_byte_by_byte) {
  Served server;
  Raw raw(server);
  for (const Byte b : usual(raw)) {
    raw.send({&b, 1});
    Raw::serve();
  }
  EXPECT_EQ(raw.answer(), Inbox::State::Whole);
}

TEST(MicroServer, serves_requests_that_come_together_one_after_the_other) {
  Served server;
  Raw raw(server);
  Bytes all;
  for (std::uint32_t n = 0; n < 5; ++n) {
    const Bytes one = usual(raw, n);
    all.insert(all.end(), one.begin(), one.end());
  }
  raw.send(all);
  for (std::uint32_t n = 0; n < 5; ++n) {
    ASSERT_EQ(raw.answer(), Inbox::State::Whole);
    EXPECT_EQ(load<std::uint32_t>(raw.in.body().data() + 12), 2 * n);
  }
}

TEST(MicroServer, answers_one_ways_never_and_requests_with_sync_scope_SERVER_without_results) {
  Served server;
  Raw raw(server);
  raw.send(request(giop::kGiop12, kNativeOrder, raw.key, "twice", 1, giop::ResponseFlags::None));
  raw.send(request(giop::kGiop12, kNativeOrder, raw.key, "twice", 2, giop::ResponseFlags::WithServer));
  raw.send(usual(raw, 3));
  ASSERT_EQ(raw.answer(), Inbox::State::Whole);
  EXPECT_EQ(raw.in.body().size(), 12u) << "the one-way has no answer, the next has no result";
  ASSERT_EQ(raw.answer(), Inbox::State::Whole);
  EXPECT_EQ(load<std::uint32_t>(raw.in.body().data() + 12), 6u);
}

TEST(MicroServer, closes_a_connection_whose_message_does_not_go_on) {
  Served server({"-ORBMessageTimeout", "30"});
  Raw slow(server), good(server);
  slow.send(ByteView(usual(slow)).first(20));
  EXPECT_EQ(slow.answer(), Inbox::State::Ended);
  good.send(usual(good));
  EXPECT_EQ(good.answer(), Inbox::State::Whole) << "other connections do not notice";
}

TEST(MicroServer, does_not_give_a_slow_message_more_time_for_each_byte) {
  Served server({"-ORBMessageTimeout", "50"});
  Raw slow(server);
  const TimePoint end = Clock::steady().now() + std::chrono::seconds(20);
  const Bytes bytes = request(giop::kGiop12, kNativeOrder, slow.key, std::string(1500, 'x'), 1);
  std::size_t sent = 0;
  bool ended = false;
  while (!ended && sent < bytes.size() && Clock::steady().now() < end) {
    ended = send_some(slow.socket.get(), {&bytes[sent++], 1}) < 0;
    while (Loop::instance().turn(Clock::steady().now() + std::chrono::milliseconds(1))) {
    }
    ended = ended || (Loop::instance().wait(slow.socket.get(), POLLIN, Clock::steady().now()) &&
                      slow.in.receive(slow.socket.get(), kUsual) == Inbox::State::Ended);
  }
  EXPECT_TRUE(ended);
  EXPECT_LT(sent, bytes.size());
}

TEST(MicroServer, closes_idle_connections) {
  Served server({"-ORBIdleTimeout", "30"});
  Raw idle(server);
  EXPECT_EQ(idle.answer(), Inbox::State::Ended);
}

TEST(MicroServer, turns_connections_away_beyond_its_limits_and_keeps_those_that_it_has) {
  Served server({"-ORBMaxConnectionsPerPeer", "2"});
  Raw first(server), second(server);
  Raw::serve();
  Raw third(server);
  EXPECT_EQ(third.answer(), Inbox::State::Ended);
  first.send(usual(first));
  EXPECT_EQ(first.answer(), Inbox::State::Whole);
  second.send(usual(second));
  EXPECT_EQ(second.answer(), Inbox::State::Whole);
}

TEST(MicroServer, is_not_held_up_by_a_client_that_takes_no_replies_in) {
  Served server({"-ORBSendTimeout", "200", "-ORBMaxMessageSize", "20000000"});
  Raw greedy(server), good(server);
  for (int i = 0; i < 20; ++i) greedy.send(request(giop::kGiop12, kNativeOrder, greedy.key, "bytes", 4'000'000));
  for (int i = 0; i < 5; ++i) {
    good.send(usual(good, 4));
    ASSERT_EQ(good.answer(), Inbox::State::Whole);
  }
  Inbox::State state = Inbox::State::Wanting;
  const TimePoint end = Clock::steady().now() + std::chrono::seconds(20);
  // Nothing is taken in until the server has given up.
  while (Loop::instance().size() > 2 && Clock::steady().now() < end)
    Loop::instance().turn(Clock::steady().now() + std::chrono::milliseconds(20));
  EXPECT_EQ(Loop::instance().size(), 2u) << "the listener and the good client";
  Limits large;
  large.max_message_bytes = 100'000'000;
  while (state == Inbox::State::Wanting || state == Inbox::State::Whole) {
    greedy.in.next();
    state = greedy.in.receive(greedy.socket.get(), large);
  }
  EXPECT_EQ(state, Inbox::State::Ended);
}

TEST(MicroServer, says_why_it_serves_no_request) {
  Served server;
  Raw raw(server);
  const auto minor_of = [&](const Bytes& bytes) {
    raw.send(bytes);
    EXPECT_EQ(raw.answer(), Inbox::State::Whole);
    cdr::Budget budget = cdr::Budget::of(kUsual, raw.in.body().size());
    cdr::Decoder d(raw.in.body(), kNativeOrder, budget, giop::kBodyPhase);
    giop::ReplyHeader reply;
    giop::SystemExceptionBody body;
    EXPECT_TRUE(giop::decode(d, giop::kGiop12, reply, kUsual) && giop::decode(d, body));
    return std::string(body.repository_id) + " " + std::to_string(body.minor & 0xfff);
  };
  EXPECT_EQ(minor_of(request(giop::kGiop12, kNativeOrder, raw.key, "thrice", 1)),
            "IDL:omg.org/CORBA/BAD_OPERATION:1.0 2");
  ior::Bytes other = raw.key;
  other[5] ^= 1;
  EXPECT_EQ(minor_of(request(giop::kGiop12, kNativeOrder, other, "twice", 1)),
            "IDL:omg.org/CORBA/OBJECT_NOT_EXIST:1.0 2");
  other = raw.key;
  other[12] = 99;
  EXPECT_EQ(minor_of(request(giop::kGiop12, kNativeOrder, other, "twice", 1)),
            "IDL:omg.org/CORBA/OBJECT_NOT_EXIST:1.0 160");
  EXPECT_EQ(minor_of(request(giop::kGiop12, kNativeOrder, raw.key, "note", 100)), "IDL:omg.org/CORBA/MARSHAL:1.0 2");
}

// Each answer is a reply, an exception, or the end of the connection; and the server still serves.
TEST(MicroServer, survives_requests_with_bytes_changed_at_random) {
  Served server({"-ORBMessageTimeout", "5"});
  std::mt19937 random(7);
  Raw first(server);
  const Bytes good = usual(first);
  for (int round = 0; round < 400; ++round) {
    Raw raw(server);
    Bytes bytes = good;
    for (int change = 0; change < 3; ++change) bytes[random() % bytes.size()] = static_cast<Byte>(random());
    bytes.insert(bytes.end(), good.begin(), good.end());  // a request that has become a one-way has no answer
    raw.send(bytes);
    EXPECT_NE(raw.answer(), Inbox::State::Wanting) << "round " << round;
  }
  Raw last(server);
  last.send(usual(last));
  EXPECT_EQ(last.answer(), Inbox::State::Whole);
}

// --- Servers that lie ---

// Answers the first request on a connection with these bytes. `%id` stands where the request's id does.
class Liar final : public Source {
 public:
  explicit Liar(Bytes answer, bool closes = false) : answer_(std::move(answer)), closes_(closes) {
    SocketAddress at;
    EXPECT_TRUE(at.set({"127.0.0.1", 0}));
    listener_ = listen_at(at, bound_);
    fd = listener_.get();
    wanted = POLLIN;
    EXPECT_TRUE(Loop::instance().add(*this));
  }
  ~Liar() { Loop::instance().remove(*this); }
  std::string reference() const {
    return "corbaloc:iiop:1.2@127.0.0.1:" + std::to_string(bound_.text().port) + "/key";
  }
  void ready() noexcept override {
    if (!connection_.valid()) {
      SocketAddress from;
      connection_ = accept_from(listener_.get(), from);
      fd = connection_.get();
      return;
    }
    if (in_.receive(fd, kUsual) != Inbox::State::Whole) return;
    if (answer_.size() >= 16) store(answer_.data() + 12, load<std::uint32_t>(in_.body().data()));
    (void)send_some(fd, answer_);
    if (!closes_) return;
    Loop::instance().remove(*this);
    connection_.reset();
  }
  void late() noexcept override {}

 private:
  Bytes answer_;
  const bool closes_;
  SocketAddress bound_;
  Descriptor listener_, connection_;
  Inbox in_;
};

Bytes reply(giop::ReplyStatus status, const std::function<void(cdr::Encoder&)>& body) {
  Buffer buffer;
  cdr::Encoder e(buffer);
  const giop::Started started = giop::begin_reply(e, giop::kGiop12, 0, status);
  body(e);
  EXPECT_EQ(giop::finish_message(e, started), Fault::None);
  return Bytes(buffer.view().begin(), buffer.view().end());
}

template <class E>
E told(Bytes answer, bool closes = false) {
  Client client({"-ORBCallTimeout", "2000"});
  Liar liar(std::move(answer), closes);
  const CORBA::Object_var object = client.orb->string_to_object(liar.reference().c_str());
  return caught<E>([&] { object->_is_a("IDL:x:1.0"); });
}

TEST(MicroClient, refuses_replies_that_are_none) {
  EXPECT_EQ(told<CORBA::COMM_FAILURE>(Bytes{'H', 'T', 'T', 'P'}).completed(), CORBA::COMPLETED_MAYBE);
  EXPECT_EQ(told<CORBA::COMM_FAILURE>({}, true).completed(), CORBA::COMPLETED_MAYBE);
  const auto error = giop::message_error(giop::kGiop12);
  EXPECT_EQ(told<CORBA::COMM_FAILURE>(Bytes(error.begin(), error.end())).minor(), orb::kMessageErrorReceived);
  const auto farewell = giop::close_connection(giop::kGiop12);
  EXPECT_EQ(told<CORBA::TRANSIENT>(Bytes(farewell.begin(), farewell.end())).completed(), CORBA::COMPLETED_NO);
}

TEST(MicroClient, refuses_results_that_cannot_be_read) {
  EXPECT_EQ(told<CORBA::MARSHAL>(reply(giop::ReplyStatus::NoException, [](cdr::Encoder&) {})).completed(),
            CORBA::COMPLETED_YES);
  EXPECT_EQ(told<CORBA::MARSHAL>(reply(giop::ReplyStatus::NoException, [](cdr::Encoder& e) {
              e.put_octet(7);
            })).completed(), CORBA::COMPLETED_YES);
  EXPECT_EQ(told<CORBA::UNKNOWN>(reply(giop::ReplyStatus::UserException, [](cdr::Encoder& e) {
              e.put_string("IDL:z:1.0");
            })).minor(), orb::omg(1));
  EXPECT_EQ(told<CORBA::INV_OBJREF>(reply(giop::ReplyStatus::LocationForward, [](cdr::Encoder& e) {
              ior::encode(e, ior::Ior{});
            })).minor(), orb::kBadForward);
  EXPECT_EQ(told<CORBA::INV_OBJREF>(reply(giop::ReplyStatus::NeedsAddressingMode, [](cdr::Encoder& e) {
              e.put_ushort(1);
            })).minor(), orb::kAddressingRefused);
}

TEST(MicroClient, refuses_replies_to_other_requests) {
  Bytes other = reply(giop::ReplyStatus::NoException, [](cdr::Encoder& e) { e.put_boolean(true); });
  store(other.data() + 8, std::uint32_t{2});  // a body that ends within the request's id
  told<CORBA::MARSHAL>(other);
}

}  // namespace
}  // namespace callis::micro
