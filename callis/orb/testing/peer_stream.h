// SPDX-License-Identifier: Apache-2.0
// A server's end of a connection, message by message, for scripts that answer in an order of their own.
#pragma once
#include <callis/giop/giop.h>
#include <callis/orb/testing/scripted_peer.h>
#include <callis/transport/transport.h>
#include <gtest/gtest.h>

namespace callis::orb::testing {

class PeerStream final {
 public:
  explicit PeerStream(transport::Stream& s) : stream_(s) {}

  struct Request {
    giop::MessageType type{};  // Request, CancelRequest, LocateRequest
    giop::Version version{1, 2};
    std::uint32_t id = 0;
    std::string operation;
    std::uint32_t argument = 0;
  };
  // The next message; nullopt when the client has closed.
  std::optional<Request> next() {
    for (;;) {
      const giop::Event ev = engine_.receive(in_.view());
      if (ev.kind == giop::EventKind::Message) {
        const Request r = read(ev.message);
        in_.drop_front(ev.consumed);
        return r;
      }
      if (ev.kind != giop::EventKind::NeedBytes || !in_.reserve(in_.size() + 4096)) return {};
      const auto t = stream_.receive({in_.data() + in_.size(), in_.capacity() - in_.size()}, Deadline());
      if (!t.ok()) return {};
      in_.set_size(in_.size() + t.bytes);
    }
  }
  bool send(ByteView bytes) { return stream_.send(bytes, Deadline()).ok(); }
  bool reply(const Request& r, std::uint32_t v) { return send(whole_reply(r, v).view()); }

  static Buffer whole_reply(const Request& r, std::uint32_t v, std::size_t more = 0) {
    Buffer b;
    cdr::Encoder e(b);
    const auto s = giop::begin_reply(e, r.version, r.id, giop::ReplyStatus::NoException);
    e.put_ulong(v);
    if (more != 0) e.put_octets(std::vector<Byte>(more));
    EXPECT_EQ(giop::finish_message(e, s), Fault::None);
    return b;
  }

 private:
  Request read(const giop::Message& m) {
    Request r;
    r.type = m.header.type;
    r.version = m.header.version;
    cdr::Budget budget = cdr::Budget::of(limits_, m.body_bytes());
    cdr::Decoder d = m.decoder(budget);
    if (r.type == giop::MessageType::Request) {
      giop::RequestHeader h;
      EXPECT_TRUE(giop::decode(d, m.header.version, h, limits_));
      r.id = h.request_id;
      r.operation = h.operation;
      if (d.remaining() >= 4) r.argument = d.get_ulong();
    } else {
      r.id = d.get_ulong();
    }
    return r;
  }

  const Limits limits_;
  transport::Stream& stream_;
  giop::Connection engine_{giop::Role::Server, limits_};
  Buffer in_;
};

}  // namespace callis::orb::testing
