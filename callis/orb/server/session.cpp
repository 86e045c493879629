// SPDX-License-Identifier: Apache-2.0
// The session: from the messages of a connection to upcalls, and back to messages.
#include <callis/base/log.h>
#include <callis/base/text.h>
#include <callis/orb/base/errors.h>
#include <callis/orb/context/bidirectional_giop.h>
#include <callis/orb/context/exception_texts.h>
#include <callis/orb/context/upcall.h>
#include <callis/orb/diagnostics/limit_texts.h>
#include <callis/orb/server/connection_code_sets.h>
#include <callis/orb/server/end_times.h>
#include <callis/orb/server/session.h>
#include <callis/orb/server/worker.h>

namespace callis::orb {

// One request and its reply, which is written straight to the end of the output buffer.
class Session::Request final : public ServerRequest {
 public:
  // The reply's text is in the form of the request's; plain_text: GIOP 1.2, and none but the usual form.
  Request(const giop::RequestHeader& header, giop::Version version, cdr::Decoder& arguments, Buffer& out, Memo* memo,
          bool plain_text, bool comes_back, const transport::Peer* client)
      : ServerRequest({header.operation, header.target.object_key, arguments, header.response_expected(), comes_back,
                       memo, &header, client}),
        version_(version),
        out_(out),
        from_(out.size()) {
    if (plain_text && header.response == giop::ResponseFlags::WithTarget) [[likely]] begin_plain();
  }

  void set_reply_contexts(const giop::ServiceContext* first, std::size_t count) override {
    discard();
    fresh_ = false;
    contexts_ = {first, count};
  }

  [[gnu::hot]] cdr::Encoder& reply() override {
    if (!fresh_) [[unlikely]] return start(giop::ReplyStatus::NoException);
    fresh_ = false;
    return *encoder_;
  }
  cdr::Encoder& user_exception(const char* repository_id) override {
    cdr::Encoder& e = start(giop::ReplyStatus::UserException);
    e.put_string(repository_id);
    return e;
  }
  void system_exception(const CORBA::SystemException& x) override {
    const auto given = contexts_;
    if (x._callis_has_own_detail() && CALLIS_HAS(exception_texts)) add_exception_text(contexts_, x, arguments());
    giop::encode(start(giop::ReplyStatus::SystemException),
                 {x._rep_id(), x.minor(), static_cast<giop::Completion>(x.completed())});
    contexts_ = given;
  }
  void location_forward(const ior::Ior& to) override {
    ior::encode(start(giop::ReplyStatus::LocationForward), to);
  }

  // Completes the reply that was begun, or an empty reply. A reply that cannot be completed becomes a system
  // exception.
  void finish() {
    if (!encoder_) [[unlikely]] start_late();
    const Fault f = giop::finish_message(*encoder_, started_ ? *started_ : giop::plain_reply_at(from_));
    if (f != Fault::None) [[unlikely]] finish_with(f);
  }
  void discard() {
    encoder_.reset();
    out_.set_size(from_);
  }

 private:
  // The contexts of set_reply_contexts() are gone.
  [[gnu::cold]] void start_late() {
    contexts_ = {};
    start(giop::ReplyStatus::NoException);
  }
  [[gnu::cold]] void finish_with(Fault f) {
    contexts_ = {};
    system_exception(*exception_of({f, 0, {}}, Step::EncodeReply));
    if (giop::finish_message(*encoder_, *started_) != Fault::None) discard();  // no memory even for that
  }
  // The reply that nearly every request gets, before it is asked for.
  void begin_plain() {
    encoder_.emplace(out_);
    giop::begin_plain_reply(*encoder_, header()->request_id);
    fresh_ = true;
  }
  [[gnu::cold, gnu::noinline]] cdr::Encoder& start(giop::ReplyStatus status) {
    discard();
    fresh_ = false;
    encoder_.emplace(out_);
    started_ = giop::begin_reply(*encoder_, version_, header()->request_id, status, contexts_);
    encoder_->set_text(arguments().text());
    return *encoder_;
  }

