// SPDX-License-Identifier: Apache-2.0
#include <callis/orb/call.h>
#include <callis/orb/core.h>
#include <callis/orb/endpoint.h>
#include <callis/orb/errors.h>

namespace callis::orb {
namespace {

using Connection = std::unique_ptr<ClientConnection>;

// Shorter limits than this are measured by the precise clock.
constexpr Duration kPreciseBelow{1'000};

class Call final {
 public:
  Call(Reference& target, const CallOperation& operation, CallBody& body)
      : core_(target.core()), first_(target), operation_(operation), body_(body), target_(target.forward()) {}

  void run() {
    core_.check_running();
    const Duration limit = core_.limits().call_timeout;
    const bool precise = limit.count() > 0 && limit < kPreciseBelow;
    now_ = precise ? Clock::steady().now() : Clock::coarse();
    if (limit.count() > 0) deadline_ = Deadline::at(now_ + limit);
    while (!attempt()) now_ = Clock::steady().now();
  }

 private:
  Reference& target() { return target_ ? *target_ : first_; }
  const Path& path() const { return *path_at_; }

  // One request to one server. True when the call is over; false to try again.
  bool attempt();
  bool unusual_reply(Connection& c);
  Connection open();
  Connection open_new();
  Connection connect(Reference& to, Error& failure);
  Connection connect(Endpoint& endpoint, Error& failure);
  Fault build(ClientConnection& c);
  Fault begin(ClientConnection& c, const RequestTemplates::Kind* kind, giop::Started& started);
  bool not_sent(Connection& c, const transport::Transfer& t);
  bool answered(Connection& c, const giop::Message& m);
  bool no_answer(const ClientConnection& c, const ClientConnection::Arrival& a);

  void results(Connection& c, ByteView body);
  void results(Connection& c, cdr::Decoder& d);
  [[noreturn]] void user_exception(Connection& c, cdr::Decoder& d);
  bool system_exception(Connection& c, cdr::Decoder& d);
  bool forward(cdr::Decoder& d);
  bool other_addressing(cdr::Decoder& d);

  bool again(const Error& why);
  bool back_to_first();
  void count_forward();
  // The time at the beginning will do: it is looked at again only to tell a busy connection from an idle one.
  void done(Connection& c) { path().endpoint->checkin(std::move(c), now_); }

  Core& core_;
  Reference& first_;
  const CallOperation& operation_;
  CallBody& body_;
  ReferencePtr target_;  // where first_ was forwarded to; nullptr: to first_ itself
  const Path* path_at_ = nullptr;  // of target()'s
  std::size_t path_ = 0;           // its index
  TimePoint now_;
  Deadline deadline_;
  std::uint32_t id_ = 0;
  std::uint32_t forwards_ = 0;
  bool reissued_ = false;  // sent again already, so next time it is an error
  bool fresh_ = false;     // on a new connection, please
};

bool Call::attempt() {
  Connection c = open();
  if (const Fault f = build(*c); f != Fault::None) [[unlikely]] {
    done(c);
    throw_fault({f, 0, std::string(operation_.name)}, Step::Encode);
  }
  const transport::Transfer t = c->send(core_.options().fragment_bytes, deadline_);
  if (!t.ok()) [[unlikely]] return not_sent(c, t);
  c->code_sets_sent |= path().char_code_set != 0;
  if (t.waited) now_ = Clock::steady().now();
  if (operation_.oneway) {
    c->reserved_for = thread_number();
    done(c);
    return true;
  }
  c->reserved_for = 0;
  ByteView body;
  if (!c->receive_usual(id_, deadline_, now_, body)) [[unlikely]] return unusual_reply(c);
  results(c, body);
  return true;
}

[[gnu::cold, gnu::noinline]] bool Call::unusual_reply(Connection& c) {
  ClientConnection::Arrival a;
  c->receive(id_, deadline_, a);
  if (a.usual) {
    results(c, a.body);
    return true;
  }
  return a.fault == Fault::None ? answered(c, a.message) : no_answer(*c, a);
}

// --- Where to ---

Connection Call::open() {
  Reference& to = target();
  const auto paths = to.paths();
  path_ = to.preferred();
  if (path_ < paths.size() && !fresh_) [[likely]] {
    path_at_ = &paths[path_];
    if (Connection c = path_at_->endpoint->checkout(now_)) return c;
  }
  return open_new();
}

Connection Call::open_new() {
  for (;;) {
    Error failure;
    Connection c = connect(target(), failure);
    now_ = Clock::steady().now();
    if (c) return c;
    if (deadline_.passed()) throw_fault({Fault::DeadlinePassed, 0, failure.detail}, Step::Connect);
    if (!back_to_first()) throw_fault(failure, Step::Connect);
  }
}

// Tries one address after the other, the one that worked last first.
Connection Call::connect(Reference& to, Error& failure) {
  const auto paths = to.paths();
  if (paths.empty()) throw CORBA::IMP_LIMIT(omg(1), CORBA::COMPLETED_NO, "no profile that can be used");
  const std::size_t first = to.preferred();
  for (std::size_t i = 0; i < paths.size() && !deadline_.passed(); ++i) {
    path_ = (first + i) % paths.size();
    path_at_ = &paths[path_];
    Connection c;
    if (!fresh_) c = path_at_->endpoint->checkout(now_);
    if (!c) c = connect(*path_at_->endpoint, failure);
    if (!c) continue;
    if (i != 0) to.prefer(path_);
    return c;
  }
  return nullptr;
}

Connection Call::connect(Endpoint& endpoint, Error& failure) {
  core_.close_old_connections(now_);
  const Deadline patience = Deadline::in(core_.limits().connect_timeout);
  auto made = endpoint.connect(patience.time() < deadline_.time() ? patience : deadline_);
  if (made) return std::move(made).value();
  failure.fault = made.fault();
  failure.detail += (failure.detail.empty() ? "" : "; ") + made.error().detail;
  return nullptr;
}

bool Call::back_to_first() {
  if (!target_) return false;
  count_forward();
  first_.drop_forward(target_.get());
  target_ = {};
  return true;
}

void Call::count_forward() {
  if (++forwards_ > core_.limits().max_forwards)
    throw CORBA::TRANSIENT(kTooManyForwards, CORBA::COMPLETED_NO, "forwarded too often");
}

// --- The request ---

Fault Call::build(ClientConnection& c) {
  const Path& to = path();
  Buffer& b = c.request();
  id_ = c.next_id();
  const RequestTemplates::Kind kind{target().serial(), operation_.identity,
                                    path_ << 9 | std::size_t{operation_.oneway} << 8 | target().addressing()};
  const bool usual = operation_.identity && (to.char_code_set == 0 || c.code_sets_sent);
  const giop::Started* known = usual ? c.templates().put(kind, b) : nullptr;
  giop::Started started;
  if (known) [[likely]] {
    started = *known;
    store(b.data() + started.request_id_at, id_);
  } else if (const Fault f = begin(c, usual ? &kind : nullptr, started); f != Fault::None) {
    return f;
  }
  cdr::Encoder e(b);
  e.set_origin(started.at);
  e.set_gather(c.gather(core_.options().fragment_bytes));
  body_.encode(e);
  return giop::finish_message(e, started);
}

// The headers of a request, up to its body. kind: to be kept as.
[[gnu::cold, gnu::noinline]] Fault Call::begin(ClientConnection& c, const RequestTemplates::Kind* kind,
                                               giop::Started& started) {
  const Path& to = path();
  const ior::Ior& ior = target().ior();
  giop::OutgoingRequest r;
  r.request_id = id_;
  r.response = operation_.oneway ? giop::ResponseFlags::None : giop::ResponseFlags::WithTarget;
  r.operation = operation_.name;
  r.target.how = static_cast<giop::AddressingDisposition>(target().addressing());
  r.target.object_key = to.object_key;
  r.target.profile = &ior.profiles[to.profile];
  r.target.reference = &ior;
  r.target.selected_profile = static_cast<std::uint32_t>(to.profile);
  std::array<Byte, 12> data;
  giop::ServiceContext context;
  if (to.char_code_set != 0 && !c.code_sets_sent) {
    data = giop::code_set_context({to.char_code_set, to.wchar_code_set});
    context = {giop::kCodeSetsContext, data};
    r.contexts = {&context, 1};
  }
  c.templates().front_changes();
  c.request().clear();
  cdr::Encoder e(c.request());
  started = giop::begin_request(e, to.version, r);
  e.finish();
  if (kind && e.fault() == Fault::None) c.templates().keep(*kind, started, c.request());
  return e.fault();
}

[[gnu::cold, gnu::noinline]] bool Call::not_sent(Connection& c, const transport::Transfer& t) {
  const Error why{t.fault, t.os_error, "sending to " + c->peer()};
  if (t.bytes == 0) {
    if (t.fault != Fault::ConnectionLost) throw_fault(why, Step::Connect);
    return again(why);
  }
  if (t.fault != Fault::DeadlinePassed) {
    // The server may have said CloseConnection before it closed.
    ClientConnection::Arrival a;
    c->receive(id_, Deadline::at(now_), a);
    if (a.fault == Fault::ConnectionClosed || a.message_error) return no_answer(*c, a);
  }
  throw_fault(why, Step::Exchange);
}

// Nothing of the request was or will be executed. Once more, on a new connection.
bool Call::again(const Error& why) {
  if (reissued_) throw_fault({Fault::ConnectionClosed, why.os_error, why.detail}, Step::Connect);
  reissued_ = fresh_ = true;
  return false;
}

// --- The answer ---

bool Call::no_answer(const ClientConnection& c, const ClientConnection::Arrival& a) {
  const Error error = c.error_of(a);
  if (a.fault == Fault::ConnectionClosed) return again(error);
  if (a.message_error) throw CORBA::COMM_FAILURE(kMessageErrorReceived, CORBA::COMPLETED_NO, error.detail);
  throw_fault(error, Step::Exchange);
}

bool Call::answered(Connection& c, const giop::Message& m) {
  cdr::Budget budget = cdr::Budget::of(core_.limits(), m.body_bytes());
  cdr::Decoder d = m.decoder(budget);
  d.set_context(&core_);
  giop::ReplyHeader header;
  if (m.header.type != giop::MessageType::Reply || !giop::decode(d, m.header.version, header, core_.limits()))
    throw_fault({Fault::BadHeader, 0, "reply from " + c->peer()}, Step::Exchange);
  switch (header.status) {
    case giop::ReplyStatus::NoException: results(c, d); return true;
    case giop::ReplyStatus::UserException: user_exception(c, d);
    case giop::ReplyStatus::SystemException: return system_exception(c, d);
    case giop::ReplyStatus::LocationForward:
    case giop::ReplyStatus::LocationForwardPerm:
      if (!forward(d)) break;
      return false;
    case giop::ReplyStatus::NeedsAddressingMode: return other_addressing(d);
  }
  return false;
}

void Call::results(Connection& c, ByteView body) {
  cdr::Budget budget = cdr::Budget::of(core_.limits(), body.size());
  cdr::Decoder d(body, kNativeOrder, budget);
  d.set_context(&core_);
  results(c, d);
}

void Call::results(Connection& c, cdr::Decoder& d) {
  body_.decode(d);
  const Fault f = d.fault();
  done(c);
  if (f != Fault::None) throw_fault({f, 0, "results of " + std::string(operation_.name)}, Step::DecodeReply);
}

void Call::user_exception(Connection& c, cdr::Decoder& d) {
  const std::string id(d.get_string());
  auto e = d.ok() ? body_.decode_exception(id, d) : nullptr;
  const Fault f = d.fault();
  done(c);
  if (f != Fault::None) throw_fault({f, 0, "exception of " + std::string(operation_.name)}, Step::DecodeReply);
  if (!e) throw CORBA::UNKNOWN(omg(1), CORBA::COMPLETED_YES, id);
  e->_raise();
  __builtin_unreachable();  // GCC forgets that a virtual function does not return
}

bool Call::system_exception(Connection& c, cdr::Decoder& d) {
  giop::SystemExceptionBody b;
  const bool ok = giop::decode(d, b);
  std::unique_ptr<CORBA::SystemException> e;
  if (ok)
    e = classic::make_system_exception(b.repository_id, b.minor, static_cast<CORBA::CompletionStatus>(b.completed));
  const Fault f = d.fault();
  const std::string peer = c->peer();
  done(c);
  if (!ok) throw_fault({f, 0, "system exception from " + peer}, Step::DecodeReply);
  // An object that is gone from where we were forwarded to may be found again where we came from.
  if (target_ && e->completed() == CORBA::COMPLETED_NO && CORBA::OBJECT_NOT_EXIST::_downcast(e.get()))
    return !back_to_first();
  e->detail("from " + peer);
  e->_raise();
  __builtin_unreachable();
}

bool Call::forward(cdr::Decoder& d) {
  count_forward();
  ior::Ior to;
  if (!ior::decode(d, to, core_.limits()) || to.is_nil())
    throw CORBA::INV_OBJREF(kBadForward, CORBA::COMPLETED_NO, "forwarded to nothing that can be read");
  auto next = ReferencePtr::adopt(new Reference(core_, std::move(to)));
  if (next->paths().empty())
    throw CORBA::INV_OBJREF(kBadForward, CORBA::COMPLETED_NO, "forwarded to a reference without usable profile");
  target_ = std::move(next);
  first_.set_forward(target_);
  path_ = 0;
  fresh_ = false;
  return true;
}

bool Call::other_addressing(cdr::Decoder& d) {
  count_forward();
  giop::AddressingDisposition how{};
  if (!giop::decode(d, how) || static_cast<std::uint8_t>(how) == target().addressing())
    throw CORBA::INV_OBJREF(kAddressingRefused, CORBA::COMPLETED_NO, "the server takes no way of addressing");
  target().set_addressing(static_cast<std::uint8_t>(how));
  return false;
}

}  // namespace

void call(Reference& target, const CallOperation& operation, CallBody& body) {
  try {
    Call(target, operation, body).run();
  } catch (const std::bad_alloc&) {
    throw CORBA::NO_MEMORY(own(Fault::OutOfMemory), CORBA::COMPLETED_MAYBE);
  }
}

}  // namespace callis::orb
