// SPDX-License-Identifier: Apache-2.0
#include <callis/base/log.h>
#include <callis/orb/core.h>
#include <callis/orb/errors.h>
#include <callis/orb/session.h>
#include <cstring>

namespace callis::orb {
namespace {

constexpr std::size_t kAfterId = giop::kHeaderBytes + 4;  // of a GIOP 1.2 request: behind its id
constexpr std::size_t kMaxSeenBytes = 1024;

}  // namespace

// One request and its reply, which is written straight to the end of the output buffer.
class Session::Request final : public ServerRequest {
 public:
  Request(const giop::RequestHeader& header, giop::Version version, cdr::Decoder& arguments, Buffer& out)
      : header_(header), version_(version), arguments_(arguments), out_(out), from_(out.size()) {}

  std::string_view operation() const override { return header_.operation; }
  ByteView object_key() const override { return header_.target.object_key; }
  bool response_expected() const override { return header_.response_expected(); }
  cdr::Decoder& arguments() override { return arguments_; }

  cdr::Encoder& reply() override {
    if (version_ != giop::kGiop12) return start(giop::ReplyStatus::NoException);
    return start_plain();
  }
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

  // What start(NoException) does for GIOP 1.2, from a template.
  cdr::Encoder& start_plain() {
    static const PlainHeader kHeader;
    discard();
    if (!out_.append(ByteView(kHeader.bytes))) return start(giop::ReplyStatus::NoException);
    store(out_.data() + from_ + giop::kHeaderBytes, header_.request_id);
    encoder_.emplace(out_);
    encoder_->set_origin(from_);
    const std::size_t end = from_ + kHeader.bytes.size();
    started_ = {from_, from_ + giop::kHeaderBytes, end, end};
    return *encoder_;
  }
  struct PlainHeader {
    std::array<Byte, 24> bytes{};  // message header, id, status 0, no contexts: a multiple of 8
    PlainHeader() { giop::write_header(bytes.data(), {giop::kGiop12, kNativeOrder, false, giop::MessageType::Reply, 12}); }
  };

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
    if (unread.empty() && !postponed_ && !engine_.in_message()) return Next::NeedBytes;
    if (take_seen(unread, out)) {
    } else if (postponed_) {
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
  d.set_arena(&arena_);
  if (!giop::decode(d, m.header.version, request_, core_.limits())) return false;
  if (request_.response == giop::ResponseFlags::WithServer && !answered_early_) {
    Request(request_, m.header.version, d, out).finish();  // SYNC_WITH_SERVER: an empty reply before the upcall
    answered_early_ = true;
    postponed_ = m;
    return true;
  }
  remember(m, d.remaining());
  serve(request_, m.header.version, d, out);
  answered_early_ = false;
  return true;
}

void Session::serve(const giop::RequestHeader& header, giop::Version version, cdr::Decoder& arguments, Buffer& out) {
  Request request(header, version, arguments, out);
  dispatch(header, request);
  if (header.response == giop::ResponseFlags::WithTarget) request.finish();
  else request.discard();
  arena_.reset();
}

// Keeps the header of a request that an ordinary client will send again and again.
void Session::remember(const giop::Message& m, std::size_t body_bytes) {
  seen_.bytes.clear();
  if (m.reassembled || m.header.version != giop::kGiop12 || request_.contexts.size() != 0 ||
      request_.target.how != giop::AddressingDisposition::Key || request_.response == giop::ResponseFlags::WithServer)
    return;
  const std::size_t header_bytes = giop::kHeaderBytes + m.body.size() - body_bytes;
  if (header_bytes > kMaxSeenBytes) return;
  const Byte* start = m.body.data() - giop::kHeaderBytes;  // the message was received whole, header and body
  if (!seen_.bytes.append({start, header_bytes})) return;
  const auto moved = [&](const void* p) { return seen_.bytes.data() + (static_cast<const Byte*>(p) - start); };
  seen_.header.response = request_.response;
  seen_.header.target = request_.target;
  seen_.header.target.object_key = {moved(request_.target.object_key.data()), request_.target.object_key.size()};
  seen_.header.operation = {reinterpret_cast<const char*>(moved(request_.operation.data())), request_.operation.size()};
  seen_.order = m.header.order;
  seen_.has_body = body_bytes != 0;
}

// Serves a request whose header is the one remembered. False, with nothing done, for any other message.
bool Session::take_seen(ByteView& unread, Buffer& out) {
  const std::size_t n = seen_.bytes.size();
  if (n == 0 || unread.size() < n) return false;
  const Byte* const was = seen_.bytes.data();
  if (load<std::uint64_t>(unread.data()) != load<std::uint64_t>(was)) return false;  // up to the message type
  if (std::memcmp(unread.data() + kAfterId, was + kAfterId, n - kAfterId) != 0) return false;
  const bool swap = seen_.order != kNativeOrder;
  const std::size_t body_bytes = load<std::uint32_t>(unread.data() + 8, swap);
  const std::size_t message_bytes = giop::kHeaderBytes + body_bytes;
  if (body_bytes > core_.limits().max_message_bytes || message_bytes > unread.size()) return false;
  if (seen_.has_body ? message_bytes < n : message_bytes != n) return false;
  if (postponed_ || engine_.reassemblies() != 0 || engine_.state() != giop::State::Open) return false;
  seen_.header.request_id = load<std::uint32_t>(unread.data() + giop::kHeaderBytes, swap);
  cdr::Budget budget = cdr::Budget::of(core_.limits(), body_bytes);
  cdr::Decoder d(unread.subspan(n, message_bytes - n), seen_.order, budget, n);
  d.set_context(&core_);
  d.set_arena(&arena_);
  serve(seen_.header, giop::kGiop12, d, out);
  unread = unread.subspan(message_bytes);
  return true;
}

void Session::dispatch(const giop::RequestHeader& header, Request& request) {
  const CORBA::ULong kUnknownAdapter = 2;
  ior::Ior forward;
  if (!header.target.has_key) {
    request.system_exception(CORBA::OBJECT_NOT_EXIST(omg(kUnknownAdapter), CORBA::COMPLETED_NO));
  } else if (core_.named_object(header.target.object_key, forward)) {
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
