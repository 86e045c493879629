// SPDX-License-Identifier: Apache-2.0
// Session: the server's side of the protocol on one connection, over any transport: bytes in, upcalls made on the
// calling thread, bytes to send out. One thread at a time may use it.
//
//   for (;;) {
//     const StepResult did = session.step(unread, out);   // unread shrinks as messages are consumed
//     switch (did.next) {
//       case Next::Send:      send did.output(), then out.clear(); break;
//       case Next::NeedBytes: make room for session.wanted_bytes(), read on; break;
//       case Next::Close:     send did.output(), close the transport; return;
//     }
//   }
//
// A session is attached to one connection after the other. A worker's session asks the worker (worker.h) around each
// upcall, so that another thread can go on with the connection meanwhile.
#pragma once
#include <callis/base/feature.h>
#include <callis/giop/giop.h>
#include <callis/orb/context/orb_context.h>
#include <callis/orb/server/header_cache.h>
#include <optional>

namespace callis::transport {
struct Peer;
}

namespace callis::orb {

class Worker;

// The state of a connection between its requests.
struct Conversation {
  explicit Conversation(const Limits& limits, giop::Role role = giop::Role::Server)
      : engine(role, limits), plain_text(role == giop::Role::Server) {}

  giop::Connection engine;
  // The code sets of the client's code set context; before that, the code sets that are taken for granted (7.10.2.5).
  std::uint32_t char_code_set = ior::kIso8859_1, wchar_code_set = ior::kUtf16;
  bool plain_text;  // so that headers that are known tell all of a request
  // Whether this ORB has opened the connection, and is called over it.
  bool comes_back() const { return engine.role() == giop::Role::Client; }
};

class Session final {
 public:
  // LetGo, only with a worker: the connection belongs to another thread, and the session no longer touches its engine
  // and bytes.
  enum class Next : std::uint8_t { NeedBytes, Send, Close, LetGo };
  // The result of a step.
  struct StepResult {
    Next next;
    bool idle;       // no message has begun, once all bytes of unread have been consumed
    bool postponed;  // the next step has something to do though nothing is unread
    std::uint32_t views;
    const ByteView* first_view;

    StepResult(Next what, bool is_idle = false, bool is_postponed = false, std::span<const ByteView> to_send = {})
        : next(what),
          idle(is_idle),
          postponed(is_postponed),
          views(static_cast<std::uint32_t>(to_send.size())),
          first_view(to_send.data()) {}
    // The parts to send, in this order, before the next step: views of out and of the session.
    std::span<const ByteView> output() const { return {first_view, views}; }
  };
  static_assert(sizeof(void*) != 8 || sizeof(StepResult) == 16);  // it travels in registers

  // worker is nullptr if no other thread goes on with a connection.
  Session(OrbContext& orb, Worker* worker);
  // Serves this connection from the next step on. Not called inside a step. peer is a text for the log. client is the
  // peer's identity, nullptr for this process. The arguments outlive the last step.
  void attach(Conversation& conversation, const std::string& peer, const transport::Peer* client) {
    conversation_ = &conversation;
    engine_ = &conversation.engine;
    if (!conversation.plain_text) [[unlikely]] headers_.forget();
    peer_ = &peer;
    client_ = client;
    source_ = orb_.source(MessageSource::of(client));
    let_go_ = answered_early_ = refuses_ = false;
    postponed_.reset();
  }
  // Says whether its thread has a place among the threads that may make upcalls (UpcallGate::take_place()).
  void set_place(bool has_place) { has_place_ = has_place; }
  // Returns whether the current connection was let go to another thread. Valid also after step() has thrown.
  bool has_let_go() const { return let_go_; }
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  // Works through unread until there is something to send or more bytes are needed. Appends output to out. The bytes
  // of unread must stay in place until NeedBytes.
  StepResult step(ByteView& unread, Buffer& out);
  // Ends the connection in good order, between steps. Returns the CloseConnection to send, or nothing if the
  // connection is over already.
  std::span<const ByteView> close_in_order(Buffer& out);
  // Whether nothing is left to do before more bytes come: all bytes of unread have been consumed.
  bool idle() const { return !postponed_ && !engine_->in_message(); }

