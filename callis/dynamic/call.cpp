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

namespace callis::dynamic {

namespace {

constexpr std::size_t kNames = 1024, kProbes = 8, kLongest = 128;
constinit std::atomic<OperationName*> names[kNames] = {};

// Eight characters at a time; the last eight overlap those before.
std::size_t hash(std::string_view text) {
  constexpr std::uint64_t kMultiplier = 0x9e3779b97f4a7c15u;
  std::uint64_t h = text.size();
  const auto mix = [&h](std::uint64_t part) {
    h = (h ^ part) * kMultiplier;
    h ^= h >> 32;
  };
  const auto eight = [&text](std::size_t at) {
    std::uint64_t part;
    std::memcpy(&part, text.data() + at, sizeof part);
    return part;
  };
  if (text.size() < 8) {
    for (const char c : text) mix(static_cast<unsigned char>(c));
    return static_cast<std::size_t>(h);
  }
  for (std::size_t at = 0; at + 8 < text.size(); at += 8) mix(eight(at));
  mix(eight(text.size() - 8));
  return static_cast<std::size_t>(h);
}

}  // namespace

const OperationName* OperationName::find(std::string_view text) {
  if (text.size() > kLongest) return nullptr;
  const std::size_t h = hash(text);
  for (std::size_t i = 0; i < kProbes; ++i) {
    std::atomic<OperationName*>& cell = names[(h + i) % kNames];
    OperationName* known = cell.load(std::memory_order_acquire);
    if (!known) {
      auto made = std::make_unique<OperationName>(OperationName{std::string(text), {}});
      if (cell.compare_exchange_strong(known, made.get(), std::memory_order_acq_rel)) known = made.release();
    }
    if (known->text == text) return known;
  }
  return nullptr;
}

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

Call::Call(CORBA::Request& request, bool oneway)
    : request_(request),
      target_(orb::reference_of(request.target_.in())),
      operation_{request.operation_, oneway, request.name_ ? &request.name_->identities[oneway] : nullptr} {
  const CORBA::NVList& list = *request.arguments_.in();
  for (CORBA::ULong i = 0; i < list.count(); ++i)
    if (is_void(*type_in(*list.item(i)->value())))
      orb::raise<CORBA::BAD_TYPECODE>(orb::omg(2), CORBA::COMPLETED_NO, "an argument without a type");
}

// A reply that nobody will fetch is not waited for any more: the server is told so.
DeferredCall::~DeferredCall() {
  DeferredRequests::remove(place);
  if (!invocation_ || over_ || invocation_->state() != orb::Invocation::State::Sent) return;
  try {
    orb::ClientConnection::Arrival given_up;
    given_up.fault = Fault::DeadlinePassed;
    invocation_->arrived(given_up);
  } catch (...) {
  }
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
    orb::call(target_, operation_, *this);
    over_ = true;
  });
}

void DeferredCall::send() {
  // An object of this process: nobody would make the call meanwhile.
  if (target_.paths(), target_.collocated_path()) return run();
  take([this] {
    orb().check_running();
    const TimePoint now = Clock::steady().now();
    const Duration limit = orb().limits().call_timeout;
    invocation_.emplace(target_, operation_, *this, now, limit.count() > 0 ? Deadline::at(now + limit) : Deadline());
    if (invocation_->terms().hold) invocation_->terms().hold(orb(), invocation_->terms(), false);
    (void)advance();
  });
}

// As far as it goes without waiting for a reply. True: it is over.
bool DeferredCall::advance() {
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

bool DeferredCall::go_on(Deadline limit) {
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
  const CORBA::NVList& list = *request_.arguments_.in();
  {
    Putting arguments(to);
    for (CORBA::ULong i = 0; i < list.count(); ++i) {
      CORBA::NamedValue& item = *list.item(i);
      if (direction_of(item.flags()) != marshal::Direction::Out) arguments.put(*item.value());
    }
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
  const CORBA::NVList& list = *request_.arguments_.in();
  Putting results(to);
  results.put(*request_.result_->value());
  for (CORBA::ULong i = 0; i < list.count(); ++i) {
    CORBA::NamedValue& item = *list.item(i);
    if (direction_of(item.flags()) != marshal::Direction::In) results.put(*item.value());
  }
}

void Call::decode(cdr::Decoder& from) {
  const CORBA::NVList& list = *request_.arguments_.in();
  Getting results(from);
  results.get(*request_.result_->value());
  for (CORBA::ULong i = 0; from.ok() && i < list.count(); ++i) {
    CORBA::NamedValue& item = *list.item(i);
    if (direction_of(item.flags()) != marshal::Direction::In) results.get(*item.value());
  }
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
