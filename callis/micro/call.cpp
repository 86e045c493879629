// SPDX-License-Identifier: Apache-2.0
// The steps of a call, and the connections that an ORB keeps for calls.
#include <callis/base/text.h>
#include <callis/classic/made_exceptions.h>
#include <callis/giop/reply.h>
#include <callis/giop/request.h>
#include <callis/micro/call.h>
#include <callis/micro/loop.h>
#include <callis/micro/orb.h>
#include <callis/orb/base/errors.h>
#include <poll.h>

namespace callis::micro {
namespace {

using orb::Step;

TimePoint in(Duration after) { return Deadline::in(after).time(); }

std::string text_of(const ior::Address& a) { return concat({a.host, ":", Decimal(a.port)}); }

class Call {
 public:
  Call(orb::Reference& first, std::string_view operation, bool oneway, Body& body)
      : orb_(first.orb()), first_(first), operation_(operation), oneway_(oneway), body_(body),
        until_(in(orb_.limits().call_timeout)) {}

  void run();

 private:
  enum class Outcome { Done, Again, Elsewhere };

  bool try_places(orb::Reference& at);
  Outcome try_place(const Place& place);
  Outcome exchange(CallConnection& connection, const Place& place);
  Outcome answered_here(Serving& serving, const Place& place);
  void encode(const Place& place);
  Outcome take(const giop::MessageHeader& header, ByteView body, bool from_loopback);
  Outcome follow(cdr::Decoder& from, bool from_loopback);
  [[noreturn]] void fail(Fault fault, Step step, const ior::Address& at, int os_error = 0);

