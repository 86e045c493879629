// SPDX-License-Identifier: Apache-2.0
// The typed proxies that call an object of a typed interface: they push to a consumer's object, or pull from a
// supplier's. They are plain proxies whose sinks and sources make other calls.
#include <callis/base/log.h>
#include <callis/base/text.h>
#include <callis/deadline.h>
#include <callis/dynamic.h>
#include <callis/messaging/bound_object.h>
#include <callis/poa/servant/administrative.h>
#include <services/events/named_proxy.h>
#include <services/events/supplier_source.h>
#include <services/events/typed/typed_proxy.h>
#include <services/events/typed/typed_sink.h>
#include "CosTypedEventComm.h"

namespace callis::events {

namespace {

using CosEventChannelAdmin::TypeError;
using Interface = std::shared_ptr<const TypedInterface>;

// Returns the result of get(), if it is an object of the interface that administers nothing; otherwise throws
// TypeError. Strangers name the object and its operations, so it is called only at the address at which it has
// answered. Throws system exceptions of the asked object.
template <class Get>
CORBA::Object_var typed_object(const TypedInterface& interface, std::chrono::milliseconds limit, Get&& get) {
  CORBA::Object_var out;
  try {
    out = get();
  } catch (const CORBA::BAD_OPERATION&) {  // no typed one
    throw TypeError();
  } catch (const CORBA::NO_IMPLEMENT&) {
    throw TypeError();
  }
  if (CORBA::is_nil(out.in())) throw TypeError();
  const CORBA::Object_var limited = deadline(out.in(), limit);
  out = messaging::bound_object(limited.in(), interface.id().c_str(), poa::kAdministrativeId);
  if (CORBA::is_nil(out.in())) throw TypeError();
  return out;
}

// Asks the consumer for its typed object.
MakeSink typed_sinks(Interface interface, std::chrono::milliseconds limit) {
  return [interface = std::move(interface), limit](Proxy& proxy, PortableServer::ServantBase& servant,
                                                   CosEventComm::PushConsumer_ptr consumer) {
    const CosTypedEventComm::TypedPushConsumer_var typed =
        CosTypedEventComm::TypedPushConsumer::_unchecked_narrow(consumer);
    const CosTypedEventComm::TypedPushConsumer_var asked = deadline(typed, limit);
    const CORBA::Object_var object = typed_object(*interface, limit, [&] { return asked->get_typed_consumer(); });
    return std::make_unique<TypedSink>(proxy, servant, consumer, object.in(), interface, limit);
  };
}

// Pulls each of the interface's events in turn.
class TypedSource final : public SupplierSource {
 public:
  TypedSource(Proxy& proxy, PortableServer::ServantBase& servant, Channel& channel, Interface interface,
              CORBA::Object_var object)
      : SupplierSource(proxy, servant, channel), interface_(std::move(interface)), object_(std::move(object)) {}

  // Asks for each operation's event once. Where one fails the others are not asked.
  Result ask() noexcept override {
    bool has = false;
    try {
      for (const auto& [name, operation] : interface_->operations()) has = try_pull(operation) || has;
      return has ? Result::Event : Result::Nothing;
    } catch (const CORBA::OBJECT_NOT_EXIST&) {
      return Result::Gone;
    } catch (const std::exception& e) {
      log(LogLevel::Info, {"events: a typed supplier that is pulled: ", e.what()});
    }
    return Result::Failed;
  }

 private:
  bool try_pull(const TypedOperation& operation) {
    const CORBA::Request_var request = object_->_request(concat({"try_pull_", operation.name}).c_str());
    for (const TypedOperation::Parameter& p : operation.parameters)
      request->add_out_arg(p.name.c_str()).replace(p.type.in(), nullptr);
    request->set_return_type(CORBA::_tc_boolean);
    request->invoke();
    if (CORBA::Exception* const e = request->env()->exception()) e->_raise();
    CORBA::Boolean has = false;
    if (!(request->return_value() >>= CORBA::Any::to_boolean(has)) || !has) return false;
    CORBA::Any event;
    auto* const call = new CallisTypedEvents::Call;
    event <<= call;
    call->operation = operation.name.c_str();
    call->arguments.length(request->arguments()->count());
    for (CORBA::ULong i = 0; i < call->arguments.length(); ++i) {
      call->arguments[i].name = operation.parameters[i].name.c_str();
      call->arguments[i].value = *request->arguments()->item(i)->value();
    }
    pass_on(event);
    return true;
  }

  const Interface interface_;
  const CORBA::Object_var object_;
};

// Asks the supplier for its typed object.
MakeSource typed_sources(Channel& channel, Interface interface, std::chrono::milliseconds limit) {
  return [&channel, interface = std::move(interface), limit](Proxy& proxy, PortableServer::ServantBase& servant,
                                                             CosEventComm::PullSupplier_ptr supplier) {
    const CosTypedEventComm::TypedPullSupplier_var typed =
        CosTypedEventComm::TypedPullSupplier::_unchecked_narrow(supplier);
    const CosTypedEventComm::TypedPullSupplier_var asked = deadline(typed, limit);
    const CORBA::Object_var object = typed_object(*interface, limit, [&] { return asked->get_typed_supplier(); });
    return std::make_unique<TypedSource>(proxy, servant, channel, interface, deadline(object.in(), limit));
  };
}

}  // namespace

PortableServer::ServantBase* new_typed_push_supplier(const std::shared_ptr<Channel>& channel, Interface used,
                                                     Proxy*& proxy) {
  return new_push_supplier(channel, typed_sinks(std::move(used), channel->options().deadline), proxy);
}

PortableServer::ServantBase* new_named_typed_push_supplier(const std::shared_ptr<Channel>& channel,
                                                           const std::string& name, Interface used, Proxy*& proxy) {
  return new_named_push_supplier(channel, name, typed_sinks(std::move(used), channel->options().deadline), proxy);
}

PortableServer::ServantBase* new_typed_pull_consumer(const std::shared_ptr<Channel>& channel, Interface used,
                                                     Proxy*& proxy) {
  return new_pull_consumer(channel, typed_sources(*channel, std::move(used), channel->options().deadline), proxy);
}

}  // namespace callis::events
