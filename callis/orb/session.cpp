// SPDX-License-Identifier: Apache-2.0
#include <callis/base/log.h>
#include <callis/orb/core.h>
#include <callis/orb/errors.h>
#include <callis/orb/session.h>

namespace callis::orb {

// One request and its reply, which is written straight to the end of the output buffer.
class Session::Request final : public ServerRequest {
 public:
  Request(const giop::RequestHeader& header, giop::Version version, cdr::Decoder& arguments, Buffer& out)
      : header_(header), version_(version), arguments_(arguments), out_(out), from_(out.size()) {}

  std::string_view operation() const override { return header_.operation; }
  ByteView object_key() const override { return header_.target.object_key; }
  bool response_expected() const override { return header_.response_expected(); }
  cdr::Decoder& arguments() override { return arguments_; }

  cdr::Encoder& reply() override { return start(giop::ReplyStatus::NoException); }
  cdr::Encoder& user_exception(const char* repository_id) override {
    cdr::Encoder& e = start(giop::ReplyStatus::UserException);
    e.put_string(repository_id);
    return e;
  }
  void system_exception(const CORBA::SystemException& x) override {
    giop::encode(start(giop::ReplyStatus::SystemException),
                 {x._rep_id(), x.minor(), static_cast<giop::Completion>(x.completed())});
  }
  void location_forward(const ior::Ior& to) override {
    ior::encode(start(giop::ReplyStatus::LocationForward), to);
  }

  // Completes what was begun, or an empty reply. What cannot be completed becomes a system exception.
  void finish() {
    if (!encoder_) reply();
    const Fault f = giop::finish_message(*encoder_, started_);
    if (f == Fault::None) return;
    system_exception(*exception_of({f, 0, {}}, Step::EncodeReply));
    if (giop::finish_message(*encoder_, started_) != Fault::None) discard();  // no memory even for that
  }
  void discard() {
    encoder_.reset();
    out_.set_size(from_);
  }

 private:
  cdr::Encoder& start(giop::ReplyStatus status) {
    discard();
    encoder_.emplace(out_);
    started_ = giop::begin_reply(*encoder_, version_, header_.request_id, status);
    return *encoder_;
  }

  const giop::RequestHeader& header_;
  const giop::Version version_;
  cdr::Decoder& arguments_;
  Buffer& out_;
  const std::size_t from_;  // size of out_ before the reply
  std::optional<cdr::Encoder> encoder_;
  giop::Started started_;
};

Session::Session(Core& core, std::string peer)
    : core_(core), peer_(std::move(peer)), engine_(giop::Role::Server, core.limits()) {}

Session::Next Session::step(ByteView& unread, Buffer& out) {
  output_ = {};
  for (;;) {
    const std::size_t from = out.size();
    Next next = Next::Send;
    if (postponed_) {
      const giop::Message m = *std::exchange(postponed_, {});
      (void)on_request(m, out);  // its header has been read before
    } else {
      const giop::Event ev = engine_.receive(unread);
      next = on_event(ev, out);
      unread = unread.subspan(ev.consumed);
      if (next == Next::NeedBytes) return next;
    }
    if (out.size() != from) show(out, from);
    if (next == Next::Close || out.size() != from) return next;
  }
}

Session::Next Session::on_event(const giop::Event& ev, Buffer& out) {
  switch (ev.kind) {
    case giop::EventKind::NeedBytes: return Next::NeedBytes;
    case giop::EventKind::Message:
      if (on_message(ev.message, out)) return Next::Send;
      if (logging(LogLevel::Info)) log(LogLevel::Info, "malformed message from " + peer_);
      (void)out.append(engine_.refuse(ev.message.header.version, Fault::BadHeader));
      return Next::Close;
    case giop::EventKind::ProtocolError:
      if (logging(LogLevel::Info)) log(LogLevel::Info, peer_ + ": " + fault_name(ev.fault));
      (void)out.append(ev.to_send);
      return Next::Close;
    case giop::EventKind::PeerClosing:
    case giop::EventKind::PeerError:
    case giop::EventKind::Closed: break;
  }
  return Next::Close;
}

bool Session::on_message(const giop::Message& m, Buffer& out) {
  switch (m.header.type) {
    case giop::MessageType::Request: return on_request(m, out);
    case giop::MessageType::LocateRequest: return on_locate(m, out);
    default: return true;  // CancelRequest: the upcall was over before it could be read
  }
}

bool Session::on_request(const giop::Message& m, Buffer& out) {
  cdr::Budget budget = cdr::Budget::of(core_.limits(), m.body_bytes());
  cdr::Decoder d = m.decoder(budget);
  d.set_context(&core_);
  if (!giop::decode(d, m.header.version, request_, core_.limits())) return false;
  Request request(request_, m.header.version, d, out);
  if (request_.response == giop::ResponseFlags::WithServer && !answered_early_) {
    request.finish();  // SYNC_WITH_SERVER: an empty reply before the upcall
    answered_early_ = true;
    postponed_ = m;
    return true;
  }
  dispatch(request);
  request.finish();
  if (request_.response != giop::ResponseFlags::WithTarget) request.discard();
  answered_early_ = false;
  return true;
}

void Session::dispatch(Request& request) {
  const CORBA::ULong kUnknownAdapter = 2;
  ior::Ior forward;
  if (!request_.target.has_key) {
    request.system_exception(CORBA::OBJECT_NOT_EXIST(omg(kUnknownAdapter), CORBA::COMPLETED_NO));
  } else if (core_.named_object(request_.target.object_key, forward)) {
    request.location_forward(forward);
  } else if (RequestHandler* handler = core_.handler()) {
    Core::Upcall upcall(core_);
    handler->handle(request);
  } else {
    request.system_exception(CORBA::TRANSIENT(kNoAdapter, CORBA::COMPLETED_NO));  // still starting, or stopping
  }
}

bool Session::on_locate(const giop::Message& m, Buffer& out) {
  cdr::Budget budget = cdr::Budget::of(core_.limits(), m.body_bytes());
  cdr::Decoder d = m.decoder(budget);
  if (!giop::decode(d, m.header.version, locate_, core_.limits())) return false;
  ior::Ior forward;
  Locate found = Locate::Unknown;
  if (locate_.target.has_key) {
    RequestHandler* handler = core_.handler();
    if (core_.named_object(locate_.target.object_key, forward)) found = Locate::Forward;
    else if (handler) found = handler->locate(locate_.target.object_key, forward);
  }
  cdr::Encoder e(out);
  const auto status = found == Locate::Here      ? giop::LocateStatus::ObjectHere
                      : found == Locate::Forward ? giop::LocateStatus::ObjectForward
                                                 : giop::LocateStatus::UnknownObject;
  const giop::Started s = giop::begin_locate_reply(e, m.header.version, locate_.request_id, status);
  if (found == Locate::Forward) ior::encode(e, forward);
  return giop::finish_message(e, s) == Fault::None;
}

void Session::show(Buffer& out, std::size_t from) {
  const std::size_t limit = core_.options().fragment_bytes;
  const MutableBytes message{out.data() + from, out.size() - from};
  if (limit != 0 && message.size() > limit && pieces_.cut(message, limit) == Fault::None) {
    output_ = pieces_.views();
    return;
  }
  whole_ = message;
  output_ = {&whole_, 1};
}

void Session::close_in_order(Buffer& out) {
  output_ = {};
  const std::size_t from = out.size();
  engine_.begin_drain();
  if (out.append(engine_.finish_drain()) && out.size() != from) show(out, from);
}

}  // namespace callis::orb