  // From now on answers further requests of the current connection by TRANSIENT.
  void refuse_requests() {
    refuses_ = true;
    headers_.forget();
  }

  std::size_t wanted_bytes() const { return engine_->wanted_bytes(); }
  std::size_t message_bytes() const { return engine_->message_bytes(); }
  bool in_message() const { return engine_->in_message(); }
  bool reassembling() const { return engine_->reassemblies() != 0; }
  // The beginning of the oldest message that has not come whole. began: the beginning of the message whose bytes are
  // unread.
  TimePoint incomplete_since(TimePoint began, TimePoint now) {
    return reassembling() ? std::min(began, engine_->oldest_reassembly(now)) : began;
  }
  // The bytes of messages whose last fragment has not come.
  std::size_t incomplete_bytes() const { return engine_->reassembly_bytes(); }

 private:
  class Request;
  class Flat;
  class InUpcall;

  StepResult result(Next next, std::span<const ByteView> output = {}) const {
    return {next, idle(), postponed_.has_value(), output};
  }
  std::optional<giop::Reassembly> take_pieces(const giop::Message& m);
  StepResult step_slowly(ByteView& unread, Buffer& out);
  void drop_spilt() noexcept;
  bool take_known(ByteView& unread, Buffer& out);
  // Only for a memo that has `flat`. Returns false, and does nothing, if the request has to go by serve().
  CALLIS_OPTIONAL bool serve_flat(HeaderCache::Entry& known, ByteView arguments, Buffer& out);
  // Has f answer the request.
  void answer_flat(const FlatRequest& flat, const giop::RequestHeader& header,
                   void (*f)(void* context, ServerRequest& request) noexcept, void* context);
  void serve(const giop::RequestHeader& header, giop::Version version, cdr::Decoder& arguments, Buffer& out,
             ServerRequest::Memo* memo, bool plain_text, bool comes_back);
  void serve_first(const giop::RequestHeader& header, giop::Version version, cdr::Decoder& arguments, Buffer& out,
                   ServerRequest::Memo* memo, bool comes_back);  // the same, not inline
  Next on_event(const giop::Event& ev, Buffer& out);
  bool on_message(const giop::Message& m, Buffer& out);  // false: malformed
  bool on_cancel(const giop::Message& m);
  bool on_request(const giop::Message& m, Buffer& out);
  bool on_locate(const giop::Message& m, Buffer& out);
  Locate ask(RequestHandler& handler, const giop::Message& m, ior::Ior& forward, giop::SystemExceptionBody& failure);
  void refuse(const giop::Message& m, cdr::Decoder& d, Buffer& out, const CORBA::SystemException& why);
  void refuse_for_now(const giop::Message& m, cdr::Decoder& d, Buffer& out, std::uint32_t minor);  // TRANSIENT
  void take_listen_points(const giop::Message& m, const giop::ServiceContext& listen_points);
  void dispatch(const giop::RequestHeader& header, Request& request);
  void answer_without_adapter(const giop::RequestHeader& header, Request& request);
  std::span<const ByteView> show(Buffer& out, std::size_t from);
  std::span<const ByteView> show_cut(MutableBytes message);

  OrbContext& orb_;
  Worker* const worker_;
  bool has_place_ = false;
  const std::string* peer_ = nullptr;
  const transport::Peer* client_ = nullptr;
  MessageSource* source_ = nullptr;  // of the client's messages
  Conversation* conversation_ = nullptr;
  giop::Connection* engine_ = nullptr;  // of the conversation
  bool let_go_ = false;
  bool refuses_ = false;
  giop::RequestHeader request_;
  HeaderCache headers_;
  giop::LocateRequestHeader locate_;
  Arena arena_;  // for the arguments of the request being served
  cdr::TextForm text_;  // of the request being served
  ByteView behind_;                         // the bytes behind the message being served
  std::optional<giop::Message> postponed_;  // a request whose early answer is being sent
  bool answered_early_ = false;
  giop::FragmentedMessage pieces_;
  ByteView whole_;
};

}  // namespace callis::orb
