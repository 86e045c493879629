// SPDX-License-Identifier: Apache-2.0
// Session: the server's side of the protocol on one connection, whatever the transport: bytes in, upcalls made on
// the calling thread, bytes to send out. One thread at a time.
//
//   for (;;) {
//     switch (session.step(unread, out)) {         // unread shrinks as messages are consumed
//       case Next::Send:
//       case Next::SendAndRead: send session.output(), then out.clear(); break;
//       case Next::NeedBytes: make room for session.wanted_bytes(), read on; break;
//       case Next::Close:     send session.output(), close the transport; return;
//     }
//   }
#pragma once
#include <callis/giop/giop.h>
#include <callis/orb/seen_headers.h>
#include <optional>

namespace callis::orb {

class Core;

class Session final {
 public:
  // SendAndRead: Send, and idle() when all that unread showed has been consumed.
  enum class Next { NeedBytes, Send, SendAndRead, Close };

  // peer: for the log.
  Session(Core& core, std::string peer);
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  // Works through unread until there is something to send or more is needed. What is to be sent is appended
  // to out. The bytes that unread showed must stay in place until NeedBytes.
  Next step(ByteView& unread, Buffer& out);
  // Ends the connection in good order, between steps: CloseConnection. Nothing to send when it is over already.
  void close_in_order(Buffer& out);
  // Nothing is left to be done before more bytes come: all that unread showed has been consumed.
  bool idle() const { return !postponed_ && !engine_.in_message(); }
  // What to send, in this order, after Send, Close and close_in_order(): views of out and of this.
  std::span<const ByteView> output() const { return output_; }

  std::size_t wanted_bytes() const { return engine_.wanted_bytes(); }
  std::size_t message_bytes() const { return engine_.message_bytes(); }
  bool in_message() const { return engine_.in_message(); }
  // Of messages whose last fragment has not come.
  std::size_t incomplete_bytes() const { return engine_.reassembly_bytes(); }

 private:
  class Request;

  Next step_slowly(ByteView& unread, Buffer& out);
  bool take_seen(ByteView& unread, Buffer& out);
  void serve(const giop::RequestHeader& header, giop::Version version, cdr::Decoder& arguments, Buffer& out,
             ServerRequest::Memo* memo);
  void serve_first(const giop::RequestHeader& header, giop::Version version, cdr::Decoder& arguments, Buffer& out,
                   ServerRequest::Memo* memo);  // the same, not inline
  Next on_event(const giop::Event& ev, Buffer& out);
  bool on_message(const giop::Message& m, Buffer& out);  // false: malformed
  bool on_request(const giop::Message& m, Buffer& out);
  bool on_locate(const giop::Message& m, Buffer& out);
  void dispatch(const giop::RequestHeader& header, Request& request);
  void answer_without_adapter(const giop::RequestHeader& header, Request& request);
  void show(Buffer& out, std::size_t from);
  void show_cut(MutableBytes message);

  Core& core_;
  const std::string peer_;
  giop::Connection engine_;
  giop::RequestHeader request_;
  SeenHeaders seen_;
  giop::LocateRequestHeader locate_;
  Arena arena_;  // for the arguments of the request being served
  bool take_code_sets(giop::Version version);

  // What the client has said by a code set context, or what is taken for granted until it does (7.10.2.5).
  std::uint32_t char_code_set_ = ior::kIso8859_1, wchar_code_set_ = ior::kUtf16;
  cdr::TextForm text_;  // of the request being served
  std::optional<giop::Message> postponed_;  // a request whose early answer is being sent
  bool answered_early_ = false;
  giop::FragmentedMessage pieces_;
  ByteView whole_;
  std::span<const ByteView> output_;
};

}  // namespace callis::orb
