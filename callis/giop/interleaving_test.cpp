// SPDX-License-Identifier: Apache-2.0
// A client and a server, back to back, through every order of what may happen on a connection up to a
// depth: requests, replies, cancels, timeouts, fragments, orderly closes from both sides and resets. What must
// always hold:
//   - neither side accuses the other of breaking the protocol;
//   - each call ends exactly once: its own reply, given up, or failed with the connection;
//   - a request is executed at most once, and never when its call failed with ConnectionClosed, for such a
//     call may be sent again (CORBA 3.3 part 2, 9.5.1.1).
#include <callis/giop/giop.h>
#include <callis/giop/testing/wire.h>
#include <gtest/gtest.h>
#include <cstdlib>

namespace callis::giop {
namespace {

using testing::Bytes;
using testing::kLimits;
using testing::operator+;

enum class Action { Send, SendHalf, SendRest, ServerTakes, ServerAnswers, ClientTakes, GiveUp, ServerDrains,
                    ServerCloses, ClientCloses, Reset, Count };
constexpr int kActions = static_cast<int>(Action::Count);
const char* const kNames[] = {"Send", "SendHalf", "SendRest", "ServerTakes", "ServerAnswers", "ClientTakes",
                              "GiveUp", "ServerDrains", "ServerCloses", "ClientCloses", "Reset"};

struct Call {
  bool made = false;
  std::uint32_t id = 0;
  int executed = 0;
  int ended = 0;
  bool closed = false;  // ended with ConnectionClosed: may be sent again
};

class World {
 public:
  World() : client_(Role::Client, kLimits), server_(Role::Server, kLimits), table_(0xFFFFFFFFu) {}

  bool enabled(Action a) const {
    const bool open = client_.state() == State::Open;
    switch (a) {
      case Action::Send: return open && sent_ < kCalls && rest_.empty();
      case Action::SendHalf: return open && sent_ < kCalls && rest_.empty();
      case Action::SendRest: return open && !rest_.empty();
      case Action::ServerTakes: return !to_server_.empty() && server_.state() != State::Closed;
      case Action::ServerAnswers: return !dispatched_.empty() && server_.state() != State::Closed;
      case Action::ClientTakes: return !to_client_.empty() && client_.state() != State::Closed;
      case Action::GiveUp: return open && table_.pending() != 0;
      case Action::ServerDrains: return server_.state() == State::Open;
      case Action::ServerCloses: return server_.state() == State::Draining;
      case Action::ClientCloses: return open && table_.pending() == 0 && rest_.empty();
      case Action::Reset: return client_.state() != State::Closed || server_.state() != State::Closed;
      case Action::Count: break;
    }
    return false;
  }

  void act(Action a) {
    switch (a) {
      case Action::Send: to_server_ = to_server_ + request(); break;
      case Action::SendHalf: send_half(); break;
      case Action::SendRest: to_server_ = to_server_ + rest_; rest_.clear(); break;
      case Action::ServerTakes: server_takes(); break;
      case Action::ServerAnswers: answer(); break;
      case Action::ClientTakes: client_takes(); break;
      case Action::GiveUp: give_up(); break;
      case Action::ServerDrains: server_.begin_drain(); break;
      case Action::ServerCloses: append(to_client_, server_.finish_drain()); break;
      case Action::ClientCloses:
        client_.begin_drain();
        append(to_server_, client_.finish_drain());
        client_ended();
        break;
      case Action::Reset:
        client_.lost();
        server_.lost();
        to_server_.clear();
        to_client_.clear();
        client_ended();
        break;
      case Action::Count: break;
    }
  }

  // Everything that is under way arrives, then the connection goes.
  void finish() {
    while (enabled(Action::SendRest)) act(Action::SendRest);
    while (enabled(Action::ServerTakes)) act(Action::ServerTakes);
    while (enabled(Action::ServerAnswers)) act(Action::ServerAnswers);
    while (enabled(Action::ClientTakes)) act(Action::ClientTakes);
    if (enabled(Action::Reset)) act(Action::Reset);
    for (const Call& c : calls_) {
      if (c.made && c.ended != 1) fail("a call ended " + std::to_string(c.ended) + " times");
      if (c.executed > 1) fail("a request was executed twice");
      if (c.closed && c.executed != 0) fail("a call that may be sent again was executed");
    }
  }
  const std::string& failure() const { return failure_; }

 private:
  static constexpr std::size_t kCalls = 2;

  void fail(std::string why) { if (failure_.empty()) failure_ = std::move(why); }
  static Bytes copy(ByteView v) { return {v.begin(), v.end()}; }
  static void append(Bytes& to, ByteView v) { to.insert(to.end(), v.begin(), v.end()); }

