// SPDX-License-Identifier: Apache-2.0
#include <callis/typecode/coder.h>
#include <services/events/typed/typed_sink.h>

namespace callis::events {

namespace {

Pushing untyped() {
  Pushing out = Pushing::any();
  out.optional = true;
  return out;
}

void put_arguments(cdr::Encoder& to, const CORBA::Any& event) {
  const CallisTypedEvents::Call* const call = call_in(event);
  if (!call) return;  // TypedSink has looked
  for (CORBA::ULong i = 0; i < call->arguments.length(); ++i) typecode::put_any_value(to, call->arguments[i].value);
}

}  // namespace

TypedSink::TypedSink(Proxy& proxy, PortableServer::ServantBase& servant, CosEventComm::PushConsumer_ptr consumer,
                     CORBA::Object_ptr typed, std::shared_ptr<const TypedInterface> interface,
                     std::chrono::milliseconds deadline)
    : interface_(std::move(interface)), untyped_(proxy, servant, consumer, deadline, untyped()),
      typed_(proxy, servant, typed, deadline, Pushing{{}, nullptr, &put_arguments, false}) {}

PushSink& TypedSink::sink_of(const Event& event) noexcept {
  last_ = &untyped_;
  try {
    const TypedOperation* const operation = interface_->find(*static_cast<const CORBA::Any*>(event.data.get()));
    if (!operation) return *last_;
    typed_.set_operation(operation->name);
    last_ = &typed_;
  } catch (const std::exception&) {  // no memory to read the event, which is passed on as it is
  }
  return *last_;
}

}  // namespace callis::events
