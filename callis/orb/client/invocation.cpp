// SPDX-License-Identifier: Apache-2.0
// The steps of an invocation: its address, its request, its reply, its ends.
#include <callis/base/text.h>
#include <callis/classic/made_exceptions.h>
#include <callis/orb/base/errors.h>
#include <callis/orb/client/call_texts.h>
#include <callis/orb/client/invocation.h>
#include <callis/orb/client/steering.h>
#include <callis/orb/context/bidirectional_giop.h>
#include <callis/orb/context/exception_texts.h>
#include <callis/orb/context/orb_context.h>
#include <callis/orb/context/upcall.h>
#include <callis/orb/endpoint/endpoint_directory.h>
#include <callis/orb/endpoint/shared_connection.h>
#include <callis/orb/options/forward_to.h>
#include <cerrno>

namespace callis::orb {

namespace {

bool out_of_descriptors(const Error& e) { return e.os_error == EMFILE || e.os_error == ENFILE; }

}  // namespace

Invocation::Invocation(Reference& target, const CallOperation& operation, CallBody& body, TimePoint now,
                       Deadline deadline)
    : orb_(target.orb()),
      first_(target),
      operation_(operation),
      body_(body),
      target_(steering() ? steering()->steered(target) : target.forward()),
      began_(now),
      now_(now),
      terms_(CallTerms::of(target, now, deadline)) {
  if (orb_.intercepts_calls()) [[unlikely]] observer_ = orb_.client_interception()->observe(*this);
}

Invocation::Invocation(Locate, Reference& target, const CallOperation& operation, CallBody& body, TimePoint now,
                       Deadline deadline)
    : orb_(target.orb()),
      first_(target),
      operation_(operation),
      body_(body),
      target_(steering() ? steering()->steered(target) : target.forward()),
      locates_(true),
      began_(now),
      now_(now),
      terms_(CallTerms::of(target, now, deadline)) {}

Invocation::~Invocation() = default;

// An exception of a step makes the invocation fail. Exceptions that are not CORBA's, such as those of an
// application's factories, go through to the caller; observers are told first.
void Invocation::take(void (*step)(void*), void* what) {
  try {
    step(what);
  } catch (const CORBA::Exception& e) {
    fail(Exception(e._duplicate()));
  } catch (const std::bad_alloc&) {
    fail(classic::make_standard(classic::Standard::NO_MEMORY, own(Fault::OutOfMemory), CORBA::COMPLETED_MAYBE));
  } catch (...) {
    if (!observing_) throw;
    fail(classic::make_standard(classic::Standard::UNKNOWN, 0, CORBA::COMPLETED_MAYBE));
  }
}

// The path is that reference's own, even if the forward has changed meanwhile.
void Invocation::use(Reference& to, Connection c, const Path& path) {
  target_ = &to == &first_ ? ReferencePtr() : ReferencePtr(&to);
  path_at_ = &path;
  path_ = static_cast<std::size_t>(&path - to.paths().data());
  connection_ = std::move(c);
}

void Invocation::resume(Reference& to, Connection c, const Path& path, std::uint32_t id) {
  use(to, std::move(c), path);
  id_ = id;
  attempting_ = true;
  state_ = State::Sending;
}

Invocation::State Invocation::advance() {
  while (state_ == State::Choosing || state_ == State::Forwarded) {
    if (attempting_) take([this] { choose(); });
    else take([this] { begin_attempt(); });
  }
  return state_;
}

// --- Choosing, connecting ---

void Invocation::begin_attempt() {
  state_ = State::Choosing;
  has_reply_ = false;
  if (observer_) {
    elsewhere_ = false;
    observer_->begins(*this);
    if (elsewhere_) return;
    observing_ = true;
  }
  attempting_ = true;
  reconcile();
  if (connection_) return go();
  tried_ = 0;
  failure_ = {};
}

// Tries one address after the other, the one that worked last first.
void Invocation::choose() {
  const auto paths = target().paths();
  if (paths.empty()) {
    if (CALLIS_HAS(reference_reach)) target().check_refused();
    raise<CORBA::IMP_LIMIT>(omg(1), CORBA::COMPLETED_NO, "no profile that can be used");
  }
  if (tried_ == 0) begin_at_ = target().preferred();
  const std::size_t most = terms_.stays && first_.bound() ? 1 : paths.size();
  if (tried_ >= most || terms_.send.passed()) return nowhere_to_go();
  path_ = (begin_at_ + tried_) % paths.size();
  path_at_ = &paths[path_];
  if (find_connection()) return go();
  if (terms_.no_reconnect && first_.bound())
    raise<CORBA::REBIND>(kNoReconnect, CORBA::COMPLETED_NO, "the connection has gone, and NO_RECONNECT is in force");
  state_ = State::Connecting;
}

// One that there is.
bool Invocation::find_connection() {
  BidirectionalGiop* const both = bidirectional();
  if (both) connection_ = both->find(endpoint(), now_);
  if (!connection_ && !(both && both->offers(endpoint())))
    connection_ = endpoint().find({fresh_, must_be_alone()}, now_);
  return connection_ != nullptr;
}

void Invocation::nowhere_to_go() {
  if (terms_.send.passed()) return fail({Fault::DeadlinePassed, 0, failure_.detail}, Step::Connect);
  if (!back_to_first()) return fail(failure_, Step::Connect);
  reconcile();
  tried_ = 0;
  failure_ = {};
}

Result<Invocation::Connection> Invocation::connect() {
  orb_.endpoints().close_old(now_);
  const Deadline patience = Deadline::in(terms_.connect_timeout);
  const Deadline by = patience.time() < terms_.send.time() ? patience : terms_.send;
  BidirectionalGiop* const both = bidirectional();
  const std::shared_ptr<Endpoint>& to = path().endpoint;
  const auto attempt = [&] {
    return both && both->offers(*to) ? both->connect(to, now_, by) : to->connect({fresh_, must_be_alone()}, now_, by);
  };
  if (auto made = attempt(); made || !out_of_descriptors(made.error()) || !orb_.endpoints().close_unneeded(now_))
    return made;
  return attempt();
}

void Invocation::connected(Result<Connection> outcome) {
  take([&] {
    now_ = Clock::steady().now();
    if (outcome) {
      connection_ = std::move(outcome).value();
      return go();
    }
    failure_.fault = outcome.fault();
    failure_.detail = concat({failure_.detail, failure_.detail.empty() ? "" : "; ", outcome.error().detail});
    ++tried_;
    state_ = State::Choosing;
  });
}

// There is a connection: the request is built for it.
void Invocation::go() {
  check_reach(target());
  if (tried_ != 0) target().prefer(path_);
  if (observing_) observer_->goes(target(), path());
  state_ = State::Sending;
  const Fault f = build();
  if (f == Fault::None) return;
  done();
  bad_arguments(operation_, f);
}

// Names may be resolved to any address, and connections stand at names: only their peer tells. Nothing has been sent.
// The next call asks again for the object's place.
void Invocation::check_reach(Reference& to) {
  if (to.least_reach() == transport::Reach::Process || path().endpoint->is_own() ||
      connection_->peer_identity().reach >= to.least_reach())
    return;
  first_.drop_forward(&to);
  refuse_forward({}, concat({path().endpoint->name(), " at ", connection_->peer()}));
}

// A call that this process has under way may wait for the servant that makes this call. And the server may serve the
// requests of a connection one after the other.
bool Invocation::must_be_alone() { return Upcall::orb_of_upcall() && (!operation_.oneway || is_answered()); }

// nullptr if the call must not use bidirectional GIOP, which exists only in GIOP 1.2.
BidirectionalGiop* Invocation::bidirectional() const {
  return terms_.bidirectional && path().version >= giop::kGiop12 ? orb_.bidirectional() : nullptr;
}

// Reconciles the policies with the server's. For target(), before it is called.
[[gnu::noinline]] void Invocation::reconcile() {
  if (terms_.tell) [[unlikely]] terms_.tell(terms_, target(), told_);
}

bool Invocation::is_answered(const Reference& target, const Path& path) {
  return target.orb().options().sync_scope >= SyncScope::Server && path.version >= giop::kGiop12;
}

bool Invocation::is_answered() const {
  return terms_.sync_scope >= SyncScope::Server && path().version >= giop::kGiop12;
}

bool Invocation::expects_reply() {
  if (!operation_.oneway) return true;
  const auto paths = target().paths();
  return terms_.sync_scope >= SyncScope::Server && !paths.empty() &&
         paths[target().preferred()].version >= giop::kGiop12;
}

bool Invocation::back_to_first() {
  if (!target_ || first_.is_permanent(target_.get())) return false;
  count_forward();
  first_.drop_forward(target_.get());
  target_ = first_.permanent();
  reissued_ = false;
  return true;
}

void Invocation::send_elsewhere(ReferencePtr to) {
  count_forward();
  check_rebind(*to);
  target_ = std::move(to);
  fresh_ = reissued_ = false;
  elsewhere_ = true;
}

// For a call that is to go to another reference.
void Invocation::check_rebind(const Reference& to) {
  if (!terms_.follows || !first_.bound() || terms_.follows(target(), to)) return;
  raise<CORBA::REBIND>(kNoRebind, CORBA::COMPLETED_NO, "forwarded, and RebindPolicy forbids it");
}

void Invocation::count_forward() {
  if (++forwards_ > orb_.limits().max_forwards)
    raise<CORBA::TRANSIENT>(kTooManyForwards, CORBA::COMPLETED_NO, "forwarded too often");
}

// --- The request ---

Fault Invocation::build() {
  ClientConnection& c = *connection_;
  id_ = c.new_id();
  tells_points_ = !locates_ && c.lane() && path().version >= giop::kGiop12 && !c.lane()->listen_points().empty();
  if (locates_) return build_locate();
  auto kind = kind_of(target(), path(), operation_.identity);
  // The header has the SyncScope; a header with the ORB's own scope has no mark.
  if (operation_.oneway && terms_.scope_by_policy) kind.mark(1 + static_cast<unsigned>(terms_.sync_scope));
  const bool adds =
      tells_points_ || !told_.empty() || (observing_ && observer_->contexts.size() > InvocationObserver::kOwnPlaces);
  const bool keep = operation_.identity && !adds && (!tells_code_sets() || c.code_sets_sent);
  giop::Started started;
  if (const giop::Started* known = keep ? c.templates().put(kind, c.request()) : nullptr) {
    started = *known;
    store(c.request().data() + started.request_id_at, id_);
  } else if (const Fault f = begin(keep ? &kind : nullptr, started); f != Fault::None) {
    return f;
  }
  cdr::Encoder e(c.request());
  e.set_origin(started.at);
  e.set_gather(c.gather());
  e.set_text(path().text());
  body_.encode(e);
  return giop::finish_message(e, started);
}

// How the object is named in the request.
giop::Target Invocation::address() {
  const Path& to = path();
  const ior::Ior& ior = target().ior();
  giop::Target t;
  t.how = static_cast<giop::AddressingDisposition>(target().addressing() & ~Reference::kApart);
  t.object_key = to.object_key;
  t.profile = &ior.profiles[to.profile];
  t.reference = &ior;
  t.selected_profile = static_cast<std::uint32_t>(to.profile);
  return t;
}

// The headers of a request, up to its body. kind: to be kept as.
Fault Invocation::begin(const RequestTemplates::Kind* kind, giop::Started& started) {
  ClientConnection& c = *connection_;
  const Path& to = path();
  giop::OutgoingRequest r;
  r.request_id = id_;
  r.response = !operation_.oneway ? giop::ResponseFlags::WithTarget
               : !is_answered() ? giop::ResponseFlags::None
               : terms_.sync_scope == SyncScope::Server ? giop::ResponseFlags::WithServer
                                                        : giop::ResponseFlags::WithTarget;
  r.operation = operation_.name;
  r.target = address();
  std::array<Byte, 12> data;
  giop::ServiceContext own[InvocationObserver::kOwnPlaces];
  const std::span<giop::ServiceContext> contexts = observing_ ? observer_->contexts : std::span(own);
  std::size_t first = InvocationObserver::kOwnPlaces;
  if (!told_.empty()) contexts[--first] = {giop::kInvocationPoliciesContext, told_.bytes()};
  if (tells_points_) contexts[--first] = {giop::kBiDirIiopContext, c.lane()->listen_points()};
  if (tells_code_sets() && !c.code_sets_sent) {
    data = giop::code_set_context({to.char_code_set, to.wchar_code_set});
    contexts[--first] = {giop::kCodeSetsContext, data};
  }
  if (const Steering* const s = target().steering())
    if (s->context()) contexts[--first] = *s->context();
  r.contexts = contexts.subspan(first);
  c.templates().front_changes();
  c.request().clear();
  cdr::Encoder e(c.request());
  started = giop::begin_request(e, to.version, r);
  e.finish();
  if (kind && e.fault() == Fault::None) c.templates().keep(*kind, started, c.request());
  return e.fault();
}

// Waits as long as the terms of the call say.
transport::Transfer Invocation::send() {
  ClientConnection& c = *connection_;
  if (!operation_.oneway || terms_.sync_scope != SyncScope::None) return c.send(terms_.send);
  if (terms_.scope_by_policy && !c.lane()) c.hold_oneways(orb_.endpoints().flusher());
  return c.send_oneway(terms_.send);
}

void Invocation::sent(const transport::Transfer& t) {
  take([&] {
    if (!t.ok()) return not_sent(t);
    connection_->code_sets_sent |= tells_code_sets();
    if (tells_points_) connection_->lane()->told();
    const bool answered = !operation_.oneway || is_answered();
    connection_->reserved_for = answered ? 0 : thread_number();
    if (answered) {
      state_ = State::Sent;
      return;
    }
    done();
    completed();
  });
}

void Invocation::not_sent(const transport::Transfer& t) {
  Error why{t.fault, t.os_error, concat({"sending to ", connection_->peer()})};
  if (t.bytes == 0) return t.fault == Fault::ConnectionLost ? again(why) : fail(why, Step::Connect);
  if (t.fault != Fault::DeadlinePassed) {
    // The server may have said CloseConnection before it closed.
    ClientConnection::Arrival a;
    connection_->receive(id_, Deadline::at(now_), a);
    if (a.fault == Fault::ConnectionClosed || a.message_error) return no_answer(a);
  }
  fail(why, Step::Exchange);
}

// Nothing of the request was or will be executed, which `why` says from now on. Once more, on a new connection; and
// then where we came from, which may know a better place.
void Invocation::again(Error& why) {
  why.fault = Fault::ConnectionClosed;
  if (!reissued_) reissued_ = fresh_ = true;
  else if (!back_to_first()) return fail(why, Step::Connect);
  end_attempt(End::Again);
}

// --- The reply ---

void Invocation::arrived(const ClientConnection::Arrival& a) {
  state_ = State::Replied;
  has_reply_ = a.plain || a.fault == Fault::None;
  take([&] {
    if (!a.plain) return a.fault == Fault::None ? answered(a.message) : no_answer(a);
    cdr::MessageBudget budget(orb_.limits(), a.body.size());
    cdr::Decoder d(a.body, kNativeOrder, budget);
    begin_reading(d);
    results(d);
  });
}

bool Invocation::may_cancel() {
  return !connection_->lane() ||
         SharedConnection::may_cancel(target().ior().profiles[path().profile].data, orb_.limits());
}

void Invocation::no_answer(const ClientConnection::Arrival& a) {
  Error error = connection_->error_of(a);
  if (a.fault == Fault::DeadlinePassed && may_cancel()) connection_->cancel(id_, path().version);
  if (a.fault == Fault::ConnectionClosed) return again(error);
  if (a.message_error) raise<CORBA::COMM_FAILURE>(kMessageErrorReceived, CORBA::COMPLETED_NO, error.detail);
  fail(error, Step::Exchange, true);
}

void Invocation::begin_reading(cdr::Decoder& reply) {
  reply.set_context(orb_.source(connection_->from()));
  reply.set_text(path().reply_text());
}

void Invocation::answered(const giop::Message& m) {
  if (locates_) return located_at(m);
  cdr::MessageBudget budget(orb_.limits(), m.body_bytes());
  cdr::Decoder d = m.decoder(budget);
  begin_reading(d);
  giop::ReplyHeader header;
  if (m.header.type != giop::MessageType::Reply || !giop::decode(d, m.header.version, header, orb_.limits()))
    return fail_at(Fault::BadHeader, "reply from ", connection_->peer(), Step::Exchange);
  if (observing_) observer_->came(header.contexts);
  switch (header.status) {
    case giop::ReplyStatus::NoException: return results(d);
    case giop::ReplyStatus::UserException: return user_exception(d);
    case giop::ReplyStatus::SystemException: return system_exception(d, &header.contexts);
    case giop::ReplyStatus::LocationForward: return forward(d, false);
    case giop::ReplyStatus::LocationForwardPerm: return forward(d, true);
    case giop::ReplyStatus::NeedsAddressingMode: return other_addressing(d);
  }
}

void Invocation::results(cdr::Decoder& d) {
  const bool wanted = !observing_ || observer_->results(d);
  if (!operation_.oneway && wanted) body_.decode(d);
  const Fault f = d.fault();
  bound();
  done();
  if (f != Fault::None) return fail_at(f, "results of ", operation_.name, Step::DecodeReply);
  completed();
}

void Invocation::user_exception(cdr::Decoder& d) {
  const std::string id(d.get_string());
  Exception e = d.ok() ? body_.decode_exception(id, d) : nullptr;
  const Fault f = d.fault();
  bound();
  done();
  if (f != Fault::None) return fail_at(f, "exception of ", operation_.name, Step::DecodeReply);
  if (!e) raise<CORBA::UNKNOWN>(omg(1), CORBA::COMPLETED_YES, id);
  fail(std::move(e));
}

// An object that is gone from where we were forwarded to may be found again where we came from. So may one whose
// server stops, or is not ready yet. That one says TRANSIENT. A busy one may say it, too: only the first counts.
bool Invocation::is_left_for_first(CORBA::SystemException& e) {
  if (CORBA::OBJECT_NOT_EXIST::_downcast(&e)) return true;
  return CORBA::TRANSIENT::_downcast(&e) && !std::exchange(refused_, true);
}

void Invocation::system_exception(cdr::Decoder& d, const giop::ServiceContexts* contexts) {
  giop::SystemExceptionBody b;
  const bool ok = giop::decode(d, b);
  std::unique_ptr<CORBA::SystemException> e;
  if (ok)
    e = classic::make_system_exception(b.repository_id, b.minor, static_cast<CORBA::CompletionStatus>(b.completed));
  const Fault f = d.fault();
  std::string peer = connection_->peer();
  const std::size_t peer_end = peer.size();
  if (ok && contexts && CALLIS_HAS(exception_texts)) append_exception_text(peer, *contexts);
  if (ok && CALLIS_HAS(call_texts)) explain_received(peer, peer_end, *e, operation_.name, path().object_key);
  done();
  if (!ok) return fail_at(f, "system exception from ", peer, Step::DecodeReply);
  if (target_ && e->completed() == CORBA::COMPLETED_NO && is_left_for_first(*e) && back_to_first())
    return end_attempt(End::Again);
  e->_callis_detail(concat({"from ", peer}));
  fail(std::move(e));
}

void Invocation::forward(cdr::Decoder& d, bool for_good) {
  count_forward();
  ior::Ior to;
  if (!ior::decode(d, to, orb_.limits()) || to.is_nil())
    raise<CORBA::INV_OBJREF>(kBadForward, CORBA::COMPLETED_NO, "forwarded to nothing that can be read");
  auto next = ReferencePtr::adopt(new Reference(orb_, std::move(to)));
  const transport::Peer from = path().endpoint->is_own() ? transport::Peer() : connection_->peer_identity();
  ForwardRule rule(orb_.options(), from);
  next->leave_out(rule);
  if (next->paths().empty() && !rule.refused().empty()) refuse_forward(connection_->peer(), rule.refused());
  if (next->paths().empty())
    raise<CORBA::INV_OBJREF>(kBadForward, CORBA::COMPLETED_NO, "forwarded to a reference without usable profile");
  done();
  check_rebind(*next);
  ReferencePtr steered_to = next;
  if (const SteeringCalls* const s = steering()) s->steer(steered_to, &path().endpoint->identity().address);
  // A permanent forward by the server of a forwarded reference lasts only as long as the way there.
  const bool own = !target_ || first_.is_permanent(target_.get());
  if (for_good && own) first_.set_permanent(std::move(next));
  else first_.set_forward(std::move(next));
  target_ = std::move(steered_to);
  fresh_ = reissued_ = false;
  end_attempt(End::Forwarded);
}

void Invocation::other_addressing(cdr::Decoder& d) {
  count_forward();
  giop::AddressingDisposition how{};
  if (!giop::decode(d, how) || static_cast<std::uint8_t>(how) == (target().addressing() & ~Reference::kApart))
    raise<CORBA::INV_OBJREF>(kAddressingRefused, CORBA::COMPLETED_NO, "the server takes no way of addressing");
  done();
  target().set_addressing(static_cast<std::uint8_t>(how) | (target().addressing() & Reference::kApart));
  end_attempt(End::Again);
}

// --- Ends ---

// The time at the beginning will do: it is looked at again only to tell a busy connection from an idle one.
void Invocation::done() { path().endpoint->give_back(std::move(connection_), now_); }

// Another one follows. A connection that has not been given back is of no use any more.
void Invocation::end_attempt(End how) {
  connection_.reset();
  attempting_ = false;
  state_ = how == End::Forwarded ? State::Forwarded : State::Choosing;
  now_ = Clock::steady().now();
  if (!std::exchange(observing_, false)) return;
  Exception none;
  observer_->ends(*this, how, none);
  if (none) fail(std::move(none));
}

void Invocation::completed() {
  state_ = State::Completed;
  attempting_ = elsewhere_ = false;
  if (!std::exchange(observing_, false)) return;
  Exception e;
  observer_->ends(*this, End::Replied, e);
  if (e) return fail(std::move(e));
  if (!elsewhere_) return;
  state_ = State::Choosing;
  now_ = Clock::steady().now();
}

// Nobody has the call, and its own ORB has been shut down: BAD_INV_ORDER, as for a call that begins now.
void Invocation::fail(const Error& error, Step step, bool awaiting_reply) {
  if (step == Step::Connect) orb_.check_running();
  auto e = exception_of(error, step);
  const bool late = terms_.reply_by_policy && (awaiting_reply || terms_.send.time() == terms_.reply.time());
  if (late && error.fault == Fault::DeadlinePassed) e->minor(omg(3));
  if (error.fault == Fault::DeadlinePassed && CALLIS_HAS(call_texts))
    explain_timeout(
        *e, {locates_ ? "LocateRequest" : operation_.name, first_, terms_, began_, awaiting_reply}, error);
  fail(std::move(e));
}

[[gnu::cold, gnu::noinline]] void Invocation::fail_at(Fault fault, std::string_view what, std::string_view whose,
                                                      Step step) {
  fail({fault, 0, concat({what, whose})}, step);
}

void Invocation::fail(Exception e) {
  connection_.reset();
  attempting_ = elsewhere_ = false;
  if (std::exchange(observing_, false)) {
    take([&] { observer_->ends(*this, End::Failed, e); });
    if (state_ == State::Failed) return;  // by an exception of the observer
    if (!e) {
      state_ = State::Choosing;
      now_ = Clock::steady().now();
      return;
    }
  }
  exception_ = std::move(e);
  state_ = State::Failed;
}

void Invocation::raise_exception() const {
  exception_->_raise();
  __builtin_unreachable();  // GCC forgets that a virtual function does not return
}

}  // namespace callis::orb