  Bytes request() {
    Call& k = calls_[sent_++];
    k.id = table_.open(&k).value();
    k.made = true;
    Buffer b;
    cdr::Encoder e(b);
    const Bytes key(16, 'k');
    const Started s = begin_request(e, kGiop12, {.request_id = k.id, .target = Target::key(key), .operation = "f"});
    e.put_ulong(k.id);
    if (finish_message(e, s) != Fault::None) fail("encoding");
    return copy(b.view());
  }
  void send_half() {
    Bytes whole = request();
    FragmentedMessage f;
    if (f.cut(whole, 32) != Fault::None || f.messages() < 2) fail("cutting");
    append(to_server_, f.views()[0]);
    for (const ByteView v : f.views().subspan(1)) append(rest_, v);
  }
  void server_takes() {
    const Event ev = server_.receive(to_server_);
    if (ev.kind == EventKind::ProtocolError) fail("the server refused the client");
    if (ev.kind == EventKind::Message && ev.message.header.type == MessageType::Request) {
      cdr::Budget budget = cdr::Budget::of(kLimits, ev.message.body_bytes());
      cdr::Decoder d = ev.message.decoder(budget);
      RequestHeader h;
      if (!decode(d, ev.message.header.version, h, kLimits) || d.get_ulong() != h.request_id)
        fail("a damaged request");
      for (Call& k : calls_) {
        if (k.made && k.id == h.request_id) ++k.executed;
      }
      server_.started();
      dispatched_.push_back(h.request_id);
    }
    to_server_.erase(to_server_.begin(), to_server_.begin() + static_cast<std::ptrdiff_t>(ev.consumed));
    // What stays is half a message, which nobody sends here.
    if (ev.kind == EventKind::NeedBytes && !to_server_.empty()) fail("bytes left over at the server");
  }
  void answer() {
    const std::uint32_t id = dispatched_.back();  // the newest first: replies may come in any order
    dispatched_.pop_back();
    Buffer b;
    cdr::Encoder e(b);
    const Started s = begin_reply(e, kGiop12, id, ReplyStatus::NoException);
    e.put_ulong(id);
    if (finish_message(e, s) != Fault::None) fail("encoding");
    append(to_client_, b.view());
    server_.answered();
  }
  void client_takes() {
    const Event ev = client_.receive(to_client_);
    if (ev.kind == EventKind::ProtocolError) fail("the client refused the server");
    if (ev.kind == EventKind::Message) {
      cdr::Budget budget = cdr::Budget::of(kLimits, ev.message.body_bytes());
      cdr::Decoder d = ev.message.decoder(budget);
      ReplyHeader h;
      if (!decode(d, ev.message.header.version, h, kLimits)) fail("a damaged reply");
      void* call = nullptr;
      const auto match = table_.match(h.request_id, call);
      if (match == RequestTable::Match::Unknown) fail("a reply to nothing");
      if (match == RequestTable::Match::Pending) {
        Call& k = *static_cast<Call*>(call);
        ++k.ended;
        if (d.get_ulong() != k.id) fail("a reply to another request");
        if (k.executed != 1) fail("a reply without an execution");
      }
    }
    to_client_.erase(to_client_.begin(), to_client_.begin() + static_cast<std::ptrdiff_t>(ev.consumed));
    if (ev.kind == EventKind::PeerClosing) client_ended();
  }
  void give_up() {
    for (Call& k : calls_) {
      if (!k.made || !table_.find(k.id)) continue;
      if (table_.retire(k.id) != &k) fail("another call was retired");
      ++k.ended;
      const auto cancel = cancel_request(kGiop12, k.id);
      append(to_server_, cancel);
      return;
    }
  }
  void client_ended() {
    if (client_.state() != State::Closed) fail("the client is not closed");
    rest_.clear();
    while (void* call = table_.take_any()) {
      Call& k = *static_cast<Call*>(call);
      ++k.ended;
      k.closed = client_.end_fault() == Fault::ConnectionClosed;
    }
  }

  Connection client_, server_;
  RequestTable table_;
  Bytes to_server_, to_client_, rest_;
  std::array<Call, kCalls> calls_;
  std::size_t sent_ = 0;
  std::vector<std::uint32_t> dispatched_;
  std::string failure_;
};

std::string describe(const std::vector<Action>& path) {
  std::string s;
  for (const Action a : path) s += std::string(kNames[static_cast<int>(a)]) + " ";
  return s;
}

struct Explorer {
  std::size_t depth;
  std::size_t schedules = 0;
  std::vector<Action> path{};

  // Runs path again from the start, because a world cannot be copied.
  bool explore() {
    World w;
    for (const Action a : path) w.act(a);
    std::vector<Action> next;
    for (int i = 0; i < kActions; ++i) {
      if (w.enabled(static_cast<Action>(i))) next.push_back(static_cast<Action>(i));
    }
    w.finish();
    ++schedules;
    if (!w.failure().empty()) {
      ADD_FAILURE() << w.failure() << " after " << describe(path);
      return false;
    }
    if (path.size() == depth) return true;
    for (const Action a : next) {
      path.push_back(a);
      const bool good = explore();
      path.pop_back();
      if (!good) return false;
    }
    return true;
  }
};

// A sanitizer takes ten times as long. One step more (CALLIS_INTERLEAVINGS=long) takes 3.5 times as long.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr std::size_t kDepth = 9, kAtLeast = 100'000;
#else
constexpr std::size_t kDepth = 10, kAtLeast = 300'000;
#endif

TEST(Interleavings, OfCallsCancelsClosesAndResetsKeepTheirPromises) {
  const bool deeper = std::getenv("CALLIS_INTERLEAVINGS") != nullptr;
  Explorer e{kDepth + (deeper ? 1 : 0)};
  EXPECT_TRUE(e.explore());
  EXPECT_GT(e.schedules, deeper ? 3 * kAtLeast : kAtLeast);
  RecordProperty("schedules", static_cast<int>(e.schedules));
}

}  // namespace
}  // namespace callis::giop
