// SPDX-License-Identifier: Apache-2.0
// What a Request becomes when it is made: its body, and the steps of a deferred one.
#include <callis/base/blocking_scope.h>
#include <callis/base/clock.h>
#include <callis/dynamic/call.h>
#include <callis/dynamic/values.h>
#include <callis/orb/base/errors.h>
#include <callis/orb/client/call.h>
#include <callis/orb/context/orb_context.h>
#include <callis/orb/core/object_of.h>
#include <atomic>
#include <cstring>
#include <map>
#include <string>

namespace callis::dynamic {

namespace {

// Names of operations that have been called: where each is kept is its CallOperation::identity, so that headers of
// requests are used again. Those beyond the table's room have none, nor have long ones: a bridge gets its names from
// peers.
struct Name {
  std::string text;
  char identities[2];  // of calls with and without a reply
};
constexpr std::size_t kNames = 1024, kProbes = 8, kLongest = 128;
constinit std::atomic<Name*> names[kNames] = {};

const void* identity_of(std::string_view text, bool oneway) {
  if (text.size() > kLongest) return nullptr;
  std::uint64_t h = 14695981039346656037u;  // FNV-1a
  for (const char c : text) h = (h ^ static_cast<unsigned char>(c)) * 1099511628211u;
  for (std::size_t i = 0; i < kProbes; ++i) {
    std::atomic<Name*>& cell = names[(h + i) % kNames];
    Name* known = cell.load(std::memory_order_acquire);
    if (!known) {
      auto made = std::make_unique<Name>(Name{std::string(text), {}});
      if (cell.compare_exchange_strong(known, made.get(), std::memory_order_acq_rel)) known = made.release();
    }
    if (known->text == text) return &known->identities[oneway];
  }
  return nullptr;
}

}  // namespace

CORBA::Any get_exception(cdr::Decoder& from, CORBA::TypeCode_ptr type) {
  CORBA::Any bare, whole;
  typecode::get_any_value(from, type, bare);
  // What came without its id would go on without it.
  const void* const value = from.ok() ? bare.value() : nullptr;
  if (value) typecode::insert(whole, type, value);
  else whole = bare;
  return whole;
}

void put_exception(cdr::Encoder& to, const CORBA::Any& exception) {
  const void* const value = exception.value();
  if (!value) to.set_fault(Fault::BadValue);
  else (void)marshal::encode(typecode::plan_of(*type_in(exception)), value, to);
}

Call::Call(CORBA::Request& request, How how)
    : request_(request),
      target_(&orb::reference_of(request.target_.in())),
      operation_{request.operation_.in(), how == How::Oneway,
                 identity_of(request.operation_.in(), how == How::Oneway)},
      how_(how) {}

Call& Call::begin(CORBA::Request& request, How how) {
  auto call = std::make_unique<Call>(request, how);
  call->check();
  request.call_ = std::move(call);
  if (request.environment_.in()) request.environment_->clear();
  return *request.call_;
}

// A reply that nobody will fetch is not waited for any more: the server is told so.
Call::~Call() {
  DeferredRequests::remove(place);
  if (!invocation_ || over_ || invocation_->state() != orb::Invocation::State::Sent) return;
  try {
    orb::ClientConnection::Arrival given_up;
    given_up.fault = Fault::DeadlinePassed;
    invocation_->arrived(given_up);
  } catch (...) {
  }
}

void Call::check() const {
  for (CORBA::ULong i = 0; i < parameter_count(); ++i)
    if (is_void(*parameter_type(i)))
      orb::raise<CORBA::BAD_TYPECODE>(orb::omg(2), CORBA::COMPLETED_NO, "an argument without a type");
}

// What a step throws is how the call ends.
template <class Step>
void Call::take(Step step) {
  try {
    step();
  } catch (const CORBA::Exception& e) {
    request_.env()->exception(e._duplicate());
    over_ = true;
  } catch (const std::bad_alloc&) {
    request_.env()->exception(new CORBA::NO_MEMORY(orb::own(Fault::OutOfMemory), CORBA::COMPLETED_MAYBE));
    over_ = true;
  }
}

void Call::run() {
  take([this] {
    orb::call(*target_, operation_, *this);
    over_ = true;
  });
}

void Call::send() {
  // An object of this process: nobody would make the call meanwhile.
  if (target_->paths(), target_->collocated_path()) return run();
  take([this] {
    orb().check_running();
    const TimePoint now = Clock::steady().now();
    const Duration limit = orb().limits().call_timeout;
    invocation_.emplace(*target_, operation_, *this, now, limit.count() > 0 ? Deadline::at(now + limit) : Deadline());
    if (invocation_->terms().hold) invocation_->terms().hold(orb(), invocation_->terms(), false);
    (void)advance();
  });
}

// As far as it goes without waiting for a reply. True: it is over.
bool Call::advance() {
  using State = orb::Invocation::State;
  for (;;) {
    switch (invocation_->advance()) {
      case State::Connecting: invocation_->connected(invocation_->connect()); break;
      case State::Sending: invocation_->sent(invocation_->send()); break;
      case State::Sent: return false;
      default:
        over_ = true;
        if (invocation_->terms().hold && invocation_->has_reply())
          invocation_->terms().hold(orb(), invocation_->terms(), true);
        if (invocation_->state() == State::Failed) invocation_->raise_exception();
        return true;
    }
  }
}

bool Call::go_on(Deadline limit) {
  take([&] {
    while (!over_ && !advance()) {
      const Deadline reply = invocation_->reply_deadline();
      const bool in_time = limit.time() < reply.time();
      orb::ClientConnection::Arrival a;
      {
        const BlockingScope blocked;
        invocation_->connection().receive(invocation_->request_id(), in_time ? limit : reply, a);
      }
      if (in_time && !a.plain && a.fault == Fault::DeadlinePassed && !reply.passed()) return;
      invocation_->arrived(a);
    }
  });
  return over_;
}

// --- the body ---

CORBA::TypeCode_ptr Call::parameter_type(CORBA::ULong i) const {
  return type_in(*request_.arguments_->item(i)->value());
}

marshal::Direction Call::parameter_direction(CORBA::ULong i) const {
  return direction_of(request_.arguments_->item(i)->flags());
}

CORBA::TypeCode_ptr Call::result_type() const {
  const CORBA::TypeCode_ptr type = type_in(*request_.result_->value());
  return is_void(*type) ? CORBA::_tc_void : type;
}

void Call::encode_arguments(cdr::Encoder& to) const {
  CORBA::NVList& list = *request_.arguments_.in();
  std::optional<value::EncodeScope> scope;
  for (CORBA::ULong i = 0; i < list.count(); ++i) {
    if (parameter_direction(i) == marshal::Direction::Out) continue;
    const CORBA::Any& value = *list.item(i)->value();
    if (!scope && may_share(value)) scope.emplace(to);
    typecode::put_any_value(to, value);
  }
  if (has_context()) encode_context(to);
}

// All properties that match one of the patterns: names and values in turn, in the order of the names.
void Call::encode_context(cdr::Encoder& to) const {
  std::map<std::string, std::string> found;
  for (CORBA::ULong i = 0; request_.context_.in() && i < pattern_count(); ++i) {
    const auto some = request_.context_->_callis_matching({pattern(i)});
    for (CORBA::ULong k = 0; k + 1 < some.length(); k += 2) found.emplace(some[k], some[k + 1]);
  }
  to.put_ulong(static_cast<std::uint32_t>(2 * found.size()));
  for (const auto& [name, value] : found) {
    to.put_text(name);
    to.put_text(value);
  }
}

void Call::encode_results(cdr::Encoder& to) const {
  CORBA::NVList& list = *request_.arguments_.in();
  const value::EncodeScope scope(to);
  if (!is_void(*result_type())) typecode::put_any_value(to, *request_.result_->value());
  for (CORBA::ULong i = 0; i < list.count(); ++i)
    if (parameter_direction(i) != marshal::Direction::In) typecode::put_any_value(to, *list.item(i)->value());
}

void Call::decode(cdr::Decoder& from) {
  CORBA::NVList& list = *request_.arguments_.in();
  std::optional<value::DecodeScope> scope;
  const auto get = [&](CORBA::Any& into) {
    if (!scope && may_share(into)) scope.emplace(from);
    get_in_place(from, into);
  };
  if (!is_void(*result_type())) get(*request_.result_->value());
  for (CORBA::ULong i = 0; from.ok() && i < list.count(); ++i)
    if (parameter_direction(i) != marshal::Direction::In) get(*list.item(i)->value());
}

std::unique_ptr<CORBA::UserException> Call::decode_exception(std::string_view id, cdr::Decoder& from) {
  for (CORBA::ULong i = 0; i < exception_count(); ++i) {
    const CORBA::TypeCode_ptr type = exception_type(i);
    if (id != type->id()) continue;
    const value::DecodeScope scope(from);
    return std::make_unique<CORBA::UnknownUserException>(get_exception(from, type));
  }
  return nullptr;
}

}  // namespace callis::dynamic