  const giop::Version version_;
  Buffer& out_;
  const std::size_t from_;  // size of out_ before the reply
  std::optional<cdr::Encoder> encoder_;
  std::optional<giop::Started> started_;  // nullopt: by begin_plain()
  std::span<const giop::ServiceContext> contexts_;
  bool fresh_ = false;  // begun, and not given out
};

Session::Session(OrbContext& orb, Worker* worker) : orb_(orb), worker_(worker) {}

// Around an upcall: tells the worker.
class Session::InUpcall {
 public:
  [[gnu::always_inline]] InUpcall(Session& s, const giop::RequestHeader& request, ByteView behind) : session_(s) {
    if (s.worker_ && s.worker_->begins(request, behind)) s.let_go_ = true;
  }
  [[gnu::always_inline]] ~InUpcall() {
    if (session_.worker_ && !session_.let_go_ && session_.worker_->ends()) [[unlikely]] session_.let_go_ = true;
  }
  InUpcall(const InUpcall&) = delete;
  InUpcall& operator=(const InUpcall&) = delete;

 private:
  Session& session_;
};

// Holds the bytes of a message that came in pieces, during its upcall: the engine must not be asked then.
std::optional<giop::Reassembly> Session::take_pieces(const giop::Message& m) {
  std::optional<giop::Reassembly> taken;
  if (m.reassembled) taken.emplace(engine_->take_reassembled());
  return taken;
}

[[gnu::cold, gnu::noinline]] void Session::answer_without_adapter(const giop::RequestHeader& header,
                                                                  Request& request) {
  const CORBA::ULong kUnknownAdapter = 2;
  ior::Ior forward;
  if (!header.target.has_key)
    request.system_exception(CORBA::OBJECT_NOT_EXIST(omg(kUnknownAdapter), CORBA::COMPLETED_NO));
  else if (orb_.named_object(header.target.object_key, forward)) request.location_forward(forward);
  else request.system_exception(CORBA::TRANSIENT(kNoAdapter, CORBA::COMPLETED_NO));  // still starting, or stopping
}

[[gnu::always_inline]] inline void Session::dispatch(const giop::RequestHeader& header, Request& request) {
  RequestHandler* const handler = orb_.handler();
  if (!handler || !header.target.has_key || orb_.is_named(header.target.object_key)) [[unlikely]]
    return answer_without_adapter(header, request);
  Upcall upcall(orb_, has_place_, client_);
  handler->handle(request);
}

[[gnu::always_inline]] inline void Session::serve(const giop::RequestHeader& header, giop::Version version,
                                                  cdr::Decoder& arguments, Buffer& out, ServerRequest::Memo* memo,
                                                  bool plain_text, bool comes_back) {
  Request request(header, version, arguments, out, memo, plain_text, comes_back, client_);
  dispatch(header, request);
  if (header.response == giop::ResponseFlags::WithTarget) request.finish();
  else request.discard();
  arena_.reset();
}

[[gnu::noinline]] void Session::serve_first(const giop::RequestHeader& header, giop::Version version,
                                            cdr::Decoder& arguments, Buffer& out, ServerRequest::Memo* memo,
                                            bool comes_back) {
  const bool plain_text = version == giop::kGiop12 && arguments.text() == cdr::TextForm{};
  serve(header, version, arguments, out, memo, plain_text, comes_back);
}

[[gnu::cold]] void Session::answer_flat(const FlatRequest& flat, const giop::RequestHeader& header,
                                        void (*f)(void* context, ServerRequest& request) noexcept, void* context) {
  cdr::MessageBudget budget(orb_.limits(), flat.arguments.size());
  cdr::Decoder d(flat.arguments, kNativeOrder, budget);
  d.set_context(source_);
  Request request(header, giop::kGiop12, d, flat.out, nullptr, true, false, client_);
  f(context, request);
  request.finish();
}

// Serves a request with a known header. Returns false, and does nothing, for any other message.
[[gnu::hot]] inline bool Session::take_known(ByteView& unread, Buffer& out) {
  if (postponed_ || !engine_->between_messages()) [[unlikely]] return false;
  HeaderCache::Entry* const known = headers_.find(unread);
  if (!known) [[unlikely]] return false;
  const bool swap = known->order != kNativeOrder;
  const std::size_t n = known->bytes.size();
  const std::size_t body_bytes = load<std::uint32_t>(unread.data() + 8, swap);
  const std::size_t message_bytes = giop::kHeaderBytes + body_bytes;
  if (body_bytes > orb_.limits().max_message_bytes || message_bytes > unread.size()) [[unlikely]] return false;
  if (known->has_body ? message_bytes < n : message_bytes != n) [[unlikely]] return false;
  known->header.request_id = load<std::uint32_t>(unread.data() + giop::kHeaderBytes, swap);
  const ByteView arguments = unread.subspan(n, message_bytes - n);
  unread = unread.subspan(message_bytes);
  const InUpcall scope(*this, known->header, unread);
  if (known->memo.flat && serve_flat(*known, arguments, out)) [[likely]] return true;
  cdr::MessageBudget budget(orb_.limits(), body_bytes);
  cdr::Decoder d(arguments, known->order, budget, n);
  d.set_context(source_);
  d.set_arena(&arena_);
  serve(known->header, giop::kGiop12, d, out, known->other_key ? nullptr : &known->memo, true, false);
  return true;
}

inline std::span<const ByteView> Session::show(Buffer& out, std::size_t from) {
  whole_ = {out.data() + from, out.size() - from};
  const std::size_t limit = orb_.options().fragment_bytes;
  if (limit != 0 && whole_.size() > limit) [[unlikely]] return show_cut({out.data() + from, whole_.size()});
  return {&whole_, 1};
}

[[gnu::cold, gnu::noinline]] std::span<const ByteView> Session::show_cut(MutableBytes message) {
  if (pieces_.cut(message, orb_.options().fragment_bytes) == Fault::None) return pieces_.views();
  return {&whole_, 1};
}

[[gnu::hot]] Session::StepResult Session::step(ByteView& unread, Buffer& out) {
  const std::size_t from = out.size();
  while (take_known(unread, out)) [[likely]] {
    if (out.size() == from) {
      if (let_go_) [[unlikely]] return {Next::LetGo};
      continue;
    }
    return {let_go_ ? Next::LetGo : Next::Send, true, false, show(out, from)};  // messages come whole here
  }
  return step_slowly(unread, out);
}

// A header in several fragments of GIOP 1.1 was copied; nobody reads it any more.
[[gnu::cold, gnu::noinline]] void Session::drop_spilt() noexcept {
  request_.spill.shrink(0);
  locate_.spill.shrink(0);
}

[[gnu::noinline]] Session::StepResult Session::step_slowly(ByteView& unread, Buffer& out) {
  for (;;) {
    const std::size_t from = out.size();
    Next next = Next::Send;
    if (unread.empty() && idle()) return result(Next::NeedBytes);
    if (postponed_) {
      const giop::Message m = *std::exchange(postponed_, {});
      behind_ = unread;
      (void)on_request(m, out);  // its header has been read before
    } else {
      const giop::Event ev = engine_->receive(unread);
      unread = unread.subspan(ev.consumed);
      behind_ = unread;
      next = on_event(ev, out);
      if (next == Next::NeedBytes) return result(next);
    }
    if (request_.spill.capacity() + locate_.spill.capacity() != 0) [[unlikely]] drop_spilt();
    const bool answered = out.size() != from;
    if (let_go_) return {Next::LetGo, false, false, answered ? show(out, from) : std::span<const ByteView>()};
    if (answered) return result(next, show(out, from));
    if (next == Next::Close) return result(next);
  }
}

Session::Next Session::on_event(const giop::Event& ev, Buffer& out) {
  switch (ev.kind) {
    case giop::EventKind::NeedBytes: return Next::NeedBytes;
    case giop::EventKind::Message:
      if (on_message(ev.message, out)) return Next::Send;
      log(LogLevel::Info, {"malformed message from ", *peer_});
      (void)out.append(engine_->refuse(ev.message.header.version, Fault::BadHeader));
      return Next::Close;
    case giop::EventKind::ProtocolError:
      if (CALLIS_HAS(limit_texts)) log_refused(*peer_, ev.fault, engine_->excess(), orb_.limits(), behind_);
      else log(LogLevel::Info, {*peer_, ": ", fault_name(ev.fault)});
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
    case giop::MessageType::CancelRequest: return on_cancel(m);
    default: return worker_ && worker_->other_message(m);
  }
}

bool Session::on_cancel(const giop::Message& m) {
  if (!worker_) return true;  // the upcall was over before it could be read
  cdr::MessageBudget budget(orb_.limits(), m.body_bytes());
  cdr::Decoder d = m.decoder(budget);
  std::uint32_t id = 0;
  if (!giop::decode_cancel(d, id)) return false;
  worker_->cancel(id);
  return true;
}

// If a client may be called over its connection, the pool serves the connection, since it reads replies while upcalls
// run.
[[gnu::cold, gnu::noinline]] void Session::take_listen_points(const giop::Message& m,
                                                              const giop::ServiceContext& listen_points) {
  if (!worker_ || !CALLIS_HAS(pool) || m.header.version < giop::kGiop12 || conversation_->comes_back()) return;
  if (!orb_.bidirectional() && !(BidirectionalGiop::wanted() && make_bidirectional(orb_))) return;
  worker_->listen_points(listen_points.data);
}

bool Session::on_request(const giop::Message& m, Buffer& out) {
  cdr::MessageBudget budget(orb_.limits(), m.body_bytes());
  cdr::Decoder d = m.decoder(budget);
  d.set_context(source_);
  d.set_arena(&arena_);
  if (!giop::decode(d, m.header.version, request_, orb_.limits())) return false;
  if (!CALLIS_HAS(code_sets)) text_ = {giop::wide_form(m.header.version), cdr::CharForm::AsIs};
  else if (!take_code_sets(orb_.options(), request_.contexts, m.header.version, *conversation_, text_))
    return refuse(m, d, out, CORBA::CODESET_INCOMPATIBLE(omg(2), CORBA::COMPLETED_NO)), true;
  if (text_ != cdr::TextForm{} && m.header.version == giop::kGiop12 && conversation_->plain_text) [[unlikely]] {
    headers_.forget();  // known requests are served as usual
    conversation_->plain_text = false;
  }
  if (refuses_) return refuse_for_now(m, d, out, kNoAdapter), true;
  d.set_text(text_);
  const giop::ServiceContext* const policies =
      request_.contexts.empty() ? nullptr : request_.contexts.find(giop::kInvocationPoliciesContext);
  const bool timed = policies && CALLIS_HAS(end_times);
  if (timed && !answered_early_) {
    if (const auto why = refusal_of(orb_.options(), policies->data)) return refuse(m, d, out, *why), true;
  }
  const giop::ServiceContext* const points =
      request_.contexts.empty() ? nullptr : request_.contexts.find(giop::kBiDirIiopContext);
  if (points && CALLIS_HAS(bidirectional)) take_listen_points(m, *points);
  if (request_.response == giop::ResponseFlags::WithServer && !answered_early_) {
    Request(request_, m.header.version, d, out, nullptr, false, false, client_)
        .finish();  // SYNC_WITH_SERVER: an empty reply before the upcall
    answered_early_ = true;
    postponed_ = m;
    return true;
  }
  // Each request comes here whose text is not in the usual form, or that says more than its header, or is not for
  // every adapter.
  const bool plain = text_ == cdr::TextForm{} && !points && !policies && !conversation_->comes_back();
  HeaderCache::Entry* const known = plain ? headers_.remember(m, request_, d.remaining()) : nullptr;
  const bool comes_back = conversation_->comes_back();
  const auto pieces = take_pieces(m);
  const InUpcall scope(*this, request_, behind_);
  if (!timed || hold(orb_, policies->data, worker_ != nullptr))
    serve_first(request_, m.header.version, d, out, known ? &known->memo : nullptr, comes_back);
  else if (!answered_early_) refuse_for_now(m, d, out, kNotHeld);
  answered_early_ = false;
  return true;
}

[[gnu::cold, gnu::noinline]] void Session::refuse_for_now(const giop::Message& m, cdr::Decoder& d, Buffer& out,
                                                          std::uint32_t minor) {
  refuse(m, d, out, CORBA::TRANSIENT(minor, CORBA::COMPLETED_NO));
}

[[gnu::cold, gnu::noinline]] void Session::refuse(const giop::Message& m, cdr::Decoder& d, Buffer& out,
                                                  const CORBA::SystemException& why) {
  Request request(request_, m.header.version, d, out, nullptr, false, false, client_);
  request.system_exception(why);
  if (request_.response_expected()) request.finish();
  else request.discard();
}

bool Session::on_locate(const giop::Message& m, Buffer& out) {
  cdr::MessageBudget budget(orb_.limits(), m.body_bytes());
  cdr::Decoder d = m.decoder(budget);
  if (!giop::decode(d, m.header.version, locate_, orb_.limits())) return false;
  ior::Ior forward;
  giop::SystemExceptionBody failure;
  Locate found = Locate::Unknown;
  if (locate_.target.has_key) {
    RequestHandler* handler = orb_.handler();
    if (orb_.named_object(locate_.target.object_key, forward)) found = Locate::Forward;
    else if (handler) found = handler->locate(locate_.target.object_key, forward);
    if (found == Locate::Ask) found = ask(*handler, m, forward, failure);
  }
  const auto status = found == Locate::Here      ? giop::LocateStatus::ObjectHere
                      : found == Locate::Forward ? giop::LocateStatus::ObjectForward
                      : found == Locate::Failed  ? giop::LocateStatus::SystemException
                                                 : giop::LocateStatus::UnknownObject;
  const std::size_t from = out.size();
  const auto answer = [&](giop::LocateStatus s) {
    out.set_size(from);
    cdr::Encoder e(out);
    const giop::Started started = giop::begin_locate_reply(e, m.header.version, locate_.request_id, s);
    if (s == giop::LocateStatus::ObjectForward) ior::encode(e, forward);
    if (s == giop::LocateStatus::SystemException) giop::encode(e, failure);
    if (giop::finish_message(e, started) == Fault::None) return true;
    out.set_size(from);
    return false;
  };
  // If there is no memory for the answer, a later request will tell. A connection that has been let go is not
  // refused: it belongs to another thread.
  return answer(status) || answer(giop::LocateStatus::ObjectHere) || let_go_;
}

// As for a request, the connection may be let go meanwhile. The request itself will tell the reason of a refusal, and
// anything that LocateReplies of the version cannot tell.
[[gnu::cold, gnu::noinline]] Locate Session::ask(RequestHandler& handler, const giop::Message& m, ior::Ior& forward,
                                                 giop::SystemExceptionBody& failure) {
  if (refuses_) return Locate::Here;
  const giop::Version version = m.header.version;
  const bool comes_back = conversation_->comes_back();
  request_.request_id = locate_.request_id;
  request_.response = giop::ResponseFlags::WithTarget;
  const auto pieces = take_pieces(m);
  const InUpcall scope(*this, request_, behind_);
  const Upcall upcall(orb_, has_place_);  // the ORB asks, not its client: anybody may know that an object exists
  const Locate found = handler.ask(locate_.target.object_key, comes_back, forward, failure);
  return found == Locate::Failed && !(version == giop::kGiop12) ? Locate::Here : found;
}

std::span<const ByteView> Session::close_in_order(Buffer& out) {
  const std::size_t from = out.size();
  engine_->begin_drain();
  if (!out.append(engine_->finish_drain()) || out.size() == from) return {};
  return show(out, from);
}

}  // namespace callis::orb
