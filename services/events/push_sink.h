// SPDX-License-Identifier: Apache-2.0
// PushSink: the calls to a consumer, of push() or of the one operation that a Pushing says, waited for or not. As
// Sink says; the proxy is told when the consumer is given up.
#pragma once
#include <callis/orb/client/deferred_call.h>
#include <services/events/lane.h>
#include <services/events/proxy.h>
#include "CosEventComm.h"

namespace callis::events {

// The form of each event for the consumer.
struct Pushing {
  std::string_view operation;      // outlives the sink
  const void* identity = nullptr;  // as of orb::CallOperation
  void (*encode)(cdr::Encoder& to, const CORBA::Any& event) = nullptr;
  bool optional = false;  // NO_IMPLEMENT: the consumer does not want such events, and has not failed
  static const Pushing& any();  // push() of the Any
};

class PushSink final : public Sink {
 public:
  // servant: the proxy; the sink counts it for as long as it lives. deadline: of each call.
  PushSink(Proxy& proxy, PortableServer::ServantBase& servant, CORBA::Object_ptr consumer,
           std::chrono::milliseconds deadline, const Pushing& pushing = Pushing::any());

  // Of the events from now on; outlives the sink. No call is under way, and the pushing has no identity.
  void set_operation(std::string_view operation) { operation_.name = operation; }

  Result deliver(const Event& event) noexcept override;
  Begun begin(const Event& event, bool connects) noexcept override;
  Progress look() noexcept override;
  int descriptor() const noexcept override { return call_.descriptor(); }
  Result result() noexcept override;
  Result finish() noexcept override;
  void drop() noexcept override { call_.drop(); }
  void dropped(const std::string& why) noexcept override;

 private:
  // The arguments, and what push() raises.
  class Body final : public orb::CallBody {
   public:
    explicit Body(void (*encodes)(cdr::Encoder&, const CORBA::Any&)) : encode_(encodes) {}
    std::shared_ptr<const void> any;  // a CORBA::Any
    void encode(cdr::Encoder& to) override;
    void decode(cdr::Decoder&) override {}
    std::unique_ptr<CORBA::UserException> decode_exception(std::string_view id, cdr::Decoder& from) override;

   private:
    void (*const encode_)(cdr::Encoder&, const CORBA::Any&);
  };
  template <class F>
  Result result_of(F&& call) noexcept;

  Proxy& proxy_;
  const PortableServer::Servant_var<PortableServer::ServantBase> servant_;
  // The same one. Calls by the first have a policy for their deadline; those that are deferred need none.
  const CORBA::Object_var limited_, consumer_;
  orb::CallOperation operation_;
  const bool optional_;
  std::string last_;  // how the last call failed
  Body body_;
  orb::DeferredCall call_;
};

// Makes the sinks of proxies that push Anys. deadline bounds each call.
MakeSink any_sinks(std::chrono::milliseconds deadline);

}  // namespace callis::events