  Orb& orb_;
  orb::Reference& first_;
  const std::string_view operation_;
  const bool oneway_;
  Body& body_;
  const TimePoint until_;
  Buffer request_;
  std::uint32_t id_ = 0;
  std::uint32_t forwards_ = 0;
  Error unreachable_;  // of the addresses that have been tried
};

// A connection that a call has done with is kept, also when the reply was an exception.
struct Kept {
  Orb& orb;
  std::unique_ptr<CallConnection>& connection;
  ~Kept() {
    if (connection->is_good) orb.keep_idle(std::move(connection));
  }
};

void Call::fail(Fault fault, Step step, const ior::Address& at, int os_error) {
  const Error why{fault, os_error, concat({operation_, " at ", text_of(at)})};
  orb::throw_fault(why, step);
}

// The place where a server has led earlier calls comes first. If this place has gone, the call starts anew.
void Call::run() {
  orb_.check_usable();
  orb_.check_thread();
  while (true) {
    const orb::ReferencePtr at(first_.forward() ? first_.forward() : &first_);
    const std::uint32_t forwards = forwards_;
    try {
      if (try_places(*at.get())) return;
      if (forwards_ != forwards) continue;
    } catch (const CORBA::OBJECT_NOT_EXIST&) {
      if (at.get() == &first_) throw;
    }
    if (at.get() == &first_) break;
    if (first_.forward() == at.get()) first_.set_forward(nullptr);
  }
  if (unreachable_.fault == Fault::None)
    orb::raise<CORBA::INV_OBJREF>(orb::own(Fault::BadReference), CORBA::COMPLETED_NO,
                                  "the reference has no address for TCP");
  orb::throw_fault(unreachable_, Step::Connect);
}

// Returns false if no address has answered, or if the call has been led elsewhere.
bool Call::try_places(orb::Reference& at) {
  Outcome outcome = Outcome::Elsewhere;
  visit_places(at.ior(), orb_.limits(), [&](const Place& place) {
    do outcome = try_place(place);
    while (outcome == Outcome::Again);
    return outcome == Outcome::Done || (first_.forward() && first_.forward() != &at);
  });
  return outcome == Outcome::Done;
}

Call::Outcome Call::try_place(const Place& place) {
  if (Serving* const here = orb_.serving(); here && here->is_at(place.address)) return answered_here(*here, place);
  std::unique_ptr<CallConnection> connection = orb_.take_idle(place.address);
  if (!connection) {
    connection = std::make_unique<CallConnection>();
    connection->address = place.address;
    Error why{Fault::ResolveFailed, 0, {}};
    SocketAddress to;
    if (to.set(place.address)) {
      connection->loopback = to.is_loopback();
      connection->socket = connect_to(to, std::min(until_, in(orb_.limits().connect_timeout)), why);
    }
    if (!connection->socket.valid()) {
      if (Clock::steady().now() >= until_) fail(Fault::DeadlinePassed, Step::Connect, place.address);
      why.detail = concat({unreachable_.detail, unreachable_.detail.empty() ? "" : ", ", text_of(place.address)});
      unreachable_ = std::move(why);
      return Outcome::Elsewhere;
    }
  }
  const Kept kept{orb_, connection};
  return exchange(*connection, place);
}

void Call::encode(const Place& place) {
  request_.clear();
  id_ = orb_.next_request_id();
  cdr::Encoder e(request_);
  giop::OutgoingRequest r;
  r.request_id = id_;
  r.response = oneway_ ? giop::ResponseFlags::None : giop::ResponseFlags::WithTarget;
  r.target = giop::Target::key(place.key);
  r.operation = operation_;
  const ior::Version version = std::min(place.version, giop::kHighestVersion);
  const giop::Started started = giop::begin_request(e, version, r);
  if (version != giop::kGiop10) e.set_wide(cdr::WideForm::Unagreed);
  body_.encode(e);
  const Fault fault = giop::finish_message(e, started);
  if (fault != Fault::None) orb::throw_fault(fault, operation_, Step::Encode);
}

// Sends the request and waits for the reply. Again: the server has closed the connection before it read the request.
Call::Outcome Call::exchange(CallConnection& connection, const Place& place) {
  encode(place);
  connection.is_good = false;
  const int fd = connection.socket.get();
  for (ByteView rest = request_.view(); !rest.empty();) {
    const ssize_t n = send_some(fd, rest);
    if (n < 0 && rest.size() == request_.size() && connection.used) return Outcome::Again;
    if (n < 0) fail(Fault::ConnectionLost, Step::Exchange, place.address);
    rest = rest.subspan(static_cast<std::size_t>(n));
    if (!rest.empty() && n == 0 && !Loop::instance().wait(fd, POLLOUT, until_))
      fail(Fault::DeadlinePassed, Step::Exchange, place.address);
  }
  const bool used = connection.used;
  connection.used = true;
  if (oneway_) {
    connection.is_good = true;
    return Outcome::Done;
  }
  while (true) {
    if (!Loop::instance().wait(fd, POLLIN, until_)) fail(Fault::DeadlinePassed, Step::Exchange, place.address);
    const Inbox::State state = connection.in.receive(fd, orb_.limits());
    if (state == Inbox::State::Wanting) continue;
    if (state == Inbox::State::Ended) fail(Fault::ConnectionLost, Step::Exchange, place.address);
    if (state == Inbox::State::Bad) fail(connection.in.fault(), Step::Exchange, place.address);
    const giop::MessageHeader& header = connection.in.header();
    if (header.type == giop::MessageType::CloseConnection) {
      if (used) return Outcome::Again;
      fail(Fault::ConnectionClosed, Step::Exchange, place.address);
    }
    if (header.type == giop::MessageType::MessageError)
      orb::raise<CORBA::COMM_FAILURE>(orb::kMessageErrorReceived, CORBA::COMPLETED_NO, text_of(place.address));
    if (header.type != giop::MessageType::Reply || header.more_fragments)
      fail(header.more_fragments ? Fault::BadFragment : Fault::BadMessageType, Step::Exchange, place.address);
    connection.is_good = true;
    return take(header, connection.in.body(), connection.loopback);
  }
}

// An object of this ORB gets the same message, without a connection.
Call::Outcome Call::answered_here(Serving& serving, const Place& place) {
  encode(place);
  Buffer reply;
  serving.answer(request_.view(), reply);
  if (oneway_) return Outcome::Done;
  giop::MessageHeader header;
  const Fault fault = giop::parse_header(reply.view(), orb_.limits(), header);
  if (fault != Fault::None || header.type != giop::MessageType::Reply)
    fail(fault == Fault::None ? Fault::BadMessageType : fault, Step::Exchange, place.address);
  return take(header, reply.view(giop::kHeaderBytes), true);
}

// Reads the reply. Throws the exception that it brings.
Call::Outcome Call::take(const giop::MessageHeader& header, ByteView body, bool from_loopback) {
  cdr::MessageBudget budget(orb_.limits(), header.message_bytes());
  cdr::Decoder d(body, header.order, budget, giop::kBodyPhase, giop::wide_form(header.version));
  d.set_context(&orb_);
  giop::ReplyHeader reply;
  if (!giop::decode(d, header.version, reply, orb_.limits()))
    orb::throw_fault(d.fault(), operation_, Step::DecodeReply);
  if (reply.request_id != id_) orb::throw_fault(Fault::BadHeader, "a reply to no request", Step::Exchange);
  switch (reply.status) {
    case giop::ReplyStatus::NoException:
      body_.decode(d);
      if (!d.ok()) orb::throw_fault(d.fault(), operation_, Step::DecodeReply);
      return Outcome::Done;
    case giop::ReplyStatus::UserException: {
      const std::string_view id = d.get_string();
      const auto e = d.ok() ? body_.decode_exception(id, d) : nullptr;
      if (!d.ok()) orb::throw_fault(d.fault(), operation_, Step::DecodeReply);
      if (!e) orb::raise<CORBA::UNKNOWN>(orb::omg(1), CORBA::COMPLETED_MAYBE, id);
      e->_raise();
      break;
    }
    case giop::ReplyStatus::SystemException: {
      giop::SystemExceptionBody e;
      if (!giop::decode(d, e)) orb::throw_fault(d.fault(), operation_, Step::DecodeReply);
      constexpr CORBA::CompletionStatus kCompleted[] = {CORBA::COMPLETED_YES, CORBA::COMPLETED_NO,
                                                        CORBA::COMPLETED_MAYBE};
      classic::throw_system_exception(e.repository_id, e.minor, kCompleted[static_cast<std::uint32_t>(e.completed)]);
      break;
    }
    case giop::ReplyStatus::LocationForward:
    case giop::ReplyStatus::LocationForwardPerm: return follow(d, from_loopback);
    case giop::ReplyStatus::NeedsAddressingMode: break;
  }
  orb::raise<CORBA::INV_OBJREF>(orb::kAddressingRefused, CORBA::COMPLETED_NO,
                                "the server wants no object key");
}

// A server that is reached over a network may not lead calls to what only this machine reaches.
Call::Outcome Call::follow(cdr::Decoder& from, bool from_loopback) {
  if (++forwards_ > orb_.limits().max_forwards)
    orb::raise<CORBA::TRANSIENT>(orb::kTooManyForwards, CORBA::COMPLETED_NO, "forwarded too often");
  ior::Ior ior;
  if (!ior::decode(from, ior, orb_.limits()) || ior.is_nil())
    orb::raise<CORBA::INV_OBJREF>(orb::kBadForward, CORBA::COMPLETED_NO, "forwarded nowhere");
  orb::ReferencePtr to = orb::ReferencePtr::adopt(new orb::Reference(orb_, std::move(ior)));
  if (!from_loopback)
    visit_places(to->ior(), orb_.limits(), [](const Place& place) {
      SocketAddress address;
      if (address.set(place.address) && address.is_loopback())
        orb::raise<CORBA::NO_PERMISSION>(orb::kForwardRefused, CORBA::COMPLETED_NO, text_of(place.address));
      return false;
    });
  first_.set_forward(to.retn());
  return Outcome::Elsewhere;
}

class Question final : public Body {
 public:
  explicit Question(const char* argument) : argument_(argument) {}
  bool answer() const { return answer_; }

