// SPDX-License-Identifier: Apache-2.0
#include <callis/base/absence.h>
#include <callis/base/text.h>
#include <callis/classic/made_exceptions.h>
#include <callis/orb/both_ways.h>
#include <callis/orb/core.h>
#include <callis/orb/endpoint.h>
#include <callis/orb/errors.h>
#include <callis/orb/forward_to.h>
#include <callis/orb/shared_connection.h>
#include <callis/orb/unusual_call.h>
#include <cerrno>

namespace callis::orb {

namespace {

bool out_of_descriptors(const Error& e) { return e.os_error == EMFILE || e.os_error == ENFILE; }

}  // namespace

// The time at the beginning will do: it is looked at again only to tell a busy connection from an idle one.
void UnusualCall::done(Connection& c) { path().endpoint->give_back(std::move(c), now_); }

void UnusualCall::run(Connection c, const Path* path) {
  if (!locates_ && core_.intercepts_calls()) return core_.interception()->run(*this);
  if (c) use(*path);
  while (!attempt(std::move(c))) now_ = Clock::steady().now();
}

// A path of first_'s own, whatever has become of its forward meanwhile.
void UnusualCall::use(const Path& path) {
  target_ = {};
  path_at_ = &path;
  path_ = static_cast<std::size_t>(&path - first_.paths().data());
}

void UnusualCall::go_on(Connection c, const Path& path, std::uint32_t id, const transport::Transfer& sent) {
  use(path);
  id_ = id;
  const bool over = sent.ok() ? receive(c) : not_sent(c, sent);
  c.reset();
  if (over) return;
  now_ = Clock::steady().now();
  run(nullptr, nullptr);
}

[[gnu::noinline]] void UnusualCall::reconcile() {
  if (terms_.tell) [[unlikely]] terms_.tell(terms_, target(), told_);
}

bool UnusualCall::attempt(Connection c) {
  reconcile();
  if (!c) c = open();
  if (watched_) watched_->goes(target(), path());
  if (const Fault f = build(*c); f != Fault::None) {
    done(c);
    bad_arguments(operation_, f);
  }
  const transport::Transfer t = send(*c);
  if (!t.ok()) return not_sent(c, t);
  c->code_sets_sent |= tells_code_sets();
  if (tells_points_) c->lane()->told();
  if (operation_.oneway && !is_answered()) {
    c->reserved_for = thread_number();
    done(c);
    return true;
  }
  c->reserved_for = 0;
  return receive(c);
}

transport::Transfer UnusualCall::send(ClientConnection& c) {
  if (!operation_.oneway || terms_.sync_scope != SyncScope::None) return c.send(terms_.send);
  if (terms_.scope_by_policy && !c.lane()) c.hold_oneways(core_.flusher());
  return c.send_oneway(terms_.send);
}

bool UnusualCall::receive(Connection& c) {
  ClientConnection::Arrival a;
  {
    const Absence absence;
    c->receive(id_, terms_.reply, a);
  }
  if (!a.usual) return a.fault == Fault::None ? answered(c, a.message) : no_answer(*c, a);
  cdr::MessageBudget budget(core_.limits(), a.body.size());
  cdr::Decoder d(a.body, kNativeOrder, budget);
  d.set_context(&core_);
  d.set_text(path().reply_text());
  results(c, d);
  return true;
}

// --- Where to ---

UnusualCall::Connection UnusualCall::open() {
  for (;;) {
    Error failure;
    Connection c = connect(target(), failure);
    now_ = Clock::steady().now();
    if (c) return c;
    if (terms_.send.passed()) fail({Fault::DeadlinePassed, 0, failure.detail}, Step::Connect);
    if (!back_to_first()) fail(failure, Step::Connect);
    reconcile();
  }
}

// Tries one address after the other, the one that worked last first.
UnusualCall::Connection UnusualCall::connect(Reference& to, Error& failure) {
  const auto paths = to.paths();
  if (paths.empty()) raise<CORBA::IMP_LIMIT>(omg(1), CORBA::COMPLETED_NO, "no profile that can be used");
  const std::size_t first = to.preferred();
  for (std::size_t i = 0; i < paths.size() && !terms_.send.passed(); ++i) {
    path_ = (first + i) % paths.size();
    path_at_ = &paths[path_];
    Endpoint& endpoint = *path_at_->endpoint;
    BothWays* const both = both_ways();
    Connection c = both ? both->find(endpoint, now_) : nullptr;
    if (!c && !(both && both->offers(endpoint))) c = endpoint.find({fresh_, must_be_alone()}, now_);
    if (!c) c = connect(path_at_->endpoint, failure);
    if (!c) continue;
    check_reach(to, c);
    if (i != 0) to.prefer(path_);
    return c;
  }
  return nullptr;
}

// Names in forwards lead where they are resolved to, and connections stand at names: only their peer tells. Nothing has
// been sent. The next call asks again where the object is.
void UnusualCall::check_reach(Reference& to, const Connection& c) {
  if (to.least_reach() == transport::Reach::Process || transport::reach_of(c->peer_host()) >= to.least_reach()) return;
  first_.drop_forward(&to);
  refuse_forward({}, concat({path().endpoint->name(), " at ", c->peer()}));
}

// A call that is made by a servant may be what a call waits for that this process has under way; and its server may
// serve the requests of a connection one after the other.
bool UnusualCall::must_be_alone() {
  return core_.in_upcall() && (!operation_.oneway || is_answered());
}

// Where connections may go both ways: only in GIOP 1.2.
BothWays* UnusualCall::both_ways() const {
  return terms_.both_ways && path().version >= giop::kGiop12 ? core_.both_ways() : nullptr;
}

UnusualCall::Connection UnusualCall::connect(const std::shared_ptr<Endpoint>& endpoint, Error& failure) {
  if (terms_.no_reconnect && first_.bound())
    raise<CORBA::REBIND>(kNoReconnect, CORBA::COMPLETED_NO, "the connection has gone, and NO_RECONNECT is in force");
  core_.close_old_connections(now_);
  const Deadline patience = Deadline::in(terms_.connect_timeout);
  const Deadline by = patience.time() < terms_.send.time() ? patience : terms_.send;
  BothWays* const both = both_ways();
  const auto attempt = [&] {
    return both && both->offers(*endpoint) ? both->connect(endpoint, now_, by)
                                           : endpoint->connect({fresh_, must_be_alone()}, now_, by);
  };
  auto made = attempt();
  if (!made && out_of_descriptors(made.error()) && core_.close_idle_connections(now_)) made = attempt();
  if (made) return std::move(made).value();
  failure.fault = made.fault();
  failure.detail = concat({failure.detail, failure.detail.empty() ? "" : "; ", made.error().detail});
  return nullptr;
}

bool UnusualCall::is_answered(const Reference& target, const Path& path) {
  return target.core().options().sync_scope >= SyncScope::Server && path.version >= giop::kGiop12;
}

bool UnusualCall::is_answered() const {
  return terms_.sync_scope >= SyncScope::Server && path().version >= giop::kGiop12;
}

bool UnusualCall::back_to_first() {
  if (!target_ || first_.is_permanent(target_.get())) return false;
  count_forward();
  first_.drop_forward(target_.get());
  target_ = first_.permanent();
  return true;
}

void UnusualCall::refuse_rebind() {
  raise<CORBA::REBIND>(kNoRebind, CORBA::COMPLETED_NO, "forwarded, and RebindPolicy forbids it");
}

void UnusualCall::count_forward() {
  if (++forwards_ > core_.limits().max_forwards)
    raise<CORBA::TRANSIENT>(kTooManyForwards, CORBA::COMPLETED_NO, "forwarded too often");
}

// --- The request ---

Fault UnusualCall::build(ClientConnection& c) {
  id_ = c.new_id();
  tells_points_ = !locates_ && c.lane() && path().version >= giop::kGiop12 && !c.lane()->listen_points().empty();
  if (locates_) return build_locate(c);
  auto kind = RequestTemplates::Kind::of(target(), path(), operation_.identity);
  // The header says what is waited for; that of the ORB's own scope is without mark.
  if (operation_.oneway && terms_.scope_by_policy) kind.mark(1 + static_cast<unsigned>(terms_.sync_scope));
  const bool adds = tells_points_ || !told_.empty() || (watched_ && watched_->contexts.size() > Attempt::kOwnPlaces);
  const bool keep = operation_.identity && !adds && (!tells_code_sets() || c.code_sets_sent);
  giop::Started started;
  if (const giop::Started* known = keep ? c.templates().put(kind, c.request()) : nullptr) {
    started = *known;
    store(c.request().data() + started.request_id_at, id_);
  } else if (const Fault f = begin(c, keep ? &kind : nullptr, started); f != Fault::None) {
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
giop::Target UnusualCall::address() {
  const Path& to = path();
  const ior::Ior& ior = target().ior();
  giop::Target t;
  t.how = static_cast<giop::AddressingDisposition>(target().addressing());
  t.object_key = to.object_key;
  t.profile = &ior.profiles[to.profile];
  t.reference = &ior;
  t.selected_profile = static_cast<std::uint32_t>(to.profile);
  return t;
}

// The headers of a request, up to its body. kind: to be kept as.
Fault UnusualCall::begin(ClientConnection& c, const RequestTemplates::Kind* kind, giop::Started& started) {
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
  giop::ServiceContext own[Attempt::kOwnPlaces];
  const std::span<giop::ServiceContext> contexts = watched_ ? watched_->contexts : std::span(own);
  std::size_t first = Attempt::kOwnPlaces;
  if (!told_.empty()) contexts[--first] = {giop::kInvocationPoliciesContext, told_.bytes()};
  if (tells_points_) contexts[--first] = {giop::kBiDirIiopContext, c.lane()->listen_points()};
  if (tells_code_sets() && !c.code_sets_sent) {
    data = giop::code_set_context({to.char_code_set, to.wchar_code_set});
    contexts[--first] = {giop::kCodeSetsContext, data};
  }
  r.contexts = contexts.subspan(first);
  c.templates().front_changes();
  c.request().clear();
  cdr::Encoder e(c.request());
  started = giop::begin_request(e, to.version, r);
  e.finish();
  if (kind && e.fault() == Fault::None) c.templates().keep(*kind, started, c.request());
  return e.fault();
}

bool UnusualCall::not_sent(Connection& c, const transport::Transfer& t) {
  const Error why{t.fault, t.os_error, concat({"sending to ", c->peer()})};
  if (t.bytes == 0) {
    if (t.fault != Fault::ConnectionLost) fail(why, Step::Connect);
    return again(why);
  }
  if (t.fault != Fault::DeadlinePassed) {
    // The server may have said CloseConnection before it closed.
    ClientConnection::Arrival a;
    c->receive(id_, Deadline::at(now_), a);
    if (a.fault == Fault::ConnectionClosed || a.message_error) return no_answer(*c, a);
  }
  fail(why, Step::Exchange);
}

void UnusualCall::fail(const Error& error, Step step, bool awaiting_reply) const {
  const auto e = exception_of(error, step);
  const bool late = terms_.reply_by_policy && (awaiting_reply || terms_.send.time() == terms_.reply.time());
  if (late && error.fault == Fault::DeadlinePassed) e->minor(omg(3));
  e->_raise();
  __builtin_unreachable();  // GCC forgets that a virtual function does not return
}

// Nothing of the request was or will be executed. Once more, on a new connection.
bool UnusualCall::again(const Error& why) {
  if (reissued_) throw_fault({Fault::ConnectionClosed, why.os_error, why.detail}, Step::Connect);
  reissued_ = fresh_ = true;
  return false;
}

// --- The answer ---

bool UnusualCall::may_cancel(const ClientConnection& c) {
  return !c.lane() || SharedConnection::may_cancel(target().ior().profiles[path().profile].data, core_.limits());
}

bool UnusualCall::no_answer(ClientConnection& c, const ClientConnection::Arrival& a) {
  const Error error = c.error_of(a);
  if (a.fault == Fault::DeadlinePassed && may_cancel(c)) c.cancel(id_, path().version);
  if (a.fault == Fault::ConnectionClosed) return again(error);
  if (a.message_error) raise<CORBA::COMM_FAILURE>(kMessageErrorReceived, CORBA::COMPLETED_NO, error.detail);
  fail(error, Step::Exchange, true);
}

bool UnusualCall::answered(Connection& c, const giop::Message& m) {
  if (locates_) return located(c, m);
  cdr::MessageBudget budget(core_.limits(), m.body_bytes());
  cdr::Decoder d = m.decoder(budget);
  d.set_context(&core_);
  d.set_text(path().reply_text());
  giop::ReplyHeader header;
  if (m.header.type != giop::MessageType::Reply || !giop::decode(d, m.header.version, header, core_.limits()))
    throw_fault({Fault::BadHeader, 0, concat({"reply from ", c->peer()})}, Step::Exchange);
  if (watched_) watched_->came(header.contexts);
  switch (header.status) {
    case giop::ReplyStatus::NoException: results(c, d); return true;
    case giop::ReplyStatus::UserException: user_exception(c, d);
    case giop::ReplyStatus::SystemException: return system_exception(c, d);
    case giop::ReplyStatus::LocationForward: forward(c, d, false); break;
    case giop::ReplyStatus::LocationForwardPerm: forward(c, d, true); break;
    case giop::ReplyStatus::NeedsAddressingMode: other_addressing(c, d); break;
  }
  return false;
}

void UnusualCall::results(Connection& c, cdr::Decoder& d) {
  const bool wanted = !watched_ || watched_->results(d);
  if (!operation_.oneway && wanted) body_.decode(d);
  const Fault f = d.fault();
  bound();
  done(c);
  if (f != Fault::None) bad_results(operation_, f);
}

void UnusualCall::bad_results(const CallOperation& operation, Fault f) {
  throw_fault({f, 0, concat({"results of ", operation.name})}, Step::DecodeReply);
}

void UnusualCall::bad_arguments(const CallOperation& operation, Fault f) {
  throw_fault({f, 0, std::string(operation.name)}, Step::Encode);
}

void UnusualCall::user_exception(Connection& c, cdr::Decoder& d) {
  const std::string id(d.get_string());
  auto e = d.ok() ? body_.decode_exception(id, d) : nullptr;
  const Fault f = d.fault();
  bound();
  done(c);
  if (f != Fault::None) throw_fault({f, 0, concat({"exception of ", operation_.name})}, Step::DecodeReply);
  if (!e) raise<CORBA::UNKNOWN>(omg(1), CORBA::COMPLETED_YES, id);
  e->_raise();
  __builtin_unreachable();  // GCC forgets that a virtual function does not return
}

bool UnusualCall::system_exception(Connection& c, cdr::Decoder& d) {
  giop::SystemExceptionBody b;
  const bool ok = giop::decode(d, b);
  std::unique_ptr<CORBA::SystemException> e;
  if (ok)
    e = classic::make_system_exception(b.repository_id, b.minor, static_cast<CORBA::CompletionStatus>(b.completed));
  const Fault f = d.fault();
  const std::string peer = c->peer();
  done(c);
  if (!ok) throw_fault({f, 0, concat({"system exception from ", peer})}, Step::DecodeReply);
  // An object that is gone from where we were forwarded to may be found again where we came from.
  if (target_ && e->completed() == CORBA::COMPLETED_NO && CORBA::OBJECT_NOT_EXIST::_downcast(e.get()) && back_to_first())
    return false;
  e->detail(concat({"from ", peer}));
  e->_raise();
  __builtin_unreachable();
}

void UnusualCall::forward(Connection& c, cdr::Decoder& d, bool for_good) {
  count_forward();
  ior::Ior to;
  if (!ior::decode(d, to, core_.limits()) || to.is_nil())
    raise<CORBA::INV_OBJREF>(kBadForward, CORBA::COMPLETED_NO, "forwarded to nothing that can be read");
  auto next = ReferencePtr::adopt(new Reference(core_, std::move(to)));
  const std::string from = path().endpoint->is_own() ? "memory:" : c->peer_host();
  ForwardRule rule(core_.options(), from);
  next->leave_out(rule);
  if (next->paths().empty() && !rule.refused().empty()) refuse_forward(c->peer(), rule.refused());
  if (next->paths().empty())
    raise<CORBA::INV_OBJREF>(kBadForward, CORBA::COMPLETED_NO, "forwarded to a reference without usable profile");
  done(c);
  if (watched_) watched_->forwarded = true;
  check_rebind(*next);
  // What a forwarded reference's server says for good is no more lasting than the way there.
  const bool own = !target_ || first_.is_permanent(target_.get());
  target_ = std::move(next);
  if (for_good && own) first_.set_permanent(target_);
  else first_.set_forward(target_);
  path_ = 0;
  fresh_ = false;
}

void UnusualCall::other_addressing(Connection& c, cdr::Decoder& d) {
  count_forward();
  giop::AddressingDisposition how{};
  if (!giop::decode(d, how) || static_cast<std::uint8_t>(how) == target().addressing())
    raise<CORBA::INV_OBJREF>(kAddressingRefused, CORBA::COMPLETED_NO, "the server takes no way of addressing");
  done(c);
  target().set_addressing(static_cast<std::uint8_t>(how));
}

}  // namespace callis::orb
