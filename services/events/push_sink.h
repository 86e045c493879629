// SPDX-License-Identifier: Apache-2.0
// PushSink: the calls of push() to a consumer, waited for or not. As Sink says; the proxy is told when the consumer
// is given up.
#pragma once
#include <callis/orb/client/deferred_call.h>
#include <services/events/lane.h>
#include <services/events/proxy.h>
#include "CosEventComm.h"

namespace callis::events {

class PushSink final : public Sink {
 public:
  // servant: the proxy; the sink counts it for as long as it lives. deadline: of each call.
  PushSink(Proxy& proxy, PortableServer::ServantBase& servant, CosEventComm::PushConsumer_ptr consumer,
           std::chrono::milliseconds deadline);

  Result deliver(const Event& event) noexcept override;
  Begun begin(const Event& event, bool connects) noexcept override;
  Progress look() noexcept override;
  int descriptor() const noexcept override { return call_.descriptor(); }
  Result result() noexcept override;
  Result finish() noexcept override;
  void drop() noexcept override { call_.drop(); }
  void dropped(const std::string& why) noexcept override;

 private:
  // The argument of push(), and what it raises.
  class Body final : public orb::CallBody {
   public:
    std::shared_ptr<const void> any;  // a CORBA::Any
    void encode(cdr::Encoder& to) override;
    void decode(cdr::Decoder&) override {}
    std::unique_ptr<CORBA::UserException> decode_exception(std::string_view id, cdr::Decoder& from) override;
  };
  template <class F>
  Result result_of(F&& call) noexcept;

  Proxy& proxy_;
  const PortableServer::Servant_var<PortableServer::ServantBase> servant_;
  // The same one. Calls by the first have a policy for their deadline; those that are deferred need none.
  const CosEventComm::PushConsumer_var limited_, consumer_;
  std::string last_;  // how the last call failed
  Body body_;
  orb::DeferredCall call_;
};

}  // namespace callis::events
