// SPDX-License-Identifier: Apache-2.0
// How a call of push() to a consumer ends, whether it was waited for or not.
#include <callis/base/text.h>
#include <callis/deadline.h>
#include <callis/orb/client/call.h>
#include <callis/orb/core/object_of.h>
#include <callis/typecode/coder.h>
#include <services/events/push_sink.h>

namespace callis::events {

namespace {

constexpr char kIdentity = 0;

const CORBA::Any& any_of(const std::shared_ptr<const void>& data) {
  return *static_cast<const CORBA::Any*>(data.get());
}

PortableServer::ServantBase* counted(PortableServer::ServantBase& servant) {
  servant._add_ref();
  return &servant;
}

}  // namespace

const Pushing& Pushing::any() {
  static const Pushing push{"push", &kIdentity,
                            [](cdr::Encoder& to, const CORBA::Any& event) { typecode::put_any(to, event); }, false};
  return push;
}

void PushSink::Body::encode(cdr::Encoder& to) { encode_(to, any_of(any)); }

std::unique_ptr<CORBA::UserException> PushSink::Body::decode_exception(std::string_view id, cdr::Decoder&) {
  if (id != "IDL:omg.org/CosEventComm/Disconnected:1.0") return nullptr;
  return std::make_unique<CosEventComm::Disconnected>();
}

PushSink::PushSink(Proxy& proxy, PortableServer::ServantBase& servant, CORBA::Object_ptr consumer,
                   std::chrono::milliseconds limit, const Pushing& pushing)
    : proxy_(proxy),
      servant_(counted(servant)),
      limited_(deadline(consumer, limit)),
      consumer_(CORBA::Object::_duplicate(consumer)),
      operation_{pushing.operation, false, pushing.identity},
      optional_(pushing.optional),
      body_(pushing.encode),
      call_(orb::reference_of(consumer_.in()), operation_, body_, limit) {}

// Whether the peer has got the event, by how the call ended.
template <class F>
Sink::Result PushSink::result_of(F&& call) noexcept {
  try {
    call();
    return Result::Taken;
  } catch (const CosEventComm::Disconnected&) {
    return Result::Gone;
  } catch (const CORBA::OBJECT_NOT_EXIST& e) {
    last_ = e.what();
    return Result::Gone;
  } catch (const CORBA::SystemException& e) {
    if (optional_ && CORBA::NO_IMPLEMENT::_downcast(&e)) return Result::Taken;
    last_ = e.what();
    if (e.completed() == CORBA::COMPLETED_NO) return Result::Refused;
  } catch (const std::exception& e) {
    last_ = e.what();
  }
  return Result::Unknown;
}

Sink::Result PushSink::deliver(const Event& event) noexcept {
  return result_of([&] {
    body_.any = event.data;
    orb::call(orb::reference_of(limited_.in()), operation_, body_);
  });
}

Sink::Begun PushSink::begin(const Event& event, bool connects) noexcept {
  try {
    body_.any = event.data;
    switch (call_.begin(connects)) {
      case orb::DeferredCall::Begun::Sent: return Begun::Sent;
      case orb::DeferredCall::Begun::Over: return Begun::Over;
      case orb::DeferredCall::Begun::NotNow: return Begun::NotNow;
      case orb::DeferredCall::Begun::Never: break;
    }
    return Begun::Never;
  } catch (const std::exception&) {  // deliver() will say what
    call_.drop();
  }
  return Begun::NotNow;
}

Sink::Progress PushSink::look() noexcept {
  try {
    switch (call_.look()) {
      case orb::DeferredCall::Progress::Pending: return Progress::Pending;
      case orb::DeferredCall::Progress::Over: return Progress::Over;
      case orb::DeferredCall::Progress::Waits: break;
    }
  } catch (const std::exception&) {  // finish() will say what
  }
  return Progress::Waits;
}

Sink::Result PushSink::result() noexcept {
  return result_of([&] { call_.end(); });
}

Sink::Result PushSink::finish() noexcept {
  return result_of([&] {
    call_.finish();
    call_.end();
  });
}

void PushSink::dropped(const std::string& why) noexcept {
  proxy_.dropped(last_.empty() ? why : concat({why, ", the last with ", last_}));
}

MakeSink any_sinks(std::chrono::milliseconds deadline) {
  return [deadline](Proxy& proxy, PortableServer::ServantBase& servant, CosEventComm::PushConsumer_ptr consumer) {
    return std::make_unique<PushSink>(proxy, servant, consumer, deadline);
  };
}

}  // namespace callis::events
