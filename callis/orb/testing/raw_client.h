// SPDX-License-Identifier: Apache-2.0
// A client that speaks to a server byte by byte, for the tests of the server's side: over TCP, or straight into
// the server core (no socket, no thread).
#pragma once
#include <callis/giop/giop.h>
#include <callis/orb/server/server.h>
#include <callis/orb/testing/echo.h>
#include <callis/transport/transport.h>
#include <gtest/gtest.h>
#include <algorithm>
#include <initializer_list>
#include <vector>

namespace callis::orb::testing {

// The server's message, or the kind of end: see kind.
struct Heard {
  giop::EventKind kind = giop::EventKind::NeedBytes;  // Closed: end of the stream without a word
  giop::MessageHeader header;
  std::uint32_t id = 0;
  giop::ReplyStatus status{};
  giop::LocateStatus locate{};
  std::uint32_t value = 0;  // first unsigned long of the body, 0 for none; of requests, too
  std::string exception;    // repository id
  std::uint32_t minor = 0;
  giop::Completion completed{};
  ior::Ior forward;
  bool silent = false;  // nothing came in time
};

class RawClient final {
 public:
  explicit RawClient(std::unique_ptr<transport::Stream> stream) : stream_(std::move(stream)) {}
  // Makes a client over TCP.
  explicit RawClient(std::uint16_t port)
      : RawClient(transport::connect_tcp("127.0.0.1", port, Deadline::in(kPatience)).value()) {}
  // Makes a client without a socket.
  explicit RawClient(Core& server)
      : stream_(transport::make_memory_stream(server.server().make_memory_connection("raw"), "raw")) {}

  // False when the server has closed.
  bool send(ByteView bytes) { return stream_->send(bytes, Deadline::in(kPatience)).ok(); }
  void finish_sending() { stream_->finish_sending(); }
  // Requests may come, too.
  void go_bidirectional() { engine_.go_bidirectional(); }

  Heard hear(Duration patience = kPatience) {
    for (;;) {
      const giop::Event ev = engine_.receive(in_.view(from_));
      from_ += ev.consumed;
      Heard h;
      h.kind = ev.kind;
      if (ev.kind == giop::EventKind::PeerError) h.header = ev.message.header;
      if (ev.kind == giop::EventKind::Message) read(ev.message, h);
      if (ev.kind != giop::EventKind::NeedBytes) return h;
      if (!in_.reserve(in_.size() + 4096)) return h;
      const auto t = stream_->receive({in_.data() + in_.size(), 4096}, Deadline::in(patience));
      h.silent = t.fault == Fault::DeadlinePassed;
      h.kind = h.silent ? giop::EventKind::NeedBytes : giop::EventKind::Closed;
      if (!t.ok()) return h;
      in_.set_size(in_.size() + t.bytes);
    }
  }
  // True when the stream has ended and nothing else came before.
  bool hear_end() { return hear().kind == giop::EventKind::Closed; }

  static constexpr Duration kPatience{20'000};

 private:
  static void read_exception(cdr::Decoder& d, Heard& h) {
    giop::SystemExceptionBody b;
    EXPECT_TRUE(giop::decode(d, b));
    h.exception = b.repository_id;
    h.minor = b.minor;
    h.completed = b.completed;
  }
  void read(const giop::Message& m, Heard& h) {
    h.header = m.header;
    cdr::Budget budget = cdr::Budget::of(limits_, m.body_bytes());
    cdr::Decoder d = m.decoder(budget);
    if (m.header.type == giop::MessageType::Request) {
      giop::RequestHeader r;
      EXPECT_TRUE(giop::decode(d, m.header.version, r, limits_));
      h.id = r.request_id;
      if (d.remaining() >= 4) h.value = d.get_ulong();
      return;
    }
    if (m.header.type == giop::MessageType::CancelRequest) {
      EXPECT_TRUE(giop::decode_cancel(d, h.id));
      return;
    }
    if (m.header.type == giop::MessageType::LocateReply) {
      giop::LocateReplyHeader r;
      EXPECT_TRUE(giop::decode(d, m.header.version, r));
      h.id = r.request_id;
      h.locate = r.status;
      if (r.status == giop::LocateStatus::ObjectForward) {
        EXPECT_TRUE(ior::decode(d, h.forward, limits_));
      } else if (r.status == giop::LocateStatus::SystemException) {
        read_exception(d, h);
      }
      return;
    }
    giop::ReplyHeader r;
    EXPECT_TRUE(giop::decode(d, m.header.version, r, limits_));
    h.id = r.request_id;
    h.status = r.status;
    if (r.status == giop::ReplyStatus::SystemException) {
      read_exception(d, h);
    } else if (r.status == giop::ReplyStatus::LocationForward) {
      EXPECT_TRUE(ior::decode(d, h.forward, limits_));
    } else {
      if (r.status == giop::ReplyStatus::UserException) h.exception = d.get_string();
      if (d.remaining() >= 4) h.value = d.get_ulong();
    }
  }

  const Limits limits_;
  std::unique_ptr<transport::Stream> stream_;
  giop::Connection engine_{giop::Role::Client, limits_};
  Buffer in_;
  std::size_t from_ = 0;
};

// A whole request message.
struct RawRequest {
  std::string_view operation = "echo";
  std::optional<std::uint32_t> argument = 1;
  std::uint32_t id = 1;
  giop::Version version = giop::kGiop12;
  ByteOrder order = kNativeOrder;
  giop::ResponseFlags response = giop::ResponseFlags::WithTarget;
  giop::Target target = giop::Target::key(bytes_of("echo"));
  std::span<const giop::ServiceContext> contexts = {};
};
inline std::vector<Byte> message(const RawRequest& r) {
  Buffer b;
  cdr::Encoder e(b, r.order);
  giop::OutgoingRequest o;
  o.request_id = r.id;
  o.response = r.response;
  o.target = r.target;
  o.operation = r.operation;
  o.contexts = r.contexts;
  const auto s = giop::begin_request(e, r.version, o);
  if (r.argument) e.put_ulong(*r.argument);
  EXPECT_EQ(giop::finish_message(e, s), Fault::None);
  return {b.data(), b.data() + b.size()};
}

inline std::vector<Byte> locate_message(giop::Version v, ByteOrder order, std::string_view key,
                                        std::uint32_t id = 1) {
  Buffer b;
  cdr::Encoder e(b, order);
  const auto s = giop::begin_locate_request(e, v, id, giop::Target::key(bytes_of(key)));
  EXPECT_EQ(giop::finish_message(e, s), Fault::None);
  return {b.data(), b.data() + b.size()};
}

// A connection's client hears these ids, in any order.
inline void expect_ids(RawClient& client, std::vector<std::uint32_t> ids) {
  std::vector<std::uint32_t> heard;
  for (std::size_t i = 0; i < ids.size(); ++i) heard.push_back(client.hear().id);
  std::sort(heard.begin(), heard.end());
  EXPECT_EQ(heard, ids);
}

inline void send_all(RawClient& client, std::initializer_list<std::vector<Byte>> messages) {
  std::vector<Byte> together;
  for (const auto& m : messages) together.insert(together.end(), m.begin(), m.end());
  EXPECT_TRUE(client.send(together));
}

}  // namespace callis::orb::testing