  void encode(cdr::Encoder& to) override {
    if (argument_) to.put_string(argument_);
  }
  void decode(cdr::Decoder& from) override { answer_ = from.get_boolean(); }
  std::unique_ptr<CORBA::UserException> decode_exception(std::string_view, cdr::Decoder&) override {
    return nullptr;
  }

 private:
  const char* const argument_;
  bool answer_ = false;
};

}  // namespace

void call(orb::Reference& target, std::string_view operation, bool oneway, Body& body) {
  const orb::ReferencePtr kept(&target);
  Call(target, operation, oneway, body).run();
}

bool ask(orb::Reference& target, std::string_view operation, const char* argument) {
  Question question(argument);
  call(target, operation, false, question);
  return question.answer();
}

// --- The connections that an ORB keeps ---

std::unique_ptr<CallConnection> Orb::take_idle(const ior::Address& address) {
  std::unique_ptr<CallConnection>* at = &idle_;
  while (*at && (*at)->address != address) at = &(*at)->next;
  std::unique_ptr<CallConnection> taken = std::move(*at);
  if (taken) *at = std::move(taken->next);
  return taken;
}

void Orb::keep_idle(std::unique_ptr<CallConnection> connection) noexcept {
  if (life_ != Life::Running) return;
  connection->in.next();
  connection->next = std::move(idle_);
  idle_ = std::move(connection);
  std::unique_ptr<CallConnection>* last = &idle_;
  for (std::size_t n = 0; n < kMostIdle && *last; ++n) last = &(*last)->next;
  last->reset();
}

}  // namespace callis::micro
